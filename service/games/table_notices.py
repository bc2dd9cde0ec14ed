"""From what happened to who has to be told."""

from collections.abc import Collection, Sequence
from typing import Any

from engine.values import Seat
from store.games.games import Table
from store.notify.notices import Notice

ANSWERED = {"answered": True}
"""The data of a decision that its seat reads of in the answer to its mail, and in no other."""


def to_asked(
    table: Table, fresh: Collection[Seat], version: int, by_mail: Seat | None = None
) -> list[Notice]:
    """Those of whom something new is asked; one of them may have written us just now."""
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
        if seat.number in fresh and seat.account and not seat.house
    ]


def to_all(
    table: Table,
    kind: str,
    version: int,
    but: Sequence[int] = (),
    data: dict[str, Any] | None = None,
) -> list[Notice]:
    """Everybody at the table who is still there, without some."""
    return [
        Notice(seat.account, kind, table.id, seat.number, version, data)
        for seat in table.seated
        if seat.account and not seat.house and seat.number not in but
    ]


def to_hooked(table: Table, kind: str, version: int) -> list[Notice]:
    """Those at the table whose programs may want to know; nobody has mail about it."""
    return to_all(
        table, kind, version, but=[seat.number for seat in table.seated if not seat.hooks]
    )
