"""`python -m bench.serve STOCK`: the interface and what it is measured against, in one server."""

import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from threading import Thread
from typing import Any

import orjson
from gunicorn.app.base import BaseApplication
from werkzeug.middleware.dispatcher import DispatcherMiddleware

from api.http import request_log
from api.server.serving import options
from api.wsgi import app_at
from bench.bare import ROOT, bare_app
from service.desk import Desk, open_desk
from service.settings import Settings

Wsgi = Callable[..., Any]


def joint(desk: Desk, stock: dict[str, Any]) -> Wsgi:
    """Ours and the bare endpoints, at one desk."""
    return DispatcherMiddleware(app_at(desk), {ROOT: bare_app(desk.database, stock)})


class Server(BaseApplication):
    """gunicorn as production runs it."""

    def __init__(self, settings: Settings, stock: Path) -> None:
        self._settings = settings
        self._stock = stock
        super().__init__()

    def load_config(self) -> None:
        """Tell gunicorn what production tells it."""
        chosen = options(self._settings)
        if self._settings.metrics_dir is None:
            chosen.pop("child_exit", None)
        for name, value in chosen.items():
            self.cfg.set(name, value)

    def load(self) -> Wsgi:
        """The application of one web process."""
        return joint(open_desk(self._settings), orjson.loads(self._stock.read_bytes()))


def _watch() -> None:
    """Stop when whoever started us is gone."""
    while os.read(0, 1024):
        pass
    os.kill(os.getpid(), signal.SIGTERM)


def main(stock: Path) -> None:
    """Answer until standard input ends."""
    settings = Settings.of(os.environ)
    request_log.set_up(settings)
    Thread(target=_watch, daemon=True).start()
    Server(settings, stock).run()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
