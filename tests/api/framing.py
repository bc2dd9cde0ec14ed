"""A test application with the real request handling; it echoes, refuses and fails on demand."""

from collections.abc import Callable
from typing import Any, NamedTuple

import marshmallow as ma
from flask import Flask, Response
from flask.testing import FlaskClient

from api.app import BLUEPRINTS, create_app
from api.http.app_state import app_state
from api.http.auth import caller, maybe_caller
from api.http.conditions import expected_versions, idempotency_key, not_modified, unchanged
from api.http.rate_limits import Limiter
from api.http.request import current_request
from api.schemas.action_schemas import ActionField
from api.schemas.fields import (
    QueryBoolean,
    QueryInteger,
    QuerySchema,
    RequestSchema,
    ResponseSchema,
    StrictBoolean,
    StrictInteger,
)
from api.schemas.scopes import needs, welcomes
from api.schemas.spec import Blueprint, has_etag, may_refuse, takes
from engine.errors import Ambiguous, Illegal, Refusal
from service.notify.mail_providers import Counts
from service.settings import Settings

KEY = "k" * 32
GOOD = "nm_a_token_that_is_known"
BEARER = {"Authorization": f"Bearer {GOOD}"}


class KnownCaller(NamedTuple):
    """A caller whose token is known."""

    account: str
    token: str
    scopes: frozenset[str]
    expires: str | None = None
    is_app: bool = False


KNOWN = {GOOD: KnownCaller("ada", "t1", frozenset({"read", "play"}))}
NOTHING_AMISS: Callable[[], list[str]] = list

blueprint = Blueprint("echo", __name__, description="For tests.")


class Sent(RequestSchema):
    """A body with a field of each strict type."""

    n = StrictInteger()
    flag = StrictBoolean()
    text = ma.fields.String()
    bag = ma.fields.Raw()
    action = ActionField()


class ThingQuery(QuerySchema):
    """A query string with a field of each type."""

    after = QueryInteger()
    mine = QueryBoolean()
    board = ma.fields.String()


class Echoed(ResponseSchema):
    """What was received."""

    got = ma.fields.Raw()


class Stale(Refusal):
    """A refusal of the service with a further member."""

    def __init__(self) -> None:
        super().__init__("stale", "The game has moved on.")
        self.more = {"version": 58}


REFUSALS: dict[str, Exception] = {
    "illegal": Illegal("No.", "R-DBL-1"),
    "ambiguous": Ambiguous("claim", ["claim a", "claim b"]),
    "stale": Stale(),
    "unheard_of": Refusal("unheard_of", "?"),
    "accident": ZeroDivisionError("nm_secret_token and 1/0\r\n{}"),
}


@blueprint.route("/v1/echo", methods=["POST"])
@blueprint.arguments(Sent)
@blueprint.response(200, Echoed)
@takes("If-Match", "Idempotency-Key")
def echo(sent: dict[str, Any]) -> dict[str, Any]:
    """Return the parsed body."""
    versions = expected_versions()
    listed = None if versions is None else sorted(versions)
    return {"got": sent | {"versions": listed, "key": idempotency_key()}}


@blueprint.route("/v1/echo/<id:thing>")
@blueprint.arguments(ThingQuery, location="query")
@blueprint.response(200, Echoed)
def look(query: dict[str, Any], thing: str) -> dict[str, Any]:
    """Return the parsed query."""
    return {"got": query | {"thing": thing}}


@blueprint.route("/v1/lax/<thing>")
@blueprint.response(200, Echoed)
def lax(thing: str) -> dict[str, Any]:
    """Take any string as an id, unlike real views."""
    return {"got": thing}


@blueprint.route("/v1/refusals/<id:code>")
@blueprint.response(200, Echoed)
@may_refuse(*(code for code in REFUSALS if code not in ("unheard_of", "accident")))
def refuse(code: str) -> dict[str, Any]:
    """Refuse."""
    raise REFUSALS[code]


@blueprint.route("/v1/mine")
@needs("play")
@blueprint.response(200, Echoed)
def mine() -> dict[str, Any]:
    """Return the owner of the token."""
    return {"got": caller().account}


@blueprint.route("/v1/managed", methods=["DELETE"])
@needs("manage")
@blueprint.response(204)
def managed() -> None:
    """Require a scope that the token lacks."""


@blueprint.route("/v1/anybodys")
@welcomes
@blueprint.response(200, Echoed)
def anybodys() -> dict[str, Any]:
    """Return the owner of the token, if there is one."""
    known = maybe_caller()
    return {"got": known.account if known else None}


@blueprint.route("/v1/versioned")
@blueprint.response(200, Echoed)
@has_etag
def versioned() -> dict[str, Any] | Response:
    """Return version 57."""
    return not_modified() if unchanged("57") else {"got": 57}


@blueprint.route("/v1/noted", methods=["POST"])
@blueprint.arguments(Sent)
@blueprint.response(200, Echoed)
def noted(sent: dict[str, Any]) -> dict[str, Any]:
    """Log text from a request."""
    current_request().log_fields.update(name=sent["text"])
    return {"got": sent["text"]}


@blueprint.route("/v1/newcomers", methods=["POST"])
@blueprint.response(201, Echoed)
def newcomers() -> dict[str, Any]:
    """Count a new account."""
    limiter: Limiter = app_state().limiter
    limiter.count_account()
    return {"got": "welcome"}


def settings(**environ: str) -> Settings:
    """Make settings that use no folder."""
    return Settings.of({"SECRET_KEYS": KEY, "LOG_FORMAT": "json", **environ})


def application(
    ready: Callable[[], list[str]] = NOTHING_AMISS,
    refusing: Callable[[], list[Counts]] = list,
    **environ: str,
) -> Flask:
    """Create the real application with the test blueprint."""
    chosen = settings(**environ)
    return create_app(
        chosen,
        object(),
        caller_of=lambda token, _: KNOWN.get(token),
        ready=ready,
        refusing=refusing,
        blueprints=(*BLUEPRINTS, blueprint),
    )


def client(**environ: str) -> FlaskClient:
    """Make a client of the test application."""
    return application(NOTHING_AMISS, list, **environ).test_client()
