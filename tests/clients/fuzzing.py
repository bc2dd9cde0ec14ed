"""Hooks for schemathesis, which loads this file in its own process."""

import os
import re
from itertools import count
from typing import Any

import requests
import schemathesis

from api.http.conditions import KEY
from api.http.problems import MEDIA_TYPE, TABLE

URL = "NIGHTMAIL_URL"
TOKEN = "NIGHTMAIL_TOKEN"  # noqa: S105  # the name of an environment variable
TOKEN_ID = "NIGHTMAIL_TOKEN_ID"  # noqa: S105  # the name of an environment variable

UNSAYABLE = {
    ("change_me", "absences"): "they lie ahead, in order, and not too many a year",
    ("change_me", "email"): "what an address is",
    ("change_me", "name"): "what people can see and tell from other names",
    ("change_me", "notifications"): "they begin and end at different times",
    ("change_me", "time_zone"): "the zones of the IANA",
    ("create_account", "email"): "what an address is",
    ("create_account", "name"): "what people can see and tell from other names",
    ("create_account", "time_zone"): "the zones of the IANA",
    ("create_token", "expires"): "it lies ahead",
    ("create_token", "label"): "what people can see",
    ("change_webhook", "game"): "a game that I may know of",
    ("change_webhook", "types"): "what a hook can be told",
    ("change_webhook", "url"): "an address that may be called",
    ("create_webhook", "game"): "a game that I may know of",
    ("create_webhook", "types"): "what a hook can be told",
    ("create_webhook", "url"): "an address that may be called",
    ("change_destination", "game"): "a game in which I play",
    ("change_destination", "label"): "what people can see",
    ("change_destination", "types"): "what a destination can be told",
    ("create_destination", "address"): "the inputs of a channel",
    ("create_destination", "channel"): "the channels there are",
    ("create_destination", "game"): "a game in which I play",
    ("create_destination", "label"): "what people can see",
    ("create_destination", "types"): "what a destination can be told",
    ("create_destination", "url"): "an address that may be called",
    ("create_invitation", "email"): "an address to which mail can go",
    ("create_invitation", "name"): "what people can see",
    ("empty_notebook", "If-Match"): "a version in quotes",
    ("replace_notebook", "If-Match"): "a version in quotes",
    ("replace_notebook", "notes"): "what people can see",
    ("replace_notebook", "sketch"): "routes of the board",
    ("give_orders", "text"): "orders that can be read",
    ("list_deliveries", "cursor"): "only what a Link header has told",
    ("list_decisions", "cursor"): "only what a Link header has told",
    ("list_games", "cursor"): "only what a Link header has told",
    ("make_move", "action"): "an option, of which there are others at every move",
    ("make_move", "If-Match"): "a version in quotes",
    ("make_move", "text"): "an option, of which there are others at every move",
    ("open_bot_games", "board"): "the boards there are",
    ("open_bot_games", "bots"): "as many as the board has seats for",
    ("open_bot_games", "commitments"): "as many as games, and together with a nonce",
    ("open_bot_games", "nonce"): "what people can see, and together with commitments",
    ("open_bot_games", "opponents"): "bots that let themselves be challenged",
    ("open_bot_games", "title"): "what people can see",
    ("open_bot_games", "variants"): "those of the board that go together",
    ("open_game", "board"): "the boards there are",
    ("open_game", "bots"): "they leave a seat",
    ("open_game", "clock"): "times and zones that go together",
    ("open_game", "commitment"): "together with a nonce",
    ("open_game", "nonce"): "what people can see, and together with a commitment",
    ("open_game", "seats"): "as many as the board has",
    ("open_game", "title"): "what people can see",
    ("open_game", "variants"): "those of the board that go together",
    ("read_board", "variant"): "those of the board that go together",
    ("read_ladder", "board"): "the boards there are",
    ("read_ladder", "cursor"): "only what a Link header has told",
    ("send_message", "text"): "what people can see",
    ("take_seat", "nonce"): "what people can see",
}
"""Values that may be refused although they fit the schema, which cannot say so, and why."""

Case = schemathesis.Case[Any]
numbers = count(1)


@schemathesis.auth(refresh_interval=None)
class Bearer:
    """One token for all operations, except that each deletion gets a new account."""

    def get(self, case: Case, _: schemathesis.AuthContext) -> str:
        """Return the token for this call."""
        if _name(case) != "delete_me":
            return os.environ[TOKEN]
        body = {"name": f"Mayfly {next(numbers)}"}
        made = requests.post(f"{os.environ[URL]}/v1/accounts", json=body, timeout=30)
        return str(made.json()["token"]["token"])

    def set(self, case: Case, data: str, _: schemathesis.AuthContext) -> None:
        """Send the token in the Authorization header."""
        case.headers["Authorization"] = f"Bearer {data}"


@schemathesis.hook
def before_call(_: schemathesis.HookContext, case: Case, kwargs: Any) -> None:
    """Keep the token of the test from being revoked, and shorten long polls."""
    del kwargs
    if _name(case) == "revoke_token" and case.path_parameters.get("id") == os.environ[TOKEN_ID]:
        case.path_parameters["id"] = "another"
    key = str(case.headers.get("Idempotency-Key", ""))
    if _name(case) in ("create_token", "renew_calendar") and KEY.fullmatch(key):
        # A repeated key returns the same token or link, or 410 if that is gone by now.
        case.headers["Idempotency-Key"] = f"{key[:240]} {next(numbers)}"
    if str(case.query.get("wait")).isdigit() and int(case.query["wait"]) <= 60:
        case.query["wait"] = 0


@schemathesis.hook
def filter_failure(
    _: schemathesis.HookContext,
    failure: Any,
    case: Case,
    response: schemathesis.Response,
) -> bool:
    """Keep every failure, except for rules that a schema cannot express."""
    if failure.code == "ST201" and response.status_code == 412:
        return False  # a stale version is refused before the action is read
    if failure.code != "ST202":
        return True
    problem = response.json()
    if response.status_code in (412, 422):  # well-formed, but refused for its meaning
        return False
    if "NUL character" in problem["detail"] or _has_fraction(case.body):
        return False
    places = [fault["at"] for fault in problem.get("errors", [])] or [_place(problem["detail"])]
    parts = {re.split(r"[.\[]", place)[0] for place in places}
    return any((_name(case), part) not in UNSAYABLE for part in parts)


@schemathesis.check
def refusals_are_problems(
    _: schemathesis.CheckContext, response: schemathesis.Response, __: Case
) -> None:
    """Every refused request gets a problem response with a listed code."""
    if response.status_code < 400:
        return
    kind = response.headers.get("content-type", [""])[0]
    assert MEDIA_TYPE == kind, f"{response.status_code} is {kind}"
    problem = response.json()
    assert response.status_code == problem["status"] == TABLE[problem["code"]].status


def _name(case: Case) -> str:
    return str(case.operation.definition.raw["operationId"])


def _has_fraction(value: object) -> bool:
    """Whether a value contains a number such as 3.0: an integer to a schema, but not to the API."""
    if isinstance(value, dict):
        return any(map(_has_fraction, value.values()))
    if isinstance(value, list):
        return any(map(_has_fraction, value))
    return isinstance(value, float)


def _place(detail: str) -> str:
    """The place of an error that only the detail names."""
    if "If-Match" in detail:
        return "If-Match"
    if detail.startswith("Step "):
        return "text"
    return "cursor" if "cursor" in detail else "action"
