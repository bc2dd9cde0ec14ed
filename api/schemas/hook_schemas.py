"""What requests about hooks must look like, and what is answered to them."""

from marshmallow import fields, validate

from api.http.edge import Id
from api.schemas.fields import Answer, Body, Flag
from api.schemas.game_requests import Paged
from api.schemas.game_schemas import moment, whole, words
from api.schemas.patterns import WEB, Pattern
from service.notify.hook_targets import LONGEST_URL
from service.notify.hook_types import TYPES

STATES = ("waiting", "sent", "superseded", "failed")
URL = {
    "description": "Where it is called: https, and a public address unless the operator allows "
    "others.",
    "format": "uri",
}
URL_RULES = [validate.Length(1, LONGEST_URL), WEB]
GAME_ID = Pattern(Id.document["pattern"], error="must be a game that you may know of.")
GAME = {"description": "The only game it is told of; null for all of mine."}


def types(*, required: bool) -> fields.List[str]:
    """What a hook is told."""
    return fields.List(
        fields.String(validate=validate.OneOf(TYPES)),
        required=required,
        validate=validate.Length(1, len(TYPES)),
        metadata={"description": "What it is told; everything if nothing is said."},
    )


class WebhookWanted(Body):
    """A hook that somebody wants to have."""

    url = fields.String(required=True, validate=URL_RULES, metadata=URL)
    types = types(required=False)
    game = fields.String(allow_none=True, validate=GAME_ID, metadata=GAME)


class WebhookChange(Body):
    """What to change; what is left out stays as it is."""

    url = fields.String(validate=URL_RULES, metadata=URL)
    types = types(required=False)
    game = fields.String(allow_none=True, validate=GAME_ID, metadata=GAME)
    on = Flag(metadata={"description": "Whether it is told anything."})


class DeliveriesAsked(Paged):
    """Which deliveries to list."""


class WebhookSeen(Answer):
    """A hook, without its secret, which is not told again."""

    id = words("Opaque.")
    url = fields.String(required=True, metadata=URL)
    types = types(required=True)
    game = fields.String(required=True, allow_none=True, metadata=GAME)
    on = fields.Boolean(required=True)
    off_since = moment("Since when it is switched off.", maybe=True)
    off_reason = fields.String(
        required=True, allow_none=True, metadata={"description": "Why it is switched off."}
    )
    failing_since = moment("Since when nothing has arrived.", maybe=True)
    refused_since = moment(
        "Since when its answers to decisions are no legal moves; null after one that is.",
        maybe=True,
    )
    old_secret_until = moment("Until then the secret before also signs.", maybe=True)
    created = moment("When it was made.")


class WebhookShown(WebhookSeen):
    """A hook with its new secret, which is shown this once."""

    secret = words("Verify messages with it: `whsec_…`")


class WebhooksListed(Answer):
    """An account's hooks, the oldest first."""

    webhooks = fields.List(fields.Nested(WebhookSeen), required=True)


class DeliverySeen(Answer):
    """Something that a hook was told, or is to be."""

    id = words("Opaque; redeliver it by this.")
    webhook_id = words("The same in every attempt: the header `webhook-id`.")
    type = words("What it is about.", enum=[*TYPES, "webhook.ping"])
    game = fields.String(
        required=True, allow_none=True, metadata={"description": "The game it is about."}
    )
    at = moment("When it happened.")
    state = words("What has become of it.", enum=list(STATES))
    attempts = whole("How often it was tried.")
    next_attempt = moment("When it is tried next, or given up while it is tried.", maybe=True)
    done = moment("When it was settled.", maybe=True)
    status = fields.Integer(
        required=True, allow_none=True, metadata={"description": "What was answered last."}
    )
    error = fields.String(
        required=True,
        allow_none=True,
        metadata={"description": "What went wrong last, also with a move in the answer."},
    )
    sent_bytes = fields.Integer(
        required=True, allow_none=True, metadata={"description": "How long our message was."}
    )
    answer_bytes = fields.Integer(
        required=True, allow_none=True, metadata={"description": "How much of the answer we read."}
    )


class DeliveriesListed(Answer):
    """What a hook was told, the newest first."""

    deliveries = fields.List(fields.Nested(DeliverySeen), required=True)
