"""For whoever watches the service: is it alive, is it ready, what has it done."""

import hmac

import marshmallow as ma
from flask import Response
from prometheus_client import CONTENT_TYPE_LATEST

from api.http.edge import asked
from api.http.frame import frame
from api.http.local_only import is_this_machine
from api.http.problems import Problem
from api.schemas.fields import Answer
from api.schemas.spec import Blueprint, may_refuse

blueprint = Blueprint("health", __name__, description="Alive, ready, counted.")

WATCHED = frozenset({"health.healthz", "health.readyz", "health.metrics"})
"""Endpoints with a rate limit of their own: who watches is not turned away for others."""


class Health(Answer):
    """What there is to say."""

    status = ma.fields.String(required=True)


@blueprint.route("/healthz")
@blueprint.response(200, Health)
def healthz() -> dict[str, str]:
    """Say that the process is alive."""
    return {"status": "alive"}


@blueprint.route("/readyz")
@blueprint.response(200, Health)
@may_refuse("unavailable")
def readyz() -> dict[str, str]:
    """Say whether requests can be answered: the database is there and its schema is current."""
    if faults := frame().ready():
        raise Problem("unavailable", "; ".join(faults), faults=list(faults))
    return {"status": "ready"}


@blueprint.route("/metrics")
@blueprint.response(200, {"type": "string"}, content_type="text/plain")
@may_refuse("not_found", "unauthenticated")
@blueprint.doc(security=[{}, {"token": []}])
def metrics() -> Response:
    """Give the counters in Prometheus' text format, to this machine or with METRICS_TOKEN."""
    if not is_this_machine(asked(), frame().settings):
        _require_metrics_token()
    return Response(frame().metrics.text(), content_type=CONTENT_TYPE_LATEST)


def _require_metrics_token() -> None:
    """Refuse a request without the token; where none is set there is no such page."""
    expected, request = frame().settings.metrics_token, asked()
    if expected is None:
        raise Problem("not_found")
    _, _, token = request.headers.get("Authorization", "").partition(" ")
    if not hmac.compare_digest(token.strip().encode(), expected.encode()):
        frame().limiter.fail(request)
        raise Problem("unauthenticated", "This takes the token of METRICS_TOKEN.")
