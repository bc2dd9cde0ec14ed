"""Helpers for views: the application's desk, JSON responses, and who is reading."""

from typing import Any, cast

import orjson
from flask import Response, current_app

from api.http.auth import maybe_caller
from api.http.rate_limits import network_of
from api.http.request import current_request
from service.desk import Desk


def desk() -> Desk:
    """Return the desk of the current application."""
    return cast(Desk, current_app.extensions["nightmail"])


def json_response(document: Any, status: int = 200) -> Response:
    """Make a JSON response of a document, or of one that is encoded already.

    Schemas describe the document and tests check it against them; dumping it through its schema
    would take ten times as long as everything else.
    """
    body = document if isinstance(document, bytes) else orjson.dumps(document)
    return Response(body, status, mimetype="application/json")


def who() -> tuple[str, str]:
    """Return the account and the network address that a waiting request is counted for."""
    known, address = maybe_caller(), network_of(current_request().remote_addr or "")
    return known.account if known else address, address


def reader() -> str | None:
    """Return the account of the caller; None for anonymous readers."""
    known = maybe_caller()
    return known.account if known else None
