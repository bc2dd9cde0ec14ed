"""Table talk, which is no part of a game's log."""

from typing import NamedTuple

from sqlalchemy import Connection, insert, select

from store.tables import accounts, messages


class Message(NamedTuple):
    number: int
    account: str
    text: str
    at: str
    name: str


def add(tx: Connection, game: str, number: int, account: str, text: str, at: str) -> Message:
    """Store a message under its number."""
    values = {"game": game, "number": number, "account": account, "text": text, "at": at}
    tx.execute(insert(messages), [values])
    return after(tx, game, number - 1, 1)[0]


def after(tx: Connection, game: str, number: int, limit: int) -> list[Message]:
    """The messages after this one, each with the name of whoever said it."""
    wanted = select(*messages.c["number", "account", "text", "at"], accounts.c.name)
    rows = tx.execute(
        wanted.join(accounts, messages.c.account == accounts.c.id)
        .where(messages.c.game == game, messages.c.number > number)
        .order_by(messages.c.number)
        .limit(limit)
    )
    return [Message(*tuple(row)) for row in rows]
