"""Move texts: variations are understood, and nothing is guessed."""

import pytest

from engine import Ambiguous, Chance, Illegal, Refusal, Unreadable, decide, menu, options, read
from engine.codec import read_action
from engine.menu import number_of
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
    claim = {"type": "claim", "route": "chicago-duluth", "payment": {"red": 3}}

    assert read_action(claim) == meaning(play, text)


def test_text_that_fits_several(play: Scene) -> None:
    """A claim without a payment is ambiguous if colours compete, and the refusal lists them."""
    with pytest.raises(Ambiguous) as caught:
        meaning(play, "claim boston-montreal")

    assert len({text.split()[-1] for text in caught.value.candidates}) > 1


def test_text_that_is_not_allowed(play: Scene) -> None:
    """A text that is understood but illegal is refused with its rule."""
    with pytest.raises(Illegal) as caught:
        meaning(play, "claim chicago-duluth with 2 red")

    assert ("illegal", "R-CLAIM-6") == (caught.value.code, caught.value.rule)


def test_a_number_is_an_entry(play: Scene) -> None:
    """A bare number means the entry of the menu with that number."""
    entries = menu(play.rules, play.state, ADA)

    plain = [(n, entry) for n, entry in enumerate(entries, 1) if len(entry.ways) == 1]
    assert len(plain) > 6
    for number, entry in plain:
        assert entry.ways[0].action == meaning(play, str(number))


def test_a_number_can_be_completed(play: Scene) -> None:
    """What follows the number of an entry completes it: a colour, or an exact payment."""
    entries = menu(play.rules, play.state, ADA)
    number = next(n for n, entry in enumerate(entries, 1) if entry.about == "chicago-duluth")
    three_red = meaning(play, "claim chicago-duluth with 3 red")

    for text in (f"{number} red", f"{number} with red", f"{number} 3 red", f"{number}: with 3 red"):
        assert three_red == meaning(play, text)


@pytest.mark.parametrize("text", ["0", "999", "70000", "7.5"])
def test_a_number_without_an_entry(play: Scene, text: str) -> None:
    """A number that no entry has is refused with the numbers that there are."""
    with pytest.raises(Unreadable):
        meaning(play, text)


@pytest.mark.parametrize(
    ("text", "full"),
    [
        ("claim Chicago to Duluth with 3 red", "claim chicago-duluth with 3 red"),
        ("claim duluth chicago with red", "claim chicago-duluth with 3 red"),
        ("claim the route from Duluth to Chicago with 3 red", "claim chicago-duluth with 3 red"),
        (
            "claim kansas city to saint louis with 2 blue",
            "claim kansas_city-saint_louis-blue with 2 blue",
        ),
        ("draw a card from the deck", "draw"),
        ("draw tickets", "tickets"),
        ("Claim Duluth–Omaha (track 2) with blue", "claim duluth-omaha-2 with 2 blue"),
        ("Claim Chicago–Duluth with 3 red", "claim chicago-duluth with 3 red"),
        ("take the blue card", "take 2"),
    ],
)
def test_near_misses_are_understood(play: Scene, text: str, full: str) -> None:
    """Cities may be named in any order and with “to”; words that change nothing are skipped."""
    assert meaning(play, full) == meaning(play, text)


@pytest.mark.parametrize(
    ("text", "guess"),
    [
        ("claim chicgo-duluth with 3 red", "chicago-duluth"),
        ("claim dulut to chicago", "chicago-duluth"),
        ("claim new yrok-boston", "boston-new_york"),
    ],
)
def test_misspelt_routes_are_suggested(play: Scene, text: str, guess: str) -> None:
    """A route with a small typo is not played but suggested."""
    with pytest.raises(Unreadable) as caught:
        meaning(play, text)

    assert f"Did you mean “{guess}”" in caught.value.sentence


def test_one_city_is_asked_for_the_other(play: Scene) -> None:
    """A city alone is answered with the cities to which it has routes."""
    with pytest.raises(Unreadable) as caught:
        meaning(play, "claim miami")

    assert "Which route from Miami: to Atlanta, Charleston or New Orleans?" == caught.value.sentence


def test_a_refusal_says_what_a_number_stands_for(play: Scene) -> None:
    """A number with words that do not complete it is refused with what was read."""
    with pytest.raises(Unreadable) as caught:
        meaning(play, "1 3")

    assert caught.value.sentence.startswith("“1 3” stands for “draw 3”. ")


def test_a_route_that_cannot_be_paid_says_its_price(play: Scene) -> None:
    """A claim without a payment that nothing in hand can pay says what the route costs."""
    with pytest.raises(Illegal) as caught:
        meaning(play, "claim el_paso-houston")

    assert (
        "You cannot pay for El Paso–Houston with what you have. It costs 6 green."
        == caught.value.sentence
    )


@pytest.mark.parametrize("board", ["usa", "europe", "uk", "nordic", "switzerland"])
def test_titles_can_be_written_back(board: str) -> None:
    """Every title of a claim, a station, a purchase or a draw is read as its own entry."""
    play = scene(f"""
        {board} · ada ben · turn ada
        ada holds 6 red 6 blue 4 white 4 locomotive
        market red blue green white black
    """)
    entries = menu(play.rules, play.state, ADA)
    taken = {entry.card for entry in entries}

    assert len(taken) > 4
    for number, entry in enumerate(entries, 1):
        if entry.group == "draw" or len(entry.ways) == 1:
            action = read(play.rules, play.state, ADA, entry.title)
            same = {n for n, other in enumerate(entries, 1) if other.title == entry.title}
            assert number_of(play.rules, entries, action) in same
            assert number in same
        else:
            with pytest.raises(Ambiguous) as caught:
                read(play.rules, play.state, ADA, entry.title)
            assert all(text.startswith(entry.lead) for text in caught.value.candidates)


def test_nothing_is_suggested_for_anything(play: Scene) -> None:
    """Words that are like no route get no suggestion."""
    with pytest.raises(Unreadable) as caught:
        meaning(play, "claim atlantis-mu")

    assert caught.value.sentence.endswith("on this board.")


@pytest.mark.parametrize("name", ["\n\x1b[2J", "\ud800", "a" * 100_000, "\u202e"])
def test_strange_words_are_made_harmless(play: Scene, name: str) -> None:
    """A refusal quotes unknown words shortened, and without control characters."""
    action = ClaimRoute(name, *play.rules.purse.read("1 red", ()))

    with pytest.raises(Refusal) as caught:
        decide(play.rules, play.state, ADA, action, Chance(b"", "", 0))
    sentence = caught.value.sentence
    assert len(sentence) < 120
    assert sentence.isprintable()
    assert sentence.encode()


def test_the_list_of_options_is_nobodys_to_change(play: Scene) -> None:
    """The list of legal actions is an immutable tuple."""
    assert isinstance(options(play.rules, play.state, ADA).actions, tuple)
