"""Makes schemas of the fields that rule modules declare.

A rule module declares the fields it adds to a table, a seat and a board as typed dictionaries
(`Module.shapes`); the schemas of the API contain them all.
"""

from collections.abc import Callable, Iterable
from types import NoneType, UnionType
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints, is_typeddict

from marshmallow import Schema, fields

from api.schemas.fields import ResponseSchema, StrictInteger
from engine import MODULES
from engine.meanings import meaning_of, values_of
from engine.module import Module

SIMPLE: dict[Any, type[fields.Field[Any]]] = {
    str: fields.String,
    int: StrictInteger,
    float: fields.Float,
    bool: fields.Boolean,
}


def with_rules(
    part: str, modules: Iterable[Module[Any, Any]] = tuple(MODULES.values())
) -> Callable[[type[ResponseSchema]], type[ResponseSchema]]:
    """Add to a schema the fields that rules declare for this part: table, seat or board."""
    shapes = [getattr(module.shape, part) for module in modules]
    added = {name: field for shape in shapes if shape for name, field in fields_of(shape).items()}

    def add(base: type[ResponseSchema]) -> type[ResponseSchema]:
        return type(base.__name__, (base,), {**added, "__doc__": base.__doc__})

    return add


def fields_of(shape: type[Any]) -> dict[str, fields.Field[Any]]:
    """Make the fields of a typed dictionary."""
    hints = get_type_hints(shape, include_extras=True)
    required: frozenset[str] = shape.__required_keys__
    return {name: field_of(hint, required=name in required) for name, hint in hints.items()}


def field_of(hint: Any, **more: Any) -> fields.Field[Any]:
    """Make a field of a type, with its meaning as description and its values as enum."""
    origin, args = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return field_of(args[0], metadata=_metadata(hint, **more), **more)
    if origin in (Union, UnionType) and NoneType in args:
        return field_of(args[0], allow_none=True, **more)
    if origin is list:
        return fields.List(field_of(args[0]), **more)
    if origin is dict:
        values = None if args[1] is Any else field_of(args[1])
        return fields.Dict(keys=fields.String(), values=values, **more)
    if is_typeddict(hint):
        return fields.Nested(_nested(hint), **more)
    return SIMPLE[hint](**more)


def _metadata(hint: Any, *, allow_none: bool = False, **_: Any) -> dict[str, Any]:
    words, values = meaning_of(hint), values_of(hint)
    return {
        **({"description": words} if words else {}),
        **({"enum": [*values, *[None] * allow_none]} if values else {}),
    }


def _nested(shape: type[Any]) -> type[Schema]:
    return type(shape.__name__, (ResponseSchema,), {**fields_of(shape), "__doc__": shape.__doc__})
