"""The processes `worker`, `clock` and `inbox`, which run until they are stopped by a signal."""

import signal
import threading
from types import FrameType

import structlog
from redis import Redis
from redis.exceptions import RedisError
from rq import SimpleWorker
from rq.job import Job
from rq.timeouts import TimerDeathPenalty

from service.desk import open_desk
from service.memory.redis_wakeup import QUEUE, SERIALIZER
from service.settings import Settings
from workers.background.background import Background
from workers.background.clock import Clock
from workers.inbox.server import Inbox

RECONNECT = 2.0
"""Seconds before a Redis that cannot be reached is tried again."""

log = structlog.get_logger()
_backgrounds: list[Background] = []
"""What runs in this process; a job from Redis knows nothing but the name of its function."""


def drain() -> None:
    """Look for work now; the job that a wakeup puts into Redis."""
    for background in _backgrounds:
        background.wake()


def worker(settings: Settings) -> None:
    """Deliver on all channels and play for the house; Redis, if it is set, wakes it at once."""
    stopping = _stopped_by_signals()
    background = Background(open_desk(settings))
    background.start()
    _backgrounds.append(background)
    log.info("working", part="outbox and house", redis=bool(settings.redis_url))
    try:
        if settings.redis_url:
            threading.Thread(
                target=_listen, args=(settings.redis_url, stopping), name="redis", daemon=True
            ).start()
        stopping.wait()
    finally:
        _backgrounds.remove(background)
        background.stop()
        background.desk.close()


def clock(settings: Settings) -> None:
    """Send reminders, and play defaults when deadlines have passed."""
    stopping = _stopped_by_signals()
    desk = open_desk(settings)
    log.info("working", part="clocks")
    Clock(desk).run(stopping)
    desk.close()


def inbox(settings: Settings) -> None:
    """Receive mail."""
    stopping = _stopped_by_signals()
    desk = open_desk(settings)
    server = Inbox(desk)
    server.start()
    log.info("working", part="inbox", bind=settings.inbox_bind)
    stopping.wait()
    server.stop()
    desk.close()


def _stopped_by_signals() -> threading.Event:
    stopping = threading.Event()

    def stop(_: int, __: FrameType | None) -> None:
        stopping.set()

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, stop)
    return stopping


class _WakeUp(Job):
    """The only job that is ever performed, whatever is in Redis."""

    def perform(self) -> None:
        drain()


class _Listener(SimpleWorker):
    """Takes jobs in a thread; signals are handled by the process itself."""

    job_class = _WakeUp
    death_penalty_class = TimerDeathPenalty  # the other kind needs the main thread

    def _install_signal_handlers(self) -> None:
        pass


def _listen(url: str, stopping: threading.Event) -> None:
    """Take jobs from Redis; while it cannot be reached, the workers poll."""
    while not stopping.is_set():
        try:
            redis = Redis.from_url(url)
            _Listener([QUEUE], connection=redis, serializer=SERIALIZER).work(
                with_scheduler=False, logging_level="WARNING"
            )
        except RedisError:
            stopping.wait(RECONNECT)
