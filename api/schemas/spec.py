"""The OpenAPI document: adds what flask-smorest does not know about our operations."""

import json
from collections.abc import Callable, Collection
from datetime import date
from importlib.metadata import version
from pathlib import Path
from typing import Any, TypeVar, cast

import flask_smorest
from apispec.ext.marshmallow import MarshmallowPlugin
from apispec.ext.marshmallow.openapi import OpenAPIConverter
from flask import Flask
from marshmallow import fields

from api.http.deprecations import Deprecation
from api.http.json_body import Json
from api.http.long_polls import EVENT_STREAM
from api.http.request import Id, Parser
from api.schemas import (
    action_schemas,
    clock_schemas,
    hook_messages,
    parameters,
    problem_schemas,
)

AnyView = Callable[..., Any]
View = TypeVar("View", bound=AnyView)

DESCRIPTION = """\
Train games by mail: everything that can be played by mail can be played by a program.

Errors are problems (RFC 9457) with a stable `code`; `/docs/errors` lists them all.
Requests are rate limited by token and by IP address: every response has the headers
`RateLimit-Limit`, `RateLimit-Remaining` and `RateLimit-Reset`, and a 429 also has `Retry-After`.
Every response has an `X-Request-Id` header; send your own to find a request in the log."""

EXAMPLES = Path(__file__).parents[2] / "openapi" / "examples"
"""Real responses and messages, one of each; `python -m tools.examples` writes them."""

TOKEN: Json = {
    "type": "http",
    "scheme": "bearer",
    "description": "A token from `POST /v1/accounts` or `POST /v1/me/tokens`.",
}
_APP_SCOPES = {
    "read": "See what the player sees: games, cards, decisions, notes.",
    "play": "Play for them: move, give orders, write notes, talk, open, join and leave tables, "
    "invite others.",
}
OAUTH2: Json = {
    "type": "oauth2",
    "description": (
        "A token of a connected app, which a player has allowed to use their account. Any app may "
        "ask, without registration; the code flow needs PKCE with S256. The device flow (RFC 8628) "
        "begins at `/oauth/device-authorization`. All addresses are also in "
        "`/.well-known/oauth-authorization-server`."
    ),
    "flows": {
        "authorizationCode": {
            "authorizationUrl": "/oauth/authorize",
            "tokenUrl": "/oauth/token",
            "refreshUrl": "/oauth/token",
            "scopes": _APP_SCOPES,
        },
        # OpenAPI 3.2 calls it deviceAuthorization; 3.1 has no name for this flow yet.
        "x-deviceAuthorization": {
            "deviceAuthorizationUrl": "/oauth/device-authorization",
            "tokenUrl": "/oauth/token",
            "refreshUrl": "/oauth/token",
            "scopes": _APP_SCOPES,
        },
    },
}
EVENTS: Json = {  # without a type: a stream is a text to some tools, and events to others
    "description": "Server-sent events, each with its data as JSON, and perhaps a name and an id.",
}
STREAM = (
    'id: 8\ndata: {"seq":8,"version":2,"sentence":"It is Ada\'s turn.",'
    '"event":{"type":"turn_began","seat":1}}\n\n'
)
"""The beginning of a stream of events, as an example."""


def documented(view: View, **facts: Any) -> View:
    """Add facts about an operation to the document; lists are extended, other facts replaced."""
    apidoc = dict(getattr(view, "_apidoc", {}))
    noted = apidoc.get("nightmail", {})
    for name, fact in facts.items():
        noted = {
            **noted,
            name: [*noted.get(name, ()), *fact] if isinstance(fact, list) else fact,
        }
    view._apidoc = {**apidoc, "nightmail": noted}  # type: ignore[attr-defined]  # noqa: SLF001  # where flask-smorest keeps it
    return view


def may_refuse(*codes: str) -> Callable[[View], View]:
    """Document the error codes of an operation, besides those that all operations have."""
    return lambda view: documented(view, refusals=list(codes))


def takes(*headers: str) -> Callable[[View], View]:
    """Document the request headers of an operation."""
    return lambda view: documented(view, headers=list(headers))


def takes_long_key(view: View) -> View:
    """Document an Idempotency-Key that must be hard to guess."""
    return documented(view, parameters=[parameters.long_key_parameter()])


def has_etag(view: View) -> View:
    """Document that the response has an ETag, and that If-None-Match may be answered with 304."""
    return documented(view, headers=["If-None-Match"], has_etag=True)


def returns_etag(view: View) -> View:
    """Document that a 201 response has the ETag that reading the game would return."""
    return documented(view, returns_etag=True)


def has_pages(view: View) -> View:
    """Document that a list is paged, with a Link header that leads to the next page."""
    return documented(view, has_pages=True)


def streams(view: View) -> View:
    """Document that a response is streamed if the client asks for an event stream."""
    return documented(view, streams=True)


def deprecated(
    since: date, sunset: date | None = None, instead: str | None = None
) -> Callable[[View], View]:
    """Mark an operation as deprecated; goes between its route and its scopes."""
    if sunset is not None and sunset <= since:
        raise ValueError("an operation cannot end before it is deprecated")
    return lambda view: documented(view, deprecation=Deprecation(since, sunset, instead))


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
            options["parameters"] = parameters.path_parameters(f"{self.url_prefix}{rule}")
        super().add_url_rule(rule, endpoint, view_func, *args, **options)

    # flask-smorest is untyped; these overrides keep the types of the views.

    def route(self, rule: str, **options: Any) -> Callable[[View], View]:
        """Register the view at this URL."""
        return cast(Callable[[View], View], super().route(rule, **options))

    def arguments(self, schema: Any, **more: Any) -> Callable[[AnyView], AnyView]:
        """Parse a part of the request with this schema, and pass it to the view."""
        instance = schema() if isinstance(schema, type) else schema  # once, not for every request
        return cast(Callable[[AnyView], AnyView], super().arguments(instance, **more))

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
        if deprecation := facts.get("deprecation"):
            doc["deprecated"] = True
            sentences = filter(None, [doc.get("description"), deprecation.sentence()])
            doc["description"] = "\n\n".join(sentences)
        taken = [*map(parameters.header_parameter, facts.get("headers", ()))]
        if more := [*taken, *facts.get("parameters", ())]:
            doc.setdefault("parameters", []).extend(more)
        if facts.get("streams"):
            responses[200]["content"][EVENT_STREAM] = {"schema": EVENTS, "example": STREAM}
        _add_example(doc, facts["operation"])
        sent = ("too_large", "unsupported_media_type") if "requestBody" in doc else ()
        responses.update(api.problems({*self.always, *sent, *facts.get("refusals", ())}))
        if facts.get("has_etag"):
            responses[304] = {"description": "Not modified."}
        doc["responses"] = dict(sorted(responses.items()))
        for status, response in doc["responses"].items():
            response["headers"] = api.headers(_headers_of(status, facts))
        return doc


class Converter(OpenAPIConverter):
    """apispec's converter, which also publishes the docstring and the keywords of a schema."""

    def schema2jsonschema(self, schema: Any) -> Json:
        """Return the JSON Schema of a marshmallow schema."""
        json_schema: Json = super().schema2jsonschema(schema)  # type: ignore[no-untyped-call]  # untyped in apispec
        kind = schema if isinstance(schema, type) else type(schema)
        described = {"description": " ".join((kind.__doc__ or "").split())}
        return described | json_schema | getattr(schema, "keywords", {})


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
        plugin.converter.add_parameter_attribute_function(_example)
        self.register_converter(Id, lambda converter: converter.document)
        self._add_components()

    def _add_components(self) -> None:
        components = self.spec.components
        components.security_scheme("token", TOKEN)
        components.security_scheme("oauth2", OAUTH2)
        schemas = {
            **problem_schemas.SCHEMAS,
            **action_schemas.components(),
            **clock_schemas.components(),
            **hook_messages.components(),
        }
        for name, schema in schemas.items():
            components.schema(name, schema)

    def problems(self, codes: Collection[str]) -> dict[int, Json]:
        """Return the responses for these codes, and add examples of them to the document."""
        for code, example in problem_schemas.examples().items():
            if code in codes and code not in self.spec.components.examples:
                self.spec.components.example(code, example)
        return problem_schemas.responses(codes)

    def headers(self, names: Collection[str]) -> Json:
        """Return references to these response headers, and add those to the document."""
        components = self.spec.components
        for name in names:
            if name not in components.headers:
                components.header(name, parameters.RESPONSE_HEADERS[name])
        return parameters.header_refs(names)

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
        """Register none: its application is documented, and answers no request."""


def document(app: Flask) -> Json:
    """Return the OpenAPI document of the operations of an application, always in the same order.

    Describing them takes longer than serving them does, so they are registered for it only here.
    """
    described = Flask(app.name, static_folder=None)
    described.url_map.converters["id"] = Id
    api = Api(described)
    for blueprint in app.blueprints.values():
        if isinstance(blueprint, Blueprint):
            api.register_blueprint(blueprint)
    for schema in hook_messages.SCHEMAS:
        if schema.__name__ not in api.spec.components.schemas:
            api.spec.components.schema(schema.__name__, schema=schema)
    spec = cast(Json, api.spec.to_dict())
    spec["webhooks"] = hook_messages.webhooks(
        {kind: _shown(kind) for kind in hook_messages.MESSAGES}
    )
    spec["tags"] = [*spec["tags"], hook_messages.TAG]
    spec["components"] = {
        sort: dict(sorted(named.items())) for sort, named in sorted(spec["components"].items())
    }
    return spec


def _reference(_: object, field: object, **__: Any) -> Json:
    """Document a component field as a reference to its component."""
    if isinstance(field, action_schemas.Component):
        return {"$ref": f"#/components/schemas/{field.component}"}
    return {}


def _example(_: object, field: fields.Field[Any], ret: Json) -> Json:
    """Move the example of a query parameter from its schema to the parameter."""
    return {"example": ret["schema"].pop("example")} if "example" in field.metadata else {}


def _headers_of(status: int, facts: Json) -> list[str]:
    """Return the names of the response headers with this status."""
    names = [*parameters.ALWAYS, *parameters.BY_STATUS.get(status, ())]
    deprecation = facts.get("deprecation")
    if deprecation or (status < 300 and facts.get("has_pages")):
        names.append("Link")
    if deprecation:
        names += ["Deprecation", "Sunset"] if deprecation.sunset else ["Deprecation"]
    if 200 <= status < 300 and _takes_key(facts):
        names.append("Idempotent-Replayed")
    if status < 400 and (facts.get("has_etag") or (status == 201 and facts.get("returns_etag"))):
        names.append("ETag")
    return sorted(names)


def _takes_key(facts: Json) -> bool:
    """Check whether an operation takes an Idempotency-Key."""
    more = (parameter["name"] for parameter in facts.get("parameters", ()))
    return "Idempotency-Key" in (*facts.get("headers", ()), *more)


def _shown(name: str) -> Json:
    """Return the recorded example of a message, if there is one."""
    path = EXAMPLES / f"{name}.json"
    return {"example": json.loads(path.read_text(encoding="utf-8"))} if path.is_file() else {}


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
                content.setdefault("example", example[name])
