"""Schemas of requests about games."""

from typing import Any

import marshmallow as ma
from marshmallow import fields, validate

from api.schemas.action_schemas import ActionField
from api.schemas.fields import (
    EITHER_OR,
    QueryBoolean,
    QueryInteger,
    QuerySchema,
    RequestSchema,
    StrictBoolean,
    StrictInteger,
)
from api.schemas.game_schemas import CLOCK, STATUSES
from api.schemas.patterns import LINE, LONGEST_ZONE, SOMETHING, TRIMMED, ZONE
from pictures import THEMES
from service.clocks.pace import PACES, REMINDERS, WEEKDAYS
from service.clocks.pace_requests import LONGEST, MOST_REMINDERS, SHORTEST
from service.games.commitments import LONGEST_NONCE
from service.games.lobby import MOST_SEATS, STRENGTHS, VISIBILITIES
from service.people.names import LONGEST_MESSAGE, LONGEST_TITLE

LONGEST_WAIT = 60
"""Seconds that a long poll may wait."""
LONGEST_PAGE = 100
"""Entries in one page of a list."""


HouseBots = RequestSchema.from_dict(
    {
        strength: StrictInteger(load_default=0, validate=validate.Range(0, MOST_SEATS))
        for strength in STRENGTHS
    },
    name="HouseBots",
)
"""How many house bots of each strength."""


VISIBILITY = (
    "Who can see the game: everyone; anyone who knows its id; or only its players "
    "and those who were invited."
)
COMMITMENT_PATTERN = validate.Regexp(
    r"^[0-9a-f]{64}$", error="must be 64 lower-case hexadecimal digits."
)


def nonce_field(description: str) -> fields.String:
    """Make a nonce field of a request; empty if there is none."""
    checks = [validate.Length(max=LONGEST_NONCE), TRIMMED]
    return fields.String(load_default="", validate=checks, metadata={"description": description})


PACE = (
    "How long a decision may take: a preset, or an object. `days` is 3 days, `daily` one day, "
    "`week` 7 days, `live` 5 minutes, and `none` has no clock. When the time is up, the "
    "decision's default is played."
)
TIME_OF_DAY = {"type": "string", "pattern": "^([01][0-9]|2[0-3]):[0-5][0-9]$"}
CLOCK_PARTS: dict[str, dict[str, Any]] = {
    "per_decision": {"type": "integer", "minimum": SHORTEST, "maximum": LONGEST},
    "bank": {"type": "integer", "minimum": 0, "maximum": LONGEST, "default": 0},
    "reminders": {
        "type": "array",
        "items": {"type": "number", "minimum": 0.01, "maximum": 0.99},
        "maxItems": MOST_REMINDERS,
        "uniqueItems": True,
        "default": list(REMINDERS),
    },
    "window": {
        "type": ["object", "null"],
        "properties": {"from": TIME_OF_DAY, "to": TIME_OF_DAY},
        "required": ["from", "to"],
        "additionalProperties": False,
    },
    "weekdays": {
        "type": "array",
        "items": {"type": "string", "enum": list(WEEKDAYS)},
        "minItems": 1,
        "uniqueItems": True,
        "default": list(WEEKDAYS),
    },
    "time_zone": {"type": "string", "pattern": ZONE, "maxLength": LONGEST_ZONE},
    "absences": {"type": "boolean", "default": True},
}
CLOCK_SCHEMA = {
    "type": "object",
    "properties": {
        name: {"description": CLOCK[name], **part} for name, part in CLOCK_PARTS.items()
    },
    "required": ["per_decision"],
    "additionalProperties": False,
}


class PaceField(fields.Field[Any]):
    """A pace in a request; the service parses it."""

    def __init__(self) -> None:
        preset = {"type": "string", "enum": list(PACES)}
        metadata = {"description": PACE, "oneOf": [preset, CLOCK_SCHEMA]}
        super().__init__(load_default="days", metadata=metadata)


class BoardChoice(RequestSchema):
    """Base of requests that choose a board."""

    board = fields.String(required=True, metadata={"description": "An id from `/v1/boards`."})
    variants = fields.List(
        fields.String(),
        load_default=list,
        validate=validate.Length(max=10),
        metadata={
            "description": "Ids from `/v1/boards`, which also lists what can be combined.",
            "uniqueItems": True,
        },
    )


class GameRequest(BoardChoice):
    """A new game."""

    seats = StrictInteger(
        required=True,
        validate=validate.Range(1, 8),
        metadata={"description": "The number of seats; `/v1/boards` has each board's limits."},
    )
    pace = PaceField()
    visibility = fields.String(
        load_default="public",
        validate=validate.OneOf(VISIBILITIES),
        metadata={"description": VISIBILITY},
    )
    title = fields.String(
        load_default=None,
        validate=[validate.Length(1, LONGEST_TITLE), LINE],
        metadata={"description": "The title; the board's name if left out."},
    )
    bots = fields.Nested(
        HouseBots, load_default=dict, metadata={"description": "Seats to fill with house bots."}
    )
    rated = StrictBoolean(
        load_default=False,
        metadata={
            "description": "Whether the game counts for ratings. Only bots may join a rated game, "
            "and it needs a clock."
        },
    )
    commitment = fields.String(
        validate=COMMITMENT_PATTERN,
        metadata={
            "description": "A commitment from `POST /v1/commitments`; the game gets the id that "
            "came with it."
        },
    )
    nonce = nonce_field(
        "Your contribution to the randomness: any text, chosen after you have seen the "
        "`commitment`. It is refused without one."
    )


class SeatRequest(RequestSchema):
    """A request to join a game."""

    nonce = nonce_field(
        "Your contribution to the randomness: any text, chosen after you have seen the game's "
        "`commitment`."
    )


ALL = "all"
"""The value of `options` that lists every option beside the menu."""


def options_field() -> fields.String:
    """Make the query field that asks for the list of all options."""
    return fields.String(
        load_default="menu",
        validate=validate.OneOf(["menu", ALL]),
        metadata={
            "description": "`all` adds the list of every option, with all payments and selections. "
            "It can be very long.",
            "example": "all",
        },
    )


class ChooseRequest(RequestSchema):
    """A choice from the menu of a decision."""

    entry = StrictInteger(
        required=True,
        validate=validate.Range(1, 10**6),
        metadata={"description": "The number `n` of an entry of the menu."},
    )
    way = fields.String(
        allow_none=True,
        validate=validate.Length(1, 400),
        metadata={
            "description": "One of the entry's `ways`. It can be left out if the entry has none, "
            "or if its ways differ only in locomotives."
        },
    )
    locomotives = StrictInteger(
        allow_none=True,
        validate=validate.Range(0, 10**6),
        metadata={
            "description": "With how many locomotives (or jokers) to pay, from `locomotives` to "
            "`most_locomotives` of the way; the fewest if left out."
        },
    )
    things = fields.List(
        fields.Raw(),
        allow_none=True,
        metadata={
            "description": "The values of the chosen `things`, for an entry with a `choice`."
        },
    )


class MoveRequest(RequestSchema):
    """A move: an action, text, or a choice from the menu."""

    keywords = EITHER_OR

    action = ActionField(
        metadata={
            "description": "A complete action: an entry's `action` with what is still missing."
        }
    )
    text = fields.String(
        validate=validate.Length(1, 400),
        metadata={
            "description": "A move in the notation, or the number of an entry, perhaps followed by "
            "what is paid or chosen."
        },
    )
    choose = fields.Nested(ChooseRequest)

    @ma.validates_schema
    def check_one_given(self, data: dict[str, object], **_: object) -> None:
        """Refuse a body with several fields or with none."""
        if len(data) != 1:
            raise ma.ValidationError("Send one of “action”, “text” and “choose”.")


class MessageRequest(RequestSchema):
    """A message to the table."""

    text = fields.String(required=True, validate=[validate.Length(1, LONGEST_MESSAGE), SOMETHING])


class PageQuery(QuerySchema):
    """One page of a list."""

    cursor = fields.String(metadata={"description": "An opaque cursor from a `Link` header."})
    limit = QueryInteger(
        load_default=20,
        validate=validate.Range(1, LONGEST_PAGE),
        metadata={"description": "The maximum number of entries."},
    )


class GamesQuery(PageQuery):
    """Which games to list."""

    status = fields.String(
        load_default=None,
        validate=validate.OneOf(STATUSES),
        metadata={
            "description": "Only games with this status; `finished` includes abandoned games."
        },
    )
    mine = QueryBoolean(load_default=False, metadata={"description": "Only your own games."})
    board = fields.String(load_default=None, metadata={"description": "Only games on this board."})


class PictureQuery(QuerySchema):
    """How a picture should look."""

    theme = fields.String(
        load_default="light",
        validate=validate.OneOf(THEMES),
        metadata={"description": "Light or dark colours."},
    )


class GamePictureQuery(PictureQuery):
    """How a picture of a game should look, and what it should show."""

    tickets = QueryBoolean(
        load_default=False, metadata={"description": "Mark the cities of your own tickets."}
    )


WAIT = {"description": "Long poll: wait up to this many seconds if there is nothing to return."}


class DecisionQuery(QuerySchema):
    """How much of a decision to show."""

    options = options_field()


class DecisionsQuery(PageQuery):
    """Which decisions to list."""

    options = options_field()

    wait = QueryInteger(load_default=0, validate=validate.Range(0, LONGEST_WAIT), metadata=WAIT)


class EventsQuery(QuerySchema):
    """Which events to read."""

    after = QueryInteger(
        load_default=0,
        validate=validate.Range(0, 10**9),
        metadata={"description": "The `seq` of the last event you have seen."},
    )
    wait = QueryInteger(load_default=0, validate=validate.Range(0, LONGEST_WAIT), metadata=WAIT)


class MessagesQuery(QuerySchema):
    """Which messages to read."""

    after = QueryInteger(
        load_default=0,
        validate=validate.Range(0, 10**9),
        metadata={"description": "The `number` of the last message you have seen."},
    )
    limit = QueryInteger(
        load_default=50,
        validate=validate.Range(1, LONGEST_PAGE),
        metadata={"description": "The maximum number of messages."},
    )
