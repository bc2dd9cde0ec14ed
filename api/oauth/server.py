"""The authorization server: Authlib's, with public clients that nobody has registered."""

import logging
from typing import Any

from authlib.integrations.flask_oauth2 import AuthorizationServer
from authlib.oauth2.rfc6749 import InvalidScopeError
from authlib.oauth2.rfc7009 import RevocationEndpoint
from authlib.oauth2.rfc8628 import DeviceAuthorizationEndpoint
from authlib.oauth2.rfc9207 import IssuerParameter

from api.http.desk import desk
from api.oauth.grant_types import S256, CodeGrant, DeviceGrant, RefreshGrant
from api.oauth.models import PUBLIC, Client, Holder, Token
from api.oauth.requests import ProtocolRequest
from service.people.oauth import clients, devices, grants

logging.getLogger("authlib").setLevel(logging.INFO)  # its debug messages contain tokens

DEVICE_PAGE = "/device"
"""The page on which people enter the code of a device; short, since they may have to type it."""


class Server(AuthorizationServer):
    """The authorization server; all that it stores is stored by the service."""

    def query_client(self, client_id: str) -> Client | None:
        """Return the app with this id; nobody registers one, so every proper id is one."""
        return Client(client_id) if clients.is_client_id(client_id) else None

    def create_oauth2_request(self, request: ProtocolRequest) -> ProtocolRequest:
        """Return the request as our views have read it."""
        return request

    def validate_requested_scope(self, scope: str | None) -> None:
        """Refuse scopes that no app is granted, before anything is stored."""
        if clients.scopes_of(scope) is None:
            raise InvalidScopeError(
                f"An app may ask for these scopes: {', '.join(clients.APP_SCOPES)}."
            )

    def send_signal(self, *_: object, **__: object) -> None:
        """Send none; nobody listens."""


class Issuer(IssuerParameter):
    """Names us in every authorization response, so that no other server's can be passed off."""

    def get_issuer(self) -> str:
        return desk().settings.public_url


class Revocation(RevocationEndpoint):
    """Ends a grant by either of its tokens: signing out of an app leaves nothing behind."""

    CLIENT_AUTH_METHODS = (PUBLIC,)

    def query_token(self, token_string: str, token_type_hint: str | None) -> Token | None:  # noqa: ARG002  # the text shows it
        grant = grants.grant_of_token(desk(), token_string)
        return Token(grant, token_string) if grant else None

    def revoke_token(self, token: Token, request: ProtocolRequest) -> None:  # noqa: ARG002  # Authlib's signature
        grants.end(desk(), token.grant)


class DeviceAuthorization(DeviceAuthorizationEndpoint):
    """Gives a device its two codes."""

    CLIENT_AUTH_METHODS = (PUBLIC,)
    EXPIRES_IN = int(devices.LIFETIME.total_seconds())
    INTERVAL = devices.INTERVAL

    def generate_device_code(self) -> str:
        return devices.new_device_code()

    def get_verification_uri(self) -> str:
        return f"{desk().settings.public_url}{DEVICE_PAGE}"

    def save_device_credential(
        self, client_id: str, scope: str | None, data: dict[str, Any]
    ) -> None:
        scopes = clients.scopes_of(scope)
        if scopes is None:
            raise InvalidScopeError
        devices.start(desk(), client_id, scopes, data["device_code"], data["user_code"])


def _new_token(*, user: Holder, scope: str, **_: object) -> dict[str, Any]:
    """Make the texts of an access token and a refresh token; the grant types store them."""
    texts = grants.new_texts(desk(), user.refresh_token)
    return {
        "token_type": "Bearer",
        "access_token": texts.access,
        "expires_in": int(grants.TOKEN_LIFETIME.total_seconds()),
        "refresh_token": texts.refresh,
        "scope": clients.scopes_of(scope),
    }


def _server() -> Server:
    server = Server()
    server.register_token_generator("default", _new_token)
    server.register_grant(CodeGrant, [S256(required=True)])
    server.register_grant(RefreshGrant)
    server.register_grant(DeviceGrant)
    server.register_endpoint(Revocation)
    server.register_endpoint(DeviceAuthorization)
    server.register_extension(Issuer())
    return server


server = _server()
"""It keeps nothing about requests, so all applications share it."""
