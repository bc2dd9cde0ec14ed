"""What a view works with: the desk of its application, and answers that are written at once."""

from typing import Any, cast

import orjson
from flask import Response, current_app

from api.http.auth import maybe_caller
from service.desk import Desk


def desk() -> Desk:
    """The desk of the application in hand."""
    return cast(Desk, current_app.extensions["nightmail"])


def answer(document: Any, status: int = 200) -> Response:
    """A document as it is: schemas describe it, and tests hold it against them.

    Dumping it through its schema would take ten times as long as all the rest.
    """
    body = document if isinstance(document, bytes) else orjson.dumps(document)
    return Response(body, status, mimetype="application/json")


def reader() -> str | None:
    """The account that reads, if it has said who it is."""
    known = maybe_caller()
    return known.account if known else None
