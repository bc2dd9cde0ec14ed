"""Connections between two uses. SQLAlchemy's pool is slower than SQLite is to answer."""

import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from queue import Empty, LifoQueue
from typing import NamedTuple

from sqlalchemy import Connection, Engine, exc

MOST = 16
"""So many connections for those who read, for those who write, and for those who note."""
PATIENCE = 30.0
LIFE = 1800.0
"""Seconds after which a connection is made anew, before somebody between us forgets it."""


class _Kept(NamedTuple):
    connection: Connection
    since: float


class Idle:
    """Connections that stay open. The last used is the first to be used again.

    So a quiet service needs few, and those know our statements.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._places = self._all_free()

    @contextmanager
    def one(self) -> Iterator[Connection]:
        """A connection; whoever comes while all are in use waits."""
        places = self._places
        try:
            kept = places.get(timeout=PATIENCE)
        except Empty:
            raise exc.TimeoutError(f"All {MOST} connections are in use.") from None
        try:
            kept = self._fresh(kept)
            yield kept.connection
        finally:
            places.put(self._after(places, kept))

    def close(self) -> None:
        """Give all back that nobody uses; the others follow when they are not used any more."""
        places, self._places = self._places, self._all_free()
        while not places.empty():
            kept = places.get()
            if kept is not None:
                kept.connection.close()

    @staticmethod
    def _all_free() -> "LifoQueue[_Kept | None]":
        places: LifoQueue[_Kept | None] = LifoQueue()
        for _ in range(MOST):
            places.put(None)
        return places

    def _fresh(self, kept: _Kept | None) -> _Kept:
        if kept is not None:
            if time.monotonic() - kept.since < LIFE:
                return kept
            kept.connection.close()
        return _Kept(self._engine.connect(), time.monotonic())

    def _after(self, places: "LifoQueue[_Kept | None]", kept: _Kept | None) -> _Kept | None:
        """What stays of a connection that is not used any more."""
        if kept is None or kept.connection.closed:
            return None
        connection, asked_for = kept.connection, places is self._places
        with suppress(exc.DBAPIError):
            if connection.in_transaction():
                connection.rollback()
        if asked_for and not connection.invalidated:
            return kept
        connection.close()
        if asked_for:  # the server has gone, and with it whatever else was open
            self.close()
        return None
