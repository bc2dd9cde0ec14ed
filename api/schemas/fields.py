"""Base schemas and strict fields: a value is taken exactly as sent, or refused."""

import re
from typing import Any, ClassVar

import marshmallow as ma


class RequestSchema(ma.Schema):
    """Base schema of request bodies; unknown fields are refused."""

    keywords: ClassVar[dict[str, Any]] = {}
    """JSON Schema keywords that apply to the body as a whole."""

    class Meta:
        unknown = ma.RAISE


EITHER_OR: dict[str, Any] = {"minProperties": 1, "maxProperties": 1}
"""Keywords for a body that takes exactly one of its fields."""


class QuerySchema(ma.Schema):
    """Base schema of query strings; unknown parameters are refused."""

    class Meta:
        unknown = ma.RAISE


class ResponseSchema(ma.Schema):
    """Base schema of responses; they may gain fields, so clients must ignore unknown ones."""

    class Meta:
        unknown = ma.EXCLUDE


class StrictInteger(ma.fields.Integer):
    """An integer; neither 7.9 nor "7" is accepted."""

    def __init__(self, **more: Any) -> None:
        super().__init__(strict=True, **more)


class StrictBoolean(ma.fields.Boolean):
    """True or false; neither 1 nor "yes" is accepted."""

    def _deserialize(self, value: Any, *args: Any, **more: Any) -> Any:
        if type(value) is not bool:
            raise self.make_error("invalid", input=value)
        return super()._deserialize(value, *args, **more)


class QueryInteger(ma.fields.Integer):
    """An integer in a query string, in plain digits that fit into 64 bits."""

    def _deserialize(self, value: Any, *args: Any, **more: Any) -> Any:
        if not re.fullmatch("-?[0-9]{1,18}", value, re.ASCII):
            raise self.make_error("invalid", input=value)
        return super()._deserialize(value, *args, **more)


class QueryBoolean(ma.fields.Boolean):
    """A boolean in a query string: `true` or `false`."""

    def __init__(self, **more: Any) -> None:
        super().__init__(truthy={"true"}, falsy={"false"}, **more)


def file_schema(description: str) -> dict[str, Any]:
    """Make the schema of a response that is a file and not JSON.

    It is `binary` for texts as well: every generator of clients understands that.
    """
    return {"type": "string", "format": "binary", "description": description}


def text_field(description: str, **more: object) -> ma.fields.String:
    """Make a required text field of a response."""
    return ma.fields.String(required=True, metadata={"description": description, **more})


def integer_field(description: str) -> StrictInteger:
    """Make a required integer field of a response."""
    return StrictInteger(required=True, metadata={"description": description})


def time_field(description: str, *, maybe: bool = False) -> ma.fields.String:
    """Make a required timestamp field of a response; null is allowed with `maybe`."""
    metadata = {"description": description, "format": "date-time"}
    return ma.fields.String(required=True, allow_none=maybe, metadata=metadata)
