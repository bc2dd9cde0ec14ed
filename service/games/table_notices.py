"""Notices about a game: which of its players are notified of what has happened."""

from collections.abc import Collection, Sequence
from typing import Any

from engine.values import Seat
from store.games.games import Table
from store.notify.notices import Notice

ANSWERED = {"answered": True}
"""Data of a decision that the answer to the player's email shows, so that no letter is sent."""


def to_awaited(
    table: Table, awaited: Collection[Seat], version: int, by_mail: Seat | None = None
) -> list[Notice]:
    """Return notices for seats with a new decision; `by_mail` has just moved by mail."""
    return [
        Notice(
            seat.account,
            "decision_opened",
            table.id,
            seat.number,
            version,
            ANSWERED if seat.number == by_mail else None,
        )
        for seat in table.seated
        if seat.number in awaited and seat.account and not seat.house
    ]


def to_all(
    table: Table,
    kind: str,
    version: int,
    but: Sequence[Seat] = (),
    data: dict[str, Any] | None = None,
) -> list[Notice]:
    """Return notices for all players who have not resigned, except those at the seats `but`."""
    return [
        Notice(seat.account, kind, table.id, seat.number, version, data)
        for seat in table.seated
        if seat.account and not seat.house and seat.number not in but
    ]


def to_hooked(table: Table, kind: str, version: int) -> list[Notice]:
    """Return notices for players with webhooks, of kinds that no email is sent about."""
    unhooked = [seat.number for seat in table.seated if not seat.hooks]
    return to_all(table, kind, version, but=unhooked)
