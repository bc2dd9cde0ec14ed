"""A web process: the application, and the background work beside it."""

import asyncio
import socket
import sys
import threading
from collections.abc import Callable
from typing import Protocol

from api.http import request_log
from api.server import serving
from api.server.asgi import Receive, Scope, Send
from api.server.front import Front
from api.wsgi import app_at
from service import upkeep
from service.desk import Desk, open_desk
from service.settings import Settings

SWITCH_INTERVAL = 0.001
"""The switch interval of the interpreter, in seconds.

Beside a thread that computes all the time, the median request took 5.6 ms with Python's default of
5 ms, and takes 1.9 ms with this value.
"""


class Beside(Protocol):
    """Background work in a web process."""

    desk: Desk

    def start(self) -> None: ...
    def stop(self) -> None: ...


class WebProcess:
    """The ASGI application of one process, which opens its desk when the server starts it."""

    def __init__(self, settings: Settings, beside: Callable[[Desk], Beside] | None) -> None:
        self._settings = settings
        self._begin = beside
        self._beside: Beside | None = None
        self._desk: Desk | None = None
        self._front: Front | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or start and stop with the server."""
        if scope["type"] == "lifespan":
            await self._live(receive, send)
        elif self._front is not None:
            await self._front(scope, receive, send)

    async def _live(self, receive: Receive, send: Send) -> None:
        await receive()
        self._start()
        await send({"type": "lifespan.startup.complete"})
        await receive()
        await asyncio.to_thread(self._stop)
        await send({"type": "lifespan.shutdown.complete"})

    def _start(self) -> None:
        sys.setswitchinterval(SWITCH_INTERVAL)
        request_log.set_up(self._settings)
        serving.raise_file_limit(self._settings)
        self._desk = open_desk(self._settings)
        if self._begin is not None:
            self._beside = self._begin(self._desk)
            self._desk = self._beside.desk
            self._beside.start()
        self._desk.news.start()
        application = app_at(self._desk).wsgi_app
        self._front = Front(application, self._desk.waiters, self._settings.web_threads)
        if threading.current_thread() is threading.main_thread():
            loop, stop = asyncio.get_running_loop(), self._front.stop
            serving.before_stopping(lambda: loop.call_soon_threadsafe(stop))

    def _stop(self) -> None:
        if self._front is not None:
            self._front.close()
        if self._beside is not None:
            self._beside.stop()
        if self._desk is not None:
            self._desk.close()


def serve(
    settings: Settings,
    listener: socket.socket,
    beside: Callable[[Desk], Beside] | None = None,
) -> None:
    """Answer requests on this socket until SIGTERM or SIGINT."""
    request_log.set_up(settings)
    upkeep.restrict_files(settings)
    if settings.metrics_dir is not None:
        settings.metrics_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    serving.run(settings, WebProcess(settings, beside), listener)
