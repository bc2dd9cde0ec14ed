"""Errors in the OpenAPI document: their schema, their examples, and the responses with them."""

from collections.abc import Iterable
from typing import Any

from api.http.problems import MEDIA_TYPE, TABLE, problem_body
from api.http.request import MOST_FAULTS

Json = dict[str, Any]

TEXT: Json = {"type": "string"}
PROBLEM: Json = {
    "type": "object",
    "description": "An error (RFC 9457). Some codes have further members.",
    "properties": {
        "type": {
            "type": "string",
            "format": "uri",
            "description": "A page that explains the code.",
        },
        "title": {"type": "string", "description": "What the code means, in a few words."},
        "status": {"type": "integer", "description": "The HTTP status."},
        "detail": {"type": "string", "description": "What went wrong, in a sentence."},
        "code": {"type": "string", "enum": list(TABLE), "description": "A stable code."},
        "rule": {"type": "string", "description": "The rule that was broken, such as `R-DBL-1`."},
        "candidates": {"type": "array", "items": TEXT, "description": "The moves it could mean."},
        "place": {
            "$ref": "#/components/schemas/ProblemPlace",
            "description": "Where in the text of orders it went wrong.",
        },
        "version": {"type": "integer", "description": "The game's current version."},
        "until": {
            "type": "string",
            "format": "date-time",
            "description": "When the first reservation ends.",
        },
        "retry_after": {
            "type": "integer",
            "description": "Seconds to wait, as in the `Retry-After` header.",
        },
        "faults": {"type": "array", "items": TEXT, "description": "Why the service is not ready."},
        "errors": {
            "type": "array",
            "description": f"The first {MOST_FAULTS} faults in the request, and where they are.",
            "items": {"$ref": "#/components/schemas/ProblemFault"},
        },
    },
    "required": ["type", "title", "status", "detail", "code"],
}
FAULT: Json = {
    "type": "object",
    "description": "A fault in a request.",
    "properties": {
        "at": {"type": "string", "description": "Where it is, such as `clock.bank`."},
        "says": {"type": "string", "description": "What is wrong there."},
    },
    "required": ["at", "says"],
}
PLACE: Json = {
    "type": "object",
    "description": "Where in the text of orders something is wrong.",
    "properties": {
        "step": {"type": "integer", "description": "The number of the step, from 1."},
        "start": {"type": "integer", "description": "The index of its first character."},
        "end": {"type": "integer", "description": "The index after its last character."},
    },
    "required": ["step", "start", "end"],
}
SCHEMAS = {"Problem": PROBLEM, "ProblemFault": FAULT, "ProblemPlace": PLACE}

SERVER = "https://nightmail.example"
MORE: dict[str, Json] = {
    "unreadable": {
        "detail": "seats: Must be greater than or equal to 1 and less than or equal to 8.",
        "errors": [
            {
                "at": "seats",
                "says": "Must be greater than or equal to 1 and less than or equal to 8.",
            }
        ],
    },
    "stale": {"version": 58},
    "seat_reserved": {"until": "2026-03-09T18:41:56.000Z"},
    "illegal": {
        "detail": "The other track of Denver–Omaha is already yours.",
        "rule": "R-DBL-1",
    },
    "ambiguous": {
        "detail": "“claim dieppe-paris” could mean: claim dieppe-paris with 2 purple; claim "
        "dieppe-paris with 1 purple 1 locomotive",
        "candidates": [
            "claim dieppe-paris with 2 purple",
            "claim dieppe-paris with 1 purple 1 locomotive",
        ],
    },
    "rate_limited": {
        "detail": "Too many requests; try again in 42 seconds.",
        "retry_after": 42,
    },
    "too_many_waiting": {"retry_after": 5},
    "unavailable": {
        "detail": "The database does not answer.",
        "faults": ["The database does not answer."],
    },
}
"""Members of some examples, besides the general ones or in their place."""


def examples() -> dict[str, Json]:
    """Return an example of each problem, by its code."""
    return {
        code: {
            "summary": kind.title,
            "value": {**problem_body(SERVER, code, kind.advice), **MORE.get(code, {})},
        }
        for code, kind in TABLE.items()
    }


def responses(codes: Iterable[str]) -> dict[int, Json]:
    """Make one response for each status; its description and its examples show the codes."""
    responses_by_status: dict[int, Json] = {}
    for code in (each for each in TABLE if each in codes):
        kind = TABLE[code]
        response = responses_by_status.setdefault(
            kind.status, {"description": "", "content": _content()}
        )
        line = f"`{code}`: {kind.advice}"
        response["description"] = "\n\n".join(filter(None, [response["description"], line]))
        shown = response["content"][MEDIA_TYPE]["examples"]
        shown[code] = {"$ref": f"#/components/examples/{code}"}
    return responses_by_status


def _content() -> Json:
    return {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}, "examples": {}}}
