"""`python -m bench.serve KIND STOCK`: the interface and what it is measured against, in one server.

KIND is `ours`, or `gunicorn` for the same application behind gunicorn's threads.
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
"""Of gunicorn, which needs one for every request that waits."""


def joint(desk: Desk, stock: dict[str, Any]) -> Wsgi:
    """Ours and the bare endpoints, at one desk."""
    return DispatcherMiddleware(app_at(desk), {ROOT: bare_app(desk.database, stock)})


class Ours:
    """The front as production runs it, before both applications."""

    def __init__(self, settings: Settings, stock: Path) -> None:
        self._settings = settings
        self._stock = stock
        self._front: Front | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or begin and end with the server."""
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
    # Only the bench has it, and it comes without types.
    from gunicorn.app.base import BaseApplication  # type: ignore[import-untyped]  # noqa: PLC0415

    class Server(BaseApplication):  # type: ignore[misc]
        def load_config(self) -> None:
            chosen = {"bind": settings.bind, "worker_class": "gthread", "threads": THREADS}
            for name, value in (chosen | {"control_socket_disable": True}).items():
                self.cfg.set(name, value)

        def load(self) -> Wsgi:
            return joint(open_desk(settings), orjson.loads(stock.read_bytes()))

    Server().run()


def _watch() -> None:
    """Stop when the process that started us is gone."""
    while os.read(0, 1024):
        pass
    os.kill(os.getpid(), signal.SIGTERM)


def main(kind: str, stock: Path) -> None:
    """Answer until standard input ends."""
    settings = Settings.of(os.environ)
    request_log.set_up(settings)
    Thread(target=_watch, daemon=True).start()
    if kind == "gunicorn":
        _run_gunicorn(settings, stock)
    else:
        serving.run(settings, Ours(settings, stock), serving.listen(settings.bind))


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
