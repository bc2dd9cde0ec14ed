"""When orders are judged after a move: after a random delay, so that nobody can tell them.

The delay is drawn when a decision opens, and depends on nothing but the pace of the game. Further
decisions of the same turn follow at once, as they do for a person.
"""

import math
import secrets
from datetime import timedelta

from engine.values import Seat
from service.clocks import paces, running_time
from service.games.decided_moves import DecidedMove
from store import timestamps
from store.database import Transaction
from store.games import orders
from store.games.games import Seated, SeatWait, Table
from store.games.orders import StoredOrders

SHORTEST, LONGEST = timedelta(minutes=1), timedelta(hours=3)
"""The shortest and the longest delay, where the pace leaves time for them."""
WITHOUT_CLOCK = timedelta(hours=1)
"""The longest delay in a game without a clock."""
SHARE = 8
"""The longest delay is this part of the time for a decision."""
QUICKEN = 5
"""The shortest delay is this part of the longest one, where that is short itself."""
LEFT = 10
"""A tenth of what is left until the deadline is never used up."""

NOT_BY_HAND = ("order", "house", "clock")
"""Sources of moves that were made for a player."""

_random = secrets.SystemRandom()


def put_to_orders(tx: Transaction, decided: DecidedMove, waits: list[SeatWait]) -> frozenset[Seat]:
    """Schedule the orders of seats with a new decision; these seats are not told of it yet.

    Runs in the transaction that stores the move, after the game's row was changed, so that orders
    that are given at the same time are seen by one of the two.
    """
    rows = {row.seat: row for row in orders.of_game(tx, decided.table.id)}
    opened = [wait for wait in waits if wait.number in rows and wait.since]
    ordered = [wait for wait in opened if not _is_by_hand(decided, wait.number)]
    for wait in opened:
        seat = decided.table.seated[wait.number]
        due = _due(decided, rows[wait.number], seat, wait) if wait in ordered else None
        orders.schedule(tx, rows[wait.number], due)
    return frozenset(wait.number for wait in ordered)


def _is_by_hand(decided: DecidedMove, seat: Seat) -> bool:
    """Return whether the player has begun this turn, and so goes on with it."""
    choice = decided.choice
    return choice is not None and choice.seat == seat and choice.source not in NOT_BY_HAND


def _due(decided: DecidedMove, row: StoredOrders, seat: Seated, wait: SeatWait) -> str | None:
    """Return when orders are judged for this decision; None where the house does it."""
    if paces.is_away(seat._replace(missed=wait.missed)):
        return None  # the house judges them in place of the caretaker, at the same moment
    goes_on = decided.choice is not None and decided.choice.seat == seat.number
    if goes_on or row.at_once:
        return decided.at
    return after_delay(decided.table, wait.deadline, decided.at)


def after_delay(table: Table, deadline: str | None, at: str) -> str:
    """Return a moment after a random delay, in the hours of the pace, before the deadline.

    A close deadline shortens the range of the delay, not the delay: moves that all come at the same
    part of the time would show that nobody made them.
    """
    pace = paces.read(table.pace)
    began = timestamps.read(at)
    longest = WITHOUT_CLOCK
    if pace.per_decision is not None:
        longest = min(LONGEST, timedelta(seconds=pace.per_decision) / SHARE)
    if deadline is not None:
        left = running_time.time_between(pace.hours, (), began, timestamps.read(deadline))
        longest = min(longest, left - left / LEFT)
    if not longest:
        return at
    shortest = min(SHORTEST, longest / QUICKEN)
    # Evenly spread in the logarithm: often within minutes, as if somebody looked at their mail.
    delay = shortest * math.exp(_random.uniform(0, math.log(longest / shortest)))
    return timestamps.written(running_time.moment_after(pace.hours, (), began, delay))
