"""The service as an operator starts it, on a loopback socket, for external clients."""

import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

import requests

from tests.api.serving import KEY, OFTEN
from tests.support.child_servers import Child, free_port

NIGHTMAIL = Path(sys.executable).with_name("nightmail")
Json = dict[str, Any]


class Service(Child):
    """`nightmail serve` in a process of its own, with its data in its own folder."""

    def __init__(self, database: str | None = None) -> None:
        super().__init__()
        port = free_port()
        self.url = f"http://127.0.0.1:{port}"
        self.settings = {
            "SECRET_KEYS": KEY,
            "LOG_LEVEL": "error",
            "OPEN_GAMES": "100000",
            **OFTEN,
            "DATA_DIR": str(self.home),
            "DATABASE_URL": database or f"sqlite:///{self.home}/nightmail.db",
            "BIND": f"127.0.0.1:{port}",
            "PUBLIC_URL": self.url,
        }

    def start(self) -> None:
        """Start the service, and wait until it is ready."""
        self.launch([NIGHTMAIL, "serve"], lambda _: self._is_ready())

    def _is_ready(self) -> bool:
        try:
            return requests.get(f"{self.url}/readyz", timeout=5).ok
        except (requests.ConnectionError, requests.Timeout):
            return False

    def _surroundings(self) -> dict[str, Any]:
        """The folder and environment of the process, which inherits nothing from ours."""
        here = str(Path(__file__).parents[2])  # test the code of this working copy
        surroundings = {"PATH": os.defpath, "PYTHONPATH": here, **self.settings}
        return {"cwd": self.home, "env": surroundings, "start_new_session": True}


@contextmanager
def running(database: str | None = None) -> Iterator[Service]:
    """Run the service on this database, or on a database file of its own."""
    service = Service(database)
    try:
        service.start()
        yield service
    finally:
        service.close()


class Player:
    """A client with an account, which calls the service over its socket."""

    def __init__(self, service: Service, name: str) -> None:
        self.base = service.url
        self.calls = requests.Session()
        made = self.call("POST /v1/accounts", {"name": name, "kind": "bot"}).json()
        self.name: str = made["account"]["name"]
        self.token: str = made["token"]["token"]
        self.token_id: str = made["token"]["id"]
        self.calls.headers["Authorization"] = f"Bearer {self.token}"

    def call(self, line: str, body: Json | None = None) -> requests.Response:
        """Send a request and return its response; a refusal fails the test."""
        method, path = line.split()
        answer = self.calls.request(method, self.base + path, json=body, timeout=60)
        assert answer.ok, f"{line} {json.dumps(body)}: {answer.status_code} {answer.text}"
        return answer

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.calls.close()
