"""Request headers, path parameters and response headers, as the OpenAPI document describes them."""

import re
from collections.abc import Iterable
from typing import Any

from service.people.accounts import SHORTEST_KEY

Json = dict[str, Any]

TEXT: Json = {"type": "string"}
WHOLE: Json = {"type": "integer"}
ONE_TAG = '(W/)?"[!#-~]*"'

REQUEST_HEADERS: dict[str, Json] = {
    "If-Match": {
        "description": 'The version your request is based on, in quotes, such as `"57"`.',
        "schema": {"type": "string", "pattern": rf"^(\*|{ONE_TAG}( *, *{ONE_TAG})*)$"},
        "example": '"57"',
    },
    "If-None-Match": {
        "description": "The `ETag` you have; the response is 304 if nothing has changed.",
        "schema": TEXT,
        "example": '"57"',
    },
    "Idempotency-Key": {
        "description": "The same key with the same body takes effect once and gets one response.",
        "schema": {"type": "string", "pattern": "^[!-~]([ -~]{0,253}[!-~])?$"},
        "example": "6f1c2ad09be04b7e",
    },
    "Last-Event-ID": {
        "description": "The id of the last event you received from the stream.",
        "schema": TEXT,
        "example": "57",
    },
}
"""The request headers that operations use."""

PATH_PARAMETERS = {
    "id": ("The token's id.", "hg4WRWuAnyEiSBEU7AQ1pf"),
    "board": ("The board's id, from `/v1/boards`.", "usa"),
    "game": ("The game's id.", "g27bsWbEU0QbStkj6BCgtR"),
    "invitation": ("The invitation's id.", "gubY3S1VjbHMN2C0Ffm2cU"),
    "webhook": ("The webhook's id.", "gTmAE1QPJMPsHCstlEIyv9"),
    "destination": ("The destination's id.", "gTmAE1QPJMPsHCstlEIyv9"),
    "delivery": ("The delivery's id.", "d0bix83JvLtZq0DJkzx4um"),
    "signed": ("The signed part of the link in `/v1/me`.", "WyJiZG1OclQ1VlNRYXAiLDBd.feelNYzSTxE"),
}
"""The parameters in paths: what they are, and an example."""

RESPONSE_HEADERS: dict[str, Json] = {
    "Deprecation": {
        "description": "Since when the operation is deprecated (RFC 9745), as a Unix time.",
        "schema": TEXT,
        "example": "@1798761600",
    },
    "ETag": {
        "description": "The version of the response; send it as `If-None-Match` or `If-Match`.",
        "required": True,
        "schema": TEXT,
        "example": '"57"',
    },
    "Idempotent-Replayed": {
        "description": "`true` if the request was carried out before, and this is its response "
        "once more; left out otherwise.",
        "schema": {"type": "string", "enum": ["true"]},
        "example": "true",
    },
    "Link": {
        "description": "Where the next page is, left out on the last page; of a deprecated "
        "operation, where the policy is.",
        "schema": TEXT,
        "example": '</v1/games?cursor=MjAyNi0w&limit=20>; rel="next"',
    },
    "RateLimit-Limit": {
        "description": "How many requests you may make in a window of time.",
        "schema": WHOLE,
        "example": 600,
    },
    "RateLimit-Remaining": {
        "description": "How many of them are left in this window.",
        "schema": WHOLE,
        "example": 597,
    },
    "RateLimit-Reset": {
        "description": "Seconds until the next window begins.",
        "schema": WHOLE,
        "example": 42,
    },
    "Retry-After": {
        "description": "Seconds to wait before the next attempt.",
        "required": True,
        "schema": WHOLE,
        "example": 42,
    },
    "Sunset": {
        "description": "When a deprecated operation stops working (RFC 8594).",
        "schema": TEXT,
        "example": "Thu, 01 Jul 2027 00:00:00 GMT",
    },
    "WWW-Authenticate": {
        "description": "The expected kind of authentication: a bearer token.",
        "required": True,
        "schema": TEXT,
        "example": 'Bearer realm="nightmail"',
    },
    "X-Request-Id": {
        "description": "The id under which the request is logged: yours if you sent one.",
        "required": True,
        "schema": TEXT,
        "example": "b3f6c1d2e4a59788",
    },
}
"""The response headers that clients may use; they are components of the document."""
ALWAYS = ("RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset", "X-Request-Id")
"""The headers that any response may have."""
BY_STATUS = {401: ("WWW-Authenticate",), 429: ("Retry-After",)}
"""The headers that responses with these statuses also have."""


def header_parameter(name: str) -> Json:
    """Return the parameter for a request header."""
    return {"in": "header", "name": name, "required": False, **REQUEST_HEADERS[name]}


def long_key_parameter() -> Json:
    """Return the parameter for an Idempotency-Key that must be hard to guess."""
    key = header_parameter("Idempotency-Key")
    return key | {"schema": {**key["schema"], "minLength": SHORTEST_KEY}}


def path_parameters(rule: str) -> list[Json]:
    """Return the parameters in the path of a URL rule."""
    return [
        {"in": "path", "name": name, "required": True}
        | dict(zip(("description", "example"), PATH_PARAMETERS[name], strict=True))
        for name in re.findall(r"<(?:\w+:)?(\w+)>", rule)
        if name in PATH_PARAMETERS
    ]


def header_refs(names: Iterable[str]) -> Json:
    """Return references to the components of response headers."""
    return {name: {"$ref": f"#/components/headers/{name}"} for name in names}
