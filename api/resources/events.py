"""Events of a game, by request, long poll or stream; and the messages at its table."""

from typing import Any

import orjson
from flask import Response

from api.http import paging
from api.http.app_state import app_state
from api.http.auth import caller, maybe_caller
from api.http.conditions import idempotency_key
from api.http.desk import desk, json_response, reader
from api.http.long_polls import EVENT_STREAM, Stream, Wait
from api.http.problems import Problem
from api.http.request import current_request
from api.schemas.game_requests import EventsQuery, MessageRequest, MessagesQuery
from api.schemas.game_schemas import EventList, Message, MessageList
from api.schemas.scopes import needs, welcomes
from api.schemas.spec import Blueprint, has_pages, may_refuse, streams, takes
from service.games import reading, talk
from service.memory.news import of_game

blueprint = Blueprint(
    "events", __name__, url_prefix="/v1/games/<id:game>", description="Events and table talk."
)


@blueprint.route("/events")
@welcomes
@blueprint.arguments(EventsQuery, location="query")
@blueprint.response(200, EventList)
@may_refuse("too_many_waiting")
@takes("Last-Event-ID")
@has_pages
@streams
def list_events(query: dict[str, Any], game: str) -> Response:
    """List the events after a given one, or stream them as `text/event-stream`.

    Each event has a sentence that describes it. A stream also has your open decisions in this
    game, as events named `decision`: each is the document of `GET …/decision`, sent once, after
    the events that led to it. When the game is over, the last event of a stream is named `over`.
    """
    account, after = reader(), query["after"]
    if (
        current_request().accept_mimetypes.best_match(["application/json", EVENT_STREAM])
        == EVENT_STREAM
    ):
        return _stream(game, account, max(after, _last_seen()))
    wait = Wait(query["wait"], of_game(game))
    page = reading.events(desk(), game, account, after)
    if not (page["events"] or page["over"]):
        wait.go_on()
    response = json_response(page)
    if page["more"]:
        paging.link_next(response, after=page["last"])
    return response


def _last_seen() -> int:
    value = current_request().headers.get("Last-Event-ID", "0")
    if not (value.isascii() and value.isdigit() and len(value) <= 9):
        raise Problem("unreadable", "Last-Event-ID must be the number of an event.")
    return int(value)


def _stream(game: str, account: str | None, after: int) -> Response:
    """Make the next piece of a stream: new events, and then the reader's open decision.

    The state is the last event that was sent, and the version at which the last decision was
    opened.
    """
    stream = Stream(maybe_caller(), of_game(game))
    after, opened = stream.state or (after, None)
    pieces: list[bytes] = []
    while True:
        page = reading.events(desk(), game, account, after)
        pieces += [
            b"id: %d\ndata: %b\n\n" % (event["seq"], orjson.dumps(event))
            for event in page["events"]
        ]
        after = page["last"]
        if not page["more"]:
            break
    if page["over"]:
        pieces.append(b"event: over\ndata: {}\n\n")
    elif account:
        opened, decision = reading.newly_opened(desk(), game, account, opened)
        if decision:
            pieces.append(b"event: decision\ndata: %b\n\n" % orjson.dumps(decision))
    return stream.piece(b"".join(pieces), (after, opened), is_last=page["over"])


@blueprint.route("/messages")
@welcomes
@blueprint.arguments(MessagesQuery, location="query")
@blueprint.response(200, MessageList)
@has_pages
def list_messages(query: dict[str, Any], game: str) -> Response:
    """List the messages at the table, oldest first.

    Everybody who can see the game can read them. To read on, send the `number` of the last message
    as `after`.
    """
    limit = query["limit"]
    messages = talk.messages_after(desk(), reader(), game, query["after"], limit + 1)
    response = json_response({"messages": messages[:limit]})
    if messages[limit:]:
        paging.link_next(response, after=messages[limit - 1]["number"])
    return response


@blueprint.route("/messages", methods=["POST"])
@needs("play")
@blueprint.arguments(MessageRequest)
@blueprint.response(201, Message)
@may_refuse("idempotency_mismatch")
@takes("Idempotency-Key")
def send_message(body: dict[str, Any], game: str) -> Response:
    """Send a message to the table.

    Only players who have not resigned may write. The others are notified of each message, so the
    number of messages is limited.
    """
    key = idempotency_key()
    app_state().limiter.count_message(caller().account)
    return json_response(talk.say(desk(), caller().account, game, body["text"], key), 201)
