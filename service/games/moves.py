"""Makes moves for players, the house and the clock: the only way to append to a log."""

from typing import Any, NamedTuple

from engine import Refusal
from engine.translate import say
from engine.values import Seat
from service import idempotency, refusals
from service.desk import Desk
from service.games import awaiting, players, receipts, table_lookup, table_notices
from service.games.bots import ratings
from service.games.decided_moves import ChosenMove, DecidedMove, decide_move
from service.games.move_requests import MoveRequest
from service.games.ordering import schedule
from service.games.players import Player
from service.memory.move_counter import count_move
from service.memory.news import of_account, of_game
from service.memory.positions import Position
from store.database import Transaction
from store.errors import Clash
from store.games import games, orders
from store.games.games import Seated, SeatWait, Stale, StoredMove, Table
from store.notify import notices
from store.notify.notices import Notice

Document = dict[str, Any]

ATTEMPTS = 20
"""How often a move is decided again because another one was stored first."""


class _Turn(NamedTuple):
    """The table, the position and the seat for which a move is decided."""

    table: Table
    position: Position
    seat: Seated


def submit(desk: Desk, player: Player, game: str, request: MoveRequest) -> Document:
    """Make a move; its receipt, as the seat sees it."""
    try:
        return _submit(desk, player, game, request)
    except Refusal:
        if request.key is None:
            raise
        # A copy of the same request may have been stored first: then both have one receipt.
        with desk.database.reading() as tx:
            table = players.table_for(tx, game, player)
            receipt = _earlier_receipt(tx, table, player, request)
        if receipt is None:
            raise
        return receipt


def _submit(desk: Desk, player: Player, game: str, request: MoveRequest) -> Document:
    for _ in range(ATTEMPTS):
        with desk.database.reading() as tx:
            table = players.table_for(tx, game, player)
            receipt = _earlier_receipt(tx, table, player, request)
            if receipt is not None:
                return receipt
            turn = _turn(desk, tx, table, player)
        decided = _decided(turn, request, desk.now())
        try:
            with desk.database.writing() as tx:
                waits = store(tx, decided)
                if request.also:
                    request.also(tx, decided)
        except (Stale, Clash):
            continue  # another move was stored first, perhaps with the same key
        announce(desk, decided)
        seat = turn.seat.number
        return receipts.receipt(decided, seat, awaiting.deadline_after(turn.table, seat, waits))
    raise refusals.Refused(
        "rate_limited",
        say("Too many moves arrive at this table at once; try again."),
        retry_after=1,
    )


def _earlier_receipt(
    tx: Transaction, table: Table, player: Player, request: MoveRequest
) -> Document | None:
    """Return the receipt of the move that was made with this key before, if there is one."""
    seat = players.seat_for(table, player).number
    row = _made_before(tx, table, seat, request)
    if row is None:
        return None
    idempotency.note_replay()
    return receipts.repeated(tx, table, seat, row)


def _made_before(
    tx: Transaction, table: Table, seat: Seat, request: MoveRequest
) -> StoredMove | None:
    """Return the move that was made with this key before; refused if it had another body."""
    key = request.key_hash
    if key is None:
        return None
    row = games.move_by_key(tx, table.id, seat, key)
    if row is not None and row.digest != request.digest:
        raise refusals.key_used()
    return row


def _turn(desk: Desk, tx: Transaction, table: Table, player: Player) -> _Turn:
    """Return the position in which this player moves; refused if there is none."""
    if table.status == "open":
        raise Refusal("not_awaited", say("The game has not begun yet."))
    table, position = table_lookup.settled(desk, tx, table)
    seat = players.seat_for(table, player)
    players.check_not_resigned(seat, player)
    return _Turn(table, position, seat)


def _decided(turn: _Turn, request: MoveRequest, at: str) -> DecidedMove:
    """Decide the move, if it is meant for this version and this decision."""
    table, position, seat = turn
    is_old = request.versions is not None and position.version not in request.versions
    if is_old or request.decision_version not in (None, seat.decision_version):
        raise refusals.stale(position.version)
    action = request.action(position.rules, position.state, seat.number)
    key = request.key_hash
    digest = None if key is None else request.digest
    return decide_move(
        table, position, ChosenMove(seat.number, action, request.source, key, digest), at
    )


def store(tx: Transaction, decided: DecidedMove) -> list[SeatWait]:
    """Append a move to the log, with who is awaited after it and the notices it causes.

    Raises Stale if the game has changed since the move was decided.
    """
    table, version = decided.table, decided.after.version
    waits = awaiting.waits_after(decided)
    first, *others = decided.rows
    first = first._replace(until=awaiting.deadline_after(table, first.seat, waits))
    expected = decided.before.version, table.changes
    house = awaiting.house_turn(decided, waits)
    games.append(tx, table.id, [first, *others], waits, expected, house)
    if decided.after.ended:
        games.close(tx, table.id, "finished", decided.at)
        orders.remove_all(tx, table.id)
        ratings.settle(tx, table, decided.after.ended)
        owed = table_notices.to_all(table, "game_finished", version)
    else:
        owed = _opened(decided, waits, schedule.put_to_orders(tx, decided, waits))
    hooked = table_notices.to_hooked(table, "game_moved", version)
    notices.add(tx, [*owed, *hooked], decided.at)
    return waits


def _opened(decided: DecidedMove, waits: list[SeatWait], ordered: frozenset[Seat]) -> list[Notice]:
    """Return notices for seats with a new decision, apart from those put to their orders."""
    choice = decided.choice
    awaited = [wait.number for wait in waits if wait.since and wait.number not in ordered]
    by_mail = choice.seat if choice and choice.source == "mail" else None
    return table_notices.to_awaited(decided.table, awaited, decided.after.version, by_mail)


def announce(desk: Desk, decided: DecidedMove) -> None:
    """Count the move and cache the position after the commit, and wake who waits for it."""
    if decided.choice is not None:
        count_move(desk.move_counter, decided.choice.source)
    desk.positions.keep(decided.table.id, decided.after)
    topics = map(of_account, _concerned(decided))
    desk.news.publish(of_game(decided.table.id), *topics)
    desk.wakeup.send()


def _concerned(decided: DecidedMove) -> list[str]:
    """Return the accounts whose decisions change; at the beginning and the end all of them."""
    before, after = decided.before.state.awaiting, decided.after.state.awaiting
    awaited = {decision.seat for decision in (*before, *after)}
    is_for_all = decided.choice is None or decided.after.ended is not None
    return [
        seat.account
        for seat in decided.table.seated
        if seat.account and (is_for_all or seat.number in awaited)
    ]
