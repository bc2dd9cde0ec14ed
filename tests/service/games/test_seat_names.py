"""Names of seats."""

import pytest

from service.desk import Desk
from service.games import seat_names
from tests.service.support.tables import table
from tests.service.support.timing import table_at


@pytest.mark.parametrize(
    ("players", "names"),
    [
        ([("Ada", None), ("Ben", None)], ["Ada", "Ben"]),
        ([("Ada", None), (None, "easy")], ["Ada", "House (easy)"]),
        (
            [(None, "easy"), ("Ada", None), (None, "easy"), (None, "hard")],
            ["House (easy) 1", "Ada", "House (easy) 2", "House (hard)"],
        ),
        ([("Ada", "caretaker"), (None, "caretaker")], ["Ada", "House (caretaker)"]),
        ([(None, None), ("Ada", None)], ["Seat 1", "Ada"]),
    ],
)
def test_every_seat_has_a_name_of_its_own(
    players: list[tuple[str | None, str | None]], names: list[str]
) -> None:
    """An account keeps its name, also beside a caretaker; equal bots are numbered."""
    assert names == seat_names.named(players)


def test_names_stand_in_the_order_of_seats(desk: Desk) -> None:
    """Names are listed in the order of seats."""
    game, _ = table(desk, "Ada", "Ben", bots={"easy": 1})
    row = table_at(desk, game)
    names = seat_names.names_of(row)

    assert {"Ada", "Ben", "House (easy)"} == set(names)
    assert [seat.name or "House (easy)" for seat in row.seated] == names
