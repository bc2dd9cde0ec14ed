import threading
from pathlib import Path

import pytest
from redis import Redis
from rq import Queue

from service.memory.redis_wakeup import QUEUE, SERIALIZER, RedisDoorbell
from tests.support.waiting import until
from workers.background import processes


@pytest.fixture
def heard(redis: str, monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """Set when the listener has taken a job from Redis."""
    bell = threading.Event()
    monkeypatch.setattr(processes, "drain", bell.set)
    threading.Thread(target=processes._listen, args=(redis, threading.Event()), daemon=True).start()
    return bell


def test_doorbell_is_heard(redis: str, heard: threading.Event) -> None:
    """A ring of the doorbell reaches a listening worker through Redis."""
    RedisDoorbell(redis).ring()

    assert heard.wait(30)


def test_job_of_somebody_else_is_not_done(
    redis: str, heard: threading.Event, tmp_path: Path
) -> None:
    """A foreign job in Redis wakes the worker, but is never executed."""
    queue = Queue(QUEUE, connection=Redis.from_url(redis), serializer=SERIALIZER)
    queue.enqueue("os.mkdir", str(tmp_path / "owned"))

    assert heard.wait(30)
    until(lambda: not queue.count, "the job to be gone")
    assert not (tmp_path / "owned").exists()


def test_redis_that_is_away_fails_no_request() -> None:
    """Ringing raises no exception while Redis cannot be reached."""
    RedisDoorbell("redis://127.0.0.1:1").ring()
