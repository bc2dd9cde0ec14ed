"""Receives mail from a mail provider over HTTP; the inbox receives the same by SMTP."""

import hmac
from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from flask import Response
from marshmallow import fields, validate
from werkzeug.exceptions import ClientDisconnected

from api.http.app_state import app_state
from api.http.desk import desk, json_response
from api.http.local_only import is_local_only
from api.http.problems import Problem
from api.http.request import Request, current_request
from api.schemas.fields import QuerySchema, ResponseSchema
from api.schemas.spec import Blueprint, documented, may_refuse
from service.people.profile import LONGEST_ADDRESS
from service.replies import receive
from service.replies.outcomes import OUTCOMES
from service.replies.receive import MOST_BYTES, IncomingMail

P = ParamSpec("P")
R = TypeVar("R")

MEDIA_TYPE = "message/rfc822"
PLAIN_BYTES = "application/octet-stream"
"""Generated clients can send this media type; not all of them can send the other."""

blueprint = Blueprint("inbound", __name__, url_prefix="/v1", description="Incoming mail.")


class InboundMailQuery(QuerySchema):
    """The envelope of an email, and what the provider has verified."""

    recipient = fields.String(
        required=True,
        validate=validate.Length(1, LONGEST_ADDRESS),
        metadata={
            "description": "The envelope recipient: the address of ours that it was sent to.",
            "example": "reply-x7fzq@nightmail.example",
        },
    )
    sender = fields.String(
        load_default="unknown",
        validate=validate.Length(0, LONGEST_ADDRESS),
        metadata={
            "description": "The envelope sender; empty for the null sender.",
            "example": "ada@example.org",
        },
    )
    dmarc = fields.String(
        load_default="none",
        validate=validate.OneOf(["pass", "fail", "none"]),
        metadata={
            "description": "The result of the DMARC check of the From domain, if it was made.",
            "example": "pass",
        },
    )


class InboundMailResult(ResponseSchema):
    """What was done with an email."""

    became = fields.String(
        required=True,
        validate=validate.OneOf(OUTCOMES),
        metadata={
            "description": "`answered`; `unanswered`: carried out, but mail to the player bounces; "
            "`unsure`: the player was asked to confirm it; `held`: kept for the player to see; "
            "`seen` before; `bounced`: a letter was refused or unwelcome; `automatic` reply; "
            "`ignored`."
        },
    )


def requires_secret(view: Callable[P, R]) -> Callable[P, R]:
    """Require INBOUND_SECRET; if none is set, only accept requests from this machine.

    Requests that come through a proxy on this machine do not count as local.
    """

    @wraps(view)
    def guarded(*args: P.args, **more: P.kwargs) -> R:
        request, secret = current_request(), app_state().settings.inbound_secret
        header = request.headers.get("Authorization")
        if secret is None and not is_local_only(request, app_state().settings):
            raise Problem("not_found")
        if secret is not None or header is not None:
            _, _, token = (header or "").partition(" ")
            if not hmac.compare_digest(token.strip().encode(), (secret or "").encode()):
                app_state().limiter.count_failure(request)
                raise Problem("unauthenticated", "This requires the secret in INBOUND_SECRET.")
        return view(*args, **more)

    return documented(guarded, security=[{}, {"token": []}], refusals=["unauthenticated"])


@blueprint.route("/inbound", methods=["POST"])
@requires_secret
@blueprint.arguments(InboundMailQuery, location="query")
@blueprint.response(202, InboundMailResult)
@may_refuse("not_found", "too_large", "unsupported_media_type")
@blueprint.doc(
    requestBody={
        "required": True,
        "description": "The complete raw email, headers included; at most 1 MiB. "
        f"`{MEDIA_TYPE}` is accepted as well.",
        "content": {PLAIN_BYTES: {"schema": {"type": "string", "format": "binary"}}},
    }
)
def receive_mail(query: dict[str, Any]) -> Response:
    """Deliver an email that was sent to one of our addresses; it is stored before the response.

    It is for mail providers and mail servers. It requires the secret in INBOUND_SECRET; if none is
    set, only requests from this machine are accepted. The same email may be delivered twice.
    """
    arrived = IncomingMail(
        _raw(current_request()),
        query["sender"],
        query["recipient"],
        passed=query["dmarc"] == "pass",
        failed=query["dmarc"] == "fail",
    )
    became = receive.receive(desk(), arrived)
    current_request().log_fields["became"] = became
    return json_response({"became": became}, 202)


def _raw(request: Request) -> bytes:
    if request.mimetype not in (MEDIA_TYPE, PLAIN_BYTES):
        raise Problem("unsupported_media_type", f"Send the raw email as {MEDIA_TYPE}.")
    request.max_content_length = MOST_BYTES + 1
    try:
        raw = request.get_data(cache=False)
    except (OSError, ClientDisconnected):
        raise Problem("unreadable", "The body is broken or incomplete.") from None
    if len(raw) > MOST_BYTES:
        raise Problem("too_large", "An email must not be larger than 1 MiB.")
    return raw
