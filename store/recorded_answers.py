"""Responses to requests with an Idempotency-Key, stored so that they can be sent again."""

from typing import NamedTuple

from sqlalchemy import Connection, delete, insert, select

from store.tables import answers


class Answer(NamedTuple):
    digest: bytes
    body: str


def find(tx: Connection, scope: str, key: str) -> Answer | None:
    query = select(answers.c.digest, answers.c.body)
    row = tx.execute(query.where(answers.c.scope == scope, answers.c.key == key)).first()
    return Answer(*row) if row else None


def keep(tx: Connection, scope: str, key: str, answer: Answer, at: str) -> None:
    """Store a response; the primary key refuses a second one for the same key."""
    tx.execute(insert(answers), [{"scope": scope, "key": key, "at": at, **answer._asdict()}])


def forget(tx: Connection, before: str) -> None:
    """Delete the responses stored before this time."""
    tx.execute(delete(answers).where(answers.c.at < before))


def forget_of(tx: Connection, scope: str) -> None:
    """Delete all responses to one account."""
    tx.execute(delete(answers).where(answers.c.scope == scope))
