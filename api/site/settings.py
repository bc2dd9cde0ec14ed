"""The settings page: profile, mail, absences, calendar, sessions and tokens."""

from typing import Any

from flask import Response, url_for

from api.http.app_state import app_state
from api.http.desk import desk
from api.http.forms import Form, current_form
from api.http.rate_limits import client_network
from api.http.request import current_request
from api.site.form_errors import form_error
from api.site.session_cookies import clear_session_cookie
from api.site.visit import Pages, members_only, page, see_other, with_status
from api.site.visitors import member
from engine import Refusal
from engine.translate import say
from service import account_deletion, refusals
from service.clocks import calendar, time_zones
from service.i18n import catalogue
from service.links import seat_sessions
from service.notify import channels
from service.people import accounts, addresses, profile, sessions, tokens
from service.people.oauth import connected_apps
from service.people.tokens import SCOPES

blueprint = Pages("settings", __name__)


@blueprint.route("/settings")
@members_only
def show() -> Response:
    """Show the settings page."""
    return _shown()


def _shown(
    refusal: Refusal | None = None, part: str | None = None, token: str | None = None
) -> Response:
    caller = member().caller
    response = page(
        "account/settings",
        me=accounts.me(desk(), caller),
        zones=sorted(time_zones.zone_names()),
        modes=profile.MODES,
        languages=catalogue.languages(),
        sessions=sessions.list_sessions(desk(), caller),
        seats=seat_sessions.list_open(desk(), caller.account),
        tokens=tokens.list_tokens(desk(), caller),
        scopes=SCOPES,
        apps=connected_apps.listed(desk(), caller),
        channels=channels.described(desk(), caller.account),
        service_address=desk().settings.service_address,
        form_error=form_error(part, refusal, current_form()) if refusal and part else None,
        token=token,
        saved=current_request().args.get("saved"),
        revoked=current_request().args.get("revoked", 0, type=int),
    )
    return with_status(response, refusal) if refusal else response


def _change(part: str, changes: dict[str, Any]) -> Response:
    caller = member().caller
    try:
        accounts.change(desk(), caller, changes, client_network())
    except Refusal as refusal:
        return _shown(refusal, part)
    return _back(part, saved=True)


def _back(part: str, *, saved: bool = False) -> Response:
    return see_other(url_for("settings.show", saved=part if saved else None, _anchor=part))


@blueprint.route("/settings/profile", methods=["POST"])
@members_only
def set_profile() -> Response:
    """Save name, language and time zone."""
    form = current_form()
    names = ("name", "locale", "time_zone")
    return _change("profile", {name: form.text(name) for name in names if name in form})


@blueprint.route("/settings/mail", methods=["POST"])
@members_only
def set_mail() -> Response:
    """Save when mail is sent."""
    form = current_form()
    begins, ends = form.text("quiet_from"), form.text("quiet_to")
    quiet = {"from": begins, "to": ends} if begins or ends else None
    return _change("mail", {"notifications": {"mode": form.text("mode"), "quiet_hours": quiet}})


@blueprint.route("/settings/address", methods=["POST"])
@members_only
def set_address() -> Response:
    """Change the email address; entering the current one cancels a change that is unconfirmed."""
    email, account = current_form().text("email"), accounts.me(desk(), member().caller)
    bounced = not account["new_email_until"] if account["new_email"] else account["bounced"]
    if not bounced and email == (account["new_email"] or account["email"] or ""):
        return _back("address")  # otherwise the confirmation would be sent again
    return _change("address", {"email": email or None})


@blueprint.route("/settings/confirm", methods=["POST"])
@members_only
def confirm_again() -> Response:
    """Send the confirmation mail again."""
    try:
        app_state().limiter.count_sign_in()
        addresses.resend_confirmation(desk(), member().caller, client_network())
    except Refusal as refusal:
        return _shown(refusal, "address")
    return _back("address")


@blueprint.route("/settings/absences", methods=["POST"])
@members_only
def set_absences() -> Response:
    """Add an absence, and remove those that are ticked."""
    form = current_form()
    absences = accounts.me(desk(), member().caller)["absences"]
    removed = form.all("drop")
    others = [
        absence for absence in absences if f"{absence['from']} {absence['to']}" not in removed
    ]
    if form.text("from") or form.text("to"):
        others.append({"from": form.text("from"), "to": form.text("to") or form.text("from")})
    return _change("absences", {"absences": sorted(others, key=lambda absence: absence["from"])})


@blueprint.route("/settings/calendar", methods=["POST"])
@members_only
def renew_calendar() -> Response:
    """Create a new calendar link; the previous one stops working."""
    calendar.renew(desk(), member().caller, current_form().idempotency_key())
    return _back("calendar")


@blueprint.route("/settings/tokens", methods=["POST"])
@members_only
def add_token() -> Response:
    """Create a token for a program; it is shown only once."""
    form = current_form()
    body = {"label": form.text("label"), "scopes": form.all("scopes")}
    try:
        # It lasts until it is revoked, and does not end with the session that created it.
        token = tokens.create(desk(), member().caller, body, form.idempotency_key(), outlives=True)
    except Refusal as refusal:
        return _shown(refusal, "tokens")
    return _shown(part="tokens", token=token["token"])


@blueprint.route("/settings/tokens/<id:token>/revoke", methods=["POST"])
@members_only
def revoke(token: str) -> Response:
    """Revoke a token, or sign another browser out."""
    try:
        revoked = tokens.revoke(desk(), member().caller, token)
    except Refusal as refusal:
        return _shown(refusal, "tokens")
    part = _part(current_form())
    return see_other(url_for("settings.show", saved=part, revoked=revoked, _anchor=part))


@blueprint.route("/settings/seats/<id:session>/end", methods=["POST"])
@members_only
def end_seat_session(session: str) -> Response:
    """Sign out a browser that is here for one turn."""
    seat_sessions.end_by_id(desk(), member().account, session)
    return _back("browsers")


def _part(form: Form) -> str:
    return "browsers" if form.text("part") == "browsers" else "tokens"


@blueprint.route("/settings/delete", methods=["POST"])
@members_only
def delete() -> Response:
    """Delete the account."""
    signed_in = member()
    if current_form().text("name") != signed_in.name:
        mismatch = refusals.unreadable(say("Type your name exactly to confirm."), "name")
        return _shown(mismatch, "end")
    if current_form().text("sure") != "yes":
        return page("account/delete_account")
    account_deletion.delete(desk(), signed_in.caller)
    return clear_session_cookie(see_other(url_for("front.index")))
