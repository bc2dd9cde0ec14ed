"""Table talk, which is not part of a game's log."""

from collections.abc import Collection
from typing import NamedTuple

from sqlalchemy import Connection, func, insert, select

from store.tables import accounts, messages


class Message(NamedTuple):
    number: int
    account: str
    text: str
    at: str
    name: str


_WITH_NAMES = select(*messages.c["number", "account", "text", "at"], accounts.c.name).join(
    accounts, messages.c.account == accounts.c.id
)


def add(tx: Connection, game: str, number: int, account: str, text: str, at: str) -> Message:
    """Store a message under its number."""
    values = {"game": game, "number": number, "account": account, "text": text, "at": at}
    tx.execute(insert(messages), [values])
    return after(tx, game, number - 1, 1)[0]


def several(tx: Connection, game: str, numbers: Collection[int]) -> list[Message]:
    """Return the messages with these numbers that still exist, the oldest first."""
    rows = tx.execute(
        _WITH_NAMES.where(messages.c.game == game, messages.c.number.in_(numbers)).order_by(
            messages.c.number
        )
    )
    return [Message(*tuple(row)) for row in rows]


def last_by(tx: Connection, game: str, account: str) -> int:
    """Return the number of an account's last message in a game; 0 if there is none."""
    conditions = messages.c.game == game, messages.c.account == account
    return tx.scalar(select(func.max(messages.c.number)).where(*conditions)) or 0


def after(tx: Connection, game: str, number: int, limit: int) -> list[Message]:
    """Return the messages after this number, each with its author's name."""
    rows = tx.execute(
        _WITH_NAMES.where(messages.c.game == game, messages.c.number > number)
        .order_by(messages.c.number)
        .limit(limit)
    )
    return [Message(*tuple(row)) for row in rows]
