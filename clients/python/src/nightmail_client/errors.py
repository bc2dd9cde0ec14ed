"""Exceptions of this package; all derive from `NightmailError`."""

from http import HTTPStatus
from typing import Any

import httpx


class NightmailError(Exception):
    """Something went wrong between this program and the service."""


class Unreachable(NightmailError):
    """No response arrived, however often the request was sent."""


class ApiError(NightmailError):
    """The service refused a request; nothing has changed.

    `code` is stable, `sentence` is for people, and `rule` names the rule that a move would break.
    `problem` is the whole response, with members that only some codes have.
    """

    def __init__(self, response: httpx.Response) -> None:
        self.response = response
        self.status = response.status_code
        self.problem = _problem(response)
        self.code = str(self.problem.get("code", "unknown"))
        fallback = f"The service answered with status {self.status}."
        self.sentence = str(self.problem.get("detail", fallback))
        self.rule: str | None = self.problem.get("rule")
        super().__init__(self.sentence)

    def __str__(self) -> str:
        return f"{self.sentence} [{self.rule or self.code}]"


class BadRequest(ApiError):
    """The request cannot be understood; `faults` says where."""

    @property
    def faults(self) -> list[dict[str, Any]]:
        """The first faults in the request: `at` is the place, `detail` the sentence."""
        return list(self.problem.get("errors", []))


class Unauthenticated(ApiError):
    """The request has no valid token."""


class Forbidden(ApiError):
    """The token does not allow this."""


class NotFound(ApiError):
    """There is no such thing, or none that this account can see."""


class Gone(ApiError):
    """What an earlier request with this key created does not exist any more."""


class Conflict(ApiError):
    """The request does not fit the present state, for example because a seat is taken."""


class NotAwaited(Conflict):
    """This account has nothing to decide in this game now."""


class GameOver(Conflict):
    """The game is over."""


class Stale(ApiError):
    """The game has moved on since the decision was read."""

    @property
    def version(self) -> int | None:
        """The present version of the game."""
        return self.problem.get("version")


class IllegalMove(ApiError):
    """The rules do not allow this move; `rule` names the rule."""


class AmbiguousMove(ApiError):
    """The move may mean several moves."""

    @property
    def candidates(self) -> list[str]:
        """The moves that it may mean, in the notation."""
        return list(self.problem.get("candidates", []))


class TooManyRequests(ApiError):
    """A limit was reached, and the service asks for a longer pause than the client may wait."""

    @property
    def retry_after(self) -> int | None:
        """Seconds to wait."""
        return self.problem.get("retry_after")


class ServiceFailed(ApiError):
    """The service is down or failed, however often the request was sent."""


class SignInFailed(NightmailError):
    """No token could be obtained; `code` is the error code of OAuth, if the service sent one."""

    def __init__(self, sentence: str, code: str = "") -> None:
        super().__init__(sentence)
        self.code = code


class InvalidLog(NightmailError):
    """A log does not prove what it should; `line` counts from 1, or is 0 for the whole log."""

    def __init__(self, sentence: str, line: int = 0) -> None:
        super().__init__(f"Line {line}: {sentence}" if line else sentence)
        self.line = line


BY_CODE: dict[str, type[ApiError]] = {
    "not_awaited": NotAwaited,
    "game_over": GameOver,
    "illegal": IllegalMove,
    "ambiguous": AmbiguousMove,
}
BY_STATUS: dict[int, type[ApiError]] = {
    HTTPStatus.BAD_REQUEST: BadRequest,
    HTTPStatus.UNAUTHORIZED: Unauthenticated,
    HTTPStatus.FORBIDDEN: Forbidden,
    HTTPStatus.NOT_FOUND: NotFound,
    HTTPStatus.CONFLICT: Conflict,
    HTTPStatus.GONE: Gone,
    HTTPStatus.PRECONDITION_FAILED: Stale,
    HTTPStatus.TOO_MANY_REQUESTS: TooManyRequests,
}


def error_of(response: httpx.Response) -> ApiError:
    """Return the exception for a refused request; its body must have been read."""
    error = ApiError(response)
    kind = BY_CODE.get(error.code) or BY_STATUS.get(error.status)
    if kind is None:
        kind = ServiceFailed if response.is_server_error else ApiError
    return kind(response)


def _problem(response: httpx.Response) -> dict[str, Any]:
    """Return the problem document; an empty one if something else answered, such as a proxy."""
    try:
        problem = response.json()
    except ValueError:
        return {}
    return problem if isinstance(problem, dict) else {}
