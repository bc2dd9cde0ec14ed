"""What happened: asked for, waited for, or streamed; and what was said about it."""

from collections.abc import Iterator
from contextlib import ExitStack
from time import monotonic
from typing import Any, cast

import orjson
from flask import Response

from api.http import paging
from api.http.app_state import app_state
from api.http.auth import caller, maybe_caller
from api.http.conditions import idempotency_key
from api.http.desk import desk, json_response, reader, who
from api.http.problems import Problem
from api.http.request import current_request
from api.schemas.game_requests import EventsQuery, MessageRequest, MessagesQuery
from api.schemas.game_schemas import EventList, Message, MessageList
from api.schemas.scopes import needs, welcomes
from api.schemas.spec import Blueprint, may_refuse, takes
from engine import Refusal
from service.desk import Desk
from service.games import reading, talk
from service.people import tokens
from service.people.tokens import Caller

STREAM = "text/event-stream"
BEAT = 15.0
"""Seconds after which a silent stream says that it is still there."""
LONGEST_STREAM = 600.0
"""Then it ends, and its reader comes again with the number of the last event it has seen."""

blueprint = Blueprint(
    "events", __name__, url_prefix="/v1/games/<id:game>", description="Events and table talk."
)


@blueprint.route("/events")
@welcomes
@blueprint.arguments(EventsQuery, location="query")
@blueprint.response(200, EventList)
@takes("Last-Event-ID")
def list_events(wanted: dict[str, Any], game: str) -> Response:
    """Read what happened after an event, each with its sentence; `text/event-stream` streams.

    A stream also brings what is asked of you at this table, as events named `decision`: each is
    the document of `GET …/decision`, once, after the events that led to it. The last event of a
    stream is named `over` when the game is.
    """
    here, account, after = desk(), reader(), wanted["after"]
    if current_request().accept_mimetypes.best_match(["application/json", STREAM]) == STREAM:
        return _stream(here, game, account, max(after, _last_seen()))
    if wanted["wait"]:
        with here.bell.place(*who()):
            found = _awaited(here, game, account, after, wanted["wait"])
    else:
        found = reading.events(here, game, account, after)
    response = json_response(found)
    if found["more"]:
        paging.link_next(response, after=found["last"])
    return response


def _awaited(
    here: Desk, game: str, account: str | None, after: int, seconds: float
) -> dict[str, Any]:
    """What happened after this event, as soon as anything has."""
    found: dict[str, Any] = {}

    def look() -> bool:
        found.update(reading.events(here, game, account, after))
        return bool(found["events"] or found["over"])

    here.bell.wait(game, look, seconds)
    return found


def _last_seen() -> int:
    said = current_request().headers.get("Last-Event-ID", "0")
    if not (said.isascii() and said.isdigit() and len(said) <= 9):
        raise Problem("unreadable", "Last-Event-ID must be the number of an event.")
    return int(said)


def _stream(here: Desk, game: str, account: str | None, after: int) -> Response:
    reading.events(here, game, account, after)  # refused now, not in the midst of the stream
    stack = ExitStack()
    stack.enter_context(here.bell.place(*who()))
    known = cast(Caller | None, maybe_caller())
    response = Response(_lines(here, game, known, after), mimetype=STREAM)
    response.call_on_close(stack.close)
    response.headers["X-Accel-Buffering"] = "no"  # a proxy must not hold events back
    return response


def _lines(here: Desk, game: str, known: Caller | None, after: int) -> Iterator[bytes]:
    until, account = monotonic() + LONGEST_STREAM, known.account if known else None
    pause, asked = 0.0, None  # whoever has seen all events is still told at once what is asked
    yield b"retry: 1000\n\n"
    while monotonic() < until:
        try:
            found = _awaited(here, game, account, after, pause)
        except Refusal:  # a private game has begun without this guest
            return
        if known and not tokens.holds(here, known):
            return  # whoever comes again is told why
        for event in found["events"]:
            yield b"id: %d\ndata: %b\n\n" % (event["seq"], orjson.dumps(event))
        after = found["last"]
        if found["over"]:
            yield b"event: over\ndata: {}\n\n"
            return
        if account and not found["more"]:
            try:
                asked, decision = reading.newly_asked(here, game, account, asked)
            except Refusal:
                return
            if decision:
                yield b"event: decision\ndata: %b\n\n" % orjson.dumps(decision)
        if not found["events"]:
            yield b": still here\n\n"
        pause = BEAT


@blueprint.route("/messages")
@welcomes
@blueprint.arguments(MessagesQuery, location="query")
@blueprint.response(200, MessageList)
def list_messages(wanted: dict[str, Any], game: str) -> Response:
    """List the messages at the table, oldest first."""
    limit = wanted["limit"]
    found = talk.heard(desk(), reader(), game, wanted["after"], limit + 1)
    response = json_response({"messages": found[:limit]})
    if found[limit:]:
        paging.link_next(response, after=found[limit - 1]["number"])
    return response


@blueprint.route("/messages", methods=["POST"])
@needs("play")
@blueprint.arguments(MessageRequest)
@blueprint.response(201, Message)
@may_refuse("idempotency_mismatch")
@takes("Idempotency-Key")
def send_message(wanted: dict[str, Any], game: str) -> Response:
    """Send a message to the table."""
    key = idempotency_key()
    app_state().limiter.count_message(caller().account)
    return json_response(talk.say(desk(), caller().account, game, wanted["text"], key), 201)
