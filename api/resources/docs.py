"""The document of the interface, and pages that show it; they need nothing from elsewhere."""

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
    """The document, made once for each application."""
    kept = current_app.extensions
    if "nightmail.document" not in kept:
        text = orjson.dumps(document(current_app), option=orjson.OPT_INDENT_2)
        kept["nightmail.document"] = text, _tag(text)
    text, tag = kept["nightmail.document"]
    return not_modified() if unchanged(tag) else Response(text, mimetype="application/json")


@blueprint.route("/docs")
def page() -> Response:
    """The page on which the document can be read and tried."""
    return _page(Response(_kept("page.html")[0], mimetype="text/html"))


@blueprint.route("/docs/files/<path:name>")
def file(name: str) -> Response:
    """What the page is made of."""
    if name not in FILES:
        raise Problem("not_found")
    text, tag = _kept(name)
    return not_modified() if unchanged(tag) else Response(text, mimetype=FILES[name])


@blueprint.route("/docs/errors")
def errors() -> Response:
    """What the `type` of a problem leads to."""
    rows = "".join(
        f'<dt id="{code}"><code>{code}</code> · {row.status} {escape(row.title)}</dt>'
        f"<dd>{escape(row.advice)}</dd>\n"
        for code, row in TABLE.items()
    )
    head = (
        '<!doctype html><html lang="en"><meta charset="utf-8"><title>Nightmail: problems</title>'
        '<link rel="icon" href="/site/icon.svg" type="image/svg+xml">'
    )
    return _page(Response(f"{head}<h1>Problems</h1>\n<dl>\n{rows}</dl></html>\n"))


@cache
def _kept(name: str) -> tuple[bytes, str]:
    """A file and its tag; there are few of them, and they do not change."""
    text = (STATIC / name).read_bytes()
    return text, _tag(text)


def _tag(text: bytes) -> str:
    return sha256(text).hexdigest()[:16]


def _page(response: Response) -> Response:
    response.headers["Content-Security-Policy"] = POLICY
    return response
