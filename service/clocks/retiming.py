"""Deadlines after a change of absences."""

from service.clocks import pace as paces
from store.database import Transaction
from store.games import deadlines, games


def time_again(tx: Transaction, account: str, now: str) -> None:
    """After a change of absences: give this account's open decisions the time they have now.

    The tables must be held already; whoever has read them has to read them again.
    """
    places = games.awaited(tx, account, None, None)
    for table in games.tables(tx, [game for _, game in places]):
        seat = table.seat_of(account)
        if seat is None or seat.deadline is None:
            continue
        timed = paces.timed_again(paces.read(table.pace), seat, now)
        if timed.deadline != seat.deadline:
            deadlines.set_time(tx, table.id, seat.number, *timed)
