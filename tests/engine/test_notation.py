"""Move texts: variations are understood, and nothing is guessed."""

import pytest

from engine import Ambiguous, Chance, Illegal, Refusal, Unreadable, decide, options, read
from engine.codec import read_action
from engine.rules.routes import ClaimRoute
from tests.scenes import ADA, Scene, scene


@pytest.fixture
def play() -> Scene:
    """A scene in which Ada has many options."""
    return scene("""
        usa · ada ben · turn ada
        ada holds 3 red 2 blue 2 locomotive
        market red blue green white black
    """)


def meaning(play: Scene, text: str) -> object:
    """The action that this text means here."""
    return read(play.rules, play.state, ADA, text)


@pytest.mark.parametrize(
    "text",
    [
        "claim chicago-duluth with 3 red 7",
        "claim chicago-duluth with 9 3 red",
        "claim chicago-duluth with 00003 red",
        "claim chicago-duluth with 30000 red",
        "claim chicago-duluth with three red",
        "claim",
        "claim with 3 red",
        "claim chicago-paris",
        "take 00012",
        "take",
        "take mauve",
        "draw two",
        "pass now",
        "tickets please",
        "0000029",
        "0",
        "9999",
        "",
        "  . ; ",
        "fly",
        "x" * 401,
    ],
)
def test_what_cannot_be_understood(play: Scene, text: str) -> None:
    """A text with extra, missing or malformed words is unreadable, and the refusal says why."""
    with pytest.raises(Unreadable) as caught:
        meaning(play, text)
    assert caught.value.sentence.endswith(".")


@pytest.mark.parametrize(
    "text",
    [
        "claim chicago-duluth with 3 red",
        "Claim Chicago – Duluth with 3 red.",
        "claim duluth-chicago with 2 red and red",
        "claim chicago-duluth with red, red, red!",
    ],
)
def test_one_move_in_many_words(play: Scene, text: str) -> None:
    """Case, order of the cities, dashes, commas and full stops do not matter."""
    wanted = {"type": "claim", "route": "chicago-duluth", "payment": {"red": 3}}

    assert read_action(wanted) == meaning(play, text)


def test_text_that_fits_several(play: Scene) -> None:
    """A claim without a payment is ambiguous if several fit, and the refusal lists them."""
    with pytest.raises(Ambiguous) as caught:
        meaning(play, "claim chicago-duluth")

    assert "claim chicago-duluth with 3 red" in caught.value.candidates
    assert len(caught.value.candidates) > 1


def test_text_that_is_not_allowed(play: Scene) -> None:
    """A text that is understood but illegal is refused with its rule."""
    with pytest.raises(Illegal) as caught:
        meaning(play, "claim chicago-duluth with 2 red")

    assert ("illegal", "R-CLAIM-6") == (caught.value.code, caught.value.rule)


def test_a_number_is_an_option(play: Scene) -> None:
    """A bare number means the option with that number."""
    listed = play.texts(ADA)

    for number in (1, 2, len(listed)):
        assert meaning(play, listed[number - 1]) == meaning(play, str(number))


@pytest.mark.parametrize("name", ["\n\x1b[2J", "\ud800", "a" * 100_000, "\u202e"])
def test_strange_words_are_made_harmless(play: Scene, name: str) -> None:
    """A refusal quotes unknown words shortened, and without control characters."""
    action = ClaimRoute(name, play.rules.purse.read("1 red"))

    with pytest.raises(Refusal) as caught:
        decide(play.rules, play.state, ADA, action, Chance(b"", "", 0))
    said = caught.value.sentence
    assert len(said) < 120
    assert said.isprintable()
    assert said.encode()


def test_the_list_of_options_is_nobodys_to_change(play: Scene) -> None:
    """The list of legal actions is an immutable tuple."""
    assert isinstance(options(play.rules, play.state, ADA).actions, tuple)
