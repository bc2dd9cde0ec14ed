"""A picture does not depend on what is hidden from its viewer."""

import random
import sys

import pytest

import pictures
from engine import Event, Ruleset, replay, seen_by, shown
from tests.amounts import amount
from tests.random_games import Table, played
from tests.worlds import another_world

TABLES = [
    Table("usa", (), 3),
    Table("europe", (), 3),
    Table("uk", ("advanced_technologies",), 3),
    Table("europe", ("dice",), 2),
]
NAMES = ("Ada", "Ben", "Cem")
PAIRS = amount(4, soak=40)


def picture(rules: Ruleset, log: list[Event], seat: int | None) -> str:
    """The board as this seat sees it, with its own tickets, or as a spectator does."""
    view = replay(rules, [seen_by(event, seat) for event in log])
    facts = shown(rules, view)
    mine = [] if seat is None else facts["seats"][seat]["tickets"]
    return pictures.svg(
        rules.board,
        pictures.scene_of(rules, view, NAMES[: rules.seats]),
        last=list(facts["claimed"])[-1:],
        tickets=pictures.goals(rules.board, dict.fromkeys(mine, False)),
        interactive=True,
    )


def differences(table: Table) -> int:
    """The number of pairs of worlds, half of them late in the game, whose pictures differ."""
    rules, game = table.rules, played(table, 0).game
    rng, differing, changed = random.Random(f"{table} in pictures"), 0, 0
    for pair in range(PAIRS):
        first = len(game.moves) * 4 // 5 if pair % 2 else 1
        moves = game.moves[: rng.randrange(first, len(game.moves))]
        log = [event for move in moves for event in move.events]
        seat = rng.choice([None, *range(table.seats)])
        other = another_world(rules, log, seat, rng)
        changed += log != other
        differing += picture(rules, log, seat) != picture(rules, other, seat)
    assert changed, "no pair is of two worlds"
    return differing


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_worlds_look_the_same(table: Table) -> None:
    """R-DIG-3 to R-DIG-7: the picture is the same in all worlds that a seat cannot tell apart."""
    assert 0 == differences(table)


def test_a_leaky_picture_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted fault: a picture that marks everybody's tickets differs between the worlds."""

    def everybodys(rules: Ruleset, log: list[Event], _: int | None) -> str:
        facts = shown(rules, replay(rules, log))
        held = [id for row in facts["seats"] for id in row["tickets"]]
        goals = pictures.goals(rules.board, dict.fromkeys(held, False))
        return pictures.svg(rules.board, pictures.EMPTY, tickets=goals)

    monkeypatch.setattr(sys.modules[__name__], "picture", everybodys)

    assert differences(TABLES[0])
