"""Where a bot behind a URL can read its game while it is tried, as on a service.

Every bot has a room of its own, so none reads what another seat has seen.
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


class Happened(NamedTuple):
    """An event, and the move it came with."""

    version: int
    event: Event


class Asked(NamedTuple):
    """A game at the moment in which something is asked of a seat."""

    game: str
    version: int
    rules: Ruleset
    view: State
    seat: Seat
    log: tuple[Happened, ...]
    """All that has happened; what the seat may not see is left out on the way."""

    def document(self) -> Document:
        """The game as `GET /v1/games/{game}` gives it to this seat, as far as there is one."""
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
        """What has happened after this event, as `GET …/events` gives it to this seat."""
        names = [f"Seat {seat + 1}" for seat in range(self.rules.seats)]
        found = []
        for seq, (version, event) in enumerate(self.log[after:], after + 1):
            seen = seen_by(event, self.seat)
            sentence = tell(self.rules, seen, names)
            found.append(
                {"seq": seq, "version": version, "sentence": sentence, "event": write(seen)}
            )
        last = max(after, len(self.log))
        return {
            "events": found, "version": self.version, "last": last, "more": False, "over": False,
        }  # fmt: skip


class LocalGameServer:
    """A server on this machine that shows one bot the game in which it was asked last."""

    def __init__(self, port: int = 0) -> None:
        self.asked: Asked | None = None
        self._server = ThreadingHTTPServer(("127.0.0.1", port), _handler(self))
        self.address = f"http://127.0.0.1:{self._server.server_port}"
        Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()

    def close(self) -> None:
        """Close the door."""
        self._server.shutdown()
        self._server.server_close()

    def answer(self, target: str) -> Document | None:
        """What stands at this path; nothing but the game that the bot is in."""
        asked, url = self.asked, urlsplit(target)
        path = re.fullmatch(r"/v1/games/([^/]+)(/events)?", url.path)
        if asked is None or path is None or path[1] != asked.game:
            return None
        if path[2] is None:
            return asked.document()
        after = parse_qs(url.query).get("after", ["0"])[0]
        return asked.events(int(after)) if re.fullmatch(r"[0-9]{1,9}", after) else None


def _handler(room: LocalGameServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            """Show what there is."""
            found = room.answer(self.path)
            missing = {"code": "not_found", "detail": "Your bot plays no such game just now."}
            body = orjson.dumps(missing if found is None else found)
            self.send_response(404 if found is None else 200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Nothing: whoever tries a bot wants to read of the games."""

    return Handler
