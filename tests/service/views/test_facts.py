"""The score table of a running game."""

from engine.display import columns
from pictures import SEATS
from service.desk import Desk
from service.games import seat_names
from service.views.facts import standing_of
from tests.workers.correspondence import room


def test_every_seat_has_a_row(desk: Desk) -> None:
    """Every seat has a row with its name, colour and cells; the reader's row is marked."""
    here = room(desk)
    here.play(30)
    with desk.database.reading() as tx:
        position = desk.positions.of(tx, here.table)
        view = desk.positions.view(tx, here.table, position, 1)
    names = seat_names.names_of(here.table)
    standing = standing_of(position.rules, names, SEATS, view, 1)
    shown = columns(position.rules, view)

    assert tuple(column.label for column in shown) == standing.columns
    assert names == [row.name for row in standing.rows]
    assert [number == 1 for number in range(len(names))] == [row.me for row in standing.rows]
    assert len(names) == len({row.colour for row in standing.rows})
    for row in standing.rows:
        assert tuple(column.cells[row.seat] for column in shown) == row.cells


def test_the_table_is_the_same_for_all(desk: Desk) -> None:
    """The score table is the same for both players and for spectators."""
    here = room(desk, "uk")
    here.play(30)
    with desk.database.reading() as tx:
        position = desk.positions.of(tx, here.table)
        views = [desk.positions.view(tx, here.table, position, seat) for seat in (0, 1, None)]
    names = seat_names.names_of(here.table)
    tables = [standing_of(position.rules, names, SEATS, view, None) for view in views]

    assert tables[0] == tables[1] == tables[2]
