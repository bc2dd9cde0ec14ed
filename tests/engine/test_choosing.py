"""Answers by entry, way and things: what they mean, and how bad ones are refused."""

import pytest

from engine import (
    Ambiguous,
    Chosen,
    GameOver,
    Illegal,
    NotAwaited,
    Refusal,
    Unreadable,
    chosen,
    menu,
)
from engine.codec import write
from tests.scenes import ADA, BEN, Scene, scene


@pytest.fixture
def play() -> Scene:
    """A scene in which Ada can pay in two colours, with and without locomotives."""
    return scene("usa · ada ben · turn ada\nada holds 3 red 3 blue 2 locomotive")


@pytest.fixture
def offered() -> Scene:
    """A scene in which Ada has to keep at least one of three tickets."""
    return scene("usa · ada ben · turn ada").do("ada: tickets")


@pytest.fixture
def rolled() -> Scene:
    """A scene in which Ada has rolled her dice."""
    return scene("usa dice · ada ben · turn ada").do("ada: roll")


def number(play: Scene, text: str) -> int:
    """The number of the entry with this text."""
    texts = [entry.text for entry in menu(play.rules, play.state, ADA)]
    return texts.index(text) + 1


def answer(play: Scene, entry: str, **more: object) -> dict[str, object]:
    """What Ada's choice means, as JSON."""
    choice = Chosen(number(play, entry), **more)  # type: ignore[arg-type]  # some are wrong
    return write(chosen(play.rules, play.state, ADA, choice))


def test_an_entry_and_a_way(play: Scene) -> None:
    """A way is named by its text, and takes the fewest locomotives unless a number is given."""
    route = {"type": "claim", "route": "los_angeles-phoenix"}
    blue = answer(play, "claim los_angeles-phoenix", way="3 blue")

    assert {**route, "payment": {"blue": 3}} == blue
    assert {**route, "payment": {"red": 3}} == answer(
        play, "claim los_angeles-phoenix", way="3 red"
    )
    with_two = answer(play, "claim los_angeles-phoenix", way="3 red", locomotives=2)
    assert {**route, "payment": {"red": 1, "locomotive": 2}} == with_two


def test_an_entry_alone(play: Scene) -> None:
    """An entry needs no way if its ways differ only in locomotives."""
    claim = {"type": "claim", "route": "chicago-duluth", "payment": {"red": 3}}

    assert claim == answer(play, "claim chicago-duluth")
    assert {"type": "draw_blind"} == answer(play, "draw")
    with pytest.raises(Ambiguous):
        answer(play, "claim los_angeles-phoenix")


@pytest.mark.parametrize(
    ("more", "reason"),
    [
        ({"way": ""}, "could mean: claim los_angeles-phoenix with 3 blue; claim los_ang"),
        ({"way": "3 green"}, "could mean: claim los_angeles-phoenix with 3 blue; claim los_ang"),
        ({"locomotives": 1}, "could mean: claim los_angeles-phoenix with 3 blue; claim los_ang"),
        ({"way": "3 red", "locomotives": 3}, "with 0 to 2 locomotives, not 3"),
        ({"way": "3 red", "locomotives": -1}, "with 0 to 2 locomotives, not -1"),
        ({"things": ()}, "has no things to choose from"),
    ],
)
def test_wrong_ways_are_refused(play: Scene, more: dict[str, object], reason: str) -> None:
    """An unknown way, or a number of locomotives that it does not take, is refused."""
    with pytest.raises((Unreadable, Ambiguous)) as caught:
        answer(play, "claim los_angeles-phoenix", **more)

    assert reason in caught.value.sentence


def test_a_way_with_one_number_of_locomotives() -> None:
    """A way that is paid with one number of locomotives only refuses another, and names it."""
    play = scene("usa · ada ben · turn ada\nada holds 3 red")
    with pytest.raises(Unreadable) as caught:
        answer(play, "claim chicago-duluth", locomotives=1)

    assert "You can pay this with exactly 0 locomotives." == caught.value.sentence


def test_dice_games_speak_of_jokers() -> None:
    """In a game with dice, the refusal of a wrong number speaks of jokers."""
    play = scene(
        """
        europe dice · ada ben · turn ada
        ada rolled 3 single 2 joker
        """
    )
    with pytest.raises(Unreadable) as caught:
        answer(play, "claim amsterdam-london", locomotives=1)

    assert "You can pay this with exactly 2 jokers." == caught.value.sentence


@pytest.mark.parametrize("entry", [0, -1, 1000])
def test_wrong_entries_are_refused(play: Scene, entry: int) -> None:
    """An unknown entry is refused with the range of numbers."""
    with pytest.raises(Unreadable) as caught:
        chosen(play.rules, play.state, ADA, Chosen(entry))

    last = len(menu(play.rules, play.state, ADA))
    assert f"There is no move {entry}; choose one from 1 to {last}." == caught.value.sentence


def test_things_are_chosen_in_any_order(offered: Scene) -> None:
    """Things are named by their values; the action has them in the order of the offer."""
    first, second, third = offered.tickets.offers[ADA]

    action = answer(offered, "keep", things=(third, first))
    assert {"type": "keep_tickets", "keep": [first, third]} == action
    assert {"type": "keep_tickets", "keep": [second]} == answer(offered, "keep", things=(second,))


def test_dice_are_chosen_by_number(rolled: Scene) -> None:
    """Dice are named by their numbers."""
    assert {"type": "reroll", "dice": [2, 5]} == answer(rolled, "reroll", things=(5, 2))


def test_wrong_things_are_refused(offered: Scene) -> None:
    """Too few, foreign and repeated things are refused, with the number expected."""
    first = offered.tickets.offers[ADA][0]
    before = offered.state

    for things, reason in {
        (): "Choose 1 to 3 of them. You chose 0.",
        (
            "nowhere-never",
        ): "“nowhere-never” is not one of the things to choose from. Choose 1 to 3 of them.",
        (1,): "“1” is not one of the things to choose from. Choose 1 to 3 of them.",
        (first, first): f"“{first}” is named twice; name each once. Choose 1 to 3 of them.",
    }.items():
        with pytest.raises(Illegal) as caught:
            answer(offered, "keep", things=things)
        assert (reason, "R-TKT-3") == (caught.value.sentence, caught.value.rule)
    with pytest.raises(Unreadable) as missing:
        answer(offered, "keep")
    assert missing.value.sentence.endswith("Choose 1 to 3 of them.")
    with pytest.raises(Unreadable):
        answer(offered, "keep", way="1")
    assert before is offered.state


@pytest.mark.parametrize("things", [(), (6,), (0,), (1, 1), ("1",), (True,), (1.0,)])
def test_wrong_dice_are_refused(rolled: Scene, things: tuple[object, ...]) -> None:
    """Unknown dice, dice named twice and values that are no numbers are refused."""
    with pytest.raises(Illegal) as caught:
        answer(rolled, "reroll", things=things)

    assert "R-DICE-6" == caught.value.rule


def test_too_many_things_are_refused(rolled: Scene) -> None:
    """Three dice for a token, which costs exactly two, are refused."""
    with pytest.raises(Illegal) as caught:
        answer(rolled, "token single", things=(1, 2, 3))

    assert "Choose exactly 2. You chose 3." == caught.value.sentence


def test_only_the_awaited_seat_chooses(play: Scene) -> None:
    """A choice is refused from a seat that has nothing to decide, and after the game."""
    with pytest.raises(NotAwaited):
        chosen(play.rules, play.state, BEN, Chosen(1))
    over = play.state._replace(awaiting=())
    with pytest.raises(GameOver):
        chosen(play.rules, over, ADA, Chosen(1))
    assert issubclass(GameOver, Refusal)


def test_numbers_are_things_where_nothing_else_is_asked(offered: Scene) -> None:
    """A reply of numbers keeps these tickets; “all” keeps all of them."""
    first, _, third = offered.tickets.offers[ADA]

    offered.do("ada: 1 3")

    assert (first, third) == offered.tickets.held[ADA]
