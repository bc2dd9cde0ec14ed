"""Serve the API and the bare endpoints from one server: `python -m bench.serve KIND STOCK`.

KIND is `nightmail`, or `gunicorn` for the same application on gunicorn with threads. STOCK is a
JSON file with the data of the bare endpoints.
"""

import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from threading import Thread
from typing import Any

import orjson
from werkzeug.middleware.dispatcher import DispatcherMiddleware

from api.http import request_log
from api.server import serving
from api.server.asgi import Receive, Scope, Send
from api.server.front import Front
from api.wsgi import app_at
from bench.bare import ROOT, bare_app
from service.desk import Desk, open_desk
from service.settings import Settings

Wsgi = Callable[..., Any]
THREADS = 32
"""Threads of gunicorn, which needs one for every request that waits."""


def joint(desk: Desk, stock: dict[str, Any]) -> Wsgi:
    """Combine the API and the bare endpoints in one WSGI application on the same desk."""
    return DispatcherMiddleware(app_at(desk), {ROOT: bare_app(desk.database, stock)})


class NightmailFront:
    """An ASGI application: the production front, with the API and the bare endpoints behind it."""

    def __init__(self, settings: Settings, stock: Path) -> None:
        self._settings = settings
        self._stock = stock
        self._front: Front | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer an HTTP request, or handle the startup and shutdown of the server."""
        if self._front is not None and scope["type"] == "http":
            await self._front(scope, receive, send)
            return
        await receive()
        desk = open_desk(self._settings)
        application = joint(desk, orjson.loads(self._stock.read_bytes()))
        self._front = Front(application, desk.waiters, self._settings.web_threads)
        await send({"type": "lifespan.startup.complete"})
        await receive()
        await send({"type": "lifespan.shutdown.complete"})


def _run_gunicorn(settings: Settings, stock: Path) -> None:
    # Gunicorn is a dependency of the benchmarks only, and it has no type hints.
    from gunicorn.app.base import BaseApplication  # type: ignore[import-untyped]  # noqa: PLC0415

    class Server(BaseApplication):  # type: ignore[misc]  # has no type hints
        def load_config(self) -> None:
            chosen = {"bind": settings.bind, "worker_class": "gthread", "threads": THREADS}
            for name, value in (chosen | {"control_socket_disable": True}).items():
                self.cfg.set(name, value)

        def load(self) -> Wsgi:
            return joint(open_desk(settings), orjson.loads(stock.read_bytes()))

    Server().run()


def _watch() -> None:
    """Stop this process when standard input ends, that is, when its parent is gone."""
    while os.read(0, 1024):
        pass
    os.kill(os.getpid(), signal.SIGTERM)


def main(kind: str, stock: Path) -> None:
    """Serve until standard input ends."""
    settings = Settings.of(os.environ)
    request_log.set_up(settings)
    Thread(target=_watch, daemon=True).start()
    if kind == "gunicorn":
        _run_gunicorn(settings, stock)
    else:
        serving.run(settings, NightmailFront(settings, stock), serving.listen(settings.bind))


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
