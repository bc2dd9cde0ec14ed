"""The request class, checks on every request, and parsing of bodies and query strings."""

from collections.abc import Iterator
from time import perf_counter
from typing import Any, ClassVar, NoReturn, cast
from urllib.parse import unquote_to_bytes

import flask
import marshmallow as ma
from webargs.core import missing
from webargs.flaskparser import FlaskParser
from werkzeug.exceptions import ClientDisconnected
from werkzeug.routing import BaseConverter

from api.http.json_body import MOST_BYTES, Json, read_object, refuse_bad_characters
from api.http.problems import Problem
from api.http.request_facts import Allowance, Caller
from api.http.slips import request_slips
from api.http.waiting import ENVIRON, Hold
from engine.text import shown
from engine.translate import say

LONGEST_PATH = 1024
"""Characters in a path."""
LONGEST_QUERY = 4096
"""Bytes in a query string."""
MOST_FAULTS = 20
"""Faults of one request that are listed; the rest are only counted."""
UNKNOWN = ma.Schema().error_messages["unknown"]
NOT_UTF8 = "\N{REPLACEMENT CHARACTER}"
"""What Werkzeug substitutes for bytes of a path that are not UTF-8."""
LARGE_BODIES = {"inbound.receive_mail": 1024 * 1024}
"""Endpoints whose bodies are not JSON, and the bytes that they may have."""


class Request(flask.Request):
    """A request with a strict JSON parser, and with what is known about its caller."""

    id: str = ""
    tag: str = ""
    caller: Caller | None = None
    allowance: Allowance | None = None
    refusal: Exception | None = None
    """An error from before the request reached Flask, which raises it again."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.began = perf_counter()
        self.log_fields: dict[str, object] = {}

    @property
    def hold(self) -> Hold | None:
        """How a long poll tells our ASGI server to wait; None behind another server."""
        return cast(Hold | None, self.environ.get(ENVIRON))

    @property
    def is_again(self) -> bool:
        """Whether this request has waited already; it was counted and got its id before."""
        return self.hold is not None and self.hold.is_again

    def resume(self, hold: Hold) -> None:
        """Restore the state of a request that has waited."""
        self.id, self.began, self.allowance = hold.id, hold.began, hold.allowance

    def pause(self, hold: Hold) -> None:
        """Save the state of a request that waits and is handled again later."""
        hold.id, hold.began, hold.allowance = self.id, self.began, self.allowance

    @property
    def route(self) -> str:
        """The URL rule that matched; never the URL itself, which may hold a secret."""
        return self.url_rule.rule if self.url_rule else "none"

    def get_json(self, force: bool = False, silent: bool = False, cache: bool = True) -> Any:  # noqa: ARG002, FBT001, FBT002  # Werkzeug's signature; we ignore the arguments
        """Parse the JSON object in the body; None if there is no body."""
        try:
            body = self.get_data()
        except (OSError, ClientDisconnected):
            raise Problem("unreadable", "The body is broken or incomplete.") from None
        if not body:
            return None
        if len(body) > MOST_BYTES:
            raise Problem("too_large")
        if self.mimetype != "application/json":
            raise Problem("unsupported_media_type", request_slips.wrong_media_type(self.mimetype))
        return read_object(body)


def current_request() -> Request:
    """Return the current request itself; each access through Flask's proxy would cost a µs."""
    return cast(Request, flask.request._get_current_object())  # type: ignore[attr-defined]  # noqa: SLF001  # documented by Werkzeug


def check_request(request: Request, queryless: frozenset[str]) -> None:
    """Refuse a request with a bad path, a body that is too large, or a bad query string."""
    path = request.path
    if "\0" in path or NOT_UTF8 in path or len(path) > LONGEST_PATH:
        raise Problem("not_found")
    if (request.content_length or 0) > LARGE_BODIES.get(request.endpoint or "", MOST_BYTES):
        raise Problem("too_large")
    if request.query_string:
        if len(request.query_string) > LONGEST_QUERY:
            too_long = say("The query is longer than {most} bytes.", most=LONGEST_QUERY)
            raise Problem("unreadable", too_long)
        try:
            unquote_to_bytes(request.query_string).decode()
        except UnicodeDecodeError:
            raise Problem("unreadable", say("The query is not UTF-8.")) from None
        if request.endpoint in queryless:
            misplaced = request_slips.misplaced_token((), request.args)
            raise Problem("unreadable", misplaced or "This address takes no query parameters.")


class Parser(FlaskParser):
    """A webargs parser with strict JSON and strict queries, whose errors become problems."""

    DEFAULT_VALIDATION_STATUS = 400
    DEFAULT_UNKNOWN_BY_LOCATION = {  # noqa: RUF012  # declared so in the base class
        **FlaskParser.DEFAULT_UNKNOWN_BY_LOCATION,
        "query": ma.RAISE,
    }

    def _raw_load_json(self, req: flask.Request) -> Any:
        body: Json | None = req.get_json()
        return missing if body is None else body

    def load_querystring(self, req: flask.Request, schema: ma.Schema) -> Any:
        """Load the query parameters; only lists may be repeated."""
        for name, values in req.args.lists():
            place = f"“{shown(name)}” in the query"
            if len(values) > 1 and not isinstance(schema.fields.get(name), ma.fields.List):
                raise Problem("unreadable", f"{place} is given twice.")
            for text in (name, *values):
                refuse_bad_characters(text, place)
        return super().load_querystring(req, schema)

    def handle_error(  # type: ignore[override]  # webargs passes more, which we do not need
        self, error: ma.ValidationError, _: Any, schema: ma.Schema, *__: Any, **___: Any
    ) -> NoReturn:
        """Raise a problem that lists every fault and where it is."""
        messages = cast(Json, error.messages)  # webargs always nests them under the location
        faults = [fault for nested in messages.values() for fault in _faults(nested, "", schema)]
        first = ": ".join(filter(None, faults[0].values()))
        raise Problem(
            "unreadable", first + _count(len(faults)), errors=faults[:MOST_FAULTS]
        ) from error


def _count(faults: int) -> str:
    """Say how many faults there are if there are several, and how many are not listed."""
    if faults == 1:
        return ""
    unlisted = faults - MOST_FAULTS
    more = f"; {unlisted} more are not listed" if unlisted > 0 else ""
    return f" There are {faults} faults in all{more}."


def _faults(messages: Any, at: str, schema: Any) -> Iterator[dict[str, str]]:
    """Flatten marshmallow's nested error messages, each with its place.

    `schema` is that of the place; unknown fields are explained by the known ones.
    """
    if isinstance(messages, dict):
        for key, item in messages.items():
            if key == "_schema":
                yield from _faults(item, at, schema)
            elif item == [UNKNOWN]:
                says = request_slips.unknown_field(str(key), schema) or UNKNOWN
                yield {"at": _below(at, key), "says": says}
            else:
                yield from _faults(item, _below(at, key), request_slips.inside(schema, key))
    else:
        says = " ".join(map(str, messages)) if isinstance(messages, list) else str(messages)
        yield {"at": at, "says": says}


def _below(at: str, key: object) -> str:
    if isinstance(key, int):
        return f"{at}[{key}]"
    return f"{at}.{shown(str(key))}" if at else shown(str(key))


class Id(BaseConverter):
    """A URL converter for ids; anything else is answered with 404."""

    regex = "[A-Za-z0-9_-]{1,64}"
    part_isolating = True
    document: ClassVar = {"type": "string", "pattern": f"^{regex}$"}
