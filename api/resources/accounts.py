"""Accounts and tokens: coming in, looking after oneself, and going."""

from typing import Any, cast

from flask import Response

from api.http.auth import caller
from api.http.conditions import idempotency_key
from api.http.desk import answer, desk
from api.http.frame import frame
from api.http.rate_limits import source
from api.schemas.account_schemas import (
    AccountMade,
    AccountWanted,
    CalendarRenewed,
    Me,
    MeWanted,
    TokenShown,
    TokensListed,
    TokensRevoked,
    TokenWanted,
)
from api.schemas.scopes import needs
from api.schemas.spec import Blueprint, may_refuse, takes, takes_long_key
from service import account_deletion
from service.clocks import calendar
from service.people import accounts, addresses, tokens
from service.people.tokens import SCOPES, Caller

blueprint = Blueprint(
    "accounts", __name__, url_prefix="/v1", description="Accounts and their tokens."
)


def _caller() -> Caller:
    """The caller as `tokens.caller_of` has told the frame."""
    return cast(Caller, caller())


def _shown_once(document: dict[str, Any], location: str) -> Response:
    """An answer with a token in it, which no cache may keep."""
    response = answer(document, 201)
    response.headers["Cache-Control"] = "no-store"
    response.headers["Location"] = location
    return response


@blueprint.route("/accounts", methods=["POST"])
@blueprint.arguments(AccountWanted)
@blueprint.response(201, AccountMade)
@may_refuse("name_taken", "gone", "idempotency_mismatch")
@takes_long_key
def create_account(wanted: dict[str, Any]) -> Response:
    """Make an account and its first token.

    It takes no token, and each address may make only so many. The token is shown this once; an
    `Idempotency-Key` must have 16 characters or more here, since whoever knows it is shown the
    token again.
    """
    key = idempotency_key()
    frame().limiter.admit_account()
    return _shown_once(accounts.create(desk(), wanted, key, source()), "/v1/me")


@blueprint.route("/me")
@needs("read")
@blueprint.response(200, Me)
def read_me() -> Response:
    """Read my account."""
    return answer(accounts.me(desk(), _caller()))


@blueprint.route("/me", methods=["PATCH"])
@needs("manage")
@blueprint.arguments(MeWanted, required=False)
@blueprint.response(200, Me)
@may_refuse("name_taken")
def change_me(wanted: dict[str, Any]) -> Response:
    """Change my account: what is named, and nothing else.

    While an address is confirmed, another one waits as `new_email` until the link in the letter
    that goes there is followed; whoever reads the old one is then told. To name the old one is to
    take the new one back; after mail came back from it (`bounced`), to have it confirmed anew.
    Whoever reads my mail can sign in, so `email` takes a token with all scopes.
    """
    return answer(accounts.change(desk(), _caller(), wanted, source()))


@blueprint.route("/me", methods=["DELETE"])
@needs("manage")
@blueprint.response(204)
def delete_me() -> Response:
    """Delete my account, at once and for good.

    I leave every table, and resign where the game has begun. Everything personal is taken away;
    the logs of games stay whole, without my name. Fingerprints of mailboxes stay: counts of letters
    for a day, and opt-outs for ever.
    """
    account_deletion.delete(desk(), _caller())
    return Response(status=204)


@blueprint.route("/me/confirmation", methods=["POST"])
@needs(*SCOPES)
@blueprint.response(204)
def confirm_again() -> Response:
    """Send the letter once more that asks whether an address is mine.

    Whoever follows its link can sign in, so this takes a token with all scopes.
    """
    frame().limiter.admit_sign_in()
    addresses.resend_confirmation(desk(), _caller(), source())
    return Response(status=204)


@blueprint.route("/me/calendar", methods=["POST"])
@needs(*SCOPES)
@blueprint.response(201, CalendarRenewed)
@may_refuse("gone", "idempotency_mismatch")
@takes("Idempotency-Key")
def renew_calendar() -> Response:
    """Make a new link to my calendar; the one before stops working at once.

    The link shows what I play without a token, so this takes a token with all scopes.
    """
    return answer(calendar.renew(desk(), _caller(), idempotency_key()), 201)


@blueprint.route("/me/tokens")
@needs("read")
@blueprint.response(200, TokensListed)
def list_tokens() -> Response:
    """List my tokens, the oldest first; their texts are not told again."""
    return answer({"tokens": tokens.list_tokens(desk(), _caller())})


@blueprint.route("/me/tokens", methods=["POST"])
@needs(*SCOPES)
@blueprint.arguments(TokenWanted)
@blueprint.response(201, TokenShown)
@may_refuse("gone", "idempotency_mismatch")
@takes("Idempotency-Key")
def create_token(wanted: dict[str, Any]) -> Response:
    """Make another token; it is shown this once.

    This takes a token with all scopes. Revoking that one revokes this one, too.
    """
    made = tokens.create(desk(), _caller(), wanted, idempotency_key())
    return _shown_once(made, f"/v1/me/tokens/{made['id']}")


@blueprint.route("/me/tokens/<id:id>", methods=["DELETE"])
@needs("manage")
@blueprint.response(200, TokensRevoked)
def revoke_token(id: str) -> Response:
    """Revoke a token, at once, with all that it has made; it may be the one I call with."""
    return answer({"revoked": tokens.revoke(desk(), _caller(), id)})
