"""Schemas and fields that take a value as it is meant or not at all."""

import re
from typing import Any, ClassVar

import marshmallow as ma


class Body(ma.Schema):
    """Base of what a request's body must look like; unknown fields are refused."""

    keywords: ClassVar[dict[str, Any]] = {}
    """What the document says of the body as a whole, in the words of JSON Schema."""

    class Meta:
        unknown = ma.RAISE


EITHER_OR: dict[str, Any] = {"minProperties": 1, "maxProperties": 1}
"""Of a body that holds exactly one of its fields."""


class Query(ma.Schema):
    """Base of what may stand after the “?”; unknown names are refused."""

    class Meta:
        unknown = ma.RAISE


class Answer(ma.Schema):
    """Base of what we answer; it may gain fields, so readers must not forbid unknown ones."""

    class Meta:
        unknown = ma.EXCLUDE


class Whole(ma.fields.Integer):
    """A whole number: neither 7.9 nor "7" is one."""

    def __init__(self, **more: Any) -> None:
        super().__init__(strict=True, **more)


class Flag(ma.fields.Boolean):
    """True or false: neither 1 nor "yes" is one."""

    truthy = {True}  # noqa: RUF012  # marshmallow's way to say so
    falsy = {False}  # noqa: RUF012  # likewise

    def _deserialize(self, value: Any, *args: Any, **more: Any) -> Any:
        if type(value) is not bool:
            raise self.make_error("invalid", input=value)
        return super()._deserialize(value, *args, **more)


class AskedWhole(ma.fields.Integer):
    """A whole number in a query, in plain digits that fit into 64 bits."""

    def _deserialize(self, value: Any, *args: Any, **more: Any) -> Any:
        if not re.fullmatch("-?[0-9]{1,18}", value, re.ASCII):
            raise self.make_error("invalid", input=value)
        return super()._deserialize(value, *args, **more)


class AskedFlag(ma.fields.Boolean):
    """In a query: true or false."""

    truthy = {"true"}  # noqa: RUF012  # marshmallow's way to say so
    falsy = {"false"}  # noqa: RUF012  # likewise
