"""Mail that a provider brings by HTTP, as it came: the same as what the inbox takes in."""

import hmac
from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from flask import Response
from marshmallow import fields, validate
from werkzeug.exceptions import ClientDisconnected

from api.http.desk import answer, desk
from api.http.edge import Request, asked
from api.http.frame import frame
from api.http.local_only import is_ourselves
from api.http.problems import Problem
from api.schemas.fields import Answer, Query
from api.schemas.spec import Blueprint, documented, may_refuse
from service.people.profile import LONGEST_ADDRESS
from service.replies import receive
from service.replies.receive import MOST_BYTES, Arrived

P = ParamSpec("P")
R = TypeVar("R")

MEDIA_TYPE = "message/rfc822"
PLAIN_BYTES = "application/octet-stream"
"""Programs that are made from the document know this one, and not every one knows the other."""
BECAME = ("answered", "unsure", "seen", "bounced", "automatic", "ignored")

blueprint = Blueprint("inbound", __name__, url_prefix="/v1", description="Mail that comes in.")


class LetterBrought(Query):
    """For whom a mail is, from whom, and what its bearer vouches for."""

    recipient = fields.String(
        required=True,
        validate=validate.Length(1, LONGEST_ADDRESS),
        metadata={"description": "Of the envelope: the address of ours that it was sent to."},
    )
    sender = fields.String(
        load_default="unknown",
        validate=validate.Length(0, LONGEST_ADDRESS),
        metadata={"description": "Of the envelope; empty if it is the null sender."},
    )
    dmarc = fields.String(
        load_default="none",
        validate=validate.OneOf(["pass", "fail", "none"]),
        metadata={"description": "`pass` vouches that DMARC has passed for the domain of From."},
    )


class LetterTaken(Answer):
    """What became of a mail."""

    became = fields.String(
        required=True,
        validate=validate.OneOf(BECAME),
        metadata={
            "description": "answered; unsure: its owner was asked to confirm it; seen before; "
            "bounced: mail to an address stops; automatic; ignored."
        },
    )


def vouched(view: Callable[P, R]) -> Callable[P, R]:
    """Let in whoever knows the secret; without one, this very machine while it serves only itself.

    Whoever comes through a proxy on this machine has its address and is still somebody else.
    """

    @wraps(view)
    def guarded(*args: P.args, **more: P.kwargs) -> R:
        request, secret = asked(), frame().settings.inbound_secret
        said = request.headers.get("Authorization")
        if secret is None and not is_ourselves(request, frame().settings):
            raise Problem("not_found")
        if secret is not None or said is not None:
            _, _, shown = (said or "").partition(" ")
            if not hmac.compare_digest(shown.strip().encode(), (secret or "").encode()):
                frame().limiter.fail(request)
                raise Problem("unauthenticated", "This takes the secret of INBOUND_SECRET.")
        return view(*args, **more)

    return documented(guarded, security=[{}, {"token": []}], refusals=["unauthenticated"])


@blueprint.route("/inbound", methods=["POST"])
@vouched
@blueprint.arguments(LetterBrought, location="query")
@blueprint.response(202, LetterTaken)
@may_refuse("not_found", "too_large", "unsupported_media_type")
@blueprint.doc(
    requestBody={
        "required": True,
        "description": "The whole mail as it came, headers first; at most 1 MiB. "
        f"`{MEDIA_TYPE}` is taken as well.",
        "content": {PLAIN_BYTES: {"schema": {"type": "string", "format": "binary"}}},
    }
)
def take_letter(wanted: dict[str, Any]) -> Response:
    """Bring a mail that was sent to one of our addresses; once it is answered, it is stored."""
    arrived = Arrived(
        _raw(asked()), wanted["sender"], wanted["recipient"], passed=wanted["dmarc"] == "pass"
    )
    became = receive.receive(desk(), arrived)
    asked().notes["became"] = became
    return answer({"became": became}, 202)


def _raw(request: Request) -> bytes:
    if request.mimetype not in (MEDIA_TYPE, PLAIN_BYTES):
        raise Problem("unsupported_media_type", f"Send the mail as it came: {MEDIA_TYPE}.")
    request.max_content_length = MOST_BYTES + 1
    try:
        raw = request.get_data(cache=False)
    except (OSError, ClientDisconnected):
        raise Problem("unreadable", "The body is broken, or ends too early.") from None
    if len(raw) > MOST_BYTES:
        raise Problem("too_large", "A mail must not be larger than 1 MiB.")
    return raw
