"""Accounts and tokens: coming in, looking after oneself, and going."""

from typing import Any, cast

from flask import Response

from api.account_schemas import (
    AccountMade,
    AccountWanted,
    CalendarRenewed,
    Me,
    MeWanted,
    TokenShown,
    TokensListed,
    TokenWanted,
)
from api.auth import caller, needs
from api.conditions import idempotency_key
from api.desk import answer, desk
from api.letters import admit_address, admit_newcomer, ask_again
from api.spec import Blueprint, may_refuse, takes
from service import accounts, calendar, tokens
from service.tokens import Caller

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
@may_refuse("name_taken", "idempotency_mismatch")
@takes("Idempotency-Key")
def create_account(wanted: dict[str, Any]) -> Response:
    """Make an account and its first token.

    It takes no token, and each address may make only so many. The token is shown this once; an
    `Idempotency-Key` must have 16 characters or more here, since whoever knows it is shown the
    token again.
    """
    key = idempotency_key()
    admit_newcomer(wanted.get("email"), key)
    return _shown_once(accounts.create(desk(), wanted, key), "/v1/me")


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
    """
    admit_address(_caller(), wanted.get("email"))
    return answer(accounts.change(desk(), _caller(), wanted))


@blueprint.route("/me", methods=["DELETE"])
@needs("manage")
@blueprint.response(204)
def delete_me() -> Response:
    """Delete my account, at once and for good.

    I leave every table, and resign where the game has begun. Everything personal is taken away;
    the logs of games stay whole, without my name.
    """
    accounts.delete(desk(), _caller())
    return Response(status=204)


@blueprint.route("/me/confirmation", methods=["POST"])
@needs("manage")
@blueprint.response(204)
def confirm_again() -> Response:
    """Send the letter once more that asks whether an address is mine."""
    ask_again(_caller())
    return Response(status=204)


@blueprint.route("/me/calendar", methods=["POST"])
@needs("manage")
@blueprint.response(201, CalendarRenewed)
@may_refuse("idempotency_mismatch")
@takes("Idempotency-Key")
def renew_calendar() -> Response:
    """Make a new link to my calendar; the one before stops working at once."""
    return answer(calendar.renew(desk(), _caller(), idempotency_key()), 201)


@blueprint.route("/me/tokens")
@needs("read")
@blueprint.response(200, TokensListed)
def list_tokens() -> Response:
    """List my tokens, the oldest first; their texts are not told again."""
    return answer({"tokens": tokens.listed(desk(), _caller())})


@blueprint.route("/me/tokens", methods=["POST"])
@needs("manage")
@blueprint.arguments(TokenWanted)
@blueprint.response(201, TokenShown)
@may_refuse("idempotency_mismatch")
@takes("Idempotency-Key")
def create_token(wanted: dict[str, Any]) -> Response:
    """Make another token, with no more scopes than the one I call with; it is shown this once."""
    made = tokens.create(desk(), _caller(), wanted, idempotency_key())
    return _shown_once(made, f"/v1/me/tokens/{made['id']}")


@blueprint.route("/me/tokens/<id:id>", methods=["DELETE"])
@needs("manage")
@blueprint.response(204)
def revoke_token(id: str) -> Response:
    """Revoke a token, at once; it may be the one I call with."""
    tokens.revoke(desk(), _caller(), id)
    return Response(status=204)
