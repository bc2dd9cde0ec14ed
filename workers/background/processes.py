"""The processes `worker`, `clock` and `inbox`, each until somebody stops it."""

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
from workers.background.all_in_one import Staff
from workers.background.clock import Clock
from workers.inbox.server import Inbox

AGAIN = 2.0
"""Seconds after which a Redis that is away is tried again."""

log = structlog.get_logger()
_here: list[Staff] = []
"""Who works in this process; a job knows nothing but the name of its function."""


def drain() -> None:
    """The job that a doorbell leaves in Redis: look what there is to do."""
    for staff in _here:
        staff.wake()


def worker(settings: Settings) -> None:
    """Deliver mail, tell hooks and play for the house; with Redis as soon as there is something."""
    stopping = _stopped_by_signals()
    staff = Staff(open_desk(settings))
    staff.start()
    _here.append(staff)
    log.info("working", part="outbox and house", redis=bool(settings.redis_url))
    try:
        if settings.redis_url:
            threading.Thread(
                target=_listen, args=(settings.redis_url, stopping), name="redis", daemon=True
            ).start()
        stopping.wait()
    finally:
        _here.remove(staff)
        staff.stop()
        staff.desk.news.stop()
        staff.desk.database.close()


def clock(settings: Settings) -> None:
    """Remind those who are awaited, and play for those whose time is over."""
    stopping = _stopped_by_signals()
    desk = open_desk(settings)
    log.info("working", part="clocks")
    Clock(desk).run(stopping)
    desk.news.stop()
    desk.database.close()


def inbox(settings: Settings) -> None:
    """Take mail in."""
    stopping = _stopped_by_signals()
    desk = open_desk(settings)
    taking = Inbox(desk)
    taking.start()
    log.info("working", part="inbox", bind=settings.inbox_bind)
    stopping.wait()
    taking.stop()
    desk.news.stop()
    desk.database.close()


def _stopped_by_signals() -> threading.Event:
    stopping = threading.Event()

    def stop(_: int, __: FrameType | None) -> None:
        stopping.set()

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, stop)
    return stopping


class _Bell(Job):
    """A job of ours. Whatever somebody has put into Redis, only this is done."""

    def perform(self) -> None:
        drain()


class _Listener(SimpleWorker):
    """Takes jobs in a thread; the process itself sees to the signals."""

    job_class = _Bell
    death_penalty_class = TimerDeathPenalty  # the other kind needs the main thread

    def _install_signal_handlers(self) -> None:
        pass


def _listen(url: str, stopping: threading.Event) -> None:
    """Hear the bell; while Redis is away the deliverer looks by itself."""
    while not stopping.is_set():
        try:
            redis = Redis.from_url(url)
            _Listener([QUEUE], connection=redis, serializer=SERIALIZER).work(
                with_scheduler=False, logging_level="WARNING"
            )
        except RedisError:
            stopping.wait(AGAIN)
