"""The OpenAPI document as clients get it, and a check of real responses against it."""

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from jsonschema import Draft202012Validator, FormatChecker, ValidationError, validators
from referencing import Registry
from referencing.jsonschema import DRAFT202012

from tools import openapi

Json = dict[str, Any]

HERE = "urn:nightmail"
METHODS = ("get", "post", "put", "patch", "delete")


def document() -> Json:
    """A copy of the whole OpenAPI document."""
    made: Json = json.loads(openapi.written())
    return made


def operations(of: Json) -> Iterator[tuple[str, str, Json]]:
    """Yield the method, path and description of every operation."""
    for path, item in of["paths"].items():
        for method in METHODS:
            if method in item:
                yield method.upper(), path, item[method]


class Documented:
    """Checks that a response is documented and contains nothing undocumented."""

    def __init__(self, of: Json) -> None:
        self.seen: set[tuple[str, int]] = set()
        """Operations and statuses that have been checked."""
        closed: Json = _closed(of)
        resource = DRAFT202012.create_resource(closed)
        self._registry: Registry[Any] = Registry().with_resource(HERE, resource)
        self._headers: Json = of["components"]["headers"]
        self._operations = [
            (method, re.compile(re.sub(r"\{\w+\}", "[^/]+", path)), operation)
            for method, path, operation in operations(closed)
        ]

    def faults(
        self, method: str, path: str, status: int, headers: Mapping[str, str], body: str
    ) -> list[str]:
        """Everything about this response that the document does not describe."""
        operation = self._operation(method, path.partition("?")[0])
        name = operation["operationId"]
        response = operation["responses"].get(str(status))
        if response is None:
            return [f"{name} does not document {status}"]
        self.seen.add((name, status))
        faults = [
            f"{name} {status} lacks the header {header}"
            for header in self._expected(response, status)
            if header not in headers
        ]
        kind = headers.get("Content-Type", "").partition(";")[0]
        content = response.get("content", {})
        if not content:
            return faults + ([f"{name} {status} documents no body"] if body else [])
        if kind not in content:
            return [*faults, f"{name} {status} is not documented as {kind}"]
        value = json.loads(body) if kind.endswith("json") else body
        return faults + [
            f"{name} {status} {fault}" for fault in self.misfits(content[kind]["schema"], value)
        ]

    def misfits(self, schema: Json, value: Any) -> list[str]:
        """Everything about this value that its schema does not describe."""
        return [
            f"at {error.json_path}: {error.message[:300]}"
            for error in self._validator(schema).iter_errors(value)
        ]

    def _expected(self, response: Json, status: int) -> list[str]:
        """The headers that a response must have; a success was counted by the rate limit."""
        return [
            name
            for name in response["headers"]
            if self._headers[name].get("required")
            or (status < 300 and name.startswith("RateLimit-"))
        ]

    def _operation(self, method: str, path: str) -> Json:
        for known, pattern, operation in self._operations:
            if known == method and pattern.fullmatch(path):
                return operation
        raise LookupError(f"the document has no {method} {path}")

    def _validator(self, schema: Json) -> Any:
        rooted = {"$ref": HERE + schema["$ref"]} if "$ref" in schema else schema
        return _judge()(rooted, registry=self._registry, format_checker=FormatChecker())


def _closed(node: Any) -> Any:
    """Copy a schema with every object closed, unless it declares additional properties."""
    if isinstance(node, list):
        return [_closed(item) for item in node]
    if not isinstance(node, dict):
        return node
    made = {key: _closed(item) for key, item in node.items() if key not in ("example", "examples")}
    if isinstance(made.get("properties"), dict) and node.get("type") == "object":
        made.setdefault("additionalProperties", False)
    return made


@cache
def _judge() -> Any:
    """A JSON Schema validator that follows discriminators: fast, and it checks their mapping."""
    usual: Any = Draft202012Validator.VALIDATORS["oneOf"]

    def one_of(
        judge: Any, members: list[Json], value: Any, schema: Json
    ) -> Iterator[ValidationError]:
        discriminator = schema.get("discriminator")
        if discriminator is None or not isinstance(value, dict):
            yield from usual(judge, members, value, schema)
            return
        kind = value.get(discriminator["propertyName"])
        member = {"$ref": discriminator["mapping"].get(kind)}
        if member not in members:
            yield ValidationError(f"{kind!r} is none of {', '.join(discriminator['mapping'])}")
            return
        yield from judge.descend(value, member)

    return validators.extend(Draft202012Validator, {"oneOf": one_of})  # type: ignore[no-untyped-call]  # jsonschema gives it no types
