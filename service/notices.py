"""From what happened to who has to be told."""

from collections.abc import Sequence

from engine.state import Awaiting
from store.games import Table
from store.notices import Notice


def of_moves(
    table: Table, before: Awaiting, after: Awaiting, version: int, *, over: bool
) -> list[Notice]:
    """Who is newly awaited, and in the end everybody."""
    if over:
        return to_all(table, "game_finished", version)
    fresh = {asked.seat for asked in after if asked not in before}
    return [
        Notice(seat.account, "decision_opened", table.id, seat.number, version)
        for seat in table.seated
        if seat.number in fresh and seat.account and not seat.house
    ]


def to_all(table: Table, kind: str, version: int, but: Sequence[int] = ()) -> list[Notice]:
    """Everybody at the table who is still there, without some."""
    return [
        Notice(seat.account, kind, table.id, seat.number, version)
        for seat in table.seated
        if seat.account and not seat.house and seat.number not in but
    ]
