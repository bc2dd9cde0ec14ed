"""The outbox: what has to be told to whom, stored together with what it is about."""

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import Connection, insert

from store.tables import notices


class Notice(NamedTuple):
    """Something to tell one account."""

    account: str
    kind: str
    game: str | None = None
    seat: int | None = None
    version: int | None = None


_ADD = insert(notices)


def add(tx: Connection, told: Sequence[Notice], at: str) -> None:
    """Owe these notices from now on."""
    fresh = {"state": "waiting", "attempts": 0, "not_before": at}
    if told:
        tx.execute(_ADD, [{**notice._asdict(), **fresh} for notice in told])
