"""Processes beside the web server, which tests can kill."""

import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from tests.promises.support.web_server import Web, open_database
from tests.support.child_servers import Child


class Process(Child):
    """`nightmail worker`, `clock` or `inbox`, with the settings of a web server."""

    def __init__(self, web: Web, command: str) -> None:
        super().__init__()
        self._web = web
        self._command = command
        self._started = 0

    def start(self) -> None:
        """Start the process, also after kill9, and wait until its log says that it works."""
        self._started += 1
        self.launch([Path(sys.executable).with_name("nightmail"), self._command], self._ready)

    def stop(self) -> None:
        """Kill the process; an orderly shutdown is tested elsewhere."""
        self.kill9()

    def _ready(self, _: int) -> bool:
        log = (self.home / "log").read_text(encoding="utf-8")
        return log.count('"working"') >= self._started

    def _surroundings(self) -> dict[str, Any]:
        return self._web.surroundings | {"cwd": self.home}


@contextmanager
def running(url: str, *commands: str, **environ: str) -> Iterator[tuple[Web, dict[str, Process]]]:
    """Run a web server on this database, and these processes beside it."""
    with open_database(url), ExitStack() as stack:
        web = Web(url, **environ)
        stack.callback(web.close)
        web.start()
        beside = {command: Process(web, command) for command in commands}
        for process in beside.values():
            stack.callback(process.close)
            process.start()
        yield web, beside
