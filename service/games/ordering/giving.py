"""Gives, shows and takes back the standing orders of a player; nobody else can tell."""

import json
from typing import Any

from engine import GameOver, Refusal
from engine.orders import Orders, check_orders, read_orders, written, written_step
from engine.translate import say
from service import refusals
from service.clocks.paces import is_away
from service.desk import Desk
from service.games import players, table_lookup, table_notices
from service.ids import new_id
from service.memory.news import of_account
from store.database import Transaction
from store.games import games, orders
from store.games.games import Seated, Table
from store.games.orders import FINISHED, STOPPED, WAITING, StoredOrders
from store.notify import notices

Document = dict[str, Any]

STATES = (WAITING, STOPPED, FINISHED)
"""The states of orders."""


def give(
    desk: Desk,
    account: str,
    game: str,
    text: str,
    *,
    at_once: bool = False,
    revision: str | None = None,
) -> Document:
    """Replace the orders of a player; if a decision is open, they are judged now.

    Given again with the same `revision`, as by a reply that is read twice, they stay as they are.
    """
    with desk.database.reading() as tx:
        table = _running(tx, game, account)
        table, position = table_lookup.settled(desk, tx, table)
        seat = players.seat_for(table, account)
        view = desk.positions.view(tx, table, position, seat.number)
    meant = read_orders(position.rules, text)
    check_orders(position.rules, view, seat.number, meant, text)
    now = desk.now()
    with desk.database.writing() as tx:
        orders.lock_game(tx, game)
        seat = players.seat_for(_running(tx, game, account), account)
        earlier = orders.of_player(tx, game, account)
        if earlier is not None and earlier.revision == revision:
            return _document(earlier, meant)
        is_judged = seat.decision_version is not None and not is_away(seat)
        row = StoredOrders(
            game,
            account,
            seat.number,
            revision or new_id(),
            written(meant),
            int(at_once),
            now,
            due=now if is_judged else None,
        )
        orders.replace(tx, row)
    desk.news.publish(of_account(account))
    desk.wakeup.send()
    return _document(row, meant)


def shown(desk: Desk, account: str, game: str) -> Document | None:
    """Return the orders of a player with what was done so far; None if there are none."""
    with desk.database.reading() as tx:
        return of_seat(desk, tx, table_lookup.table_of(tx, game, account), account)


def of_seat(desk: Desk, tx: Transaction, table: Table, account: str) -> Document | None:
    """Return the orders of the account at this table; refuse if it has no seat."""
    players.seat_for(table, account)
    row = orders.of_player(tx, table.id, account)
    if row is None:
        return None
    _, position = table_lookup.settled(desk, tx, table)
    try:
        return _document(row, read_orders(position.rules, row.text))
    except Refusal:  # given to an older release that read them in another way
        return _document(row, None)


def take_back(desk: Desk, account: str, game: str) -> None:
    """Delete the orders of a player; a decision that was left to them is the player's now."""
    with desk.database.reading() as tx:
        players.seat_for(table_lookup.table_of(tx, game, account), account)
    now = desk.now()
    with desk.database.writing() as tx:
        orders.lock_game(tx, game)
        row = orders.of_player(tx, game, account)
        table = games.table(tx, game)
        if row is None or table is None:
            return
        orders.remove(tx, game, account)
        if row.state == WAITING and row.due is not None:
            notices.add(tx, _notices_of_decision(table, players.seat_for(table, account)), now)
    desk.news.publish(of_account(account))
    desk.wakeup.send()


def _notices_of_decision(table: Table, seat: Seated) -> list[notices.Notice]:
    """Return the notice of the decision that the orders would have made."""
    if seat.decision_version is None or seat.house:
        return []
    return table_notices.to_awaited(table, [seat.number], seat.decision_version)


def _running(tx: Transaction, game: str, account: str) -> Table:
    """Return a running game at which this account has a seat; refuse otherwise."""
    table = table_lookup.table_of(tx, game, account)
    seat = players.seat_for(table, account)
    if table.status == "open":
        raise refusals.Refused("not_awaited", say("The game has not begun yet."))
    if table.status != "running":
        raise GameOver
    players.check_not_resigned(seat, account)
    return table


def _document(row: StoredOrders, meant: Orders | None) -> Document:
    """Return orders as their player reads them."""
    steps = [*map(written_step, meant.steps)] if meant else [row.text]
    return {
        "text": row.text,
        "at_once": bool(row.at_once),
        "given": row.given,
        "state": row.state,
        "reason": row.reason,
        "ended": row.ended,
        "steps": [
            {"text": text, "state": _state_of(row, number)} for number, text in enumerate(steps)
        ],
        "played": json.loads(row.played),
    }


def _state_of(row: StoredOrders, step: int) -> str:
    if step < row.steps_done:
        return "done"
    return "current" if step == row.steps_done and row.state == WAITING else "open"
