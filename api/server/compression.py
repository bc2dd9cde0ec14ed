"""Compresses responses with gzip, protected against BREACH.

The length of a compressed response reveals whether a guess in it repeats a secret in it. So
responses with a token, a signed link or a letter are never compressed, CSRF tokens in forms are
masked anew each time, and every compressed response has a random length: the gzip header holds a
file name of up to 100 random letters, as in Django.
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
"""The smallest body that is compressed, in bytes."""
LEVEL = 4
"""zlib level: a page of a game becomes an eighth smaller than with level 1, in 0.7 ms more."""
PADDING = 100
"""The longest random file name in the gzip header, in letters."""
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
    """Compress the response if that is safe, worthwhile and accepted by the client."""
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
        changed[b"etag"] = b"W/" + tag  # weak: the same version in different bytes
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
    others = [(name, value) for name, value in headers if name not in changed]
    return [*others, *changed.items()]
