"""For whoever watches the service: is it alive, is it ready, what has it done."""

import marshmallow as ma
from flask import Response
from prometheus_client import CONTENT_TYPE_LATEST

from api.fields import Answer
from api.frame import frame
from api.problems import Problem
from api.spec import Blueprint, may_refuse

blueprint = Blueprint("health", __name__, description="Alive, ready, counted.")
blueprint.always = ("unreadable",)

UNCOUNTED = frozenset({"health.healthz", "health.readyz", "health.metrics"})
"""Endpoints that have no rate limit: those who watch ask often, and must not be turned away."""


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
def metrics() -> Response:
    """Give the counters in Prometheus' text format."""
    return Response(frame().metrics.text(), content_type=CONTENT_TYPE_LATEST)
