"""The OpenAPI document: adds what flask-smorest does not know about our operations."""

import json
from collections.abc import Callable, Iterable
from importlib.metadata import version
from pathlib import Path
from typing import Any, TypeVar, cast

import flask_smorest
from apispec.ext.marshmallow import MarshmallowPlugin
from apispec.ext.marshmallow.openapi import OpenAPIConverter
from flask import Flask

from api.http.json_body import Json
from api.http.problems import MEDIA_TYPE, TABLE, register_error_handlers
from api.http.request import MOST_FAULTS, Id, Parser
from api.schemas import action_schemas
from service.people.accounts import SHORTEST_KEY

AnyView = Callable[..., Any]
View = TypeVar("View", bound=AnyView)

DESCRIPTION = """\
Train games by mail: everything that can be played by mail can be played by a program.

Errors are problems (RFC 9457) with a stable `code`; `/docs/errors` lists them all.
Requests are rate limited by token and by IP address: every response has the headers
`RateLimit-Limit`, `RateLimit-Remaining` and `RateLimit-Reset`, and a 429 also has `Retry-After`.
Every response has an `X-Request-Id` header; send your own to find a request in the log."""

EXAMPLES = Path(__file__).parents[2] / "openapi" / "examples"
"""Real responses, one for each operation; `python -m tools.examples` writes them."""

TEXT: Json = {"type": "string"}
ONE_TAG = '(W/)?"[!#-~]*"'
HEADERS: dict[str, Json] = {
    "If-Match": {
        "description": 'The version your request is based on, in quotes, such as `"57"`.',
        "schema": {"type": "string", "pattern": rf"^(\*|{ONE_TAG}( *, *{ONE_TAG})*)$"},
    },
    "If-None-Match": {
        "description": "The `ETag` you have; the response is 304 if nothing has changed.",
        "schema": TEXT,
    },
    "Idempotency-Key": {
        "description": "The same key with the same body takes effect once and gets one response.",
        "schema": {"type": "string", "pattern": "^[!-~]([ -~]{0,253}[!-~])?$"},
    },
    "Last-Event-ID": {
        "description": "The id of the last event you received from the stream.",
        "schema": TEXT,
    },
}
"""The request headers that operations use."""

PROBLEM: Json = {
    "type": "object",
    "description": "An error (RFC 9457). Some codes have further members.",
    "properties": {
        "type": {"type": "string", "format": "uri"},
        "title": TEXT,
        "status": {"type": "integer"},
        "detail": {"type": "string", "description": "What went wrong, in a sentence."},
        "code": {"type": "string", "enum": list(TABLE), "description": "A stable code."},
        "rule": {"type": "string", "description": "The rule that was broken, such as `R-DBL-1`."},
        "candidates": {"type": "array", "items": TEXT, "description": "The moves it could mean."},
        "version": {"type": "integer", "description": "The game's current version."},
        "retry_after": {
            "type": "integer",
            "description": "Seconds to wait, as in the `Retry-After` header.",
        },
        "faults": {"type": "array", "items": TEXT, "description": "Why the service is not ready."},
        "errors": {
            "type": "array",
            "description": f"The first {MOST_FAULTS} faults in the request, and where they are.",
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
    """Add facts about an operation to the document; lists are extended, other facts replaced."""
    apidoc = dict(getattr(view, "_apidoc", {}))
    known = apidoc.get("nightmail", {})
    for name, fact in facts.items():
        known = {**known, name: [*known.get(name, ()), *fact] if isinstance(fact, list) else fact}
    view._apidoc = {**apidoc, "nightmail": known}  # type: ignore[attr-defined]  # noqa: SLF001  # where flask-smorest keeps it
    return view


def may_refuse(*codes: str) -> Callable[[View], View]:
    """Document the error codes of an operation, besides those that all operations have."""
    return lambda view: documented(view, refusals=list(codes))


def takes(*headers: str) -> Callable[[View], View]:
    """Document the request headers of an operation."""
    return lambda view: documented(view, headers=list(headers))


def takes_long_key(view: View) -> View:
    """Document an Idempotency-Key that must be hard to guess."""
    key = HEADERS["Idempotency-Key"]
    schema = {**key["schema"], "minLength": SHORTEST_KEY}
    described = {"in": "header", "name": "Idempotency-Key", "required": False, **key}
    return documented(view, parameters=[described | {"schema": schema}])


def has_etag(view: View) -> View:
    """Document that the response has an ETag, and that If-None-Match may be answered with 304."""
    return documented(view, headers=["If-None-Match"], has_etag=True)


def returns_etag(view: View) -> View:
    """Document that a 201 response has the ETag that reading the game would return."""
    return documented(view, returns_etag=True)


class Blueprint(flask_smorest.Blueprint):
    """A blueprint whose operations are named after their views and fail with problems."""

    ARGUMENTS_PARSER = Parser()
    always: tuple[str, ...] = ("unreadable", "rate_limited")
    """Error codes that any of its operations may return."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self._prepare_doc_cbks.append(self._prepare_operation)

    def add_url_rule(
        self,
        rule: str,
        endpoint: str | None = None,
        view_func: AnyView | None = None,
        *args: Any,
        **options: Any,
    ) -> None:
        """Add a view; its name becomes the operation id."""
        if view_func is not None:
            missing = ["not_found"] if "<" in f"{self.url_prefix}{rule}" else []
            documented(view_func, operation=view_func.__name__, refusals=missing)
        super().add_url_rule(rule, endpoint, view_func, *args, **options)

    # flask-smorest is untyped; these overrides keep the types of the views.

    def route(self, rule: str, **options: Any) -> Callable[[View], View]:
        """Register the view at this URL."""
        return cast(Callable[[View], View], super().route(rule, **options))

    def arguments(self, schema: Any, **more: Any) -> Callable[[AnyView], AnyView]:
        """Parse a part of the request with this schema, and pass it to the view."""
        made = schema() if isinstance(schema, type) else schema  # once, not for every request
        return cast(Callable[[AnyView], AnyView], super().arguments(made, **more))

    def response(
        self, status: int, schema: Any = None, **more: Any
    ) -> Callable[[AnyView], AnyView]:
        """Document the response of the view."""
        return cast(Callable[[AnyView], AnyView], super().response(status, schema, **more))

    def _prepare_operation(self, doc: Json, doc_info: Json, *, api: "Api", **_: Any) -> Json:
        facts = doc_info["nightmail"]
        api.name_operation(facts["operation"])
        responses = doc.setdefault("responses", {})
        doc["operationId"] = facts["operation"]
        doc["security"] = facts.get("security", [])
        if headers := facts.get("headers"):
            doc.setdefault("parameters", []).extend(_parameter(name) for name in headers)
        if parameters := facts.get("parameters"):
            doc.setdefault("parameters", []).extend(parameters)
        if facts.get("has_etag"):
            responses[200].setdefault("headers", {})["ETag"] = {"schema": TEXT}
            responses[304] = {"description": "Not modified."}
        if facts.get("returns_etag"):
            responses[201].setdefault("headers", {})["ETag"] = {"schema": TEXT}
        _add_example(doc, facts["operation"])
        sent = ("too_large", "unsupported_media_type") if "requestBody" in doc else ()
        responses.update(_problems({*self.always, *sent, *facts.get("refusals", ())}))
        doc["responses"] = dict(sorted(responses.items()))
        return doc


class Converter(OpenAPIConverter):
    """apispec's converter, which also publishes the keywords of a schema."""

    def schema2jsonschema(self, schema: Any) -> Json:
        """Return the JSON Schema of a marshmallow schema."""
        made: Json = super().schema2jsonschema(schema)  # type: ignore[no-untyped-call]  # untyped in apispec
        return made | getattr(schema, "keywords", {})


class Plugin(MarshmallowPlugin):
    """apispec's plugin with our converter."""

    Converter = Converter


class Api(flask_smorest.Api):
    """flask-smorest with our problems, components and operation ids."""

    DEFAULT_ERROR_RESPONSE_NAME = None  # each operation documents its own errors

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
            raise RuntimeError("apispec made no converter")
        plugin.converter.add_attribute_function(_reference)  # type: ignore[no-untyped-call]  # untyped in apispec
        self.register_converter(Id, lambda converter: converter.document)
        components = self.spec.components
        components.security_scheme("token", {"type": "http", "scheme": "bearer"})
        for name, schema in {"Problem": PROBLEM, **action_schemas.components()}.items():
            components.schema(name, schema)

    def name_operation(self, name: str) -> None:
        """Register an operation id; no two operations may share one."""
        if name in self._operations:
            raise ValueError(f"two operations are called {name}")
        self._operations.add(name)

    def _register_responses(self) -> None:
        """Register none of flask-smorest's; every operation documents its own."""

    def _register_pagination_header(self) -> None:
        """Register none: paging uses Link headers."""

    def _register_error_handlers(self) -> None:
        register_error_handlers(self._app)


def document(app: Flask) -> Json:
    """Return the OpenAPI document, always in the same order."""
    api: Api = app.extensions["flask-smorest"]["apis"][""]["ext_obj"]
    made = cast(Json, api.spec.to_dict())
    made["components"] = {
        sort: dict(sorted(named.items())) for sort, named in sorted(made["components"].items())
    }
    return made


def _reference(_: object, field: object, **__: Any) -> Json:
    """Document a component field as a reference to its component."""
    if isinstance(field, action_schemas.Component):
        return {"$ref": f"#/components/schemas/{field.component}"}
    return {}


def _add_example(doc: Json, operation: str) -> None:
    """Add the recorded request and response of an operation."""
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
    """Make one response for each status; its description lists the codes."""
    lines: dict[int, list[str]] = {}
    for code in (known for known in TABLE if known in codes):
        lines.setdefault(TABLE[code].status, []).append(f"`{code}`: {TABLE[code].advice}")
    content = {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
    return {
        status: {"description": "\n\n".join(texts), "content": content, **_extra_headers(status)}
        for status, texts in lines.items()
    }


def _extra_headers(status: int) -> Json:
    names = {401: "WWW-Authenticate", 429: "Retry-After"}
    return {"headers": {names[status]: {"schema": TEXT}}} if status in names else {}
