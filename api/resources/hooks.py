"""Operations on webhooks and their deliveries."""

from typing import Any, cast

import orjson
from flask import Response

from api.http import paging
from api.http.auth import caller
from api.http.conditions import idempotency_key
from api.http.desk import desk, json_response
from api.schemas.hook_schemas import (
    DeliveriesQuery,
    Delivery,
    DeliveryList,
    DeliveryWithPayload,
    NewWebhook,
    Webhook,
    WebhookList,
    WebhookRequest,
    WebhookUpdate,
)
from api.schemas.scopes import needs
from api.schemas.spec import Blueprint, has_pages, may_refuse, takes
from service.notify import hook_deliveries, hook_payloads, hooks
from service.people.tokens import SCOPES, Caller

PREFIX = "/v1/me/webhooks"

blueprint = Blueprint(
    "webhooks", __name__, url_prefix=PREFIX, description="Webhooks and their deliveries."
)


def _caller() -> Caller:
    """Return the caller with the type that `tokens.caller_of` returns."""
    return cast(Caller, caller())


def _shown_once(document: dict[str, Any]) -> Response:
    """Make a response with a secret in it, which must not be cached."""
    response = json_response(document, 201)
    response.headers["Cache-Control"] = "no-store"
    response.headers["Location"] = f"{PREFIX}/{document['id']}"
    return response


@blueprint.route("")
@needs("read", apps=False)
@blueprint.response(200, WebhookList)
def list_webhooks() -> Response:
    """List your webhooks, oldest first, without their secrets.

    Those that are switched off are listed as well, with the reason.
    """
    return json_response({"webhooks": hooks.listed(desk(), _caller())})


@blueprint.route("", methods=["POST"])
@needs(*SCOPES)
@blueprint.arguments(WebhookRequest)
@blueprint.response(201, NewWebhook)
@may_refuse("not_found", "hook_exists", "gone", "idempotency_mismatch")
@takes("Idempotency-Key")
def create_webhook(body: dict[str, Any]) -> Response:
    """Create a webhook; its secret is shown only once.

    It receives Standard Webhooks messages about all your games, or about one. It may reply to
    `decision.opened` and `decision.reminder` with 200 and an `action` or a `text`, which is then
    played. Since it reads and plays for you, this requires a token with all scopes.
    """
    return _shown_once(hooks.create(desk(), _caller(), body, idempotency_key()))


@blueprint.route("/<id:webhook>")
@needs("read", apps=False)
@blueprint.response(200, Webhook)
def read_webhook(webhook: str) -> Response:
    """Get one of your webhooks.

    It says whether the webhook is switched on, and since when deliveries have been failing.
    """
    return json_response(hooks.read(desk(), _caller(), webhook))


@blueprint.route("/<id:webhook>", methods=["PATCH"])
@needs("manage")
@blueprint.arguments(WebhookUpdate, required=False)
@blueprint.response(200, Webhook)
@may_refuse("hook_exists")
def change_webhook(body: dict[str, Any], webhook: str) -> Response:
    """Update a webhook, or switch it on or off; fields that are left out stay as they are.

    Changing `url`, `types` or `game` requires a token with all scopes.
    """
    return json_response(hooks.change(desk(), _caller(), webhook, body))


@blueprint.route("/<id:webhook>", methods=["DELETE"])
@needs("manage")
@blueprint.response(204)
def delete_webhook(webhook: str) -> Response:
    """Delete a webhook and the list of its deliveries.

    Messages that are still waiting are not sent any more.
    """
    hooks.delete(desk(), _caller(), webhook)
    return Response(status=204)


@blueprint.route("/<id:webhook>/secret", methods=["POST"])
@needs(*SCOPES)
@blueprint.response(201, NewWebhook)
@may_refuse("gone", "idempotency_mismatch")
@takes("Idempotency-Key")
def rotate_webhook_secret(webhook: str) -> Response:
    """Create a new secret, shown only once; the previous one also signs for 24 hours.

    In that time messages have two signatures, and either is valid. This requires a token with all
    scopes.
    """
    return _shown_once(hooks.rotate(desk(), _caller(), webhook, idempotency_key()))


@blueprint.route("/<id:webhook>/ping", methods=["POST"])
@needs("manage")
@blueprint.response(202, Delivery)
@may_refuse("idempotency_mismatch")
@takes("Idempotency-Key")
def ping_webhook(webhook: str) -> Response:
    """Send a `webhook.ping` message once; the deliveries show the result.

    A ping is sent even if the webhook is switched off, and is not tried again if it fails.
    """
    return json_response(hook_deliveries.ping(desk(), _caller(), webhook, idempotency_key()), 202)


@blueprint.route("/<id:webhook>/deliveries")
@needs("read", apps=False)
@blueprint.arguments(DeliveriesQuery, location="query")
@blueprint.response(200, DeliveryList)
@has_pages
def list_deliveries(query: dict[str, Any], webhook: str) -> Response:
    """List the deliveries of a webhook, newest first.

    They show what was sent, how it was answered, and when it is tried next. Deliveries are kept
    for 30 days.
    """
    limit, after = query["limit"], paging.decode_cursor(query.get("cursor"))
    deliveries = hook_deliveries.listed(desk(), _caller(), webhook, after, limit + 1)
    response = json_response({"deliveries": deliveries[:limit]})
    if deliveries[limit:]:
        last = deliveries[limit - 1]
        paging.link_next(response, cursor=paging.encode_cursor(last["at"], last["id"]))
    return response


@blueprint.route("/<id:webhook>/deliveries/<id:delivery>")
@needs("read", apps=False)
@blueprint.response(200, DeliveryWithPayload)
def read_delivery(webhook: str, delivery: str) -> Response:
    """Get a delivery with its payload, the message as it would be sent now.

    Messages are not stored: the payload is made again from the game as you see it. So a decision
    that has been made in the meantime has no deadline any more, and the payload is null if there
    is nothing left to send, for example after you have resigned.
    """
    document, payload = hook_payloads.read(desk(), _caller(), webhook, delivery)
    document["payload"] = orjson.Fragment(payload) if payload else None
    return json_response(document)


@blueprint.route("/<id:webhook>/deliveries/<id:delivery>/redeliver", methods=["POST"])
@needs("manage")
@blueprint.response(202, Delivery)
@may_refuse("idempotency_mismatch")
@takes("Idempotency-Key")
def redeliver_delivery(webhook: str, delivery: str) -> Response:
    """Send a delivery again with the same `webhook-id`, even if it is out of date.

    A decision that has been made in the meantime is sent as it was, without a deadline.
    """
    redelivery = hook_deliveries.redeliver(desk(), _caller(), webhook, delivery, idempotency_key())
    return json_response(redelivery, 202)
