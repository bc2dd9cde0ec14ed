"""The page on which people enter the code that a device shows, and decide."""

from flask import Response

from api.http.app_state import app_state
from api.http.desk import desk
from api.http.forms import current_form
from api.http.request import current_request
from api.oauth.server import DEVICE_PAGE
from api.site.visit import Pages, members_only, page, with_status
from api.site.visitors import member
from engine import Refusal
from engine.translate import say
from service import refusals
from service.people.oauth import devices

DECISIONS = {"allow": True, "deny": False}

blueprint = Pages("oauth_device", __name__)


@blueprint.route(DEVICE_PAGE)
@members_only
def show() -> Response:
    """Ask for the code; a link may fill it in, but only its reader can send it."""
    return page("oauth/device", user_code=current_request().args.get("user_code", "")[:20])


@blueprint.route(DEVICE_PAGE, methods=["POST"])
@members_only
def decide() -> Response:
    """Show which device has this code; then approve or deny it."""
    form, caller = current_form(), member().caller
    user_code, choice = form.text("user_code")[:20], form.text("choice")
    try:
        app_state().limiter.count_user_code(caller.account)
        if choice in DECISIONS:
            if devices.decide(desk(), caller, user_code, approved=DECISIONS[choice]):
                return page("oauth/device_done", approved=DECISIONS[choice])
        elif device := devices.waiting(desk(), user_code):
            return page("oauth/device_consent", device=device, scopes=device.scopes.split())
        app_state().limiter.count_failure(current_request())
        raise refusals.not_found(say("No device shows this code, or it has expired."))
    except Refusal as refusal:
        response = page("oauth/device", user_code=user_code, problem=refusal.sentence)
        return with_status(response, refusal)
