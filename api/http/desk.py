"""Helpers for views: the application's desk, JSON responses, and who is reading."""

from typing import Any, cast

import orjson
from flask import Response, current_app

from api.http.auth import maybe_caller
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


def reader() -> str | None:
    """Return the account of the caller; None for anonymous readers."""
    caller = maybe_caller()
    return caller.account if caller else None
