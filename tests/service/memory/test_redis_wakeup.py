"""Waking workers in other processes, by jobs in a real Redis."""

import threading
import time

import pytest
from redis import Redis
from rq import Queue
from structlog.testing import CapturingLogger

from service.memory import redis_wakeup
from service.memory.redis_wakeup import DRAIN, PAUSE, SERIALIZER, RedisWakeup
from tests.support.waiting import until


@pytest.fixture
def queue(redis: str, monkeypatch: pytest.MonkeyPatch) -> Queue:
    """A queue of the test's own: workers of other tests may still take jobs from the real one."""
    monkeypatch.setattr(redis_wakeup, "QUEUE", "wakeups")
    return Queue("wakeups", connection=Redis.from_url(redis), serializer=SERIALIZER)


def _is_quiet(wakeup: RedisWakeup) -> bool:
    """Whether the thread has taken the last wake-up."""
    return not wakeup._requested.is_set()


def test_a_ring_is_a_job_without_arguments(redis: str, queue: Queue) -> None:
    """The job names the function and nothing else; it is stored as JSON, and expires."""
    RedisWakeup(redis).send()
    until(lambda: queue.count == 1, "the job")
    (job,) = queue.jobs

    assert (DRAIN, (), {}) == (job.func_name, tuple(job.args), job.kwargs)
    assert (60, 0, 0) == (job.ttl, job.result_ttl, job.failure_ttl)
    assert job.data.startswith(b"[")


def test_a_burst_of_rings_is_a_few_jobs(redis: str, queue: Queue) -> None:
    """One job wakes the workers for everything that was rung during the pause after it."""
    wakeup, began = RedisWakeup(redis), time.monotonic()
    for _ in range(1000):
        wakeup.send()
    until(lambda: queue.count > 0 and _is_quiet(wakeup), "the jobs")

    assert queue.count <= 2 + (time.monotonic() - began) / PAUSE


def test_wakeups_go_on_after_a_fork(redis: str, queue: Queue) -> None:
    """The thread does not survive a fork; the next wake-up starts another one."""
    wakeup = RedisWakeup(redis)
    wakeup._thread = threading.Thread()  # not alive, as in a process that has just forked
    wakeup.send()

    until(lambda: queue.count == 1, "the job")


def test_redis_that_is_away_fails_no_request(monkeypatch: pytest.MonkeyPatch) -> None:
    """A wake-up returns at once, and however many are lost, one line is logged."""
    log = CapturingLogger()
    monkeypatch.setattr(redis_wakeup, "log", log)
    monkeypatch.setattr(redis_wakeup, "PAUSE", 0.0)
    wakeup = RedisWakeup("redis://127.0.0.1:1")
    for _ in range(3):
        wakeup.send()
        until(lambda: _is_quiet(wakeup), "the next attempt")

    until(lambda: bool(log.calls), "the warning")
    assert ["redis is unavailable; workers poll the database"] == [
        call.args[0] for call in log.calls
    ]
