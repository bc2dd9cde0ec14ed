"""Pages about webhooks and their deliveries."""

import json

from flask import Response, url_for

from api.http.desk import desk
from api.http.forms import current_form
from api.site.form_errors import form_error
from api.site.visit import Pages, members_only, page, see_other, with_status
from api.site.visitors import member
from engine import Refusal
from service.notify import hook_deliveries, hook_payloads, hooks
from service.notify.hook_types import TYPES

MOST = 50
"""Deliveries on the page of a webhook."""

blueprint = Pages("hook_pages", __name__)


@blueprint.route("/settings/webhooks")
@members_only
def listed() -> Response:
    """List the visitor's webhooks."""
    return _listed()


def _listed(refusal: Refusal | None = None) -> Response:
    webhooks = hooks.listed(desk(), member().caller)
    error = form_error("new", refusal, current_form()) if refusal else None
    response = page("account/hooks", hooks=webhooks, types=TYPES, form_error=error)
    return with_status(response, refusal) if refusal else response


@blueprint.route("/settings/webhooks", methods=["POST"])
@members_only
def create() -> Response:
    """Create a webhook; its secret is shown only once."""
    form = current_form()
    try:
        body = {"url": form.text("url"), "types": form.all("types")}
        hook = hooks.create(desk(), member().caller, body, form.idempotency_key())
    except Refusal as refusal:
        return _listed(refusal)
    return _shown(hook["id"], secret=hook["secret"])


@blueprint.route("/settings/webhooks/<id:hook>")
@members_only
def show(hook: str) -> Response:
    """Show a webhook and its deliveries."""
    return _shown(hook)


def _shown(hook: str, problem: Refusal | None = None, secret: str | None = None) -> Response:
    caller = member().caller
    response = page(
        "account/hook",
        hook=hooks.read(desk(), caller, hook),
        deliveries=hook_deliveries.listed(desk(), caller, hook, None, MOST),
        problem=problem.sentence if problem else None,
        secret=secret,
    )
    return with_status(response, problem) if problem else response


@blueprint.route("/settings/webhooks/<id:hook>/deliveries/<id:delivery>")
@members_only
def show_delivery(hook: str, delivery: str) -> Response:
    """Show a delivery with its message."""
    caller = member().caller
    document, payload = hook_payloads.read(desk(), caller, hook, delivery)
    pretty = json.dumps(json.loads(payload), indent=2, ensure_ascii=False) if payload else None
    return page(
        "account/delivery",
        hook=hooks.read(desk(), caller, hook),
        delivery=document,
        payload=pretty,
    )


@blueprint.route("/settings/webhooks/<id:hook>", methods=["POST"])
@members_only
def change(hook: str) -> Response:
    """Switch a webhook on or off, ping it, redeliver, change its secret, or delete it."""
    form, caller = current_form(), member().caller
    choice, delivery = form.text("choice"), form.text("delivery")
    try:
        if choice in ("on", "off"):
            hooks.change(desk(), caller, hook, {"on": choice == "on"})
        elif choice == "ping":
            hook_deliveries.ping(desk(), caller, hook, None)
        elif choice == "rotate":
            return _shown(hook, secret=hooks.rotate(desk(), caller, hook, None)["secret"])
        elif choice == "again":
            hook_deliveries.redeliver(desk(), caller, hook, delivery, None)
        elif choice == "delete" and current_form().text("sure") != "yes":
            return page("account/delete_hook", hook=hook)
        elif choice == "delete":
            hooks.delete(desk(), caller, hook)
            return see_other(url_for("hook_pages.listed"))
    except Refusal as refusal:
        return _shown(hook, refusal)
    return see_other(url_for("hook_pages.show", hook=hook))
