"""What Authlib asks clients, codes and tokens; the answers come from the service."""

from typing import NamedTuple

from authlib.oauth2.rfc6749 import AuthorizationCodeMixin, ClientMixin, TokenMixin
from authlib.oauth2.rfc8628 import DEVICE_CODE_GRANT_TYPE, DeviceCredentialMixin

from api.http.desk import desk
from service.people.oauth import clients, devices
from service.people.oauth.rows import AuthorizationCode, Device, Grant

GRANT_TYPES = ("authorization_code", "refresh_token", DEVICE_CODE_GRANT_TYPE)
PUBLIC = "none"
"""How an app authenticates itself: not at all, since anyone could read its secret."""


class Holder(NamedTuple):
    """For whom tokens are made; with the refresh token that they replace."""

    account: str
    refresh_token: str | None = None


class Client(ClientMixin):
    """An app that nobody has registered."""

    def __init__(self, client_id: str) -> None:
        self.client_id = client_id

    def get_client_id(self) -> str:
        return self.client_id

    def get_default_redirect_uri(self) -> None:
        """Return none: every request names its redirect address."""

    def get_allowed_scope(self, scope: str | None) -> str | None:
        return clients.scopes_of(scope)

    def check_redirect_uri(self, redirect_uri: str) -> bool:
        return clients.redirect_of(redirect_uri) is not None

    def check_client_secret(self, client_secret: str) -> bool:  # noqa: ARG002  # Authlib's signature
        return False

    def check_endpoint_auth_method(self, method: str, endpoint: str) -> bool:  # noqa: ARG002  # Authlib's signature
        return method == PUBLIC

    def check_response_type(self, response_type: str) -> bool:
        return response_type == "code"

    def check_grant_type(self, grant_type: str) -> bool:
        return grant_type in GRANT_TYPES


class Code(AuthorizationCodeMixin):
    """An authorization code that may still be used."""

    code_challenge_method = "S256"

    def __init__(self, stored: AuthorizationCode) -> None:
        self.stored = stored
        self.code_challenge = stored.challenge

    def get_redirect_uri(self) -> str:
        return self.stored.redirect_uri

    def get_scope(self) -> str:
        return self.stored.scopes


class Token(TokenMixin):
    """An access token or refresh token, with its grant."""

    def __init__(self, grant: Grant, text: str) -> None:
        self.grant = grant
        self.text = text

    def check_client(self, client: Client) -> bool:
        return self.grant.client == client.client_id

    def get_scope(self) -> str:
        return self.grant.scopes


class DeviceCredential(DeviceCredentialMixin):
    """A device that asks whether it has been approved."""

    def __init__(self, device: Device) -> None:
        self.device = device

    def get_client_id(self) -> str:
        return self.device.client

    def get_scope(self) -> str:
        return self.device.scopes

    def get_user_code(self) -> bytes:
        """Return the hash of the user code; the code itself is not stored."""
        return self.device.user_code

    def is_expired(self) -> bool:
        return devices.is_expired(desk(), self.device)
