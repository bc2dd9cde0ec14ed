"""Options grouped for a page."""

from typing import Any

import pytest

from engine import options
from service.desk import Desk
from service.views.option_groups import Sort, sorts_of
from tests.workers.correspondence import Room, room


def _sorts(here: Room) -> tuple[list[Sort], int]:
    """The sorts of the open decision, and the number of its options."""
    with here.desk.database.reading() as tx:
        position = here.desk.positions.of(tx, here.table)
    listed = options(position.rules, position.state, here.awaited)
    return list(sorts_of(position.rules, listed)), len(list(listed))


@pytest.mark.parametrize("board", ["usa", "europe", "uk"])
def test_every_option_stands_in_one_group(desk: Desk, board: str) -> None:
    """Every option is in exactly one group, with its number in the list."""
    here = room(desk, board)
    for _ in range(5):
        here.play(7)
        sorts, count = _sorts(here)
        numbers = [way.n for sort in sorts for way in sort.ways]

        assert list(range(1, count + 1)) == sorted(numbers)
        assert len(sorts) == len({sort.verb for sort in sorts})
        for sort in sorts:
            assert all(group.name.split()[0] == sort.verb for group in sort.groups)


def test_claims_are_found_on_the_board(desk: Desk) -> None:
    """Claims are on the board under their route, with their cost; drawing cards is not."""
    here = room(desk, "usa")
    sorts: dict[str, Any] = {}
    while "claim" not in sorts:  # until a hand can pay for a route
        here.play(2)
        sorts = {sort.verb: sort for sort in _sorts(here)[0]}
    claims = sorts["claim"]
    group = claims.groups[0]

    assert claims.is_on_board
    assert (group.place, group.name) == (group.name.split()[1], f"claim {group.place}")
    assert group.title
    assert group.detail[0].isdigit()
    assert not sorts["draw"].is_on_board


def test_help_is_given_once(desk: Desk) -> None:
    """Help for all groups of a sort is not repeated in each group."""
    here = room(desk, "uk")
    here.play(12)
    for sort in _sorts(here)[0]:
        for group in sort.groups:
            assert not set(group.help) & set(sort.help)
