"""What webhooks receive and may reply: the `webhooks` of the OpenAPI document."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from marshmallow import Schema, fields

from api.schemas.action_schemas import EventRecord
from api.schemas.decision_schemas import Decision
from api.schemas.fields import ResponseSchema, StrictInteger, integer_field, text_field, time_field
from api.schemas.game_requests import MoveRequest
from api.schemas.game_schemas import GameResult, Message

Json = dict[str, Any]


class WebhookGameData(ResponseSchema):
    """The game that a message is about."""

    game = text_field("The game's id.")
    title = text_field("The game's title.")
    version = integer_field("The version of the game that the message is about.")
    seat = StrictInteger(
        required=True,
        allow_none=True,
        metadata={"description": "Your seat; null if you have none or have resigned."},
    )


class PlayedMove(ResponseSchema):
    """A move that was played for a seat."""

    text = text_field("The move in the notation.")
    label = text_field("The move as a sentence.")


class WebhookDecisionExpiredData(WebhookGameData):
    """A decision whose deadline has passed."""

    deadline = time_field("The deadline that has passed.")
    played = fields.Nested(
        PlayedMove,
        required=True,
        metadata={"description": "The move that was played for your seat."},
    )


class WebhookGameMovedData(WebhookGameData):
    """What happened in a game."""

    events = fields.List(
        fields.Nested(EventRecord),
        required=True,
        metadata={"description": "What happened, as you may see it."},
    )


class WebhookGameFinishedData(WebhookGameData):
    """How a game ended."""

    result = fields.Nested(
        GameResult,
        required=True,
        allow_none=True,
        metadata={"description": "The result; null if the game was abandoned."},
    )


class WebhookMessagePostedData(ResponseSchema):
    """A message to the table."""

    game = text_field("The game's id.")
    message = fields.Nested(Message, required=True, metadata={"description": "The message."})


class WebhookPingData(ResponseSchema):
    """A test."""

    hook = text_field("The webhook's id.")


class Sent(NamedTuple):
    """A type of message: its data, when it is sent, and whether a move may be the reply."""

    data: type[ResponseSchema]
    summary: str
    description: str
    is_answered: bool = False


TAG = {"name": "webhook_messages", "description": "Messages that webhooks receive."}
"""Not the tag `webhooks`: generators make a class of each tag, and operations have that one."""
MOVE = (
    "Reply with 200 and a move, which is then played, or with any other success status to move "
    "later. The reply must arrive within 15 seconds."
)
MESSAGES = {
    "decision.opened": Sent(Decision, "You have something to decide.", MOVE, is_answered=True),
    "decision.reminder": Sent(
        Decision, "The deadline of a decision is near.", MOVE, is_answered=True
    ),
    "decision.expired": Sent(
        WebhookDecisionExpiredData,
        "The deadline of a decision has passed.",
        "The decision's default was played for your seat.",
    ),
    "game.started": Sent(
        WebhookGameData, "A game of yours has started.", "Seats were drawn by lot; `seat` is yours."
    ),
    "game.moved": Sent(
        WebhookGameMovedData,
        "Something has happened in a game.",
        "The events are those of one move.",
    ),
    "game.finished": Sent(
        WebhookGameFinishedData, "A game of yours is over.", "Its log is available from now on."
    ),
    "message.posted": Sent(
        WebhookMessagePostedData,
        "Somebody has written to the table.",
        "Your own messages are not sent to you.",
    ),
    "webhook.ping": Sent(
        WebhookPingData, "You have asked for a test.", "It is sent only on request, and only once."
    ),
}
"""The messages by their type."""
SCHEMAS: list[type[Schema]] = [*dict.fromkeys(sent.data for sent in MESSAGES.values()), MoveRequest]
"""The schemas of their data, and of a move in the reply."""

SIGNED: dict[str, tuple[str, str]] = {
    "webhook-id": ("The message's id, the same in every attempt.", "d0bix83JvLtZq0DJkzx4um"),
    "webhook-timestamp": ("When this attempt was made, in seconds since 1970.", "1772476215"),
    "webhook-signature": (
        "The signatures of id, timestamp and body (Standard Webhooks).",
        "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
    ),
}
"""The headers of every message."""


def component_of(kind: str) -> str:
    """Return the name of the schema of a message."""
    return "Webhook" + "".join(word.title() for word in kind.removeprefix("webhook.").split("."))


def components() -> dict[str, Json]:
    """Return the schemas of the messages, by component name; their data are schemas as well."""
    return {
        component_of(kind): {
            "type": "object",
            "description": sent.summary,
            "properties": {
                "type": {
                    "type": "string",
                    "const": kind,
                    "description": f"Always `{kind}`.",
                },
                "timestamp": {
                    "type": "string",
                    "format": "date-time",
                    "description": "When it happened.",
                },
                "data": {
                    "description": "What happened.",
                    "$ref": f"#/components/schemas/{sent.data.__name__}",
                },
            },
            "required": ["type", "timestamp", "data"],
        }
        for kind, sent in MESSAGES.items()
    }


def webhooks(examples: Mapping[str, Json]) -> Json:
    """Return the `webhooks` of the document, with these examples of messages by type."""
    return {kind: {"post": _operation(kind, examples.get(kind, {}))} for kind in MESSAGES}


def _operation(kind: str, example: Json) -> Json:
    sent = MESSAGES[kind]
    schema = {"$ref": f"#/components/schemas/{component_of(kind)}"}
    return {
        "operationId": f"receive_{kind.replace('.', '_')}",
        "tags": [TAG["name"]],
        "summary": sent.summary,
        "description": sent.description,
        "security": [],
        "parameters": [
            {
                "in": "header",
                "name": name,
                "required": True,
                "description": description,
                "schema": {"type": "string"},
                "example": value,
            }
            for name, (description, value) in SIGNED.items()
        ],
        "requestBody": {
            "required": True,
            "description": "The message; verify its signature before you parse it.",
            "content": {"application/json": {"schema": schema, **example}},
        },
        # No ranges such as 2XX: the code of some generators does not compile with them.
        "responses": {
            "200": _reply() if sent.is_answered else {"description": "Received."},
            "202": {"description": "Received."},
            "204": {"description": "Received."},
            "410": {"description": "Switch the webhook off."},
            "default": {"description": "Failed: the message is sent again later."},
        },
    }


def _reply() -> Json:
    content = {"schema": {"$ref": "#/components/schemas/MoveRequest"}}
    return {
        "description": "Your move, or an empty body to move later.",
        "content": {"application/json": content},
    }
