"""The endpoints that apps call: tokens, revoking, codes for devices, and the metadata.

They answer in the form that RFC 6749 gives to errors, and pages of any site may call them.
"""

from typing import Any

from authlib.oauth2 import OAuth2Error
from authlib.oauth2.rfc6749 import InvalidClientError, InvalidGrantError
from authlib.oauth2.rfc8414 import AuthorizationServerMetadata
from flask import Blueprint, Response, jsonify
from flask.typing import ResponseReturnValue

from api.http.app_state import app_state
from api.http.desk import desk
from api.http.headers import OAUTH_METADATA
from api.http.problems import TABLE
from api.http.request import current_request
from api.oauth.models import GRANT_TYPES, PUBLIC
from api.oauth.requests import ProtocolRequest, form_request
from api.oauth.server import server
from engine import Refusal
from service.people.oauth import clients
from service.people.oauth.clients import APP_SCOPES

LATER = {429: "temporarily_unavailable", 503: "temporarily_unavailable", 500: "server_error"}
"""The error for a refusal of ours with this status; for any other it is `invalid_request`."""

blueprint = Blueprint("oauth", __name__)


@blueprint.route("/oauth/token", methods=["POST"])
def token() -> ResponseReturnValue:
    """Exchange a code, a device code or a refresh token for new tokens."""
    return _counted(server.create_token_response(_app_request()))


@blueprint.route("/oauth/revoke", methods=["POST"])
def revoke() -> ResponseReturnValue:
    """End the grant to which a token belongs."""
    return _counted(server.create_endpoint_response("revocation", _app_request()))


@blueprint.route("/oauth/device-authorization", methods=["POST"])
def device_authorization() -> ResponseReturnValue:
    """Give a device its codes; each makes a row, so their number per address is limited."""
    app_state().limiter.count_device()
    response: Response = server.create_endpoint_response("device_authorization", _app_request())
    return response


def _app_request() -> ProtocolRequest:
    """Read a request of an app, which has an id and no secret."""
    request = form_request()
    if not clients.is_client_id(request.payload.client_id or ""):
        raise InvalidClientError("The client_id is missing, too long, or not plain ASCII text.")
    if "client_secret" in request.payload.data:
        raise InvalidClientError("Apps have no secrets here; leave out the client_secret.")
    return request


def _counted(response: Response) -> Response:
    """Count codes and tokens that are not valid, like wrong tokens of the API."""
    body: Any = response.get_json(silent=True)
    if isinstance(body, dict) and body.get("error") == InvalidGrantError.error:
        app_state().limiter.count_failure(current_request())
    return response


@blueprint.route(OAUTH_METADATA)
def metadata() -> ResponseReturnValue:
    """Describe this server to apps (RFC 8414)."""
    url = desk().settings.public_url
    described = AuthorizationServerMetadata(
        issuer=url,
        authorization_endpoint=f"{url}/oauth/authorize",
        token_endpoint=f"{url}/oauth/token",
        revocation_endpoint=f"{url}/oauth/revoke",
        device_authorization_endpoint=f"{url}/oauth/device-authorization",
        scopes_supported=list(APP_SCOPES),
        response_types_supported=["code"],
        response_modes_supported=["query"],
        grant_types_supported=list(GRANT_TYPES),
        token_endpoint_auth_methods_supported=[PUBLIC],
        revocation_endpoint_auth_methods_supported=[PUBLIC],
        code_challenge_methods_supported=["S256"],
        authorization_response_iss_parameter_supported=True,
        service_documentation=f"{url}/docs",
    )
    response = jsonify(described)
    response.headers["Cache-Control"] = "public, max-age=3600"
    return response


@blueprint.errorhandler(OAuth2Error)
def _protocol_error(error: OAuth2Error) -> Response:
    """Answer a request that could not even be read."""
    response: Response = server.handle_error_response(None, error)
    return response


@blueprint.errorhandler(Refusal)
def _refused(refusal: Refusal) -> Response:
    """Answer with the error of RFC 6749 that comes nearest to a refusal of ours."""
    status = TABLE[refusal.code].status
    error = LATER.get(status, "invalid_request")
    response = jsonify(error=error, error_description=refusal.sentence)
    response.status_code = status
    if retry_after := getattr(refusal, "more", {}).get("retry_after"):
        response.headers["Retry-After"] = str(retry_after)
    return response
