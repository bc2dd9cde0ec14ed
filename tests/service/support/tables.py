"""Players, running games and their moves, for tests of the service."""

from typing import Any

from sqlalchemy import select

from service.desk import Desk
from service.games import lobby, moves, reading, table_lookup
from service.games.bots import house
from service.games.move_requests import MoveRequest
from service.people import accounts, sessions
from store.tables import notices


def player(desk: Desk, name: str) -> str:
    """Create an account; return its id."""
    made = accounts.create(desk, {"name": name}, None)
    id: str = made["account"]["id"]
    return id


def table(desk: Desk, *names: str, board: str = "usa", **more: Any) -> tuple[str, list[str]]:
    """Start a game of these players; return its id and the accounts by seat."""
    players = [player(desk, name) for name in names]
    bots = sum(more.get("bots", {}).values())
    new_game = lobby.NewGame(board, (), len(names) + bots, **more)
    game = lobby.open_game(desk, players[0], new_game, None)["id"]
    for guest in players[1:]:
        lobby.join(desk, guest, game, "", None)
    let_house_play(desk, game)
    with desk.database.reading() as tx:
        table = table_lookup.table_of(tx, game, players[0])
    seats = {seat.number: seat.account for seat in table.seated}
    return game, [account for _, account in sorted(seats.items()) if account]


def play(desk: Desk, game: str, player: str, text: str, **more: Any) -> dict[str, Any]:
    """Make a move by its text, and let the house play after it."""
    made = moves.submit(desk, player, game, MoveRequest(text, **more))
    let_house_play(desk, game)
    return made


def play_default(desk: Desk, game: str, player: str) -> dict[str, Any]:
    """Make the move that is played for an absent player, and let the house play after it."""
    return play(desk, game, player, default_text(desk, game, player))


def default_text(desk: Desk, game: str, player: str) -> str:
    """The move that is played for this player at the deadline, as text."""
    decision = reading.decision(desk, game, player)
    assert decision is not None
    text: str = decision["default"]["text"]
    return text


def let_house_play(desk: Desk, game: str) -> None:
    """Make all moves of the house, as a worker does when it is woken."""
    while house.play(desk, game):
        pass


def keep_tickets(desk: Desk, game: str, players: list[str]) -> None:
    """Let every player keep all of their first tickets."""
    for player in players:
        play(desk, game, player, "keep all")


def owed(desk: Desk, kind: str | None = None) -> list[tuple[str, str, int | None]]:
    """Kind, account and version of every notice, sign-in links included."""
    sessions.answer_requests(desk)
    with desk.database.reading() as tx:
        rows = tx.execute(select(*notices.c["kind", "account", "version"]).order_by(notices.c.id))
        return [tuple(row) for row in rows if kind in (None, row.kind)]
