"""`python -m tests.api.watched PORT MANNERS`: our gunicorn, and an application that tells all."""

import resource
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from socket import create_connection
from typing import TYPE_CHECKING, Any, NamedTuple

import psutil
from gunicorn.app.base import BaseApplication

from api.server.lookout import LOOK, Later
from api.server.serving import options
from service.settings import Settings
from tests.api.serving import KEY
from tests.support.child_servers import Child, free_port
from tests.support.waiting import until

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

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


class Manners(NamedTuple):
    """How the server treats its clients."""

    kept: int = 100
    """Connections that it keeps beside those that are answered."""
    silence: float = 10
    patience: float = 10
    files: int = 0
    """How many it may have open, if there is a limit."""


USUAL = Manners()


class Server(BaseApplication):
    """As production runs it, but for its manners."""

    def __init__(self, port: str, manners: Manners) -> None:
        self._port = port
        self._manners = manners
        super().__init__()

    def load_config(self) -> None:
        """Tell gunicorn what production tells it, and how to behave."""
        settings = Settings.of({"SECRET_KEYS": KEY, "BIND": f"127.0.0.1:{self._port}"})
        chosen = options(settings)
        chosen["worker_connections"] = settings.web_threads + self._manners.kept
        chosen["worker_class"].silence = self._manners.silence
        chosen["worker_class"].patience = self._manners.patience
        for name, value in chosen.items():
            self.cfg.set(name, value)

    def load(self) -> Any:
        """What it runs."""
        if files := self._manners.files:
            resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))
        return application


class Watched(Child):
    """This server as a child of the tests."""

    def __init__(self, manners: Manners) -> None:
        super().__init__()
        self.port = free_port()
        self._manners = manners

    def start(self) -> None:
        """Start it, and wait until it listens."""
        told = [str(self.port), *map(str, self._manners)]
        self.launch([sys.executable, "-m", "tests.api.watched", *told], lambda _: self._listens())

    @property
    def worker(self) -> psutil.Process:
        """The process that answers."""
        assert self.process is not None
        family = psutil.Process(self.process.pid)
        until(lambda: len(family.children()) == 1, "it answers")
        return family.children()[0]

    def _listens(self) -> bool:
        try:
            create_connection(("127.0.0.1", self.port)).close()
        except OSError:
            return False
        return True

    def _surroundings(self) -> dict[str, Any]:
        return {"cwd": Path(__file__).parents[2], "start_new_session": True}


@contextmanager
def watched(manners: Manners = USUAL) -> Iterator[Watched]:
    """Running, until it is no longer needed."""
    child = Watched(manners)
    try:
        child.start()
        yield child
    finally:
        child.kill9()
        child.close()


def main(port: str, kept: str, silence: str, patience: str, files: str) -> None:
    """Answer until somebody stops us."""
    Server(port, Manners(int(kept), float(silence), float(patience), int(files))).run()


if __name__ == "__main__":
    main(*sys.argv[1:])
