"""The OpenAPI document: what flask-smorest cannot know about our operations is added here."""

import json
from collections.abc import Callable, Iterable
from importlib.metadata import version
from pathlib import Path
from typing import Any, TypeVar, cast

import flask_smorest
from apispec.ext.marshmallow import MarshmallowPlugin
from apispec.ext.marshmallow.openapi import OpenAPIConverter
from flask import Flask

from api.http.edge import MOST_FAULTS, Id, Parser
from api.http.json_body import Json
from api.http.problems import MEDIA_TYPE, TABLE, install
from api.schemas import action_schemas
from service.people.accounts import SHORTEST_KEY

AnyView = Callable[..., Any]
View = TypeVar("View", bound=AnyView)

DESCRIPTION = """\
Train games by mail: whatever can be played from a mail can be played from a program.

Refusals are problems (RFC 9457) with a stable `code`; `/docs/errors` lists them all.
Calls are counted by token and by address: `RateLimit-Limit`, `RateLimit-Remaining` and
`RateLimit-Reset` stand in every answer, and `Retry-After` where there were too many.
Every answer carries `X-Request-Id`; send your own to find a request again."""

EXAMPLES = Path(__file__).parents[2] / "openapi" / "examples"
"""Real answers, one for each operation; `python -m tools.examples` writes them."""

TEXT: Json = {"type": "string"}
ONE_TAG = '(W/)?"[!#-~]*"'
HEADERS: dict[str, Json] = {
    "If-Match": {
        "description": 'The version you have seen, in quotes, such as `"57"`.',
        "schema": {"type": "string", "pattern": rf"^(\*|{ONE_TAG}( *, *{ONE_TAG})*)$"},
    },
    "If-None-Match": {
        "description": "The `ETag` you have; if nothing has changed the answer is 304.",
        "schema": TEXT,
    },
    "Idempotency-Key": {
        "description": "The same key with the same body has one effect and the same answer.",
        "schema": {"type": "string", "pattern": "^[!-~]([ -~]{0,253}[!-~])?$"},
    },
    "Last-Event-ID": {
        "description": "The last event that you have seen of a stream.",
        "schema": TEXT,
    },
}
"""The headers that an operation may take."""

PROBLEM: Json = {
    "type": "object",
    "description": "A refusal (RFC 9457). Some codes bring further members.",
    "properties": {
        "type": {"type": "string", "format": "uri"},
        "title": TEXT,
        "status": {"type": "integer"},
        "detail": {"type": "string", "description": "A sentence to act on."},
        "code": {"type": "string", "enum": list(TABLE), "description": "Stable."},
        "rule": {"type": "string", "description": "The rule behind it, such as `R-DBL-1`."},
        "candidates": {"type": "array", "items": TEXT, "description": "What it could mean."},
        "version": {"type": "integer", "description": "The game's present version."},
        "retry_after": {"type": "integer", "description": "Seconds to wait, as in the header."},
        "faults": {"type": "array", "items": TEXT, "description": "Why we are not ready."},
        "errors": {
            "type": "array",
            "description": f"Faults in the request, with their places: the first {MOST_FAULTS}.",
            "items": {
                "type": "object",
                "properties": {"at": TEXT, "says": TEXT},
                "required": ["at", "says"],
            },
        },
    },
    "required": ["type", "title", "status", "detail", "code"],
}


def documented(view: View, **facts: Any) -> View:
    """Let the document say this about an operation; lists grow, other facts are replaced."""
    apidoc = dict(getattr(view, "_apidoc", {}))
    known = apidoc.get("frame", {})
    for name, fact in facts.items():
        known = {**known, name: [*known.get(name, ()), *fact] if isinstance(fact, list) else fact}
    view._apidoc = {**apidoc, "frame": known}  # type: ignore[attr-defined]  # noqa: SLF001  # where flask-smorest looks
    return view


def may_refuse(*codes: str) -> Callable[[View], View]:
    """Document the codes with which an operation may refuse, beyond those that all have."""
    return lambda view: documented(view, refusals=list(codes))


def takes(*headers: str) -> Callable[[View], View]:
    """Document the headers that an operation takes."""
    return lambda view: documented(view, headers=list(headers))


def takes_long_key(view: View) -> View:
    """Document an Idempotency-Key that has to be hard to guess."""
    key = HEADERS["Idempotency-Key"]
    schema = {**key["schema"], "minLength": SHORTEST_KEY}
    described = {"in": "header", "name": "Idempotency-Key", "required": False, **key}
    return documented(view, parameters=[described | {"schema": schema}])


def tagged(view: View) -> View:
    """Document that the answer has a tag, and that nothing is sent again that is there already."""
    return documented(view, headers=["If-None-Match"], tagged=True)


def tells_tag(view: View) -> View:
    """Document that the answer to a change has the tag that reading the game would give now."""
    return documented(view, tells_tag=True)


class Blueprint(flask_smorest.Blueprint):
    """A blueprint whose operations are named by their views and refuse with problems."""

    ARGUMENTS_PARSER = Parser()
    always: tuple[str, ...] = ("unreadable", "rate_limited")
    """What any of its operations may refuse with."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self._prepare_doc_cbks.append(self._prepare_frame_doc)

    def add_url_rule(
        self,
        rule: str,
        endpoint: str | None = None,
        view_func: AnyView | None = None,
        *args: Any,
        **options: Any,
    ) -> None:
        """Add a view, which becomes the operation of its name."""
        if view_func is not None:
            missing = ["not_found"] if "<" in f"{self.url_prefix}{rule}" else []
            documented(view_func, operation=view_func.__name__, refusals=missing)
        super().add_url_rule(rule, endpoint, view_func, *args, **options)

    # flask-smorest has no types; with these, a view keeps its own below `route`.

    def route(self, rule: str, **options: Any) -> Callable[[View], View]:
        """Add the view at this address."""
        return cast(Callable[[View], View], super().route(rule, **options))

    def arguments(self, schema: Any, **more: Any) -> Callable[[AnyView], AnyView]:
        """Read a part of the request by this schema, and hand it to the view."""
        made = schema() if isinstance(schema, type) else schema  # once, not with every request
        return cast(Callable[[AnyView], AnyView], super().arguments(made, **more))

    def response(
        self, status: int, schema: Any = None, **more: Any
    ) -> Callable[[AnyView], AnyView]:
        """Write what the view returns by this schema."""
        return cast(Callable[[AnyView], AnyView], super().response(status, schema, **more))

    def _prepare_frame_doc(self, doc: Json, doc_info: Json, *, api: "Api", **_: Any) -> Json:
        facts = doc_info["frame"]
        api.name_operation(facts["operation"])
        responses = doc.setdefault("responses", {})
        doc["operationId"] = facts["operation"]
        doc["security"] = facts.get("security", [])
        if headers := facts.get("headers"):
            doc.setdefault("parameters", []).extend(_parameter(name) for name in headers)
        if parameters := facts.get("parameters"):
            doc.setdefault("parameters", []).extend(parameters)
        if facts.get("tagged"):
            responses[200].setdefault("headers", {})["ETag"] = {"schema": TEXT}
            responses[304] = {"description": "Nothing has changed."}
        if facts.get("tells_tag"):
            responses[201].setdefault("headers", {})["ETag"] = {"schema": TEXT}
        _add_example(doc, facts["operation"])
        sent = ("too_large", "unsupported_media_type") if "requestBody" in doc else ()
        responses.update(_problems({*self.always, *sent, *facts.get("refusals", ())}))
        doc["responses"] = dict(sorted(responses.items()))
        return doc


class Converter(OpenAPIConverter):
    """apispec's converter, which also tells what a schema says of a body as a whole."""

    def schema2jsonschema(self, schema: Any) -> Json:
        """The JSON Schema of a marshmallow schema."""
        made: Json = super().schema2jsonschema(schema)  # type: ignore[no-untyped-call]  # apispec gives it no types
        return made | getattr(schema, "keywords", {})


class Plugin(MarshmallowPlugin):
    """apispec's plugin with our converter."""

    Converter = Converter


class Api(flask_smorest.Api):
    """flask-smorest with our problems, components and names."""

    DEFAULT_ERROR_RESPONSE_NAME = None  # each operation names its own refusals

    def __init__(self, app: Flask) -> None:
        self._operations: set[str] = set()
        plugin = Plugin()
        super().__init__(
            app,
            spec_kwargs={
                "title": "Nightmail",
                "version": version("nightmail"),
                "openapi_version": "3.1.0",
                "marshmallow_plugin": plugin,
                "info": {
                    "description": DESCRIPTION,
                    "license": {"name": "MIT", "identifier": "MIT"},
                },
                "servers": [{"url": "/"}],
            },
        )
        if plugin.converter is None:
            raise RuntimeError("apispec has made no converter")
        plugin.converter.add_attribute_function(_referred)  # type: ignore[no-untyped-call]  # apispec gives it no types
        self.register_converter(Id, lambda converter: converter.document)
        components = self.spec.components
        components.security_scheme("token", {"type": "http", "scheme": "bearer"})
        for name, schema in {"Problem": PROBLEM, **action_schemas.components()}.items():
            components.schema(name, schema)

    def name_operation(self, name: str) -> None:
        """Names are for programs, so no two operations may share one."""
        if name in self._operations:
            raise ValueError(f"two operations are called {name}")
        self._operations.add(name)

    def _register_responses(self) -> None:
        """None of flask-smorest's; every operation brings its own."""

    def _register_pagination_header(self) -> None:
        """Not either: pages are told by links."""

    def _register_error_handlers(self) -> None:
        install(self._app)


def document(app: Flask) -> Json:
    """The OpenAPI document, always in the same order."""
    api: Api = app.extensions["flask-smorest"]["apis"][""]["ext_obj"]
    made = cast(Json, api.spec.to_dict())
    made["components"] = {
        sort: dict(sorted(named.items())) for sort, named in sorted(made["components"].items())
    }
    return made


def _referred(_: object, field: object, **__: Any) -> Json:
    """A field of one of our components refers to it."""
    if isinstance(field, action_schemas.Component):
        return {"$ref": f"#/components/schemas/{field.component}"}
    return {}


def _add_example(doc: Json, operation: str) -> None:
    """Show what was sent and answered when the examples were written."""
    path = EXAMPLES / f"{operation}.json"
    if not path.is_file():
        return
    example = json.loads(path.read_text(encoding="utf-8"))
    places = {
        "request": doc.get("requestBody", {}),
        "response": doc["responses"].get(example["status"], {}),
    }
    for name, place in places.items():
        if name in example:
            for content in place.get("content", {}).values():
                content["example"] = example[name]


def _parameter(name: str) -> Json:
    return {"in": "header", "name": name, "required": False, **HEADERS[name]}


def _problems(codes: Iterable[str]) -> dict[int, Json]:
    """One response for each status, whose description lists the codes it may come with."""
    found: dict[int, list[str]] = {}
    for code in (known for known in TABLE if known in codes):
        found.setdefault(TABLE[code].status, []).append(f"`{code}`: {TABLE[code].advice}")
    content = {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
    return {
        status: {"description": "\n\n".join(said), "content": content, **_extra_headers(status)}
        for status, said in found.items()
    }


def _extra_headers(status: int) -> Json:
    names = {401: "WWW-Authenticate", 429: "Retry-After"}
    return {"headers": {names[status]: {"schema": TEXT}}} if status in names else {}
