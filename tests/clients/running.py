"""The service as its operator starts it, on a socket of the loopback, for clients from outside."""

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
    """`nightmail serve` in a process of its own; what it needs lies in its folder."""

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
        """Start it, and wait until it answers."""
        self.launch([NIGHTMAIL, "serve"], lambda _: self._is_ready())

    def _is_ready(self) -> bool:
        try:
            return requests.get(f"{self.url}/readyz", timeout=5).ok
        except (requests.ConnectionError, requests.Timeout):
            return False

    def _surroundings(self) -> dict[str, Any]:
        """Our own program may run as we do, and needs nothing of our environment."""
        here = str(Path(__file__).parents[2])  # what is tested is what lies here
        surroundings = {"PATH": os.defpath, "PYTHONPATH": here, **self.settings}
        return {"cwd": self.home, "env": surroundings, "start_new_session": True}


@contextmanager
def running(database: str | None = None) -> Iterator[Service]:
    """The service on this database, or on a file of its own."""
    service = Service(database)
    try:
        service.start()
        yield service
    finally:
        service.close()


class Player:
    """Somebody with an account, who calls the service over its socket."""

    def __init__(self, service: Service, name: str) -> None:
        self.base = service.url
        self.calls = requests.Session()
        made = self.call("POST /v1/accounts", {"name": name, "kind": "bot"}).json()
        self.name: str = made["account"]["name"]
        self.token: str = made["token"]["token"]
        self.token_id: str = made["token"]["id"]
        self.calls.headers["Authorization"] = f"Bearer {self.token}"

    def call(self, line: str, body: Json | None = None) -> requests.Response:
        """What is answered to a request; a refusal is a fault of the test."""
        method, path = line.split()
        answer = self.calls.request(method, self.base + path, json=body, timeout=60)
        assert answer.ok, f"{line} {json.dumps(body)}: {answer.status_code} {answer.text}"
        return answer

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.calls.close()
