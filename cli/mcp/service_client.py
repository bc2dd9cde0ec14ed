"""Calls the REST API with an account's token, and says in plain words what went wrong."""

import json
from collections.abc import Mapping
from functools import cached_property
from typing import Any
from urllib.parse import quote, urlencode

import urllib3
from mcp.server.mcpserver.exceptions import ToolError
from urllib3.exceptions import HTTPError

from cli.mcp.others_words import plain

Json = dict[str, Any]
PATIENCE = urllib3.Timeout(connect=10, read=45)
RETRIES = urllib3.Retry(
    total=2,
    redirect=False,
    allowed_methods=None,  # every POST has an idempotency key
    status_forcelist=(502, 503, 504),
    respect_retry_after_header=False,
    backoff_factor=0.3,
    raise_on_status=False,
)
NOT_ACCEPTED = (
    "The service does not accept the token in NIGHTMAIL_TOKEN. Ask your owner for a valid one."
)
NO_SERVICE = "This address does not answer as a service of Nightmail does."


class ServiceError(ToolError):
    """A request failed; holds a sentence for the agent."""


class ServiceClient:
    """Calls one service on behalf of one account."""

    def __init__(self, address: str, token: str) -> None:
        self.address = address.rstrip("/").removesuffix("/v1")
        self._http = urllib3.PoolManager(retries=RETRIES, timeout=PATIENCE)
        self._headers = {"Authorization": f"Bearer {token}", "User-Agent": "nightmail mcp"}

    @cached_property
    def account(self) -> Json:
        """The account of the token; its kind never changes."""
        return self.get("/v1/me")

    def get(self, path: str, **query: Any) -> Json:
        """Read a document; one that has no content is empty."""
        answer = self._call("GET", f"{path}?{urlencode(query, doseq=True)}" if query else path)
        return _document(answer) if answer.status != 204 else {}

    def text(self, path: str) -> str:
        """Read a text."""
        return self._call("GET", path).data.decode(errors="replace")

    def post(self, path: str, body: Json, headers: Mapping[str, str]) -> Json:
        """Send a body with an idempotency key among its headers."""
        return _document(self._call("POST", path, body, headers))

    def _call(
        self, method: str, path: str, body: Json | None = None, headers: Mapping[str, str] = {}
    ) -> urllib3.BaseHTTPResponse:
        try:
            answer = self._http.request(
                method, self.address + path, json=body, headers={**self._headers, **headers}
            )
        except HTTPError as error:
            raise ServiceError(
                f"The service at {self.address} cannot be reached ({type(error).__name__}). "
                "Try the same call again later."
            ) from None
        if answer.status == 401:
            raise ServiceError(NOT_ACCEPTED)
        if not 200 <= answer.status < 300:
            raise ServiceError(_explained(_document(answer), answer.status))
        return answer


def game_path(game: str, rest: str = "") -> str:
    """Return the path of a game, whatever text an agent gives for its id."""
    return f"/v1/games/{quote(game, safe='')}{rest}"


def _document(answer: urllib3.BaseHTTPResponse) -> Json:
    try:
        document = json.loads(answer.data)
    except ValueError:
        document = None
    if not isinstance(document, dict):
        raise ServiceError(NO_SERVICE)
    return document


def _explained(problem: Json, status: int) -> str:
    """Return a problem in words: the sentence, the rule, and what else helps."""
    parts = [plain(str(problem.get("detail", f"The service answered with status {status}.")))]
    if rule := problem.get("rule"):
        parts.append(f"The rule is {rule}; explain_rule has its text.")
    if candidates := problem.get("candidates"):
        parts.append(f"It could mean: {'; '.join(map(plain, candidates))}.")
    if problem.get("code") == "stale":
        parts.append("Call read_menu again and decide anew.")
    if seconds := problem.get("retry_after"):
        parts.append(f"Try again after {seconds} seconds.")
    return " ".join([*parts, f"(code: {problem.get('code', 'none')})"])
