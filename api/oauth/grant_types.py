"""The three ways to get tokens: with a code, with a refresh token, and with a device code."""

import re
from typing import Any

from authlib.oauth2.rfc6749 import (
    AuthorizationCodeGrant,
    InvalidGrantError,
    InvalidRequestError,
    RefreshTokenGrant,
)
from authlib.oauth2.rfc7636 import CodeChallenge
from authlib.oauth2.rfc8628 import DeviceCodeGrant

from api.http.desk import desk
from api.oauth.models import PUBLIC, Client, Code, DeviceCredential, Holder, Token
from api.oauth.requests import ProtocolRequest
from service.people.oauth import clients, codes, devices, grants
from service.people.oauth.grants import Approval, TokenTexts

NO_LONGER_VALID = "It is not valid: unknown, expired, revoked, or used before."


class S256(CodeChallenge):
    """PKCE, always with a hash: with a plain challenge, who reads the request has the verifier."""

    DEFAULT_CODE_CHALLENGE_METHOD = "S256"
    SUPPORTED_CODE_CHALLENGE_METHOD = ("S256",)
    SHA256_IN_BASE64 = re.compile(r"[A-Za-z0-9_-]{43}")

    def validate_code_challenge(self, grant: "CodeGrant", redirect_uri: str) -> None:
        """Require a challenge; Authlib itself lets requests without one pass."""
        fields = grant.request.payload.data
        if fields.get("code_challenge_method") not in self.SUPPORTED_CODE_CHALLENGE_METHOD:
            raise InvalidRequestError("The code_challenge_method must be S256.")
        if not self.SHA256_IN_BASE64.fullmatch(fields.get("code_challenge", "")):
            raise InvalidRequestError("The code_challenge must be a SHA-256 hash in base64url.")
        super().validate_code_challenge(grant, redirect_uri)


class CodeGrant(AuthorizationCodeGrant):
    """Authorization codes: made when somebody agrees, and exchanged by the app."""

    TOKEN_ENDPOINT_AUTH_METHODS = (PUBLIC,)

    def generate_authorization_code(self) -> str:
        return codes.new_text()

    def save_authorization_code(self, code: str, request: ProtocolRequest) -> None:
        """Store the code for the visitor who agreed, in the session in which they did."""
        fields, caller = request.payload.data, request.user.caller
        redirect = clients.redirect_of(fields["redirect_uri"])
        approval = Approval(
            caller.account,
            request.client.client_id,
            redirect.origin if redirect else None,
            request.scope,
            caller.token,
        )
        codes.store(desk(), code, approval, fields["redirect_uri"], fields["code_challenge"])

    def query_authorization_code(self, code: str, client: Client) -> Code:
        stored = codes.unused(desk(), code, client.client_id)
        if stored is None:
            raise InvalidGrantError(NO_LONGER_VALID)
        return Code(stored)

    def authenticate_user(self, authorization_code: Code) -> Holder:
        return Holder(authorization_code.stored.account)

    def save_token(self, token: dict[str, Any]) -> None:
        """Store the tokens and use up the code, in one transaction."""
        stored = self.request.authorization_code.stored
        if not codes.redeem(desk(), stored, _texts(token)):
            raise InvalidGrantError(NO_LONGER_VALID)

    def delete_authorization_code(self, authorization_code: Code) -> None:
        """Do nothing: the code is used up with the tokens, and kept to notice when it is reused."""


class RefreshGrant(RefreshTokenGrant):
    """Refresh tokens, each of which works once."""

    TOKEN_ENDPOINT_AUTH_METHODS = (PUBLIC,)
    INCLUDE_NEW_REFRESH_TOKEN = True

    def authenticate_refresh_token(self, refresh_token: str) -> Token:
        grant = grants.grant_to_refresh(desk(), refresh_token)
        if grant is None:
            raise InvalidGrantError(NO_LONGER_VALID)
        return Token(grant, refresh_token)

    def authenticate_user(self, refresh_token: Token) -> Holder:
        return Holder(refresh_token.grant.account, refresh_token.text)

    def save_token(self, token: dict[str, Any]) -> None:
        """Replace the tokens of the grant, in one transaction."""
        before = self.request.refresh_token
        if not grants.refresh(desk(), before.grant, before.text, _texts(token), token["scope"]):
            raise InvalidGrantError(NO_LONGER_VALID)

    def revoke_old_credential(self, refresh_token: Token) -> None:
        """Do nothing: the old refresh token was replaced together with the access token."""


class DeviceGrant(DeviceCodeGrant):
    """Device codes, with which a device polls until somebody has decided."""

    TOKEN_ENDPOINT_AUTH_METHODS = (PUBLIC,)

    def query_device_credential(self, device_code: str) -> DeviceCredential:
        device = devices.by_device_code(desk(), device_code)
        if device is None:
            raise InvalidGrantError(NO_LONGER_VALID)
        return DeviceCredential(device)

    def query_user_grant(self, user_code: bytes) -> tuple[Holder, bool] | None:
        decision = devices.decision(desk(), user_code)
        return (Holder(decision.account), decision.approved) if decision else None

    def should_slow_down(self, credential: DeviceCredential) -> bool:
        return devices.polls_too_fast(desk(), credential.device)

    def save_token(self, token: dict[str, Any]) -> None:
        """Store the tokens and use up the device code, in one transaction."""
        if not devices.redeem(desk(), self.request.credential.device, _texts(token)):
            raise InvalidGrantError(NO_LONGER_VALID)


def _texts(token: dict[str, Any]) -> TokenTexts:
    return TokenTexts(token["access_token"], token["refresh_token"])
