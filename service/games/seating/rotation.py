"""Who sits where in a rematch: as in the game before, moved on by one seat.

The player who was second begins, and the one who began comes last. No lot is drawn, and the log of
the game says so (`seating` in its first line), so that it can be checked like any other.
"""

from collections.abc import Sequence
from typing import Any

from service.games import seat_names
from store.database import Transaction
from store.games import games
from store.games.games import Seated, Table


def places(tx: Transaction, table: Table) -> dict[int, int]:
    """Return the new number of each seat of a full rematch, by its present one; else nothing."""
    before = games.table(tx, table.rematch_of) if table.rematch_of else None
    if before is None or before.started is None or len(before.seated) != len(table.seated):
        return {}
    order = _rotated(before.seated)
    places, left = {}, list(table.seated)
    for place, player in enumerate(order):
        seat = next((seat for seat in left if _player(seat) == player), None)
        if seat is not None:
            places[seat.number] = place
            left.remove(seat)
    free = [place for place in range(table.seats) if place not in places.values()]
    return places | {seat.number: place for seat, place in zip(left, free, strict=True)}


def first_name(tx: Transaction, table: Table) -> str:
    """Return the name of the player who is to begin an open rematch; empty for other tables."""
    before = games.table(tx, table.rematch_of) if table.rematch_of and not table.started else None
    if before is None or before.started is None:
        return ""
    return seat_names.names_of(before)[1 % len(before.seated)]


def _rotated(seated: Sequence[Seated]) -> list[Any]:
    """Return the players of a game in the order of its rematch."""
    players = [_player(seat) for seat in seated]
    return players[1:] + players[:1]


def _player(seat: Seated) -> tuple[str | None, str | None]:
    """Return who plays here: an account, also if the house has taken over, or a house bot."""
    return (seat.account, None) if seat.account else (None, seat.house)
