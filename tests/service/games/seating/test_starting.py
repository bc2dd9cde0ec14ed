"""The beginning of a game: seats are drawn, and everybody learns of it."""

from contextlib import suppress

from service.desk import Desk
from service.games import lobby, table_lookup
from service.games.seating import starting
from store import tables
from tests.service.support.newcomers import rows
from tests.service.support.tables import player


def _full_table(desk: Desk) -> tuple[str, list[str]]:
    """A table with three players, at which the game has not been started."""
    players = [player(desk, name) for name in ("Ada", "Ben", "Cem", "Dan")]
    game = str(lobby.open_game(desk, players[0], lobby.NewGame("usa", (), 4), None)["id"])
    for guest in players[1:3]:
        lobby.join(desk, guest, game, "", None)
    with desk.database.writing() as tx:
        lobby._sit(tx, game, 3, desk.now(), account=players[3])
    return game, players


def test_a_start_draws_seats_and_deals(each_desk: Desk) -> None:
    """Move 0 draws a seat for everybody; each of them has tickets to choose, and a notice."""
    game, players = _full_table(each_desk)
    with each_desk.database.writing() as tx:
        dealt = starting.start(tx, table_lookup.existing(tx, game), each_desk.now())
    with each_desk.database.reading() as tx:
        table = table_lookup.existing(tx, game)

    seating = dealt.events[0][0].seating  # type: ignore[attr-defined]  # the event GameStarted
    assert [players[place] for place in seating] == [seat.account for seat in table.seated]
    assert ("running", 0, [0, 1, 2, 3]) == (
        table.status,
        table.version,
        [seat.number for seat in table.seated],
    )
    assert [0] * 4 == [seat.decision_version for seat in table.seated]
    started = [(name, "game_started") for name in sorted(players)]
    assert started == [
        row for row in rows(each_desk, tables.notices, "account", "kind") if row[1] == started[0][1]
    ]


def test_a_start_that_fails_leaves_the_table_open(desk: Desk) -> None:
    """Everything is part of the caller's transaction."""
    game, _ = _full_table(desk)
    before = rows(desk, tables.seats, "number", "account"), rows(desk, tables.notices, "kind")
    with suppress(ZeroDivisionError), desk.database.writing() as tx:
        starting.start(tx, table_lookup.existing(tx, game), desk.now())
        raise ZeroDivisionError
    assert before == (
        rows(desk, tables.seats, "number", "account"),
        rows(desk, tables.notices, "kind"),
    )
    with desk.database.reading() as tx:
        assert "open" == table_lookup.existing(tx, game).status
