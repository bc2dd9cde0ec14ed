"""The score sheet of a finished game."""

from dataclasses import replace

import pytest

from engine import GameEnded, Ruleset
from engine.values import ScoreLine
from service.desk import Desk
from service.views.scores import sheet_of, verdict_for
from tests.workers.correspondence import room

NAMES = ["Ada", "Ben", "Cem"]


@pytest.fixture
def ended(desk: Desk) -> tuple[Ruleset, GameEnded]:
    """The rules and the end of a game that random players have played."""
    here = room(desk)
    here.play(9999)
    with desk.database.reading() as tx:
        position = desk.positions.of(tx, here.table)
    assert position.ended is not None
    return position.rules, position.ended


def _number(cell: str) -> int:
    return 0 if cell == "–" else int(cell.replace("−", "-"))


def test_points_add_up_to_the_total(ended: tuple[Ruleset, GameEnded]) -> None:
    """The points in each column of the sheet add up to the seat's total."""
    rules, end = ended
    sheet = sheet_of(rules, end, NAMES[: rules.seats])
    for seat, result in enumerate(end.results):
        points = [_number(row.cells[seat]) for row in sheet.kinds]

        assert result.total == sum(points) == _number(sheet.total.cells[seat])
        assert len(result.completed) == len(sheet.completed[seat])
        assert len(result.failed) == len(sheet.failed[seat])


def test_the_winner_is_named(ended: tuple[Ruleset, GameEnded]) -> None:
    """The verdict names all winners, and each of them has rank 1."""
    rules, end = ended
    sheet = sheet_of(rules, end, NAMES[: rules.seats])
    ranks = next(row for row in sheet.facts if row.label == "Rank")

    assert all(NAMES[seat] in sheet.verdict for seat in sheet.winners)
    assert {"1"} == {ranks.cells[seat] for seat in sheet.winners}


def test_points_that_the_rules_do_not_know_are_shown(ended: tuple[Ruleset, GameEnded]) -> None:
    """Points of an unknown kind have a row, in which a seat without any has a dash."""
    rules, end = ended
    first, *others = end.results
    strange = first._replace(lines=(*first.lines, ScoreLine("moon_landing", 7)))
    sheet = sheet_of(rules, replace(end, results=(strange, *others)), NAMES[: rules.seats])
    (row,) = [row for row in sheet.kinds if row.label == "Moon landing"]

    assert [7, *[0] * len(others)] == [_number(cell) for cell in row.cells]
    assert ["–"] * len(others) == list(row.cells[1:])


def test_there_is_one_result_for_each_seat(ended: tuple[Ruleset, GameEnded]) -> None:
    """A sheet with fewer results than seats raises a ValueError."""
    rules, end = ended
    with pytest.raises(ValueError, match="one result for each seat"):
        sheet_of(rules, replace(end, results=end.results[1:]), NAMES)


def test_a_winner_reads_that_they_have_won(ended: tuple[Ruleset, GameEnded]) -> None:
    """The verdict says “you” to a winner, alone or not, and names the winner to all others."""
    _, end = ended
    alone = replace(end, winners=(1,))
    shared = replace(end, winners=(0, 1))

    assert verdict_for(alone, NAMES, 1).startswith("You win with")
    assert verdict_for(alone, NAMES, 0).startswith("Ben wins with")
    assert " You have " in verdict_for(alone, NAMES, 0)
    assert verdict_for(shared, NAMES, 0).startswith("You share the victory with Ben:")
