"""Table talk."""

from typing import Any

from engine import tongue
from service import refusals
from service.desk import Desk
from service.games import notices, table_lookup
from service.idempotency import once
from service.memory.news import of_account, of_game
from service.people import names
from store.database import Transaction
from store.games import games, messages
from store.games.games import Table
from store.games.messages import Message
from store.notify import notices as outbox


def say(desk: Desk, account: str, game: str, text: str, key: str | None) -> dict[str, Any]:
    """Say something to the table, unless one has left it for good."""
    said = names.message(text)
    hearers: list[str] = []

    def run(tx: Transaction) -> dict[str, Any]:
        table = table_lookup.table_of(tx, game, account)
        seat = table.seat_of(account)
        if seat is None:
            raise refusals.Refused(
                "forbidden", tongue.say("Only those who sit at the table may speak there.")
            )
        if seat.resigned:
            raise refusals.Refused(
                "forbidden",
                tongue.say("You have resigned from this game; you can still read what is said."),
            )
        number = games.next_message(tx, game)
        message = messages.add(tx, game, number, account, said, desk.now())
        told = notices.to_all(table, "message_posted", message.number, but=[seat.number])
        outbox.add(tx, told, message.at)
        hearers[:] = [one.account for one in table.seated if one.account]
        return _document(table, message)

    document, is_replay = once(desk, account, "say", key, {"game": game, "text": said}, run)
    if is_replay:
        with desk.database.reading() as tx:
            table_lookup.table_of(
                tx, game, account
            )  # it may be gone since, and the message with it
    desk.news.publish(of_game(game), *map(of_account, hearers))
    desk.doorbell.ring()
    return document


def heard(
    desk: Desk, account: str | None, game: str, after: int, limit: int
) -> list[dict[str, Any]]:
    """What was said after a message, the oldest first."""
    with desk.database.reading() as tx:
        table = table_lookup.table_of(tx, game, account)
        return [_document(table, said) for said in messages.after(tx, game, after, limit)]


def lately(desk: Desk, account: str | None, game: str, limit: int) -> list[dict[str, Any]]:
    """What was said last, the oldest first."""
    with desk.database.reading() as tx:
        table = table_lookup.table_of(tx, game, account)
        found = messages.after(tx, game, max(0, table.said - limit), limit)
        return [_document(table, said) for said in found]


def _document(table: Table, message: Message) -> dict[str, Any]:
    seat = table.seat_of(message.account)
    return {
        "number": message.number,
        "seat": seat.number if seat else None,
        "name": message.name,
        "text": message.text,
        "at": message.at,
    }
