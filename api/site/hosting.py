"""What people do with a table that waits: fill seats, answer for invitations, share a link.

And the page of such a link, with which anybody can take a seat; and opening a rematch.
"""

from typing import Any

from flask import Response, url_for

from api.http.app_state import app_state
from api.http.desk import desk
from api.http.forms import current_form
from api.http.problems import Problem
from api.http.request import current_request
from api.site.address import check_address, keep_address
from api.site.form_errors import form_error
from api.site.tables import new_seat
from api.site.visit import Pages, members_only, page, see_other, with_status
from api.site.visitors import member, visitor
from engine import Refusal
from engine.translate import say
from service.games import lobby, rematches
from service.games.inviting import invitations
from service.games.seating import hosting
from service.links import signed_links
from service.views import rematch_links

STATUS = {"stale": 409, "void": 403, "gone": 410}
"""The HTTP status of a link with which no seat can be taken."""

blueprint = Pages("hosting", __name__)


@blueprint.route("/games/<id:game>/bots", methods=["POST"])
@members_only
def fill_with_bot(game: str) -> Response:
    """Give a free seat to a bot."""
    lobby.fill_with_bot(desk(), member().account, game, current_form().text("strength"))
    return _to_table(game)


@blueprint.route("/games/<id:game>/guests/<id:invitation>/withdraw", methods=["POST"])
@members_only
def withdraw(game: str, invitation: str) -> Response:
    """Withdraw an invitation, so that somebody else can be asked."""
    invitations.withdraw(desk(), member().account, game, invitation)
    return _to_table(game)


@blueprint.route("/games/<id:game>/decline", methods=["POST"])
@members_only
def decline(game: str) -> Response:
    """Decline the visitor's own invitation; a private table is hidden from them afterwards."""
    invitations.decline_own(desk(), member().account, game)
    return see_other(url_for("tables.mine"))


@blueprint.route("/games/<id:game>/link")
@members_only
def link(game: str) -> Response:
    """Show the link with which anybody can take a seat."""
    return page("table_link", game=game, link=hosting.link(desk(), member().account, game))


@blueprint.route("/games/<id:game>/link", methods=["POST"])
@members_only
def renew_link(game: str) -> Response:
    """Make the link void, and show a new one."""
    hosting.renew_link(desk(), member().account, game)
    return see_other(url_for("hosting.link", game=game))


@blueprint.route("/games/<id:game>/rematch", methods=["POST"])
@members_only
def rematch(game: str) -> Response:
    """Open a rematch, or take a seat at the one that another player has opened."""
    opened = rematches.open_rematch(
        desk(), member().account, game, current_form().idempotency_key()
    )
    if opened.refused:
        return page("opened", game={"id": opened.game}, refused=opened.refused)
    return _to_table(opened.game)


@blueprint.route("/games/<id:game>/rematch")
@members_only
def rematch_form(game: str) -> Response:
    """Lead to the form for a new game, filled in as this one was."""
    return see_other(rematch_links.form_path(desk(), game, member().account))


@blueprint.route("/table/<token>", methods=["GET", "POST"])
def by_link(token: str) -> Response:
    """Show the table that a link leads to; the form takes a seat there."""
    payload = signed_links.read(desk(), "table", token)
    if payload is None:
        app_state().limiter.count_failure(current_request())
        raise Problem("not_found", say("This link is not valid. It may have been cut off."))
    if current_request().method == "POST":
        return _sit_down(payload)
    return _shown(payload)


@members_only
def _sit_down(payload: dict[str, Any]) -> Response:
    form, account = current_form(), member().account
    shown = hosting.link_page(desk(), payload, account)
    if shown["stands"] != "open":
        return _shown(payload)
    try:
        check_address(form, needed=shown["slow"])
        keep_address(form)
        admission = hosting.admission(payload)
        lobby.take_seat(desk(), account, payload["game"], new_seat(form), None, admission)
    except Refusal as refusal:
        return _shown(payload, refusal)
    return _to_table(payload["game"])


def _shown(payload: dict[str, Any], refusal: Refusal | None = None) -> Response:
    signed_in = visitor()
    shown = hosting.link_page(desk(), payload, signed_in.account if signed_in else None)
    if shown["stands"] == "done":
        return _to_table(payload["game"])
    error = form_error("email", refusal, current_form()) if refusal else None
    status = STATUS.get(shown["stands"], 200)
    response = page("by_link", status, **shown, form_error=error, here=current_request().path)
    return with_status(response, refusal) if refusal else response


def _to_table(game: str) -> Response:
    return see_other(url_for("play.show", game=game))
