"""A service that a test scripts: what its stream brings, and how it answers moves."""

import json
import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple

Json = dict[str, Any]
TOKEN = "nm_the_token_of_ada"  # noqa: S105  # for tests only


class Move(NamedTuple):
    """A move that was posted."""

    body: Json
    version: str
    key: str


class FakeService(ThreadingHTTPServer):
    """Serves one account; a test queues what happens."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.streams: deque[list[bytes]] = deque()
        """What each connection to the stream brings before it breaks; the last one stays open."""
        self.refusals: deque[tuple[int, Json]] = deque()
        """Responses to the next requests, whatever they are."""
        self.move_answers: deque[tuple[int, Json]] = deque()
        self.documents: dict[str, Json] = {}
        self.moves: list[Move] = []
        self.last_ids: list[str | None] = []
        self.ended = threading.Event()

    @property
    def address(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self.server_port}"


def event(name: str, data: Json, id: str = "") -> bytes:
    """An event as the stream writes it."""
    first = f"id: {id}\n" if id else ""
    return f"{first}event: {name}\ndata: {json.dumps(data)}\n\n".encode()


def decision(game: str = "g1", version: int = 7, since: str = "2026-03-02T18:00:00.000Z") -> Json:
    """An open decision, without its menu."""
    return {"game": game, "title": "Friday", "version": version, "since": since, "menu": []}


@contextmanager
def serving() -> Iterator[FakeService]:
    """Run the service."""
    with FakeService() as service:
        thread = threading.Thread(target=service.serve_forever, args=(0.02,))
        thread.start()
        try:
            yield service
        finally:
            service.ended.set()
            service.shutdown()
            thread.join()


class _Handler(BaseHTTPRequestHandler):
    server: FakeService
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        if self._refused():
            return
        if self.path == "/v1/me":
            self._answer(200, {"name": "Ada"})
        elif self.path == "/v1/me/stream":
            self._stream()
        elif self.path in self.server.documents:
            self._answer(200, self.server.documents[self.path])
        else:
            self._answer(404, {"detail": "There is nothing."})

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self._refused():
            return
        headers = self.headers
        self.server.moves.append(Move(body, headers["If-Match"], headers["Idempotency-Key"]))
        made = (201, {"events": [{"sentence": "Ada draws."}]})
        answers = self.server.move_answers
        self._answer(*(answers.popleft() if answers else made))

    def _refused(self) -> bool:
        if self.headers["Authorization"] != f"Bearer {TOKEN}":
            self._answer(401, {"detail": "This token is not valid."})
            return True
        if self.server.refusals:
            self._answer(*self.server.refusals.popleft())
            return True
        return False

    def _answer(self, status: int, document: Json) -> None:
        body = json.dumps(document).encode()
        self.send_response(status)
        if "retry_after" in document:
            self.send_header("Retry-After", str(document["retry_after"]))
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _stream(self) -> None:
        self.server.last_ids.append(self.headers["Last-Event-ID"])
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        with suppress(OSError):
            for piece in self.server.streams.popleft() if self.server.streams else []:
                self.wfile.write(piece)
            if not self.server.streams:
                self.server.ended.wait()
        self.close_connection = True

    def log_message(self, *_: object) -> None:
        pass
