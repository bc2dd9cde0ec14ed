"""Operations on accounts and tokens."""

from typing import Any, cast

from flask import Response

from api.http.app_state import app_state
from api.http.auth import caller
from api.http.conditions import idempotency_key
from api.http.desk import desk, json_response
from api.http.rate_limits import client_network
from api.schemas.account_schemas import (
    Account,
    AccountRequest,
    AccountUpdate,
    CalendarLink,
    NewAccount,
    NewToken,
    RevokedTokens,
    TokenList,
    TokenRequest,
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
    """Return the caller with the type that `tokens.caller_of` returns."""
    return cast(Caller, caller())


def _shown_once(document: dict[str, Any], location: str) -> Response:
    """Make a response with a token in it, which must not be cached."""
    response = json_response(document, 201)
    response.headers["Cache-Control"] = "no-store"
    response.headers["Location"] = location
    return response


@blueprint.route("/accounts", methods=["POST"])
@blueprint.arguments(AccountRequest)
@blueprint.response(201, NewAccount)
@may_refuse("name_taken", "gone", "idempotency_mismatch")
@takes_long_key
def create_account(body: dict[str, Any]) -> Response:
    """Create an account and its first token.

    This needs no token; the number of new accounts per IP address is limited. The token is shown
    only once. Here an `Idempotency-Key` needs at least 16 characters, since anyone who knows it
    can get the token again.
    """
    key = idempotency_key()
    app_state().limiter.count_account()
    return _shown_once(accounts.create(desk(), body, key, client_network()), "/v1/me")


@blueprint.route("/me")
@needs("read")
@blueprint.response(200, Account)
def read_me() -> Response:
    """Get your account.

    It has your settings, your address and whether it is confirmed, and the link to your calendar.
    Connected apps do not see the address or the link; both are null for them.
    """
    return json_response(accounts.me(desk(), _caller()))


@blueprint.route("/me", methods=["PATCH"])
@needs("manage")
@blueprint.arguments(AccountUpdate, required=False)
@blueprint.response(200, Account)
@may_refuse("name_taken")
def change_me(body: dict[str, Any]) -> Response:
    """Update your account; fields that are left out stay as they are.

    If your address is confirmed, a new one waits as `new_email` until you follow the link in the
    confirmation email; the old address is then notified. Send the old address again to cancel the
    change or, if mail to it bounced (`bounced`), to confirm it again. Anyone who reads your mail
    can sign in, so changing `email` requires a token with all scopes.
    """
    return json_response(accounts.change(desk(), _caller(), body, client_network()))


@blueprint.route("/me", methods=["DELETE"])
@needs("manage")
@blueprint.response(204)
def delete_me() -> Response:
    """Delete your account, immediately and permanently.

    You leave all open tables and resign from running games. All personal data is deleted; the logs
    of games stay complete, without your name. Hashes of email addresses stay: counts of emails for
    a day, and opt-outs permanently.
    """
    account_deletion.delete(desk(), _caller())
    return Response(status=204)


@blueprint.route("/me/confirmation", methods=["POST"])
@needs(*SCOPES)
@blueprint.response(204)
def resend_confirmation() -> Response:
    """Send the confirmation email again.

    Anyone who follows its link can sign in, so this requires a token with all scopes.
    """
    app_state().limiter.count_sign_in()
    addresses.resend_confirmation(desk(), _caller(), client_network())
    return Response(status=204)


@blueprint.route("/me/calendar", methods=["POST"])
@needs(*SCOPES)
@blueprint.response(201, CalendarLink)
@may_refuse("gone", "idempotency_mismatch")
@takes("Idempotency-Key")
def renew_calendar() -> Response:
    """Create a new calendar link; the previous one stops working immediately.

    The link shows your games without a token, so this requires a token with all scopes.
    """
    return json_response(calendar.renew(desk(), _caller(), idempotency_key()), 201)


@blueprint.route("/me/tokens")
@needs("read", apps=False)
@blueprint.response(200, TokenList)
def list_tokens() -> Response:
    """List your tokens, oldest first, without their secret texts.

    The sessions of browsers are not listed.
    """
    return json_response({"tokens": tokens.list_tokens(desk(), _caller())})


@blueprint.route("/me/tokens", methods=["POST"])
@needs(*SCOPES)
@blueprint.arguments(TokenRequest)
@blueprint.response(201, NewToken)
@may_refuse("gone", "idempotency_mismatch")
@takes("Idempotency-Key")
def create_token(body: dict[str, Any]) -> Response:
    """Create a token; its text is shown only once.

    This requires a token with all scopes. Revoking that token also revokes the new one.
    """
    token = tokens.create(desk(), _caller(), body, idempotency_key())
    return _shown_once(token, f"/v1/me/tokens/{token['id']}")


@blueprint.route("/me/tokens/<id:id>", methods=["DELETE"])
@needs("manage")
@blueprint.response(200, RevokedTokens)
def revoke_token(id: str) -> Response:
    """Revoke a token and all tokens created with it; it may be the one you call with.

    They stop working at once, and streams that were opened with them end.
    """
    return json_response({"revoked": tokens.revoke(desk(), _caller(), id)})
