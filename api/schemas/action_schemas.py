"""The engine's actions and events as JSON Schema: what the codec reads and writes, told to others.

Actions are closed, since an unknown field is refused. Events are open: they may gain fields, and
a client that checks them must not break when they do.
"""

from collections.abc import Mapping
from dataclasses import MISSING, fields
from types import NoneType, UnionType
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

import marshmallow as ma

from api.schemas.fields import Answer, Whole
from engine.codec import DICE_FIELD, DICE_NAMES, TOKENS_FIELD, Json, wire_name, write
from engine.kinds import ACTIONS, EVENTS, NOBODYS, OWNERS, OWNERS_WHOLLY, Kind, Mark
from engine.values import CARDS, HIDDEN, Cost, Payment, Result, ScoreLine, Tokens

WHOLE: Json = {"type": "integer"}
SIMPLE: dict[Any, Json] = {str: {"type": "string"}, int: WHOLE, bool: {"type": "boolean"}}
ROWS = {Cost: "Cost", Result: "SeatResult", ScoreLine: "ScoreLine", Tokens: "DiceTokens"}
PAID_IN_DICE: Json = {
    DICE_FIELD: {
        "type": "array",
        "items": {"type": "integer", "minimum": 1},
        "uniqueItems": True,
        "description": "Dice by their number, from 1.",
    },
    TOKENS_FIELD: {"type": "integer", "minimum": 0, "description": "How many tokens."},
}
WHO = {
    OWNERS: f"“{HIDDEN}” in place of what you may not see until the game is over.",
    OWNERS_WHOLLY: "null for everybody else until the game is over.",
    NOBODYS: f"“{HIDDEN}” for everybody until the game is over.",
}


def components() -> dict[str, Json]:
    """Every schema that actions and events are made of, by the name of its component."""
    return {
        "CardPayment": {
            "type": "object",
            "description": "Train cards by colour, with how many of each.",
            "properties": {card: WHOLE | {"minimum": 1, "maximum": 999} for card in CARDS},
            "additionalProperties": False,
        },
        "DicePayment": {
            "type": "object",
            "description": "Dice and tokens.",
            "properties": PAID_IN_DICE,
            "minProperties": 1,
            "additionalProperties": False,
        },
        "Payment": {"oneOf": [_ref("CardPayment"), _ref("DicePayment")]},
        **{name: _row(row) for row, name in ROWS.items()},
        "DiceTokens": _row(Tokens) | {"additionalProperties": False},  # part of an action, too
        **_family("Action", _actions()),
        **_family("Event", {name: _kind(made, name) for name, made in EVENTS.items()}),
    }


def _ref(name: str) -> Json:
    return {"$ref": f"#/components/schemas/{name}"}


def _family(name: str, members: Mapping[str, Json]) -> dict[str, Json]:
    """A component for each member, and one that is any of them, told apart by `type`."""
    named = {kind: f"{name}{kind.title().replace('_', '')}" for kind in sorted(members)}
    whole = {
        "oneOf": [_ref(component) for component in named.values()],
        "discriminator": {
            "propertyName": "type",
            "mapping": {kind: _ref(component)["$ref"] for kind, component in named.items()},
        },
    }
    return {name: whole, **{component: members[kind] for kind, component in named.items()}}


def _actions() -> dict[str, Json]:
    """Every action under each of its names; with dice some have another (rules.md 7.1)."""
    found: dict[str, Json] = {}
    for name, made in ACTIONS.items():
        shape = found[name] = _kind(made, name) | {"additionalProperties": False}
        if "payment" not in shape["properties"]:
            continue
        in_dice = _in_dice(shape, DICE_NAMES.get(name, name))
        if name in DICE_NAMES:
            found[DICE_NAMES[name]] = in_dice
        else:
            # One name for both ways to pay: a payment, or dice with tokens.
            in_dice["required"].append(DICE_FIELD)
            found[name] = {"oneOf": [shape, in_dice]}
    return found


def _in_dice(shape: Json, name: str) -> Json:
    """The same action, paid with dice and tokens that stand beside its other fields."""
    kept = {key: value for key, value in shape["properties"].items() if key != "payment"}
    return {
        **shape,
        "properties": {**kept, "type": _const(name), **PAID_IN_DICE},
        "required": [key for key in shape["required"] if key != "payment"],
    }


def _kind(made: type[Kind], name: str) -> Json:
    hints = get_type_hints(made, include_extras=True)
    parts = fields(made)  # type: ignore[arg-type]  # declared kinds are dataclasses
    said = (made.__doc__ or "").strip()
    return {
        "type": "object",
        # What a dataclass makes up for a docstring repeats its fields.
        **({} if said.startswith(f"{made.__name__}(") else {"description": said}),
        "properties": {
            "type": _const(name),
            **{wire_name(part): _schema(hints[part.name]) for part in parts},
        },
        "required": ["type", *(wire_name(part) for part in parts if part.default is MISSING)],
    }


def _row(row: type[Any]) -> Json:
    properties = {name: _schema(hint) for name, hint in get_type_hints(row).items()}
    return {"type": "object", "properties": properties, "required": list(properties)}


def _const(name: str) -> Json:
    return {"type": "string", "const": name}


def _schema(hint: Any) -> Json:
    """The JSON Schema of what the codec reads for this type."""
    if hint in SIMPLE:
        return SIMPLE[hint]
    if hint is Payment:
        return _ref("Payment")
    if hint in ROWS:
        return _ref(ROWS[hint])
    origin, args = get_origin(hint), get_args(hint)
    if origin is Annotated:
        marks = [WHO[mark] for mark in args[1:] if isinstance(mark, Mark)]
        return {**_schema(args[0]), "description": " ".join(marks)}
    if origin is tuple:
        return {"type": "array", "items": _schema(args[0])}
    if origin in (Union, UnionType) and args[1] is NoneType:
        return _or_null(_schema(args[0]))
    raise TypeError(f"no schema for {hint}")


def _or_null(schema: Json) -> Json:
    if "$ref" in schema:
        return {"anyOf": [schema, {"type": "null"}]}
    return {**schema, "type": [schema["type"], "null"]}


class Component(ma.fields.Field[Any]):
    """A field that is documented by a component of its own."""

    component: str

    def _serialize(self, value: Any, *_: Any, **__: Any) -> Any:
        return write(value) if isinstance(value, Kind) else value


class EventField(Component):
    """An event, as the codec writes it."""

    component = "Event"


class EventSeen(Answer):
    """An event as its reader may see it, with the sentence that tells it."""

    seq = Whole(required=True)
    version = Whole(required=True)
    sentence = ma.fields.String(required=True)
    event = EventField(required=True)
