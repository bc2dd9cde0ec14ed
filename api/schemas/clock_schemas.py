"""Schemas of a game's clock, as a request asks for it and as a response shows it."""

from typing import Any

from marshmallow import fields, validate

from api.schemas.action_schemas import Component
from api.schemas.fields import ResponseSchema, integer_field, text_field
from api.schemas.patterns import LONGEST_ZONE, ZONE
from service.clocks.pace_requests import LONGEST, MOST_REMINDERS, SHORTEST
from service.clocks.paces import REMINDERS, WEEKDAYS

Json = dict[str, Any]

CLOCK = {
    "per_decision": "Seconds for each decision, counted while the clock runs.",
    "bank": "Extra seconds that each seat has for the whole game, used when a decision takes "
    "longer. Deadlines include what is left of them.",
    "reminders": "The fractions of a decision's time after which a reminder is sent, in ascending "
    "order.",
    "window": "The part of the day in which the clock runs; null for the whole day. It may span "
    "midnight.",
    "weekdays": "The days on which the clock runs.",
    "time_zone": "The time zone of the window and the weekdays: an IANA name such as Europe/Paris.",
    "absences": "Whether players' absences move their deadlines.",
}
"""Descriptions of a clock's fields."""
LEFT_OUT = {
    "reminders": f"If left out: {' and '.join(map(str, REMINDERS))}.",
    "weekdays": "If left out: every day.",
}
"""The defaults of lists, in words: few generators of clients understand a list as `default`."""

TIME_OF_DAY: Json = {"type": "string", "pattern": "^([01][0-9]|2[0-3]):[0-5][0-9]$"}
CLOCK_PARTS: dict[str, Json] = {
    "per_decision": {"type": "integer", "minimum": SHORTEST, "maximum": LONGEST},
    "bank": {"type": "integer", "minimum": 0, "maximum": LONGEST, "default": 0},
    "reminders": {
        "type": "array",
        "items": {"type": "number", "minimum": 0.01, "maximum": 0.99},
        "maxItems": MOST_REMINDERS,
        "uniqueItems": True,
    },
    "window": {
        "anyOf": [{"$ref": "#/components/schemas/ClockWindowRequest"}, {"type": "null"}],
    },
    "weekdays": {
        "type": "array",
        "items": {"type": "string", "enum": list(WEEKDAYS)},
        "minItems": 1,
        "uniqueItems": True,
    },
    "time_zone": {"type": "string", "pattern": ZONE, "maxLength": LONGEST_ZONE},
    "absences": {"type": "boolean", "default": True},
}
"""The fields of a clock in a request; the service parses them."""


def components() -> dict[str, Json]:
    """Return the schemas of a clock in a request, by component name."""
    return {
        "ClockRequest": {
            "type": "object",
            "description": "How long a decision may take, and when that time runs.",
            "properties": {
                name: {"description": " ".join([CLOCK[name], LEFT_OUT.get(name, "")]).strip()}
                | part
                for name, part in CLOCK_PARTS.items()
            },
            "required": ["per_decision"],
            "additionalProperties": False,
        },
        "ClockWindowRequest": {
            "type": "object",
            "description": "A part of the day, in the clock's time zone; at least an hour.",
            "properties": {
                "from": {"description": "When it begins, such as 08:00."} | TIME_OF_DAY,
                "to": {"description": "When it ends; earlier than `from` if it spans midnight."}
                | TIME_OF_DAY,
            },
            "required": ["from", "to"],
            "additionalProperties": False,
        },
    }


class ClockField(Component):
    """A clock in a request."""

    component = "ClockRequest"


class ClockWindow(ResponseSchema):
    """A part of the day, in the clock's time zone."""

    from_ = fields.String(
        required=True,
        data_key="from",
        attribute="from",
        metadata={"description": "When it begins, such as 08:00."},
    )
    to = text_field("When it ends; earlier than `from` if it spans midnight.")


class Clock(ResponseSchema):
    """How long a decision may take, and when that time runs."""

    per_decision = integer_field(CLOCK["per_decision"])
    bank = integer_field(CLOCK["bank"])
    reminders = fields.List(
        fields.Float(), required=True, metadata={"description": CLOCK["reminders"]}
    )
    window = fields.Nested(
        ClockWindow, required=True, allow_none=True, metadata={"description": CLOCK["window"]}
    )
    weekdays = fields.List(
        fields.String(validate=validate.OneOf(WEEKDAYS)),
        required=True,
        metadata={"description": CLOCK["weekdays"]},
    )
    time_zone = text_field(CLOCK["time_zone"])
    absences = fields.Boolean(required=True, metadata={"description": CLOCK["absences"]})
