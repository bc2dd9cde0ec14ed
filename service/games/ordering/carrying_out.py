"""Carries out orders: judges them at their seat's decision, and makes their move.

Orders are claimed by a lease, like the games in which the house plays. A move and the progress of
its orders are stored in one transaction, so a process that dies in between has done neither, and
another one comes to the same move when the lease ends.
"""

import json
from collections.abc import Callable
from datetime import timedelta
from functools import lru_cache
from typing import NamedTuple

import structlog

from engine import Action, Refusal, Ruleset, State
from engine.options import text_of
from engine.orders import Orders, Play, Progress, Stop, Verdict, judge, read_orders
from engine.translate import say
from service.desk import Desk
from service.games import moves, table_lookup, table_notices
from service.games.decided_moves import DecidedMove
from service.games.move_requests import MoveRequest
from service.games.players import Ordering
from service.i18n.catalogue import speaking_to
from service.memory.news import of_account
from service.memory.positions import Position
from store import timestamps
from store.database import Transaction
from store.games import games, orders
from store.games.games import Seated, Table
from store.games.orders import FINISHED, STOPPED, StoredOrders
from store.notify import notices
from store.people import accounts

LEASE = timedelta(seconds=25)
"""How long a worker has orders to itself: after a crash another one takes over within 30 s."""
SOURCE = "order"
"""The source of the moves in the log, which nobody sees before the game is over."""
MOST_SHOWN = 40
"""How many of the latest moves are remembered with the orders."""

log = structlog.get_logger()


class Replaced(Exception):
    """The orders were replaced or taken back while their move was decided."""


class OrderedMove(NamedTuple):
    """A move that orders make, and what stores their progress along with it."""

    action: Action
    also: Callable[[Transaction, DecidedMove], None]


class _Place(NamedTuple):
    """The orders' seat, whose decision is open."""

    table: Table
    position: Position
    seat: Seated


def play_next(desk: Desk) -> bool:
    """Carry out the orders that are due longest; False if none are due."""
    now = desk.now()
    with desk.database.reading() as tx:  # usually none are due, and no lock is needed
        if not orders.any_due(tx, now):
            return False
    with desk.database.writing() as tx:
        row = orders.claim(tx, now, timestamps.later(now, LEASE))
    if row is None:
        return False
    try:
        _carry_out(desk, row)
    except Exception:
        # Orders that cannot be judged must not hold up the others; their player is asked.
        log.exception("orders cannot be carried out", game=row.game)
        with desk.database.reading() as tx:
            latest = orders.of_player(tx, row.game, row.account)
        if latest is not None and latest.revision == row.revision:  # with the moves made so far
            _end(desk, latest, STOPPED, None)
    return True


def seconds_left(desk: Desk) -> float | None:
    """Return the seconds until orders are due; None if none are."""
    with desk.database.reading() as tx:
        due = orders.next_due(tx)
    if due is None:
        return None
    return max(0.0, (timestamps.read(due) - timestamps.read(desk.now())).total_seconds())


def _carry_out(desk: Desk, row: StoredOrders) -> None:
    """Make the moves of this turn; orders without an open decision wait for the next."""
    while (place := _place(desk, row)) is not None:
        ordered = judged(desk, place.table, place.position, place.seat, row)
        if ordered is None:
            return
        request = MoveRequest(
            ordered.action,
            decision_version=place.seat.decision_version,
            source=SOURCE,
            also=ordered.also,
        )
        try:
            moves.submit(desk, Ordering(place.seat.number, row.account), row.game, request)
        except Replaced:
            return
        except Refusal as refusal:
            # The player or the clock was quicker; that move has scheduled what follows.
            if refusal.code not in ("stale", "forbidden", "rate_limited"):
                raise
            return
        with desk.database.reading() as tx:
            later = orders.of_player(tx, row.game, row.account)
        if later is None or later.revision != row.revision or later.due is None:
            return
        row = later
    with desk.database.writing() as tx:
        orders.give_back(tx, row, None)


def _place(desk: Desk, row: StoredOrders) -> _Place | None:
    """Return the seat with its open decision; None without one, or with another player."""
    with desk.database.reading() as tx:
        table = games.table(tx, row.game)
        seat = table.seat_of(row.account) if table else None
        if table is None or seat is None or table.status != "running":
            return None
        if seat.house or seat.decision_version is None:
            return None
        table, position = table_lookup.settled(desk, tx, table)
    seat = table.seat_of(row.account)
    if seat is None or seat.decision_version is None:
        return None
    return _Place(table, position, seat)


def judged(
    desk: Desk, table: Table, position: Position, seat: Seated, row: StoredOrders
) -> OrderedMove | None:
    """Return the move that orders make now; None if they stop, and the player is asked."""
    with desk.database.reading() as tx:
        view = desk.positions.view(tx, table, position, seat.number)
        last = games.moves_between(tx, table.id, position.version, position.version)
        locale = _locale(tx, row.account)
    with speaking_to(locale):
        verdict = _verdict(row, position, view, seat, is_new_turn=last[0].seat != seat.number)
    if isinstance(verdict, Play):
        made = progressed(row, verdict.progress)
        text = text_of(position.rules, verdict.action)
        steps = len(_meaning(position.rules, row.text).steps)
        return OrderedMove(verdict.action, _recorder(row, made, text, steps))
    reason = verdict.reason if isinstance(verdict, Stop) else None
    state = STOPPED if isinstance(verdict, Stop) else FINISHED
    _end(desk, progressed(row, verdict.progress), state, reason, at=seat.decision_version)
    return None


@lru_cache(maxsize=1 << 10)
def _meaning(rules: Ruleset, text: str) -> Orders:
    """What stored orders mean.

    Only the worker has this cache: requests that used it would be quicker for orders that another
    player has given, too.
    """
    return read_orders(rules, text)


def _verdict(
    row: StoredOrders, position: Position, view: State, seat: Seated, *, is_new_turn: bool
) -> Verdict:
    rules = position.rules
    try:
        meant = _meaning(rules, row.text)
    except Refusal as refusal:  # given to an older release that read them in another way
        return Stop(refusal.sentence, progress_of(row))
    progress = progress_of(row)
    return judge(rules, view, seat.number, meant, progress, is_new_turn=is_new_turn)


def progress_of(row: StoredOrders) -> Progress:
    """Return how far stored orders have been carried out."""
    return Progress(row.steps_done, row.turns_used, row.pending, row.locomotives)


def progressed(row: StoredOrders, progress: Progress) -> StoredOrders:
    """Return stored orders with this progress."""
    step, turns, pending, locomotives = progress
    return row._replace(steps_done=step, turns_used=turns, pending=pending, locomotives=locomotives)


def _recorder(
    row: StoredOrders, made: StoredOrders, text: str, steps: int
) -> Callable[[Transaction, DecidedMove], None]:
    """Make the function that stores the progress in the transaction of the move."""

    def also(tx: Transaction, decided: DecidedMove) -> None:
        played = [*json.loads(row.played), {"version": decided.after.version, "move": text}]
        awaited = {decision.seat for decision in decided.after.state.awaiting}
        is_open = row.seat in awaited
        changed = made._replace(
            played=json.dumps(played[-MOST_SHOWN:]), due=decided.at if is_open else None
        )
        if made.steps_done >= steps and not is_open:
            changed = changed._replace(state=FINISHED, ended=decided.at)
        if decided.after.ended is None and not orders.record(tx, row, changed):
            raise Replaced

    return also


def _end(
    desk: Desk, row: StoredOrders, state: str, reason: str | None, at: int | None = None
) -> None:
    """Mark orders as stopped or finished, and tell their player of the open decision.

    If they were judged at a decision that has been made in the meantime, they go on.
    """
    now = desk.now()
    with desk.database.writing() as tx:
        orders.lock_game(tx, row.game)
        table = games.table(tx, row.game)
        seat = table.seat_of(row.account) if table else None
        if at is not None and (seat is None or seat.decision_version != at):
            return
        if state == STOPPED and reason is None:
            with speaking_to(_locale(tx, row.account)):
                reason = say("Something went wrong on our side.")
        ended = row._replace(state=state, reason=reason, ended=now, due=None)
        if not orders.record(tx, row, ended) or table is None or seat is None:
            return
        if seat.decision_version is not None and not seat.house:
            opened = table_notices.to_awaited(table, [seat.number], seat.decision_version)
            notices.add(tx, opened, now)
    desk.news.publish(of_account(row.account))
    desk.wakeup.send()


def _locale(tx: Transaction, account: str) -> str:
    row = accounts.account(tx, account)
    return row.locale if row else "en"
