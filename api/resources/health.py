"""Health checks and metrics for monitoring."""

import hmac
from typing import Any

from flask import Response
from marshmallow import fields
from prometheus_client import CONTENT_TYPE_LATEST

from api.http.app_state import app_state
from api.http.local_only import is_from_this_machine
from api.http.problems import Problem
from api.http.request import current_request
from api.schemas.fields import ResponseSchema, text_field
from api.schemas.spec import Blueprint, may_refuse
from service import readiness

blueprint = Blueprint("health", __name__, description="Health checks and metrics.")

MONITORING = frozenset({"health.healthz", "health.readyz", "health.metrics"})
"""Endpoints with a rate limit of their own, so that other requests cannot block monitoring."""


class Health(ResponseSchema):
    """The status of the service."""

    status = text_field(
        "`alive`: the process runs; `ready`: it can serve requests.", enum=["alive", "ready"]
    )


class Readiness(Health):
    """Whether requests can be served, and what an operator should look at."""

    warnings = fields.List(
        fields.String(),
        required=True,
        metadata={"description": "What an operator should look at; empty if there is nothing."},
    )


@blueprint.route("/healthz")
@blueprint.response(200, Health)
def healthz() -> dict[str, str]:
    """Check that the process is alive.

    It looks at nothing else, not even at the database.
    """
    return {"status": "alive"}


@blueprint.route("/readyz")
@blueprint.response(200, Readiness)
@may_refuse("unavailable")
def readyz() -> dict[str, Any]:
    """Check that requests can be served: the database answers and its schema is current.

    If not, the response is 503, and `faults` says why. If it is ready, `warnings` says what an
    operator should look at, such as mail providers that refuse most letters.
    """
    if faults := app_state().ready():
        raise Problem("unavailable", "; ".join(faults), faults=list(faults))
    return {"status": "ready", "warnings": readiness.warnings(app_state().refusing())}


@blueprint.route("/metrics")
@blueprint.response(
    200, {"type": "string", "description": "The metrics."}, content_type="text/plain"
)
@may_refuse("not_found", "unauthenticated")
@blueprint.doc(security=[{}, {"token": []}])
def metrics() -> Response:
    """Get the metrics in Prometheus' text format, from this machine or with METRICS_TOKEN.

    If METRICS_TOKEN is not set, other machines get 404.
    """
    if not is_from_this_machine(current_request(), app_state().settings):
        _require_metrics_token()
    return Response(
        app_state().metrics.text(app_state().refusing()), content_type=CONTENT_TYPE_LATEST
    )


def _require_metrics_token() -> None:
    """Refuse a request without METRICS_TOKEN; if none is set, answer 404."""
    expected, request = app_state().settings.metrics_token, current_request()
    if expected is None:
        raise Problem("not_found")
    _, _, token = request.headers.get("Authorization", "").partition(" ")
    if not hmac.compare_digest(token.strip().encode(), expected.encode()):
        app_state().limiter.count_failure(request)
        raise Problem("unauthenticated", "This requires the token in METRICS_TOKEN.")
