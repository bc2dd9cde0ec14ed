"""Tokens, as a service has given them; they can be kept in a file."""

import json
import time
from dataclasses import asdict, dataclass, field, replace
from typing import Self

EARLY = 30.0
"""Seconds before its end at which a token is renewed."""


@dataclass(frozen=True)
class Tokens:
    """An access token, and what renews it once it has expired."""

    access_token: str = field(repr=False)
    refresh_token: str | None = field(default=None, repr=False)
    expires_at: float | None = None
    """When the access token expires, in seconds since 1970."""
    scope: str = ""
    client_id: str = ""
    issuer: str = ""
    """The address of the service that renews them."""

    @property
    def can_be_renewed(self) -> bool:
        """Whether there is a refresh token."""
        return bool(self.refresh_token and self.issuer)

    def is_expiring(self) -> bool:
        """Whether the access token has expired, or is about to."""
        return self.expires_at is not None and time.time() > self.expires_at - EARLY

    def kept_by(self, renewed: Self) -> Self:
        """Return the renewed tokens with the old refresh token, if it stays the same."""
        if renewed.refresh_token:
            return renewed
        return replace(renewed, refresh_token=self.refresh_token)

    def to_json(self) -> str:
        """Write the tokens out; keep the text secret, since it gives access."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Read tokens that `to_json` has written."""
        return cls(**json.loads(text))
