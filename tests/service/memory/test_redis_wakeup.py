"""Waking workers in other processes, by jobs in a real Redis."""

import threading
import time

import pytest
from redis import Redis
from rq import Queue
from structlog.testing import CapturingLogger

from service.memory import redis_wakeup
from service.memory.redis_wakeup import DRAIN, PAUSE, SERIALIZER, RedisDoorbell
from tests.support.waiting import until


@pytest.fixture
def queue(redis: str, monkeypatch: pytest.MonkeyPatch) -> Queue:
    """A queue of the test's own: workers of other tests may still take jobs from the real one."""
    monkeypatch.setattr(redis_wakeup, "QUEUE", "doorbells")
    return Queue("doorbells", connection=Redis.from_url(redis), serializer=SERIALIZER)


def _is_quiet(doorbell: RedisDoorbell) -> bool:
    """Whether the thread has taken the last ring."""
    return not doorbell._rung.is_set()


def test_a_ring_is_a_job_without_arguments(redis: str, queue: Queue) -> None:
    """The job names the function and nothing else; it is stored as JSON, and expires."""
    RedisDoorbell(redis).ring()
    until(lambda: queue.count == 1, "the job")
    (job,) = queue.jobs

    assert (DRAIN, (), {}) == (job.func_name, tuple(job.args), job.kwargs)
    assert (60, 0, 0) == (job.ttl, job.result_ttl, job.failure_ttl)
    assert job.data.startswith(b"[")


def test_a_burst_of_rings_is_a_few_jobs(redis: str, queue: Queue) -> None:
    """One job wakes the workers for everything that was rung during the pause after it."""
    doorbell, began = RedisDoorbell(redis), time.monotonic()
    for _ in range(1000):
        doorbell.ring()
    until(lambda: queue.count > 0 and _is_quiet(doorbell), "the jobs")

    assert queue.count <= 2 + (time.monotonic() - began) / PAUSE


def test_a_doorbell_rings_again_after_a_fork(redis: str, queue: Queue) -> None:
    """The thread does not survive a fork; the next ring starts another one."""
    doorbell = RedisDoorbell(redis)
    doorbell._thread = threading.Thread()  # not alive, as in a process that has just forked
    doorbell.ring()

    until(lambda: queue.count == 1, "the job")


def test_redis_that_is_away_fails_no_request(monkeypatch: pytest.MonkeyPatch) -> None:
    """A ring returns at once, and however many are lost, one line is logged."""
    log = CapturingLogger()
    monkeypatch.setattr(redis_wakeup, "log", log)
    monkeypatch.setattr(redis_wakeup, "PAUSE", 0.0)
    doorbell = RedisDoorbell("redis://127.0.0.1:1")
    for _ in range(3):
        doorbell.ring()
        until(lambda: _is_quiet(doorbell), "the next attempt")

    until(lambda: bool(log.calls), "the warning")
    assert ["redis is away; workers look by themselves"] == [call.args[0] for call in log.calls]
