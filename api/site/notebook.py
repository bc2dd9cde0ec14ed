"""Forms of the notebook on the page of a game: private notes, and a sketch of routes."""

from flask import Response, url_for

from api.http.desk import desk
from api.http.forms import Form, current_form
from api.http.problems import Problem
from api.site.play import shown_again
from api.site.visit import Pages, members_only, see_other
from api.site.visitors import member
from engine import Refusal
from engine.translate import say
from service.games import notebooks
from service.games.ordering import sketched

blueprint = Pages("notebook", __name__)


@blueprint.route("/games/<id:game>/notes", methods=["POST"])
@members_only
def save_notes(game: str) -> Response:
    """Save the visitor's notes, unless they were changed elsewhere since the page was made."""
    form, account = current_form(), member().account
    text = form.text("notes")
    try:
        notebooks.save_notes(desk(), account, game, text, _version(form))
    except Refusal as refusal:
        return shown_again(game, _explained(refusal), {"notes": text})
    return _back(game)


def _version(form: Form) -> int:
    """Return the version of the notes that the page showed; one that never was if it is wrong."""
    version = form.text("notes_version")
    return int(version) if version.isdecimal() and len(version) < 10 else -1


def _explained(refusal: Refusal) -> Refusal:
    if refusal.code != "stale":
        return refusal
    sentence = say(
        "Your notes were changed in another window or on another device. Both texts are below; "
        "“Save” now replaces the other one."
    )
    return Refusal("stale", sentence)


@blueprint.route("/games/<id:game>/sketch", methods=["POST"])
@members_only
def change_sketch(game: str) -> Response:
    """Add a route to the visitor's sketch, remove it, or move it by one place."""
    form, account = current_form(), member().account
    step, route = form.text("step"), form.text("route")
    try:
        if step not in notebooks.STEPS:
            raise Problem("unreadable", say("Please choose a route first."))
        notebooks.step(desk(), account, game, step, route)
    except Refusal as refusal:
        return shown_again(game, refusal, {})
    return _back(game)


@blueprint.route("/games/<id:game>/sketch/orders", methods=["POST"])
@members_only
def order_sketch(game: str) -> Response:
    """Order the routes of the visitor's sketch, one after the other."""
    replaces = current_form().text("replaces") == "yes"
    try:
        sketched.give(desk(), member().account, game, replaces=replaces)
    except Refusal as refusal:
        return shown_again(game, refusal, {})
    return see_other(url_for("play.show", game=game, view="log", _anchor="orders"))


def _back(game: str) -> Response:
    return see_other(url_for("play.show", game=game, view="notebook", _anchor="notebook"))
