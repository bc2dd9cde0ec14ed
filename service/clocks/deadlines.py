"""The clock: reminds players of their deadlines, and plays for those who have missed one."""

from datetime import timedelta

import structlog

from engine import Option, Refusal, default_for, options
from service.clocks import paces
from service.desk import Desk
from service.games import moves, table_lookup, table_notices
from service.games.bots import house
from service.games.decided_moves import DecidedMove
from service.games.move_requests import MoveRequest
from service.games.players import Clock
from store import timestamps
from store.database import Transaction
from store.games import deadlines, games, orders
from store.games.deadlines import Due
from store.games.games import Seated, Table
from store.notify import notices
from store.notify.notices import Notice

BATCH = 100
"""Seats read at a time; each is settled in a transaction of its own."""
RETRY = timedelta(minutes=1)
"""The pause before the clock tries again at a seat where it has failed."""
LONGEST_PAUSE = 1.0
SHORTEST_PAUSE = 0.02
"""The most and the fewest seconds between two sweeps."""
TOO_LATE = ("stale", "forbidden", "not_found")
"""Refusals that mean: the player has moved, or the deadline or the game no longer exists."""
BUSY = "rate_limited"
"""The refusal at a table where many moves arrive at once; the next sweep tries again."""

log = structlog.get_logger()


def sweep(desk: Desk) -> int:
    """Send all reminders and play all defaults that are due; return the number of seats."""
    settled, last = 0, None
    while True:
        with desk.database.reading() as tx:
            seats = deadlines.due(tx, desk.now(), last, BATCH)
        settled += sum(_settle(desk, seat) for seat in seats)
        if len(seats) < BATCH:
            return settled
        last = seats[-1]


def pause(desk: Desk) -> float:
    """Return the number of seconds until the next sweep."""
    with desk.database.reading() as tx:
        due = deadlines.next_due(tx)
    if due is None:
        return LONGEST_PAUSE
    left = (timestamps.read(due) - timestamps.read(desk.now())).total_seconds()
    # What is overdue became due after the last sweep, or could not be settled in it.
    return LONGEST_PAUSE if left <= 0 else min(max(left, SHORTEST_PAUSE), LONGEST_PAUSE)


def _settle(desk: Desk, due: Due) -> bool:
    """Do what is due at a seat; return whether there was anything to do."""
    try:
        return _remind(desk, due) if due.deadline > desk.now() else _expire(desk, due)
    except Exception:
        # An error in one game must not hold up the clocks of all others.
        log.exception("clock failed", game=due.game, seat=due.number)
        with desk.database.writing() as tx:
            deadlines.look_again(tx, due, timestamps.later(desk.now(), RETRY))
        return False


def _awaited(table: Table | None, due: Due) -> Seated | None:
    """Return the seat, if its decision and its deadline are still those that were due."""
    if table is None or table.status != "running":
        return None
    seat = table.seated[due.number]
    is_same = (seat.decision_version, seat.deadline) == (due.decision_version, due.deadline)
    return seat if is_same else None


def _remind(desk: Desk, due: Due) -> bool:
    """Store a reminder, together with when the clock looks at this seat next.

    `look_again` succeeds for one of several clocks only, so each reminder is stored once.
    """
    now = desk.now()
    with desk.database.reading() as tx:
        table = games.table(tx, due.game)
        seat = _awaited(table, due)
        if table is None or seat is None or seat.account is None:
            return False
        is_ordered = orders.are_due(tx, due.game, seat.account)
    next_look = paces.next_due(paces.read(table.pace), seat, now)
    data = {"deadline": due.deadline}
    reminder = Notice(
        seat.account, "decision_reminder", due.game, due.number, due.decision_version, data
    )
    with desk.database.writing() as tx:
        if not deadlines.look_again(tx, due, next_look):
            return False
        if not is_ordered:  # orders make this decision; if they stop, their player is asked
            notices.add(tx, [reminder], now)
    desk.wakeup.send()
    return True


def _expire(desk: Desk, due: Due) -> bool:
    """Play for a seat whose deadline has passed; False if another move was quicker.

    It is the default of the decision. At the seat of a player who is away it is what the house
    should have played, which has no worker now, or a slow one.
    """
    with desk.database.reading() as tx:
        table = games.table(tx, due.game)
        if table is None or _awaited(table, due) is None:
            return False
        table, position = table_lookup.settled(desk, tx, table)
        seat = _awaited(table, due)
        if seat is None:
            return False
        view = desk.positions.view(tx, table, position, due.number)
    if paces.is_away(seat):
        house.play_late(desk, table, position, seat)
        return True
    listed = options(position.rules, view, due.number)
    option = listed[listed.actions.index(default_for(position.rules, view, due.number))]

    def also(tx: Transaction, decided: DecidedMove) -> None:
        notices.add(tx, _expiry_notices(decided, due, option), decided.at)

    request = MoveRequest(
        option.action, decision_version=due.decision_version, source="clock", also=also
    )
    try:
        moves.submit(desk, Clock(due.number, due.deadline), due.game, request)
    except Refusal as refusal:
        if refusal.code not in (*TOO_LATE, BUSY):
            raise
        return False
    return True


def _expiry_notices(decided: DecidedMove, due: Due, option: Option) -> list[Notice]:
    """Return notices about a missed deadline: to the player, and to all about a caretaker."""
    table = decided.table
    seat = table.seated[due.number]
    if seat.account is None or seat.house:
        return []
    data = {"text": option.text, "label": option.label, "deadline": due.deadline}
    expired = [
        Notice(seat.account, "decision_expired", table.id, seat.number, due.decision_version, data)
    ]
    if seat.missed + 1 < paces.AWAY_AFTER:
        return expired
    away = {"away": seat.number}
    version = decided.after.version
    return expired + table_notices.to_all(table, "seat_caretaken", version, data=away)
