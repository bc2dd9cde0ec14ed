"""Starts a game: draws who sits where, and deals."""

from operator import attrgetter
from typing import cast

from engine import Chance, Event, GameStarted, Move, begin
from service.games import table_lookup, table_notices
from service.games.bots import ratings
from service.games.decided_moves import DecidedMove, log_row
from service.games.moves import store
from service.memory.positions import opening
from store.database import Transaction
from store.games import games
from store.games.games import Table
from store.notify import notices
from store.people import seat_sessions


def start(tx: Transaction, table: Table, at: str) -> DecidedMove:
    """Begin a game: draw who sits where, and deal."""
    nonces = [seat.nonce for seat in table.seated]
    before = opening(table, nonces)
    outcome = begin(before.rules, Chance(before.secret, table.id, 0))
    table = _placed(tx, table, outcome.events[0])
    move = Move(0, None, None, outcome.events, tuple(nonces), source="house", at=at)
    row = log_row(table, before, move)
    dealt = before.after(row, outcome.events, outcome.state)
    bot_game = ratings.is_bot_game(table)
    table = table._replace(changes=0, rated=int(bool(table.rated) and bot_game))
    games.start(tx, table.id, at, rated=bool(table.rated), bot_game=bot_game)
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
    """The table with the accounts at the seats that were drawn for them (R-DIG-1)."""
    seating = cast(GameStarted, started).seating
    drawn = {place: seat for seat, place in enumerate(seating)}
    games.reseat(tx, table.id, drawn)
    seated = sorted(
        (seat._replace(number=drawn[seat.number]) for seat in table.seated),
        key=attrgetter("number"),
    )
    return table._replace(seated=tuple(seated))
