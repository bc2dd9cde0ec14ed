"""Web hooks and what they were told, for those who write programs."""

from flask import Response, url_for

from api.http.desk import desk
from api.http.forms import sent
from api.site.trouble import trouble
from api.site.visit import Pages, member, members_only, page, seen_other, with_status
from engine import Refusal
from service.notify import hook_deliveries, hooks
from service.notify.hook_types import TYPES

MOST = 50

blueprint = Pages("hook_pages", __name__)


@blueprint.route("/settings/webhooks")
@members_only
def listed() -> Response:
    """All hooks of an account."""
    return _listed()


def _listed(refusal: Refusal | None = None) -> Response:
    found = hooks.listed(desk(), member().caller)
    wrong = trouble("new", refusal, sent()) if refusal else None
    shown = page("hooks", hooks=found, types=TYPES, trouble=wrong)
    return with_status(shown, refusal) if refusal else shown


@blueprint.route("/settings/webhooks", methods=["POST"])
@members_only
def create() -> Response:
    """A new hook; its secret is shown this once."""
    form = sent()
    try:
        wanted = {"url": form.text("url"), "types": form.all("types")}
        made = hooks.create(desk(), member().caller, wanted, form.key())
    except Refusal as refusal:
        return _listed(refusal)
    return _shown(made["id"], secret=made["secret"])


@blueprint.route("/settings/webhooks/<id:hook>")
@members_only
def show(hook: str) -> Response:
    """One hook, with what it was told."""
    return _shown(hook)


def _shown(hook: str, problem: Refusal | None = None, secret: str | None = None) -> Response:
    caller = member().caller
    shown = page(
        "hook",
        hook=hooks.read(desk(), caller, hook),
        deliveries=hook_deliveries.told(desk(), caller, hook, None, MOST),
        problem=problem.sentence if problem else None,
        secret=secret,
    )
    return with_status(shown, problem) if problem else shown


@blueprint.route("/settings/webhooks/<id:hook>", methods=["POST"])
@members_only
def change(hook: str) -> Response:
    """Switch a hook on or off, send it something, give it another secret, or delete it."""
    form, caller = sent(), member().caller
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
        elif choice == "delete":
            hooks.delete(desk(), caller, hook)
            return seen_other(url_for("hook_pages.listed"))
    except Refusal as refusal:
        return _shown(hook, refusal)
    return seen_other(url_for("hook_pages.show", hook=hook))
