"""Connections that are kept: no more than there may be, and none that is broken."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest
from sqlalchemy import Engine, NullPool, create_engine, event, exc, text

from store import idle
from store.idle import Idle

ONE = text("SELECT 1")


class Counted:
    """An engine that counts what it opens and closes."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.opened = self.closed = 0
        event.listen(engine, "connect", self._open)
        event.listen(engine, "close", self._close)

    def _open(self, *_: object) -> None:
        self.opened += 1

    def _close(self, *_: object) -> None:
        self.closed += 1


@pytest.fixture
def counted(tmp_path: Path) -> Iterator[Counted]:
    """An engine on a file of its own."""
    engine = create_engine(
        f"sqlite:///{tmp_path}/kept.db",
        poolclass=NullPool,
        connect_args={"check_same_thread": False},
    )
    yield Counted(engine)
    engine.dispose()


def test_one_is_used_again(counted: Counted) -> None:
    """Whoever asks one after the other gets the same."""
    kept = Idle(counted.engine)
    for _ in range(5):
        with kept.one() as connection:
            assert 1 == connection.scalar(ONE)
    assert 1 == counted.opened

    kept.close()
    assert 1 == counted.closed


def test_there_are_only_so_many(counted: Counted, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those who come at once share them; whoever waits too long is told so."""
    monkeypatch.setattr(idle, "MOST", 2)
    kept, meet = Idle(counted.engine), Barrier(2)

    def use(_: int) -> None:
        with kept.one() as connection:
            meet.wait(10)
            connection.scalar(ONE)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(use, range(20)))
    assert 2 == counted.opened

    monkeypatch.setattr(idle, "PATIENCE", 0.01)
    with kept.one(), kept.one(), pytest.raises(exc.TimeoutError), kept.one():
        pass
    with kept.one() as connection:
        assert 1 == connection.scalar(ONE)
    kept.close()


def test_what_failed_leaves_nothing_open(counted: Counted) -> None:
    """An error does not cost a place, and what was begun is undone."""
    kept = Idle(counted.engine)
    with kept.one() as connection:
        connection.execute(text("CREATE TABLE said (word TEXT)"))
        connection.commit()
    for _ in range(idle.MOST + 1):
        with pytest.raises(exc.OperationalError), kept.one() as connection:  # noqa: PT012  # begun, and then broken
            connection.execute(text("INSERT INTO said VALUES ('no')"))
            connection.execute(text("INSERT INTO nowhere VALUES ('no')"))
    with kept.one() as connection:
        assert 0 == connection.scalar(text("SELECT count(*) FROM said"))
    assert 1 == counted.opened
    kept.close()


def test_all_go_with_the_one_that_is_lost(counted: Counted) -> None:
    """When the server has gone nobody is given another connection to what was there."""
    kept = Idle(counted.engine)
    with kept.one() as first, kept.one() as second:
        assert first is not second
    with kept.one() as connection:
        connection.invalidate()
    with kept.one() as connection:
        assert connection not in (first, second)
        assert 1 == connection.scalar(ONE)
    kept.close()


def test_it_is_made_anew_after_a_while(counted: Counted, monkeypatch: pytest.MonkeyPatch) -> None:
    """An old connection is not trusted; and one that cannot be replaced does not cost a place."""
    kept = Idle(counted.engine)
    with kept.one() as first:
        pass
    monkeypatch.setattr(idle, "LIFE", 0.0)
    with kept.one() as second:
        assert first.closed
        assert not second.closed

    def away() -> None:
        raise exc.OperationalError("connect", None, Exception("away"))

    with monkeypatch.context() as broken:
        broken.setattr(counted.engine, "connect", away)
        for _ in range(idle.MOST + 1):
            with pytest.raises(exc.OperationalError), kept.one():
                pass
    with kept.one() as connection:
        assert 1 == connection.scalar(ONE)
    kept.close()
