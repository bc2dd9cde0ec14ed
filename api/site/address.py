"""Asks for an email address when it is first needed: before others have to wait for the player."""

from flask import g

from api.http.desk import desk
from api.http.forms import Form
from api.http.rate_limits import client_network
from api.site.visitors import member
from engine.translate import say
from service import refusals
from service.people import accounts, profile

FIELD = "email"


def check_address(form: Form, *, needed: bool) -> None:
    """Refuse a form without a valid email address if the visitor needs one and has none."""
    if member().email is not None:
        return
    if form.text(FIELD):
        profile.checked_email(form.text(FIELD))
    elif needed:
        missing = say(
            "Please add an email address first: when you play with other people, we email you when "
            "it is your turn."
        )
        raise refusals.unreadable(missing, FIELD)


def keep_address(form: Form) -> None:
    """Save the address in a form for a visitor who has none yet."""
    signed_in, email = member(), form.text(FIELD)
    if signed_in.email is not None or not email:
        return
    accounts.change(desk(), signed_in.caller, {"email": email}, client_network())
    g.pop("visitor")  # so that the page is rendered with the address
