"""The OpenAPI document, and the API reference that shows it without files from other hosts."""

from functools import cache
from hashlib import sha256
from html import escape
from pathlib import Path

import orjson
from flask import Blueprint, Response, current_app

from api.http.conditions import not_modified, unchanged
from api.http.problems import TABLE, Problem
from api.schemas.spec import document

STATIC = Path(__file__).parent.parent / "static"
FILES = {
    "page.js": "text/javascript",
    "docs/swagger-ui-bundle.js": "text/javascript",
    "docs/swagger-ui.css": "text/css",
}
POLICY = "default-src 'self'; img-src 'self' data:; frame-ancestors 'none'"

blueprint = Blueprint("docs", __name__)


@blueprint.route("/openapi.json")
def openapi() -> Response:
    """Return the OpenAPI document, which is made once for each application."""
    cache = current_app.extensions
    if "nightmail.document" not in cache:
        text = orjson.dumps(document(current_app), option=orjson.OPT_INDENT_2)
        cache["nightmail.document"] = text, _tag(text)
    text, tag = cache["nightmail.document"]
    return not_modified() if unchanged(tag) else Response(text, mimetype="application/json")


@blueprint.route("/docs/api")
def page() -> Response:
    """Show the API reference, in which operations can be tried."""
    return _page(Response(_file("page.html")[0], mimetype="text/html"))


@blueprint.route("/docs/files/<path:name>")
def file(name: str) -> Response:
    """Serve a script or style sheet of the API reference."""
    if name not in FILES:
        raise Problem("not_found")
    text, tag = _file(name)
    return not_modified() if unchanged(tag) else Response(text, mimetype=FILES[name])


@blueprint.route("/docs/errors")
def errors() -> Response:
    """List all problem codes; the `type` of a problem links here."""
    rows = "".join(
        f'<dt id="{code}"><code>{code}</code> · {row.status} {escape(row.title)}</dt>'
        f"<dd>{escape(row.advice)}</dd>\n"
        for code, row in TABLE.items()
    )
    head = (
        '<!doctype html><html lang="en"><meta charset="utf-8"><title>Nightmail: problems</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<link rel="stylesheet" href="/pages.css">'
        '<link rel="icon" href="/site/icon.svg" type="image/svg+xml">'
        '<main class="middle document">'
    )
    body = f'<h1>Problems</h1>\n<dl class="stacked">\n{rows}</dl></main></html>\n'
    return _page(Response(head + body))


@cache
def _file(name: str) -> tuple[bytes, str]:
    """Read a static file and compute its ETag, once."""
    text = (STATIC / name).read_bytes()
    return text, _tag(text)


def _tag(text: bytes) -> str:
    return sha256(text).hexdigest()[:16]


def _page(response: Response) -> Response:
    response.headers["Content-Security-Policy"] = POLICY
    return response
