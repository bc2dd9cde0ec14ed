"""Schemas of requests and responses about channels and destinations."""

from marshmallow import fields, validate

from api.http.request import Id
from api.schemas.fields import (
    RequestSchema,
    ResponseSchema,
    StrictBoolean,
    integer_field,
    text_field,
    time_field,
)
from api.schemas.hook_schemas import STATES
from api.schemas.patterns import TRIMMED, Pattern
from service.notify.destinations.managing import LONGEST_LABEL, LONGEST_PART
from service.notify.destinations.message_types import BY_DEFAULT, TYPES

GAME_ID = Pattern(Id.document["pattern"], error="must be the id of a game in which you play.")
GAME = {"description": "Only messages about this game; null for all your games."}
LABEL = {"description": "What you call it; it is shown to you only."}
LABEL_RULES = [validate.Length(0, LONGEST_LABEL), TRIMMED]
MOST_PARTS = 8


def _types(*, required: bool) -> fields.List[str]:
    by_default = ", ".join(BY_DEFAULT)
    return fields.List(
        fields.String(validate=validate.OneOf(TYPES)),
        required=required,
        validate=validate.Length(1, len(TYPES)),
        metadata={"description": f"The message types to send; if left out {by_default}."},
    )


def _maybe_text(description: str) -> fields.String:
    return fields.String(required=True, allow_none=True, metadata={"description": description})


class DestinationRequest(RequestSchema):
    """A new destination."""

    channel = fields.String(
        required=True,
        validate=validate.Length(1, 40),
        metadata={"description": "The name of a channel, from the list of channels."},
    )
    address = fields.Dict(
        keys=fields.String(validate=validate.Length(1, 40)),
        values=fields.String(validate=validate.Length(0, LONGEST_PART)),
        required=True,
        validate=validate.Length(0, MOST_PARTS),
        metadata={
            "description": "The inputs that the list of channels names for this channel, such as "
            "`url`. They are stored encrypted and never shown again.",
            "maxProperties": MOST_PARTS,
        },
    )
    label = fields.String(validate=LABEL_RULES, metadata=LABEL)
    types = _types(required=False)
    game = fields.String(allow_none=True, validate=GAME_ID, metadata=GAME)


class DestinationUpdate(RequestSchema):
    """Changes to a destination; fields that are left out stay as they are."""

    label = fields.String(validate=[validate.Length(1, LONGEST_LABEL), TRIMMED], metadata=LABEL)
    types = _types(required=False)
    game = fields.String(allow_none=True, validate=GAME_ID, metadata=GAME)
    on = StrictBoolean(metadata={"description": "Whether messages are sent."})


class ChannelInput(ResponseSchema):
    """A part of an address."""

    name = text_field("Its name in `address`.")
    label = text_field("What people read beside the field.")
    hint = text_field("What it looks like.")
    type = text_field("The type of the field in a form, as in HTML.")
    required = fields.Boolean(
        required=True, metadata={"description": "Whether it must not be empty."}
    )


class Channel(ResponseSchema):
    """A channel on which you can have destinations."""

    name = text_field("Its name in requests.")
    title = text_field("Its name for people.")
    hint = text_field("What an address on it is.")
    available = fields.Boolean(
        required=True, metadata={"description": "Whether this service can use it."}
    )
    inputs = fields.List(
        fields.Nested(ChannelInput),
        required=True,
        metadata={"description": "The parts of an address; empty if a code is all it takes."},
    )
    facts = fields.Dict(
        keys=fields.String(),
        values=fields.String(),
        required=True,
        metadata={
            "description": "What a client has to know, such as the `application_server_key` for "
            "web push."
        },
    )


class ConnectLink(ResponseSchema):
    """A link that sends a code."""

    label = text_field("What people read.")
    url = text_field("Where it leads.", format="uri")


class Connecting(ResponseSchema):
    """What you have to do to connect a destination."""

    text = text_field("Send this message from the chat or room, with the code in it.")
    before = text_field("What comes first, in a sentence; may be empty.")
    links = fields.List(
        fields.Nested(ConnectLink),
        required=True,
        metadata={"description": "Links that send the message; may be empty."},
    )
    until = time_field("Until when the code is accepted.")
    expired = fields.Boolean(
        required=True, metadata={"description": "Whether it is too late; then create another."}
    )


class LastTest(ResponseSchema):
    """The latest test message to a destination."""

    at = time_field("When it was requested.")
    state = text_field("What has become of it.", enum=list(STATES))
    attempts = integer_field("The number of attempts so far.")
    error = _maybe_text("What went wrong.")


class Destination(ResponseSchema):
    """A destination without its address, which cannot be retrieved."""

    id = text_field("An opaque id.")
    channel = text_field("The name of its channel.")
    label = text_field("What you call it.")
    shared = fields.Boolean(
        required=True, metadata={"description": "Whether others read there, too."}
    )
    types = _types(required=True)
    game = fields.String(required=True, allow_none=True, metadata=GAME)
    on = fields.Boolean(required=True, metadata={"description": "Whether messages are sent."})
    off_since = time_field("When it was switched off.", maybe=True)
    off_reason = _maybe_text("Why it is switched off.")
    connect = fields.Nested(
        Connecting,
        required=True,
        allow_none=True,
        metadata={"description": "What you still have to do; null once it is connected."},
    )
    last_success = time_field("When a message last arrived.", maybe=True)
    last_failure = time_field("When an attempt last failed.", maybe=True)
    last_error = _maybe_text("Why the last failed attempt failed.")
    failing_since = time_field("Since when all attempts have failed.", maybe=True)
    test = fields.Nested(
        LastTest,
        required=True,
        allow_none=True,
        metadata={"description": "The latest test message; null if there was none."},
    )
    created = time_field("When it was created.")


class DestinationList(ResponseSchema):
    """An account's destinations, and the channels on which it can have more."""

    destinations = fields.List(
        fields.Nested(Destination), required=True, metadata={"description": "Oldest first."}
    )
    channels = fields.List(
        fields.Nested(Channel), required=True, metadata={"description": "All channels."}
    )
