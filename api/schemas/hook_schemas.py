"""Schemas of requests and responses about webhooks."""

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
from api.schemas.game_requests import PageQuery
from api.schemas.patterns import WEB, Pattern
from service.notify.hook_targets import LONGEST_URL
from service.notify.hook_types import TYPES

STATES = ("waiting", "sent", "superseded", "failed")
URL = {
    "description": "Where messages are sent: https, and a public address unless the operator "
    "allows others.",
    "format": "uri",
}
URL_RULES = [validate.Length(1, LONGEST_URL), WEB]
GAME_ID = Pattern(Id.document["pattern"], error="must be the id of a game that you can see.")
GAME = {"description": "Only messages about this game; null for all your games."}


def types_field(*, required: bool) -> fields.List[str]:
    """Make the field with the message types that a webhook receives."""
    return fields.List(
        fields.String(validate=validate.OneOf(TYPES)),
        required=required,
        validate=validate.Length(1, len(TYPES)),
        metadata={"description": "The message types to send; all of them if left out."},
    )


class WebhookRequest(RequestSchema):
    """A new webhook."""

    url = fields.String(required=True, validate=URL_RULES, metadata=URL)
    types = types_field(required=False)
    game = fields.String(allow_none=True, validate=GAME_ID, metadata=GAME)


class WebhookUpdate(RequestSchema):
    """Changes to a webhook; fields that are left out stay as they are."""

    url = fields.String(validate=URL_RULES, metadata=URL)
    types = types_field(required=False)
    game = fields.String(allow_none=True, validate=GAME_ID, metadata=GAME)
    on = StrictBoolean(metadata={"description": "Whether messages are sent."})


class DeliveriesQuery(PageQuery):
    """Which deliveries to list."""


class Webhook(ResponseSchema):
    """A webhook without its secret, which cannot be retrieved."""

    id = text_field("An opaque id.")
    url = fields.String(required=True, metadata=URL)
    types = types_field(required=True)
    game = fields.String(required=True, allow_none=True, metadata=GAME)
    on = fields.Boolean(required=True, metadata={"description": "Whether messages are sent."})
    off_since = time_field("When it was switched off.", maybe=True)
    off_reason = fields.String(
        required=True, allow_none=True, metadata={"description": "Why it is switched off."}
    )
    failing_since = time_field("Since when deliveries have been failing.", maybe=True)
    refused_since = time_field(
        "Since when its replies to decisions have not been legal moves; null after a legal one.",
        maybe=True,
    )
    old_secret_until = time_field("Until when the previous secret also signs.", maybe=True)
    created = time_field("When it was created.")


class NewWebhook(Webhook):
    """A webhook with its new secret, which is shown only once."""

    secret = text_field("Verify message signatures with it: `whsec_…`")


class WebhookList(ResponseSchema):
    """An account's webhooks, oldest first."""

    webhooks = fields.List(
        fields.Nested(Webhook), required=True, metadata={"description": "All your webhooks."}
    )


class Delivery(ResponseSchema):
    """The delivery of one message to a webhook."""

    id = text_field("An opaque id, used to redeliver it.")
    webhook_id = text_field("The `webhook-id` header, the same in every attempt.")
    type = text_field("The message type.", enum=[*TYPES, "webhook.ping"])
    game = fields.String(
        required=True, allow_none=True, metadata={"description": "The game it is about."}
    )
    at = time_field("When the event happened.")
    state = text_field("The state of the delivery.", enum=list(STATES))
    attempts = integer_field("The number of attempts so far.")
    next_attempt = time_field(
        "When it is tried next; during an attempt, when that attempt times out.", maybe=True
    )
    done = time_field("When it was sent, superseded or given up.", maybe=True)
    status = fields.Integer(
        required=True,
        allow_none=True,
        metadata={"description": "The HTTP status of the last response."},
    )
    error = fields.String(
        required=True,
        allow_none=True,
        metadata={"description": "What went wrong last, including with a move in the response."},
    )
    sent_bytes = fields.Integer(
        required=True, allow_none=True, metadata={"description": "The size of our message."}
    )
    answer_bytes = fields.Integer(
        required=True,
        allow_none=True,
        metadata={"description": "How many bytes of the response we read."},
    )


class DeliveryWithPayload(Delivery):
    """A delivery with the message that was sent."""

    payload = fields.Dict(
        required=True,
        allow_none=True,
        metadata={
            "description": "The message as it would be sent now; null if there is nothing left to "
            "send. Its schemas are those under `webhooks`."
        },
    )


class DeliveryList(ResponseSchema):
    """A webhook's deliveries, newest first."""

    deliveries = fields.List(
        fields.Nested(Delivery),
        required=True,
        metadata={"description": "The deliveries of this page."},
    )
