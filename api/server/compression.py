"""Compresses answers with gzip, without telling their secrets by their length (BREACH).

The length of a compressed answer tells whether a guess inside it repeats a secret inside it. So
answers that hold a token, a signed link or a letter are never compressed, forms carry a mark that
is masked anew each time, and every compressed answer has a random length: the gzip header holds a
file name of up to 100 random letters, as Django's does.
"""

import gzip
import secrets
from io import BytesIO
from typing import TYPE_CHECKING

from werkzeug.http import parse_accept_header

from api.http.waiting import Hold, Outcome
from api.server.bridge import Answer

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment

LEAST = 1024
"""Bytes from which compressing is worth it."""
LEVEL = 1
"""Of zlib: a game shrinks to a quarter in 0.1 ms, and hardly more at higher levels."""
PADDING = 100
"""The longest random file name in the gzip header."""
TYPES = (
    b"application/json",
    b"application/problem+json",
    b"image/svg+xml",
    b"text/html",
    b"text/css",
    b"text/javascript",
    b"text/plain",
)


def compressed(environ: "WSGIEnvironment", answer: Answer, hold: Hold) -> Answer:
    """The answer as it is sent: compressed if that is safe, worth it and wanted."""
    headers = dict(answer.headers)
    kind = headers.get(b"content-type", b"").partition(b";")[0]
    if hold.outcome is not Outcome.ANSWER or hold.is_secret or kind not in TYPES:
        return answer
    if answer.status != 200 or environ["REQUEST_METHOD"] != "GET" or len(answer.body) < LEAST:
        return answer
    varying = _replaced(answer.headers, {b"vary": _vary(headers.get(b"vary"))})
    if not _takes_gzip(environ.get("HTTP_ACCEPT_ENCODING", "")):
        return answer._replace(headers=varying)
    body = _gzip(answer.body)
    changed = {b"content-encoding": b"gzip", b"content-length": str(len(body)).encode()}
    if (tag := headers.get(b"etag")) and not tag.startswith(b"W/"):
        changed[b"etag"] = b"W/" + tag  # the same version, in other bytes
    return Answer(answer.status, _replaced(varying, changed), body)


def _takes_gzip(accepted: str) -> bool:
    return bool(accepted) and parse_accept_header(accepted).quality("gzip") > 0


def _gzip(body: bytes) -> bytes:
    name = secrets.token_hex(PADDING // 2)[: secrets.randbelow(PADDING + 1)]
    buffer = BytesIO()
    with gzip.GzipFile(name, "wb", LEVEL, buffer, mtime=0) as file:
        file.write(body)
    return buffer.getvalue()


def _vary(value: bytes | None) -> bytes:
    return b"Accept-Encoding" if value is None else value + b", Accept-Encoding"


def _replaced(
    headers: list[tuple[bytes, bytes]], changed: dict[bytes, bytes]
) -> list[tuple[bytes, bytes]]:
    kept = [(name, value) for name, value in headers if name not in changed]
    return [*kept, *changed.items()]
