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
    """Rung whenever a job has been taken from Redis by somebody who listens."""
    bell = threading.Event()
    monkeypatch.setattr(processes, "drain", bell.set)
    threading.Thread(target=processes._listen, args=(redis, threading.Event()), daemon=True).start()
    return bell


def test_doorbell_is_heard(redis: str, heard: threading.Event) -> None:
    """What rings in one process wakes a worker in another."""
    RedisDoorbell(redis).ring()

    assert heard.wait(30)


def test_job_of_somebody_else_is_not_done(
    redis: str, heard: threading.Event, tmp_path: Path
) -> None:
    """Whoever gets into Redis can make a worker look, and nothing more."""
    queue = Queue(QUEUE, connection=Redis.from_url(redis), serializer=SERIALIZER)
    queue.enqueue("os.mkdir", str(tmp_path / "owned"))

    assert heard.wait(30)
    until(lambda: not queue.count, "the job to be gone")
    assert not (tmp_path / "owned").exists()
