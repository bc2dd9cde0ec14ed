"""How many turns are left at least: never more than there turn out to be, and not just one."""

import pytest

from engine import Game
from engine.display import end_in_sight
from engine.rules.turns import LastRoundBegan, TurnBegan
from engine.rules.turns_left import own_turns, turns_before_last_round
from tests.amounts import amount
from tests.random_games import Played, Table, played, tables
from tests.scenes import ADA, BEN, scene

NAMES = ["Ada", "Ben"]


def _turns_to_last_round(game: Played) -> list[int | None]:
    """Before each move: the turns that began until the last round, the present one included."""
    counts: list[int | None] = []
    left: int | None = None
    for step in reversed(game.steps):
        kinds = [type(event) for event in step.events]
        if LastRoundBegan in kinds:
            left = 1
        elif left is not None and TurnBegan in kinds:
            left += 1
        counts.append(left)
    return counts[::-1]


@pytest.mark.parametrize("table", tables(), ids=str)
def test_the_last_round_never_begins_earlier(table: Table) -> None:
    """R-END-1: in every position of whole games the number is at most that of turns to come."""
    for number in range(amount(1, soak=6)):
        game = played(table, number)
        for step, actual in zip(game.steps, _turns_to_last_round(game), strict=True):
            least = turns_before_last_round(table.rules, step.state)
            if actual is not None and least is not None:
                assert least <= actual, (table, number, step.seat)
            assert least is not None or actual is None


@pytest.mark.parametrize("table", tables(), ids=str)
def test_everybody_reads_the_same_number(table: Table) -> None:
    """R-DIG-3: the number follows from what everybody may know."""
    game = Game(table.rules, "same", b"\1" * 32)
    views = [game.view(seat) for seat in (None, *range(table.seats))]
    numbers = {turns_before_last_round(table.rules, view) for view in views}
    assert {turns_before_last_round(table.rules, game.state)} == numbers


def test_the_longest_open_routes_count() -> None:
    """R-END-1: with 13 trains a seat lays 6 and 6 on the longest routes, and 11 are enough."""
    here = scene("usa · ada ben · turn ada\nada has 13 trains\nben has 45 trains")
    assert 2 == own_turns(here.rules, here.state, ADA)
    assert 3 == turns_before_last_round(here.rules, here.state)
    here = scene("usa · ada ben · turn ben\nada has 13 trains\nben has 45 trains")
    assert 4 == turns_before_last_round(here.rules, here.state)


def test_a_route_that_is_too_long_does_not_count() -> None:
    """R-CLAIM-2: a route longer than the trains that are left cannot be claimed."""
    here = scene("usa · ada ben · turn ada\nada has 3 trains")
    assert (1, 1) == (
        own_turns(here.rules, here.state, ADA),
        turns_before_last_round(here.rules, here.state),
    )


def test_dice_reach_eight_spaces() -> None:
    """R-DICE-12: longer routes do not count in a game with dice; in others they do."""
    dice, cards = Table("uk", ("dice",), 2), Table("uk", (), 2)
    by_dice = own_turns(dice.rules, dice.rules.initial, BEN)
    by_cards = own_turns(cards.rules, cards.rules.initial, BEN)
    assert by_dice is not None
    assert by_cards is not None
    assert by_dice > by_cards


def test_two_claims_in_a_turn_count() -> None:
    """R-ADV-1: where two routes can be claimed in one turn, half as many turns are enough."""
    plain, advanced = Table("uk", (), 2), Table("uk", ("advanced_technologies",), 2)
    assert own_turns(plain.rules, plain.rules.initial, ADA) == 6
    assert own_turns(advanced.rules, advanced.rules.initial, ADA) == 3


def test_the_sentence_names_the_readers_turns() -> None:
    """A player reads how many of these turns are theirs, a spectator only the number."""
    here = scene("usa · ada ben · turn ada\nada has 13 trains")
    texts = [end_in_sight(here.rules, here.state, NAMES, seat) for seat in (None, ADA, BEN)]
    assert [text.partition("begins. ")[2] for text in texts] == [
        "That is at least 3 turns away.",
        "That is at least 3 turns away (yours: 2).",
        "That is at least 3 turns away (yours: 1).",
    ]


def test_nothing_is_said_in_the_last_round() -> None:
    """As soon as a seat has two trains the sentence is gone."""
    here = scene("usa · ada ben · turn ada\nada has 2 trains")
    assert "" == end_in_sight(here.rules, here.state, NAMES, ADA)
