"""What is learned about a request on its way in: who calls, and how much of a rate is left."""

from typing import NamedTuple, Protocol


class Caller(Protocol):
    """Who is calling, by which token, and what the token allows."""

    @property
    def account(self) -> str: ...
    @property
    def token(self) -> str: ...
    @property
    def scopes(self) -> frozenset[str]: ...
    @property
    def expires(self) -> str | None: ...


class Allowance(NamedTuple):
    """What is left of a rate in the present window."""

    limit: int
    remaining: int
    reset: int
    """Seconds until the window ends."""
