"""Receives the redirect of a browser on this machine (RFC 8252)."""

import threading
from collections.abc import Callable, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Self
from urllib.parse import parse_qsl, urlsplit

from nightmail_client.errors import SignInFailed

PATH = "/signed-in"
PAGE = b"""<!doctype html><meta charset="utf-8"><title>Nightmail</title>
<p>Thank you. You can close this page and go back to your program.</p>"""
Accepts = Callable[[Mapping[str, str]], bool]


class Listener:
    """A server for one redirect, at a free port of 127.0.0.1."""

    def __init__(self) -> None:
        self._query: dict[str, str] | None = None
        self._arrived = threading.Event()
        self._accepts: Accepts = lambda _: False
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self.redirect_uri = f"http://127.0.0.1:{self._server.server_port}{PATH}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def expect(self, accepts: Accepts) -> None:
        """Take the first redirect that fits, and answer all others with 404."""
        self._accepts = accepts

    def wait(self, seconds: float) -> dict[str, str]:
        """Wait for the redirect and return its query; raises `SignInFailed` after a while."""
        if not self._arrived.wait(seconds) or self._query is None:
            raise SignInFailed(f"Nobody agreed within {seconds:.0f} seconds.")
        return self._query

    def _receive(self, target: str) -> bool:
        parts = urlsplit(target)
        query = dict(parse_qsl(parts.query))
        if parts.path != PATH or self._query is not None or not self._accepts(query):
            return False
        self._query = query
        self._arrived.set()
        return True

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        receive = self._receive

        class Handler(BaseHTTPRequestHandler):
            """Answers the browser, and keeps quiet about the code in the address."""

            def do_GET(self) -> None:
                """Answer one request."""
                body = PAGE if receive(self.path) else b""
                self.send_response(200 if body else 404)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.send_header("Content-Length", str(len(body)))
                self.send_header("Referrer-Policy", "no-referrer")
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, format: str, *args: object) -> None:
                """Log nothing."""

        return Handler
