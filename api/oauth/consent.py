"""The page on which people agree to what an app asks for, or refuse it.

Anybody may name any redirect address, so nobody is sent there unless they have chosen it: a faulty
request gets a page with a link back to the app, and no redirect.
"""

from typing import Any

from authlib.common.urls import add_params_to_uri
from authlib.oauth2 import OAuth2Error
from authlib.oauth2.rfc6749 import InvalidRequestError, UnsupportedResponseTypeError
from flask import Response, url_for

from api.http import headers
from api.http.desk import desk
from api.http.forms import current_form
from api.http.request import current_request
from api.oauth import pending
from api.oauth.requests import ProtocolRequest, query_request
from api.oauth.server import server
from api.site.visit import Pages, page, see_other
from api.site.visitors import visitor
from service.people.oauth import clients
from service.people.oauth.clients import Redirect

CHOICES = ("allow", "deny")

blueprint = Pages("oauth_consent", __name__)


@blueprint.route("/oauth/authorize", methods=["GET", "POST"])
def authorize() -> Response:
    """Show what an app asks for; a choice on the page leads back to the app."""
    if not current_request().query_string and (query := pending.kept_query()):
        return pending.drop(see_other(f"{url_for('oauth_consent.authorize')}?{query}"))
    try:
        if len(current_request().query_string) > pending.LONGEST_QUERY:
            raise InvalidRequestError(f"It is longer than {pending.LONGEST_QUERY} bytes.")
        request = query_request()
    except OAuth2Error as error:
        return _faulty(error.get_error_description())
    client, redirect = _app_of(request)
    if client is None:
        return _faulty("Its client_id is missing, too long, or not plain ASCII text.")
    if redirect is None:
        return _faulty(
            "Its redirect_uri must be an https address, or an http address of this device."
        )
    return _answered(request, client, redirect)


def _app_of(request: ProtocolRequest) -> tuple[str | None, Redirect | None]:
    fields = request.payload.data
    client = fields.get("client_id", "")
    redirect = clients.redirect_of(fields.get("redirect_uri", ""))
    return client if clients.is_client_id(client) else None, redirect


def _answered(request: ProtocolRequest, client: str, redirect: Redirect) -> Response:
    """Ask the visitor, or do what they have chosen."""
    signed_in = visitor()
    try:
        _check_response_type(request)
        grant = server.get_consent_grant(request, signed_in)
    except OAuth2Error as error:
        return _faulty(error.get_error_description(), client, redirect, error)
    if signed_in is None:
        way_in = url_for("sign_in.form", next=url_for("oauth_consent.authorize"))
        return pending.keep(see_other(way_in))
    choice = current_form().text("choice") if current_request().method == "POST" else ""
    if choice not in CHOICES:
        return _asked(client, redirect, request.scope.split())
    user = signed_in if choice == "allow" else None
    response: Response = server.create_authorization_response(request, grant_user=user, grant=grant)
    return pending.drop(see_other(response.headers["Location"]))


def _check_response_type(request: ProtocolRequest) -> None:
    """Refuse other response types; Authlib's own error cannot quote all of them."""
    if request.payload.response_type != "code":
        raise OAuth2Error(
            "The response_type must be code.",
            error=UnsupportedResponseTypeError.error,
            state=request.payload.state,
        )


def _asked(client: str, redirect: Redirect, scopes: list[str]) -> Response:
    response = page(
        "oauth/consent",
        client=client,
        redirect=redirect,
        scopes=scopes,
        here=f"{url_for('oauth_consent.authorize')}?{current_request().query_string.decode()}",
    )
    return _safe(response, redirect)


def _safe(response: Response, redirect: Redirect) -> Response:
    """Let the form lead back to the app: browsers apply `form-action` to redirects, too."""
    # A policy cannot name an IPv6 address, so there it names the scheme.
    target = redirect.origin if "[" not in redirect.origin else "http:"
    policy = headers.SITE["Content-Security-Policy"]
    response.headers["Content-Security-Policy"] = policy.replace(
        "form-action 'self'", f"form-action 'self' {target}"
    )
    response.headers["X-Frame-Options"] = "DENY"  # for browsers that know no frame-ancestors
    return response


def _faulty(
    fault: str,
    client: str | None = None,
    redirect: Redirect | None = None,
    error: OAuth2Error | None = None,
) -> Response:
    """Say what is wrong with a request, for its author; the link back tells the app, too."""
    way_back = _error_url(redirect, error) if redirect and error else None
    return page(
        "oauth/faulty", 400, fault=fault, client=client, redirect=redirect, way_back=way_back
    )


def _error_url(redirect: Redirect, error: OAuth2Error) -> str:
    more: list[tuple[str, Any]] = [("iss", desk().settings.public_url)]
    url: str = add_params_to_uri(redirect.uri, [*error.get_body(), *more])
    return url
