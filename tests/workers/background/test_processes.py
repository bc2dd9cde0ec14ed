import threading
from pathlib import Path

import pytest
from redis import Redis
from rq import Queue

from service.memory.redis_wakeup import QUEUE, SERIALIZER, RedisWakeup
from tests.support.waiting import until
from workers.background import processes


@pytest.fixture
def woken(redis: str, monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """Set whenever a job has been taken from Redis by somebody who listens."""
    woken = threading.Event()
    monkeypatch.setattr(processes, "drain", woken.set)
    threading.Thread(target=processes._listen, args=(redis, threading.Event()), daemon=True).start()
    return woken


def test_a_wakeup_reaches_another_process(redis: str, woken: threading.Event) -> None:
    """A wake-up in one process wakes a worker in another."""
    RedisWakeup(redis).send()

    assert woken.wait(30)


def test_job_of_somebody_else_is_not_done(
    redis: str, woken: threading.Event, tmp_path: Path
) -> None:
    """Whoever gets into Redis can make a worker look, and nothing more."""
    queue = Queue(QUEUE, connection=Redis.from_url(redis), serializer=SERIALIZER)
    queue.enqueue("os.mkdir", str(tmp_path / "owned"))

    assert woken.wait(30)
    until(lambda: not queue.count, "the job to be gone")
    assert not (tmp_path / "owned").exists()
