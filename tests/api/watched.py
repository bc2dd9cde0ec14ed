"""`python -m tests.api.watched PORT KEPT`: our gunicorn, and an application that tells all."""

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from socket import create_connection
from typing import TYPE_CHECKING, Any

from gunicorn.app.base import BaseApplication

from api.lookout import LOOK, Later
from api.serving import options
from service.settings import Settings
from tests.api.serving import KEY
from tests.children import Child, free_port

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

HURRY = 2
"""Seconds that it waits for whoever does not ask or does not leave."""
LONG = b"x" * 1_000_000
_FREE = threading.Event()


def application(environ: "WSGIEnvironment", start_response: "StartResponse") -> list[bytes]:
    """Named after the last part of the path."""
    what = environ["PATH_INFO"].rpartition("/")[2]
    told = [("X-Thread", threading.current_thread().name)]
    if what in ("same", "full", "stuck"):
        if what == "full":
            told += [(f"X-{number}", "x" * 8000) for number in range(8)]
        if what == "stuck":
            _FREE.wait(20)
        start_response("304 Not Modified", told)
        return []
    look = LOOK.get()
    if what == "new" and look and look.in_haste:
        look.found = threading.current_thread().name
        raise Later
    if what == "broken":
        raise ValueError(what)
    if what == "free":
        _FREE.set()
    body = LONG if what == "new" else environ["wsgi.input"].read()
    told += [("X-Found", look.found if look else "nothing"), ("Content-Length", str(len(body)))]
    start_response("200 OK", told)
    return [body]


class Server(BaseApplication):
    """As production runs it."""

    def __init__(self, port: str, kept: str) -> None:
        self._port = port
        self._kept = int(kept)
        super().__init__()

    def load_config(self) -> None:
        """With room for some beside those who are answered, and with less patience."""
        settings = Settings.of({"SECRET_KEYS": KEY, "BIND": f"127.0.0.1:{self._port}"})
        chosen = options(settings) | {"worker_connections": settings.web_threads + self._kept}
        chosen["worker_class"].patience = HURRY
        for name, value in chosen.items():
            self.cfg.set(name, value)

    def load(self) -> Any:
        """What it runs."""
        return application


class Watched(Child):
    """This server as a child of the tests."""

    def __init__(self, kept: int) -> None:
        super().__init__()
        self.port = free_port()
        self._kept = kept

    def start(self) -> None:
        """Start it, and wait until it listens."""
        command = [sys.executable, "-m", "tests.api.watched", str(self.port), str(self._kept)]
        self.launch(command, lambda _: self._listens())

    def _listens(self) -> bool:
        try:
            create_connection(("127.0.0.1", self.port)).close()
        except OSError:
            return False
        return True

    def _surroundings(self) -> dict[str, Any]:
        return {"cwd": Path(__file__).parents[2], "start_new_session": True}


@contextmanager
def watched(kept: int = 100) -> Iterator[Watched]:
    """Running, until it is no longer needed."""
    child = Watched(kept)
    try:
        child.start()
        yield child
    finally:
        child.kill9()
        child.close()


if __name__ == "__main__":
    Server(*sys.argv[1:]).run()
