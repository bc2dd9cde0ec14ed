"""Recalculates deadlines after an account has changed its absences or its time zone."""

from service.clocks import paces
from store.database import Transaction
from store.games import deadlines, games


def update_deadlines(tx: Transaction, account: str, now: str) -> None:
    """Recalculate the deadlines of an account's open decisions.

    The caller has locked the tables; tables that it has read before are out of date afterwards.
    """
    places = games.awaited(tx, account, None, None)
    for table in games.tables(tx, [game for _, game in places]):
        seat = table.seat_of(account)
        if seat is None or seat.deadline is None:
            continue
        timing = paces.timing_after_change(paces.read(table.pace), seat, now)
        if timing.deadline != seat.deadline:
            deadlines.set_time(tx, table.id, seat.number, *timing)
