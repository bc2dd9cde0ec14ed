"""Table talk: messages to the players of a game."""

from collections.abc import Callable
from typing import Any

from engine import translate
from service import refusals
from service.desk import Desk
from service.games import table_lookup, table_notices
from service.idempotency import once
from service.memory.news import of_account, of_game
from service.people import names
from store.database import Transaction
from store.games import games, messages
from store.games.games import Table
from store.games.messages import Message
from store.notify import notices


def say(
    desk: Desk,
    account: str,
    game: str,
    text: str,
    key: str | None,
    check: Callable[[Transaction], None] | None = None,
) -> dict[str, Any]:
    """Post a message to the table; refused to accounts that have resigned.

    `check` runs in the transaction that stores the message, and may refuse it; it does not run
    again for a message that was stored with this key before.
    """
    message_text = names.checked_message(text)
    readers: list[str] = []

    def run(tx: Transaction) -> dict[str, Any]:
        table = table_lookup.table_of(tx, game, account)
        seat = table.seat_of(account)
        if seat is None:
            raise refusals.Refused(
                "forbidden", translate.say("Only players at this table can write to it.")
            )
        if seat.resigned:
            raise refusals.Refused(
                "forbidden",
                translate.say("You have resigned from this game; you can still read what is said."),
            )
        if check:
            check(tx)
        number = games.next_message(tx, game)
        message = messages.add(tx, game, number, account, message_text, desk.now())
        owed = table_notices.to_all(table, "message_posted", message.number, but=[seat.number])
        notices.add(tx, owed, message.at)
        readers[:] = [seat.account for seat in table.seated if seat.account]
        return _document(table, message)

    document, is_replay = once(desk, account, "say", key, {"game": game, "text": message_text}, run)
    if is_replay:
        with desk.database.reading() as tx:
            # The game may have been deleted since, and the message with it.
            table_lookup.table_of(tx, game, account)
    desk.news.publish(of_game(game), *map(of_account, readers))
    desk.wakeup.send()
    return document


def messages_after(
    desk: Desk, account: str | None, game: str, after: int, limit: int
) -> list[dict[str, Any]]:
    """Return the messages after number `after`, the oldest first."""
    with desk.database.reading() as tx:
        table = table_lookup.table_of(tx, game, account)
        return [_document(table, message) for message in messages.after(tx, game, after, limit)]


def latest(tx: Transaction, table: Table, limit: int) -> list[dict[str, Any]]:
    """Return the latest messages at a table, the oldest first."""
    rows = messages.after(tx, table.id, max(0, table.last_message - limit), limit)
    return [_document(table, message) for message in rows]


def _document(table: Table, message: Message) -> dict[str, Any]:
    seat = table.seat_of(message.account)
    return {
        "number": message.number,
        "seat": seat.number if seat else None,
        "name": message.name,
        "text": message.text,
        "at": message.at,
    }
