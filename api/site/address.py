"""Asking for a mail address where it is first needed: before other people wait for somebody."""

from flask import g

from api.http.desk import desk
from api.http.forms import Form
from api.http.rate_limits import source
from api.site.visit import member
from engine.translate import say
from service import refusals
from service.people import accounts, profile

FIELD = "email"


def check_address(form: Form, *, needed: bool) -> None:
    """Refuse a form without an address that can be, if the visitor has none and one is needed."""
    if member().email is not None:
        return
    if form.text(FIELD):
        profile.checked_email(form.text(FIELD))
    elif needed:
        missing = say(
            "Add a mail address first: where other people play with you, we tell you by mail "
            "when something waits for you."
        )
        raise refusals.unreadable(missing, FIELD)


def keep_address(form: Form) -> None:
    """Give the visitor the address that stands in a form, if they have none yet."""
    known, email = member(), form.text(FIELD)
    if known.email is not None or not email:
        return
    accounts.change(desk(), known.caller, {"email": email}, source())
    g.pop("visitor")  # the page in hand shows them with their address
