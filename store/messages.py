"""Table talk, which is no part of a game's log."""

from typing import NamedTuple

from sqlalchemy import Connection, func, insert, select

from store.tables import accounts, messages


class Message(NamedTuple):
    number: int
    account: str
    text: str
    at: str
    name: str


def add(tx: Connection, game: str, account: str, text: str, at: str) -> Message:
    """Put a message at the end; two at once are told apart by the primary key."""
    last = tx.scalar(select(func.max(messages.c.number)).where(messages.c.game == game)) or 0
    values = {"game": game, "number": last + 1, "account": account, "text": text, "at": at}
    tx.execute(insert(messages), [values])
    return after(tx, game, last, 1)[0]


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
