"""Starts a game: determines who sits where, and deals."""

from collections.abc import Mapping
from operator import attrgetter
from typing import cast

from engine import Chance, Event, GameStarted, Move, begin
from service.games import table_lookup, table_notices
from service.games.bots import ratings
from service.games.decided_moves import DecidedMove, log_row
from service.games.moves import store
from service.games.seating import rotation
from service.memory.positions import opening
from store.database import Transaction
from store.games import games, open_tables
from store.games.games import Table
from store.notify import notices
from store.people import seat_sessions


def start(tx: Transaction, table: Table, at: str) -> DecidedMove:
    """Begin a game: draw who sits where, or move a rematch on by one seat, and deal."""
    if places := rotation.places(tx, table):
        table = _moved(tx, table, places)._replace(kept_seats=1)
    nonces = [seat.nonce for seat in table.seated]
    before = opening(table, nonces)
    chance = Chance(before.secret, table.id, 0)
    outcome = begin(before.rules, chance, keeps_seats=bool(table.kept_seats))
    table = _placed(tx, table, outcome.events[0])
    move = Move(0, None, None, outcome.events, tuple(nonces), source="house", at=at)
    row = log_row(table, before, move)
    dealt = before.after(row, outcome.events, outcome.state)
    bot_game = int(ratings.is_bot_game(table))
    table = table._replace(changes=0, rated=int(bool(table.rated) and bot_game))
    values = {"rated": table.rated, "bot_game": bot_game, "kept_seats": table.kept_seats}
    games.start(tx, table.id, at, values)
    deal = DecidedMove(table, before, [row], [outcome.events], dealt, at)
    store(tx, deal)
    notices.add(tx, table_notices.to_all(table, "game_started", 0), at)
    _hand_on_sessions(tx, table.id)
    return deal


def _hand_on_sessions(tx: Transaction, game: str) -> None:
    """Hand sessions that were opened with an invitation on to the first decisions."""
    for seat in table_lookup.existing(tx, game).seated:
        if seat.account and seat.decision_version is not None:
            seat_sessions.begin(tx, game, seat.account, seat.number, seat.decision_version)


def _placed(tx: Transaction, table: Table, started: Event) -> Table:
    """Return the table with the accounts at the seats that were drawn for them (R-DIG-1)."""
    seating = cast(GameStarted, started).seating
    return _moved(tx, table, {place: seat for seat, place in enumerate(seating)})


def _moved(tx: Transaction, table: Table, new_numbers: Mapping[int, int]) -> Table:
    """Return the table with its players at other places, each given by its old number."""
    open_tables.reseat(tx, table.id, new_numbers)
    seated = [seat._replace(number=new_numbers[seat.number]) for seat in table.seated]
    return table._replace(seated=tuple(sorted(seated, key=attrgetter("number"))))
