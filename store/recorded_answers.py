"""What was answered to an Idempotency-Key, so that it can be answered again."""

from typing import NamedTuple

from sqlalchemy import Connection, delete, insert, select

from store.tables import answers


class Answer(NamedTuple):
    digest: bytes
    body: str


def find(tx: Connection, scope: str, key: str) -> Answer | None:
    wanted = select(answers.c.digest, answers.c.body)
    row = tx.execute(wanted.where(answers.c.scope == scope, answers.c.key == key)).first()
    return Answer(*row) if row else None


def keep(tx: Connection, scope: str, key: str, answer: Answer, at: str) -> None:
    """Store an answer; of two at once the primary key refuses the second."""
    tx.execute(insert(answers), [{"scope": scope, "key": key, "at": at, **answer._asdict()}])


def forget(tx: Connection, before: str) -> None:
    """Drop answers that are older than anybody may rely on."""
    tx.execute(delete(answers).where(answers.c.at < before))


def forget_of(tx: Connection, scope: str) -> None:
    """Drop everything that was answered to one account."""
    tx.execute(delete(answers).where(answers.c.scope == scope))
