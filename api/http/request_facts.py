"""Facts about a request: its caller, and what is left of its rate limit."""

from typing import NamedTuple, Protocol


class Caller(Protocol):
    """The account that calls, its token, and the scopes of that token."""

    @property
    def account(self) -> str: ...
    @property
    def token(self) -> str: ...
    @property
    def scopes(self) -> frozenset[str]: ...
    @property
    def expires(self) -> str | None: ...
    @property
    def is_app(self) -> bool: ...


class Allowance(NamedTuple):
    """What is left of a rate limit in the current window."""

    limit: int
    remaining: int
    reset: int
    """Seconds until the window ends."""
