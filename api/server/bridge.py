"""Calls the WSGI application for an ASGI request."""

import sys
from io import BytesIO
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import unquote_to_bytes

from api.http.waiting import ENVIRON, Hold
from api.server.asgi import Scope
from api.server.bodies import Body

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication, WSGIEnvironment

UNPREFIXED = {"CONTENT_TYPE", "CONTENT_LENGTH"}
"""Headers that have no prefix HTTP_ in the WSGI environ."""
SEPARATORS = {"HTTP_COOKIE": "; "}
"""The separators of repeated headers, where they are not commas."""


class Answer(NamedTuple):
    """The response of the application."""

    status: int
    headers: list[tuple[bytes, bytes]]
    body: bytes


def environ_of(scope: Scope, body: Body) -> "WSGIEnvironment":
    """Return the WSGI environ of a request, without its body."""
    client, (host, port) = scope["client"], scope["server"] or ("localhost", None)
    environ: WSGIEnvironment = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": "",
        "PATH_INFO": unquote_to_bytes(scope["raw_path"]).decode("latin-1"),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_NAME": host,
        "SERVER_PORT": str(port or 80),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "REMOTE_ADDR": client[0] if client else "",
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope["scheme"],
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
    }
    environ.update(_headers(scope))
    environ.pop("HTTP_TRANSFER_ENCODING", None)
    if body.length is not None:
        environ["CONTENT_LENGTH"] = str(body.length)
    return environ


def _headers(scope: Scope) -> dict[str, str]:
    """Return the headers as WSGI names them.

    A name with an underscore is dropped: WSGI could not tell it from the same name with a hyphen,
    so a client could forge the headers of a proxy.
    """
    named: dict[str, str] = {}
    for raw_name, raw_value in scope["headers"]:
        name, value = raw_name.decode("latin-1"), raw_value.decode("latin-1")
        if "_" in name:
            continue
        key = name.upper().replace("-", "_")
        key = key if key in UNPREFIXED else f"HTTP_{key}"
        named[key] = f"{named[key]}{SEPARATORS.get(key, ',')}{value}" if key in named else value
    return named


def call(
    application: "WSGIApplication", environ: "WSGIEnvironment", content: bytes, hold: Hold
) -> Answer:
    """Call the application; the environ can be reused afterwards."""
    started: list[Any] = []

    def start_response(status: str, headers: list[tuple[str, str]], _: object = None) -> Any:
        started[:] = status, headers
        return None

    sent = {**environ, "wsgi.input": BytesIO(content), ENVIRON: hold}
    pieces = application(sent, start_response)
    try:
        body = b"".join(pieces)
    finally:
        if close := getattr(pieces, "close", None):
            close()
    status, headers = started
    encoded = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers]
    return Answer(int(status[:3]), encoded, body)
