"""A local HTTP server from which a bot behind a URL can read its game, as from the service.

Every bot gets a server of its own, so none can read what another seat has seen.
"""

import re
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any, NamedTuple
from urllib.parse import parse_qs, urlsplit

import orjson

from engine import Event, Ruleset, State, seen_by, shown, tell
from engine.codec import write
from engine.values import Seat

Document = dict[str, Any]


class LoggedEvent(NamedTuple):
    """An event, and the number of the move that caused it."""

    version: int
    event: Event


class Snapshot(NamedTuple):
    """A game at the moment when a seat has to decide."""

    game: str
    version: int
    rules: Ruleset
    view: State
    seat: Seat
    log: tuple[LoggedEvent, ...]
    """All events in full; what the seat may not see is removed before they are served."""

    def document(self) -> Document:
        """Return the game as `GET /v1/games/{game}` does for this seat, as far as it applies."""
        board = self.rules.board
        return {
            "id": self.game,
            "title": board.name,
            "board": board.id,
            "variants": list(board.variants),
            "seats": self.rules.seats,
            "status": "running",
            "version": self.version,
            "me": self.seat,
            "state": shown(self.rules, self.view),
        }

    def events(self, after: int) -> Document:
        """Return the events after this one, as `GET …/events` returns them to this seat."""
        names = [f"Seat {seat + 1}" for seat in range(self.rules.seats)]
        events = []
        for seq, (version, event) in enumerate(self.log[after:], after + 1):
            visible = seen_by(event, self.seat)
            sentence = tell(self.rules, visible, names)
            events.append(
                {"seq": seq, "version": version, "sentence": sentence, "event": write(visible)}
            )
        last = max(after, len(self.log))
        return {
            "events": events, "version": self.version, "last": last, "more": False, "over": False,
        }  # fmt: skip


class LocalGameServer:
    """Serves the latest snapshot of one bot's game on this machine."""

    def __init__(self, port: int = 0) -> None:
        self.snapshot: Snapshot | None = None
        self._server = ThreadingHTTPServer(("127.0.0.1", port), _handler(self))
        self.address = f"http://127.0.0.1:{self._server.server_port}"
        Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()

    def close(self) -> None:
        """Stop serving."""
        self._server.shutdown()
        self._server.server_close()

    def answer(self, target: str) -> Document | None:
        """Return the document at this path; None unless it is the bot's current game."""
        snapshot, url = self.snapshot, urlsplit(target)
        path = re.fullmatch(r"/v1/games/([^/]+)(/events)?", url.path)
        if snapshot is None or path is None or path[1] != snapshot.game:
            return None
        if path[2] is None:
            return snapshot.document()
        after = parse_qs(url.query).get("after", ["0"])[0]
        return snapshot.events(int(after)) if re.fullmatch(r"[0-9]{1,9}", after) else None


def _handler(server: LocalGameServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            """Serve the document, or 404."""
            document = server.answer(self.path)
            missing = {
                "code": "not_found",
                "detail": "Your bot is not playing this game right now.",
            }
            body = orjson.dumps(missing if document is None else document)
            self.send_response(404 if document is None else 200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Log nothing, to keep the terminal free for the games."""

    return Handler
