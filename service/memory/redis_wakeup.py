"""Wakes workers in other processes with a job in Redis."""

import threading
import time

import structlog
from redis import Redis
from redis.exceptions import RedisError
from rq import Queue

QUEUE = "nightmail"
DRAIN = "workers.background.processes.drain"
"""The function that the job calls, without arguments: the work itself is in the database."""
SERIALIZER = "json"
"""Not pickle, RQ's default, which would run any code that is put into Redis."""
PATIENCE = 0.25
"""Seconds to wait for Redis."""
PAUSE = 0.05
"""Seconds between two jobs; one wakes the workers for everything in between."""

log = structlog.get_logger()


class RedisWakeup:
    """Puts a job into Redis, in a thread of its own, so that no request waits for Redis."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._requested = threading.Event()
        self._thread: threading.Thread | None = None
        self._starting = threading.Lock()

    def send(self) -> None:
        self._requested.set()
        if self._thread is None or not self._thread.is_alive():  # none yet, or lost by a fork
            with self._starting:
                if self._thread is None or not self._thread.is_alive():
                    self._thread = threading.Thread(target=self._run, name="wakeup", daemon=True)
                    self._thread.start()

    def _run(self) -> None:
        queue = _queue(self._url)
        away = False
        while True:
            self._requested.wait()
            self._requested.clear()
            try:
                queue.enqueue(DRAIN, result_ttl=0, failure_ttl=0, ttl=60)
                away = False
            except RedisError:
                if not away:
                    log.warning("redis is unavailable; workers poll the database")
                away = True
            time.sleep(PAUSE)


def _queue(url: str) -> Queue:
    redis = Redis.from_url(url, socket_timeout=PATIENCE, socket_connect_timeout=PATIENCE)
    return Queue(QUEUE, connection=redis, serializer=SERIALIZER)
