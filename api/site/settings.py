"""What somebody can set: who they are, when they have mail, and what opens their account."""

from typing import Any

from flask import Response, url_for

from api.http.desk import desk
from api.http.edge import asked
from api.http.forms import Form, sent
from api.http.frame import frame
from api.http.rate_limits import source
from api.site.trouble import trouble
from api.site.visit import (
    Pages,
    forget,
    member,
    members_only,
    page,
    seen_other,
    with_status,
)
from engine import Refusal
from engine.translate import say
from service import account_deletion, refusals
from service.clocks import calendar, time_zones
from service.i18n import catalogue
from service.notify import channels
from service.people import accounts, addresses, profile, sessions, tokens
from service.people.tokens import SCOPES

blueprint = Pages("settings", __name__)


@blueprint.route("/settings")
@members_only
def show() -> Response:
    """Everything that can be set."""
    return _shown()


def _shown(
    refusal: Refusal | None = None, part: str | None = None, token: str | None = None
) -> Response:
    caller = member().caller
    shown = page(
        "settings",
        me=accounts.me(desk(), caller),
        zones=sorted(time_zones.zone_names()),
        modes=profile.MODES,
        languages=catalogue.languages(),
        sessions=sessions.list_sessions(desk(), caller),
        tokens=tokens.list_tokens(desk(), caller),
        scopes=SCOPES,
        channels=channels.described(desk(), caller.account),
        trouble=trouble(part, refusal, sent()) if refusal and part else None,
        token=token,
        saved=asked().args.get("saved"),
        revoked=asked().args.get("revoked", 0, type=int),
    )
    return with_status(shown, refusal) if refusal else shown


def _changed(part: str, wanted: dict[str, Any]) -> Response:
    caller = member().caller
    try:
        accounts.change(desk(), caller, wanted, source())
    except Refusal as refusal:
        return _shown(refusal, part)
    return _back(part, saved=True)


def _back(part: str, *, saved: bool = False) -> Response:
    return seen_other(url_for("settings.show", saved=part if saved else None, _anchor=part))


@blueprint.route("/settings/profile", methods=["POST"])
@members_only
def set_profile() -> Response:
    """Name, language and time zone."""
    form = sent()
    names = ("name", "locale", "time_zone")
    return _changed("profile", {name: form.text(name) for name in names if name in form})


@blueprint.route("/settings/mail", methods=["POST"])
@members_only
def set_mail() -> Response:
    """When mail may come."""
    form = sent()
    begins, ends = form.text("quiet_from"), form.text("quiet_to")
    quiet = {"from": begins, "to": ends} if begins or ends else None
    return _changed("mail", {"notifications": {"mode": form.text("mode"), "quiet_hours": quiet}})


@blueprint.route("/settings/address", methods=["POST"])
@members_only
def set_address() -> Response:
    """Another address; naming the one in force takes back what waits to be confirmed."""
    email, known = sent().text("email"), accounts.me(desk(), member().caller)
    lost = not known["new_email_until"] if known["new_email"] else known["bounced"]
    if not lost and email == (known["new_email"] or known["email"] or ""):
        return _back("address")  # or the letter would go there again
    return _changed("address", {"email": email or None})


@blueprint.route("/settings/confirm", methods=["POST"])
@members_only
def confirm_again() -> Response:
    """Send the letter that asks for confirmation once more."""
    try:
        frame().limiter.admit_sign_in()
        addresses.resend_confirmation(desk(), member().caller, source())
    except Refusal as refusal:
        return _shown(refusal, "address")
    return _back("address")


@blueprint.route("/settings/absences", methods=["POST"])
@members_only
def set_absences() -> Response:
    """Days on which somebody does not play: one more, or those that are ticked no longer."""
    form = sent()
    known = accounts.me(desk(), member().caller)["absences"]
    gone = form.all("drop")
    kept = [one for one in known if f"{one['from']} {one['to']}" not in gone]
    if form.text("from") or form.text("to"):
        kept.append({"from": form.text("from"), "to": form.text("to") or form.text("from")})
    return _changed("absences", {"absences": sorted(kept, key=lambda one: one["from"])})


@blueprint.route("/settings/calendar", methods=["POST"])
@members_only
def renew_calendar() -> Response:
    """Give the calendar a new address; the one before stops working."""
    calendar.renew(desk(), member().caller, sent().key())
    return _back("calendar")


@blueprint.route("/settings/tokens", methods=["POST"])
@members_only
def add_token() -> Response:
    """A token for a program, which is shown this once."""
    form = sent()
    wanted = {"label": form.text("label"), "scopes": form.all("scopes")}
    try:
        # It ends when it is revoked, and not with the session that has made it.
        made = tokens.create(desk(), member().caller, wanted, form.key(), outlives=True)
    except Refusal as refusal:
        return _shown(refusal, "tokens")
    return _shown(part="tokens", token=made["token"])


@blueprint.route("/settings/tokens/<id:token>/revoke", methods=["POST"])
@members_only
def revoke(token: str) -> Response:
    """Take away a token, or sign another browser out."""
    try:
        revoked = tokens.revoke(desk(), member().caller, token)
    except Refusal as refusal:
        return _shown(refusal, "tokens")
    part = _part(sent())
    return seen_other(url_for("settings.show", saved=part, revoked=revoked, _anchor=part))


def _part(form: Form) -> str:
    return "browsers" if form.text("part") == "browsers" else "tokens"


@blueprint.route("/settings/delete", methods=["POST"])
@members_only
def delete() -> Response:
    """Take every trace of the account away."""
    known = member()
    if sent().text("name") != known.name:
        unlike = refusals.unreadable(say("Write your name exactly, so that we are sure."), "name")
        return _shown(unlike, "end")
    account_deletion.delete(desk(), known.caller)
    return forget(seen_other(url_for("front.index")))
