"""Pages about destinations: devices, chats and rooms in which messages arrive."""

from typing import Any

from flask import Response, url_for

from api.http.desk import desk
from api.http.forms import Form, current_form
from api.http.request import current_request
from api.site.form_errors import form_error
from api.site.sign_in import browser_name
from api.site.visit import Pages, members_only, page, see_other, with_status
from api.site.visitors import member
from engine import Refusal
from service.notify.destinations import destination_channel, managing
from service.notify.destinations.message_types import BY_DEFAULT, TYPES
from service.views import game_lists

blueprint = Pages("destination_pages", __name__)


@blueprint.route("/settings/channels")
@members_only
def listed() -> Response:
    """List the visitor's destinations, and the channels on which they can have more."""
    return _listed()


def _listed(refusal: Refusal | None = None, part: str = "") -> Response:
    caller = member().caller
    channels = [
        channel
        for channel in destination_channel.destination_channels()
        if channel.is_available(desk().settings)
    ]
    error = form_error(part, refusal, current_form()) if refusal else None
    response = page(
        "account/channels",
        destinations=managing.listed(desk(), caller),
        channels=channels,
        titles={channel.name: channel.title() for channel in channels},
        facts={channel.name: channel.facts(desk()) for channel in channels},
        games=_games(),
        types=TYPES,
        by_default=BY_DEFAULT,
        form_error=error,
        removed=current_request().args.get("removed"),
    )
    return with_status(response, refusal) if refusal else response


def _games() -> list[dict[str, Any]]:
    """Return the visitor's unfinished games, to choose one."""
    games = game_lists.own_games(desk(), member().account)
    return [*games.your_turn, *games.others, *games.waiting]


@blueprint.route("/settings/channels", methods=["POST"])
@members_only
def create() -> Response:
    """Add a destination."""
    form = current_form()
    name = form.text("channel")
    channel = destination_channel.find(name)
    inputs = channel.inputs() if channel else ()
    body = {
        "channel": name,
        "address": {part.name: form.text(part.name) for part in inputs},
        **_choices(form),
    }
    if channel and channel.needs_script and not body["label"]:
        body["label"] = browser_name(current_request())  # it is this browser that subscribes
    try:
        made = managing.create(desk(), member().caller, body, form.idempotency_key())
    except Refusal as refusal:
        return _listed(refusal, name)
    return see_other(url_for("destination_pages.show", destination=made["id"], saved="new"))


def _choices(form: Form) -> dict[str, Any]:
    """Return what a form says of a destination beside its address."""
    return {
        "label": form.text("label"),
        "types": form.all("types"),
        "game": form.text("game") or None,
    }


@blueprint.route("/settings/channels/<id:destination>")
@members_only
def show(destination: str) -> Response:
    """Show a destination; one that its device has given up leads back to the list."""
    return _shown(destination)


def _shown(destination: str, refusal: Refusal | None = None, part: str = "") -> Response:
    try:
        document = managing.read(desk(), member().caller, destination)
    except Refusal as gone:
        if gone.code != "not_found" or current_request().args.get("saved") != "test":
            raise
        return see_other(url_for("destination_pages.listed", removed="gone"))
    channel = destination_channel.find(document["channel"])
    test, connect = document["test"], document["connect"]
    is_waiting = (connect is not None and not connect["expired"]) or (
        test is not None and test["state"] == "waiting"
    )
    response = page(
        "account/channel",
        destination=document,
        title=channel.title() if channel else document["channel"],
        games=_games(),
        types=TYPES,
        form_error=form_error(part, refusal, current_form()) if refusal else None,
        saved=current_request().args.get("saved"),
        is_waiting=is_waiting and refusal is None,
    )
    return with_status(response, refusal) if refusal else response


@blueprint.route("/settings/channels/<id:destination>", methods=["POST"])
@members_only
def change(destination: str) -> Response:
    """Save a destination, test it, switch it on or off, or remove it."""
    form, caller = current_form(), member().caller
    choice = form.text("choice")
    try:
        if choice == "test":
            managing.send_test(desk(), caller, destination, None)
        elif choice in ("on", "off"):
            managing.change(desk(), caller, destination, {"on": choice == "on"})
        elif choice == "save":
            managing.change(desk(), caller, destination, _choices(form))
        elif choice == "remove" and form.text("sure") != "yes":
            label = managing.read(desk(), caller, destination)["label"]
            return page("account/remove_channel", destination=destination, label=label)
        elif choice == "remove":
            managing.delete(desk(), caller, destination)
            return see_other(url_for("destination_pages.listed", removed="yes"))
    except Refusal as refusal:
        if refusal.code == "not_found":
            raise
        return _shown(destination, refusal, "edit" if choice == "save" else "state")
    saved = choice if choice in ("test", "save") else None
    return see_other(url_for("destination_pages.show", destination=destination, saved=saved))
