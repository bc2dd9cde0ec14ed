"""Players and their tables, for tests of what a desk can do."""

from typing import Any

from sqlalchemy import select

from service.desk import Desk
from service.games import house, lobby, moves, table_lookup
from service.games.move_requests import MoveRequest
from service.people import accounts, sessions
from store.tables import notices


def player(desk: Desk, name: str) -> str:
    """The id of a new account."""
    made = accounts.create(desk, {"name": name}, None)
    id: str = made["account"]["id"]
    return id


def table(desk: Desk, *names: str, board: str = "usa", **more: Any) -> tuple[str, list[str]]:
    """A running game of these players, and the players by seat."""
    players = [player(desk, name) for name in names]
    bots = sum(more.get("bots", {}).values())
    wanted = lobby.NewGame(board, (), len(names) + bots, **more)
    game = lobby.open_game(desk, players[0], wanted, None)["id"]
    for one in players[1:]:
        lobby.join(desk, one, game, "", None)
    let_house_play(desk, game)
    with desk.database.reading() as tx:
        found = table_lookup.table_of(tx, game, players[0])
    seats = {seat.number: seat.account for seat in found.seated}
    return game, [account for _, account in sorted(seats.items()) if account]


def play(desk: Desk, game: str, player: str, text: str, **more: Any) -> dict[str, Any]:
    """Make a move by its text, and let the house answer it."""
    made = moves.submit(desk, player, game, MoveRequest(text, **more))
    let_house_play(desk, game)
    return made


def let_house_play(desk: Desk, game: str) -> None:
    """What a worker does as soon as it hears the doorbell."""
    while house.play(desk, game):
        pass


def keep_tickets(desk: Desk, game: str, players: list[str]) -> None:
    """Let everybody choose their first tickets."""
    for one in players:
        play(desk, game, one, "keep all")


def owed(desk: Desk, kind: str | None = None) -> list[tuple[str, str, int | None]]:
    """What has to be told: kind, account and version; links to sign in are among it."""
    sessions.answer_requests(desk)
    with desk.database.reading() as tx:
        rows = tx.execute(select(*notices.c["kind", "account", "version"]).order_by(notices.c.id))
        return [tuple(row) for row in rows if kind in (None, row.kind)]
