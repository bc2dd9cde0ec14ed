"""JSON Schemas of the engine's actions and events, made from the types that the codec uses.

Actions are closed: an unknown field is refused. Events are open: they may gain fields, and a
client that validates them must not break when they do.
"""

from collections.abc import Mapping
from dataclasses import MISSING, fields
from types import NoneType, UnionType
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

import marshmallow as ma

from api.schemas.fields import ResponseSchema, integer_field, text_field
from engine.codec import DICE_FIELD, DICE_NAMES, TOKENS_FIELD, Json, row_fields, wire_name, write
from engine.kinds import ACTIONS, EVENTS, NOBODYS, OWNERS, OWNERS_WHOLLY, Kind, Mark
from engine.meanings import meaning_of, summary_of, values_of
from engine.values import CARDS, HIDDEN, Cost, Payment, Result, ScoreLine, Tokens

WHOLE: Json = {"type": "integer"}
SIMPLE: dict[Any, Json] = {str: {"type": "string"}, int: WHOLE, bool: {"type": "boolean"}}
ROWS = {Cost: "Cost", Result: "SeatResult", ScoreLine: "ScoreLine", Tokens: "DiceTokens"}
IN_CARDS: Json = {
    card: WHOLE | {"minimum": 1, "maximum": 999, "description": f"How many {card} cards."}
    for card in CARDS
}
IN_DICE: Json = {
    DICE_FIELD: {
        "type": "array",
        "items": {"type": "integer", "minimum": 1},
        "uniqueItems": True,
        "description": "The numbers of the dice, from 1.",
    },
    TOKENS_FIELD: {"type": "integer", "minimum": 0, "description": "The number of tokens."},
}
SECRECY = {
    OWNERS: f"“{HIDDEN}” stands for anything hidden from you until the game is over.",
    OWNERS_WHOLLY: "It is null for all other seats until the game is over.",
    NOBODYS: f"“{HIDDEN}” for all seats until the game is over.",
}
FAMILIES = {
    "Action": "What a seat wants to do; `type` tells which action it is.",
    "Event": "What happened, and how it came out; `type` tells which event it is.",
}


def components() -> dict[str, Json]:
    """Return all schemas of actions and events, by component name."""
    return {
        "CardPayment": {
            "type": "object",
            "description": "The number of train cards of each colour.",
            "properties": IN_CARDS,
            "additionalProperties": False,
        },
        # One object for both: a client could not tell the members of a union apart.
        "Payment": {
            "type": "object",
            "description": "Train cards, the number of each colour; or dice and tokens.",
            "properties": {**IN_CARDS, **IN_DICE},
            "additionalProperties": False,
        },
        **{name: _row(row) for row, name in ROWS.items()},
        "DiceTokens": _row(Tokens) | {"additionalProperties": False},  # also part of an action
        **_family("Action", _actions()),
        **_family("Event", {name: _kind(kind, name) for name, kind in EVENTS.items()}),
    }


def _ref(name: str) -> Json:
    return {"$ref": f"#/components/schemas/{name}"}


def _family(name: str, members: Mapping[str, Json]) -> dict[str, Json]:
    """Make a component for each member, and a union of them discriminated by `type`."""
    named = {kind: f"{name}{kind.title().replace('_', '')}" for kind in sorted(members)}
    union = {
        "description": FAMILIES[name],
        "oneOf": [_ref(component) for component in named.values()],
        "discriminator": {
            "propertyName": "type",
            "mapping": {kind: _ref(component)["$ref"] for kind, component in named.items()},
        },
    }
    return {name: union, **{component: members[kind] for kind, component in named.items()}}


def _actions() -> dict[str, Json]:
    """Return the schemas of all actions by name; with dice, some have another (rules.md 7.1)."""
    schemas: dict[str, Json] = {}
    for name, kind in ACTIONS.items():
        shape = schemas[name] = _kind(kind, name) | {"additionalProperties": False}
        if "payment" not in shape["properties"]:
            continue
        shape["properties"]["payment"] |= _ref("CardPayment")
        if name in DICE_NAMES:
            schemas[DICE_NAMES[name]] = _in_dice(shape, DICE_NAMES[name])
            shape["description"] += " The payment is in cards."
        else:
            # One name for both ways to pay, and a field for each.
            shape["description"] += " Pay cards with `payment`, or dice with `dice` and `tokens`."
            shape["properties"] |= IN_DICE
            shape["required"].remove("payment")
            shape["minProperties"] = len(shape["required"]) + 1
    return schemas


def _in_dice(shape: Json, name: str) -> Json:
    """Return the schema of the same action, paid with dice and tokens."""
    kept = {key: value for key, value in shape["properties"].items() if key != "payment"}
    return {
        **shape,
        "description": f"{shape['description']} The payment is in dice and tokens.",
        "properties": {**kept, "type": _const(name), **IN_DICE},
        "required": [key for key in shape["required"] if key != "payment"],
    }


def _kind(kind: type[Kind], name: str) -> Json:
    hints = get_type_hints(kind, include_extras=True)
    parts = fields(kind)  # type: ignore[arg-type]  # declared kinds are dataclasses
    return {
        "type": "object",
        "description": summary_of(kind),
        "properties": {
            "type": _const(name),
            **{wire_name(part): _field(hints[part.name]) for part in parts},
        },
        "required": ["type", *(wire_name(part) for part in parts if part.default is MISSING)],
    }


def _row(row: type[Any]) -> Json:
    hints = get_type_hints(row, include_extras=True)
    properties = {part: _field(hints[part]) for part in row_fields(row)}
    return {
        "type": "object",
        "description": summary_of(row),
        "properties": properties,
        "required": list(properties),
    }


def _const(name: str) -> Json:
    return {"type": "string", "const": name, "description": f"Always `{name}`."}


def _field(hint: Any) -> Json:
    """Return the schema of a field: its type, its values, what it means, and who may see it."""
    marks = [mark for mark in getattr(hint, "__metadata__", ()) if isinstance(mark, Mark)]
    words = " ".join([meaning_of(hint), *(SECRECY[mark] for mark in marks)]).strip()
    return {**_schema(hint), "description": words} if words else _schema(hint)


def _schema(hint: Any) -> Json:
    """Return the JSON Schema of a type as the codec reads and writes it."""
    if hint in SIMPLE:
        return SIMPLE[hint]
    if hint is Payment:
        return _ref("Payment")
    if hint in ROWS:
        return _ref(ROWS[hint])
    origin, args = get_origin(hint), get_args(hint)
    if origin is Annotated:
        values = values_of(hint)
        return {**_schema(args[0]), "enum": [*values]} if values else _schema(args[0])
    if origin is tuple:
        return {"type": "array", "items": _schema(args[0])}
    if origin in (Union, UnionType) and args[1] is NoneType:
        return _or_null(_schema(args[0]))
    raise TypeError(f"no schema for {hint}")


def _or_null(schema: Json) -> Json:
    if "$ref" in schema:
        return {"anyOf": [schema, {"type": "null"}]}
    more = {"enum": [*schema["enum"], None]} if "enum" in schema else {}
    return {**schema, "type": [schema["type"], "null"], **more}


class Component(ma.fields.Field[Any]):
    """A field whose schema is a component of its own."""

    component: str

    def _serialize(self, value: Any, *_: Any, **__: Any) -> Any:
        return write(value) if isinstance(value, Kind) else value


class ActionField(Component):
    """An action; the engine parses it."""

    component = "Action"


class EventField(Component):
    """An event as the codec writes it."""

    component = "Event"


class EventRecord(ResponseSchema):
    """An event as you may see it, with a sentence that describes it."""

    seq = integer_field("The event's number in the game, from 1.")
    version = integer_field("The game's version after the move that caused it.")
    sentence = text_field("What happened, as a sentence.")
    event = EventField(
        required=True, metadata={"description": "What happened, as data for programs."}
    )
