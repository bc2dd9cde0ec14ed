"""Decides at which seat an account, its orders, the house or the clock may make a move.

An account and its orders move at its own seat, until it resigns. The house moves at its own seats,
and as a caretaker where a player is away. The clock moves at a seat whose deadline has passed.
"""

from typing import NamedTuple

from engine import Refusal
from engine.translate import say
from engine.values import Seat
from service.clocks.paces import is_away
from service.games import table_lookup
from store.database import Transaction
from store.games.games import Seated, Table


class House(NamedTuple):
    """The house at one of its seats, or at the seat of a player who is away."""

    seat: Seat


class Clock(NamedTuple):
    """The clock at a seat whose deadline has passed."""

    seat: Seat
    deadline: str
    """The clock may move only while the seat still has this deadline: an absence changes it."""


class Ordering(NamedTuple):
    """The standing orders of the account at a seat."""

    seat: Seat
    account: str


Player = str | House | Clock | Ordering
"""Who makes a move: an account, by its id; its orders; the house; or the clock."""


def table_for(tx: Transaction, game: str, player: Player) -> Table:
    """Return the table, if this player may know of it."""
    if isinstance(player, str):
        return table_lookup.table_of(tx, game, player)
    return table_lookup.existing(tx, game)


def seat_for(table: Table, player: Player) -> Seated:
    """Return the seat at which this player moves; refused if there is none."""
    seat = _seat(table, player)
    if seat is None:
        raise Refusal("forbidden", say("You have no seat at this table."))
    return seat


def _seat(table: Table, player: Player) -> Seated | None:
    if isinstance(player, str):
        return table.seat_of(player)
    for seat in table.seated:
        if seat.number == player.seat and _may_move(seat, player):
            return seat
    return None


def _may_move(seat: Seated, player: House | Clock | Ordering) -> bool:
    if isinstance(player, Ordering):
        return seat.account == player.account and seat.house is None
    if isinstance(player, House):
        return seat.house is not None or is_away(seat)
    return seat.deadline == player.deadline


def check_not_resigned(seat: Seated, player: Player) -> None:
    """Refuse a move of an account that has given up its seat."""
    if isinstance(player, str) and seat.resigned:
        raise Refusal("forbidden", say("You have resigned from this game."))
