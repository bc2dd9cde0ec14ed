"""The edge: whatever comes in is looked at once, here, before anything else may trust it."""

from collections.abc import Iterator
from time import perf_counter
from typing import Any, NoReturn, cast
from urllib.parse import unquote_to_bytes

import flask
import marshmallow as ma
from webargs.core import missing
from webargs.flaskparser import FlaskParser
from werkzeug.exceptions import ClientDisconnected
from werkzeug.routing import BaseConverter

from api.http.json_body import MOST_BYTES, Json, read_object, refuse_odd
from api.http.problems import Problem
from api.http.request_facts import Allowance, Caller
from api.http.waiting import ENVIRON, Hold
from engine.tongue import say
from engine.words import shown

LONGEST_PATH = 1024
LONGEST_QUERY = 4096
MOST_FAULTS = 20
"""Faults of one request that are named; the others are counted."""
NO_UTF8 = "\N{REPLACEMENT CHARACTER}"
"""What Werkzeug puts where a path does not hold UTF-8."""


class Request(flask.Request):
    """A request whose body is read strictly, with what the frame has learned about it."""

    id: str = ""
    tag: str = ""
    caller: Caller | None = None
    allowance: Allowance | None = None
    refusal: Exception | None = None
    """What stood in the way before the request came to Flask, which says so."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.began = perf_counter()
        self.notes: dict[str, object] = {}

    @property
    def hold(self) -> Hold | None:
        """What the server is told about a request that may wait; None without such a server."""
        return cast(Hold | None, self.environ.get(ENVIRON))

    @property
    def is_again(self) -> bool:
        """Whether this request has waited, and was counted and named when it came."""
        return self.hold is not None and self.hold.is_again

    def resume(self, hold: Hold) -> None:
        """Go on with a request that has waited."""
        self.id, self.began, self.allowance = hold.id, hold.began, hold.allowance

    def pause(self, hold: Hold) -> None:
        """Keep what belongs to a request that will be asked again."""
        hold.id, hold.began, hold.allowance = self.id, self.began, self.allowance

    @property
    def route(self) -> str:
        """The template that the address fits; never the address, which may hold a secret."""
        return self.url_rule.rule if self.url_rule else "none"

    def get_json(self, force: bool = False, silent: bool = False, cache: bool = True) -> Any:  # noqa: ARG002, FBT001, FBT002  # Werkzeug's signature; there is but one way to read a body
        """The JSON object in the body, or None where there is no body."""
        try:
            body = self.get_data()
        except (OSError, ClientDisconnected):
            raise Problem("unreadable", "The body is broken, or ends too early.") from None
        if not body:
            return None
        if len(body) > MOST_BYTES:
            raise Problem("too_large")
        if self.mimetype != "application/json":
            raise Problem("unsupported_media_type")
        return read_object(body)


def asked() -> Request:
    """The request in hand: itself, not Flask's stand-in, through which each look costs a µs."""
    return cast(Request, flask.request._get_current_object())  # type: ignore[attr-defined]  # noqa: SLF001  # documented by Werkzeug


LARGER = {"inbound.take_letter": 1024 * 1024}
"""Endpoints whose bodies are no JSON, and how many bytes they may have."""


def look_at(request: Request, queryless: frozenset[str]) -> None:
    """Refuse a request whose address or size nobody needs to look at more closely."""
    path = request.path
    if "\0" in path or NO_UTF8 in path or len(path) > LONGEST_PATH:
        raise Problem("not_found")
    if (request.content_length or 0) > LARGER.get(request.endpoint or "", MOST_BYTES):
        raise Problem("too_large")
    if request.query_string:
        if len(request.query_string) > LONGEST_QUERY:
            said = say("A query of more than {most} bytes is not read.", most=LONGEST_QUERY)
            raise Problem("unreadable", said)
        try:
            unquote_to_bytes(request.query_string).decode()
        except UnicodeDecodeError:
            raise Problem("unreadable", say("The query is not UTF-8.")) from None
        if request.endpoint in queryless:
            raise Problem("unreadable", "Nothing can be asked after a “?” here.")


class Parser(FlaskParser):
    """Hands the strictly read request to the schemas, and their complaints to the problems."""

    DEFAULT_VALIDATION_STATUS = 400
    DEFAULT_UNKNOWN_BY_LOCATION = {  # noqa: RUF012  # the base class declares it so
        **FlaskParser.DEFAULT_UNKNOWN_BY_LOCATION,
        "query": ma.RAISE,
    }

    def _raw_load_json(self, req: flask.Request) -> Any:
        body: Json | None = req.get_json()
        return missing if body is None else body

    def load_querystring(self, req: flask.Request, schema: ma.Schema) -> Any:
        """The query's arguments, each of which may stand there once."""
        for name, values in req.args.lists():
            place = f"“{shown(name)}” in the query"
            if len(values) > 1 and not isinstance(schema.fields.get(name), ma.fields.List):
                raise Problem("unreadable", f"{place} stands there twice.")
            for text in (name, *values):
                refuse_odd(text, place)
        return super().load_querystring(req, schema)

    def handle_error(self, error: ma.ValidationError, *_: Any, **__: Any) -> NoReturn:
        """A problem that lists every fault with its place."""
        messages = cast(Json, error.messages)  # webargs puts them under the location, always
        faults = [fault for found in messages.values() for fault in _faults(found, "")]
        first = ": ".join(filter(None, faults[0].values()))
        raise Problem(
            "unreadable", first + _how_many(len(faults)), errors=faults[:MOST_FAULTS]
        ) from error


def _how_many(faults: int) -> str:
    """How many faults there are beside the first, and how many of them are not listed."""
    if faults == 1:
        return ""
    unnamed = faults - MOST_FAULTS
    more = f"; {unnamed} more are not listed" if unnamed > 0 else ""
    return f" There are {faults} faults in all{more}."


def _faults(found: Any, at: str) -> Iterator[dict[str, str]]:
    """Marshmallow's nested complaints as a list of places."""
    if isinstance(found, dict):
        for key, item in found.items():
            yield from _faults(item, at if key == "_schema" else _below(at, key))
    else:
        says = " ".join(map(str, found)) if isinstance(found, list) else str(found)
        yield {"at": at, "says": says}


def _below(at: str, key: object) -> str:
    if isinstance(key, int):
        return f"{at}[{key}]"
    return f"{at}.{shown(str(key))}" if at else shown(str(key))


class Id(BaseConverter):
    """An id in an address; whatever cannot be one is not found, and reaches no view."""

    regex = "[A-Za-z0-9_-]{1,64}"
    part_isolating = True
    document = {"type": "string", "pattern": f"^{regex}$"}  # noqa: RUF012  # never changed
