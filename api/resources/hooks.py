"""Webhooks: where programs are told what happens, and how that went."""

from typing import Any, cast

from flask import Response

from api.http import paging
from api.http.auth import caller
from api.http.conditions import idempotency_key
from api.http.desk import answer, desk
from api.schemas.hook_schemas import (
    DeliveriesAsked,
    DeliveriesListed,
    DeliverySeen,
    WebhookChange,
    WebhookSeen,
    WebhookShown,
    WebhooksListed,
    WebhookWanted,
)
from api.schemas.scopes import needs
from api.schemas.spec import Blueprint, may_refuse, takes
from service.notify import hook_deliveries, hooks
from service.people.tokens import SCOPES, Caller

PLACE = "/v1/me/webhooks"

blueprint = Blueprint(
    "webhooks", __name__, url_prefix=PLACE, description="Webhooks and their deliveries."
)


def _caller() -> Caller:
    """The caller as `tokens.caller_of` has told the frame."""
    return cast(Caller, caller())


def _shown_once(document: dict[str, Any]) -> Response:
    """An answer with a secret in it, which no cache may keep."""
    response = answer(document, 201)
    response.headers["Cache-Control"] = "no-store"
    response.headers["Location"] = f"{PLACE}/{document['id']}"
    return response


@blueprint.route("")
@needs("read")
@blueprint.response(200, WebhooksListed)
def list_webhooks() -> Response:
    """List my webhooks, the oldest first; their secrets are not told again."""
    return answer({"webhooks": hooks.listed(desk(), _caller())})


@blueprint.route("", methods=["POST"])
@needs(*SCOPES)
@blueprint.arguments(WebhookWanted)
@blueprint.response(201, WebhookShown)
@may_refuse("not_found", "hook_exists", "gone", "idempotency_mismatch")
@takes("Idempotency-Key")
def create_webhook(wanted: dict[str, Any]) -> Response:
    """Make a webhook; its secret is shown this once.

    It is told by Standard Webhooks what happens to me, in all games or in one. To `decision.opened`
    and `decision.reminder` it may answer 200 with an `action` or a `text`: that is the move.
    So it reads and plays for me, and takes a token with all scopes.
    """
    return _shown_once(hooks.create(desk(), _caller(), wanted, idempotency_key()))


@blueprint.route("/<id:webhook>")
@needs("read")
@blueprint.response(200, WebhookSeen)
def read_webhook(webhook: str) -> Response:
    """Read a webhook of mine."""
    return answer(hooks.read(desk(), _caller(), webhook))


@blueprint.route("/<id:webhook>", methods=["PATCH"])
@needs("manage")
@blueprint.arguments(WebhookChange, required=False)
@blueprint.response(200, WebhookSeen)
@may_refuse("hook_exists")
def change_webhook(wanted: dict[str, Any], webhook: str) -> Response:
    """Change a webhook: what is named, and nothing else; or switch it on or off.

    Where it leads and what it is told (`url`, `types`, `game`) takes a token with all scopes.
    """
    return answer(hooks.change(desk(), _caller(), webhook, wanted))


@blueprint.route("/<id:webhook>", methods=["DELETE"])
@needs("manage")
@blueprint.response(204)
def delete_webhook(webhook: str) -> Response:
    """Delete a webhook, with the list of what it was told."""
    hooks.delete(desk(), _caller(), webhook)
    return Response(status=204)


@blueprint.route("/<id:webhook>/secret", methods=["POST"])
@needs(*SCOPES)
@blueprint.response(201, WebhookShown)
@may_refuse("gone", "idempotency_mismatch")
@takes("Idempotency-Key")
def rotate_webhook_secret(webhook: str) -> Response:
    """Make a new secret, shown this once; for 24 hours the one before signs as well."""
    return _shown_once(hooks.rotate(desk(), _caller(), webhook, idempotency_key()))


@blueprint.route("/<id:webhook>/ping", methods=["POST"])
@needs("manage")
@blueprint.response(202, DeliverySeen)
@may_refuse("idempotency_mismatch")
@takes("Idempotency-Key")
def ping_webhook(webhook: str) -> Response:
    """Send `webhook.ping`, once; what came of it stands in the deliveries."""
    return answer(hook_deliveries.ping(desk(), _caller(), webhook, idempotency_key()), 202)


@blueprint.route("/<id:webhook>/deliveries")
@needs("read")
@blueprint.arguments(DeliveriesAsked, location="query")
@blueprint.response(200, DeliveriesListed)
def list_deliveries(asked: dict[str, Any], webhook: str) -> Response:
    """List what a webhook was told and is to be told, the newest first."""
    limit, after = asked["limit"], paging.place(asked.get("cursor"))
    found = hook_deliveries.told(desk(), _caller(), webhook, after, limit + 1)
    response = answer({"deliveries": found[:limit]})
    if found[limit:]:
        last = found[limit - 1]
        paging.link_next(response, cursor=paging.cursor(last["at"], last["id"]))
    return response


@blueprint.route("/<id:webhook>/deliveries/<id:delivery>/redeliver", methods=["POST"])
@needs("manage")
@blueprint.response(202, DeliverySeen)
@may_refuse("idempotency_mismatch")
@takes("Idempotency-Key")
def redeliver(webhook: str, delivery: str) -> Response:
    """Send a delivery once more, under the same id, whether or not it still matters."""
    made = hook_deliveries.redeliver(desk(), _caller(), webhook, delivery, idempotency_key())
    return answer(made, 202)
