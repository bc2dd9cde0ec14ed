"""Streams what is new in all games of an account."""

import re
from contextlib import suppress
from datetime import datetime

import orjson
from flask import Response

from api.http.auth import caller
from api.http.desk import desk
from api.http.long_polls import EVENT_STREAM, Stream
from api.http.request import current_request
from api.schemas.scopes import needs
from api.schemas.spec import EVENTS, Blueprint, may_refuse, takes
from service.games import account_news
from service.memory.news import of_account

CURSOR = re.compile(r"20[0-9]{2}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z")

blueprint = Blueprint(
    "account_stream", __name__, url_prefix="/v1/me", description="What is new in all your games."
)


@blueprint.route("/stream")
@needs("read")
@blueprint.response(200, EVENTS, content_type=EVENT_STREAM, description="Server-sent events.")
@may_refuse("too_many_waiting")
@takes("Last-Event-ID")
def stream_news() -> Response:
    """Stream what is new in all your games, as server-sent events.

    `decision` is the document of `GET …/decision`; `decision_gone` names a `game` in which you
    have nothing to decide any more; `message` is a message of a `game`; `game_started` and
    `game_finished` name a `game` with its `title` and `status`. A stream begins with every open
    decision. To reconnect, send the last `id` as `Last-Event-ID`: what has happened since then is
    sent first, and some of it may be sent twice.
    """
    account = caller().account
    stream = Stream(caller(), of_account(account))
    if stream.state is None:
        state, events = account_news.beginning(desk(), account, _cursor())
    else:
        state, events = account_news.changes_since(desk(), account, stream.state)
    pieces = [
        b"event: %b\ndata: %b\n" % (event.name.encode(), orjson.dumps(event.data))
        for event in events
    ]
    if pieces:  # only the last has the id: a reader that misses some of them gets all again
        pieces[-1] = b"id: %b\n%b" % (state.at.encode(), pieces[-1])
    return stream.piece(b"".join(b"%b\n" % piece for piece in pieces), state)


def _cursor() -> str | None:
    """Return the time of the last event that the client has; None if its id is not one of ours."""
    value = current_request().headers.get("Last-Event-ID", "")
    with suppress(ValueError):  # no such day, such as 30 February
        if CURSOR.fullmatch(value):
            datetime.fromisoformat(value)
            return value
    return None
