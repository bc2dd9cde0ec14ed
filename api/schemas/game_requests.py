"""What requests about games must look like."""

from typing import Any

import marshmallow as ma
from marshmallow import fields, validate

from api.schemas.fields import EITHER_OR, AskedFlag, AskedWhole, Body, Flag, Query, Whole
from api.schemas.game_schemas import CLOCK, STATUSES, ActionSent
from api.schemas.patterns import LINE, LONGEST_ZONE, SOMETHING, TRIMMED, ZONE
from pictures import THEMES
from service.clocks.pace import PACES, REMINDERS, WEEKDAYS
from service.clocks.pace_requests import LONGEST, MOST_REMINDERS, SHORTEST
from service.games.commitments import LONGEST_NONCE
from service.games.lobby import MOST_SEATS, STRENGTHS, VISIBILITIES
from service.people.names import LONGEST_MESSAGE, LONGEST_TITLE

LONGEST_WAIT = 60
LONGEST_PAGE = 100


Bots = Body.from_dict(
    {
        strength: Whole(load_default=0, validate=validate.Range(0, MOST_SEATS))
        for strength in STRENGTHS
    },
    name="Bots",
)
"""How many house bots of each strength."""


VISIBLE = (
    "Who may see it: everybody; whoever knows its id; or only those who sit there "
    "and those who were invited."
)
COMMITMENT_SHAPE = validate.Regexp(
    r"^[0-9a-f]{64}$", error="must be 64 hexadecimal digits, in lower case."
)


def nonce_sent(says: str) -> fields.String:
    """A nonce in a request; empty if there is none."""
    checks = [validate.Length(max=LONGEST_NONCE), TRIMMED]
    return fields.String(load_default="", validate=checks, metadata={"description": says})


PACE = (
    "How long a decision may take: a preset, or an object. `days` is 3 days, `daily` one day, "
    "`week` 7 days, `live` 5 minutes, and `none` has no clock. When the time is over the "
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
CLOCK_WANTED = {
    "type": "object",
    "properties": {
        name: {"description": CLOCK[name], **part} for name, part in CLOCK_PARTS.items()
    },
    "required": ["per_decision"],
    "additionalProperties": False,
}


class PaceSent(fields.Field[Any]):
    """A pace in a request, which the service reads."""

    def __init__(self) -> None:
        preset = {"type": "string", "enum": list(PACES)}
        about = {"description": PACE, "oneOf": [preset, CLOCK_WANTED]}
        super().__init__(load_default="days", metadata=about)


class OnBoard(Body):
    """Where something is to be played."""

    board = fields.String(required=True, metadata={"description": "As in `/v1/boards`."})
    variants = fields.List(
        fields.String(),
        load_default=list,
        validate=validate.Length(max=10),
        metadata={
            "description": "As in `/v1/boards`, which says which go together.",
            "uniqueItems": True,
        },
    )


class GameWanted(OnBoard):
    """A game that somebody wants to open."""

    seats = Whole(
        required=True,
        validate=validate.Range(1, 8),
        metadata={"description": "How many seats; `/v1/boards` says how many a board has."},
    )
    pace = PaceSent()
    visibility = fields.String(
        load_default="public",
        validate=validate.OneOf(VISIBILITIES),
        metadata={"description": VISIBLE},
    )
    title = fields.String(
        load_default=None,
        validate=[validate.Length(1, LONGEST_TITLE), LINE],
        metadata={"description": "What to call it; the board's name if nothing is said."},
    )
    bots = fields.Nested(
        Bots, load_default=dict, metadata={"description": "Seats that the house plays."}
    )
    rated = Flag(
        load_default=False,
        metadata={
            "description": "Whether ratings follow from it: only bots may sit down then, "
            "and there must be a clock."
        },
    )
    commitment = fields.String(
        validate=COMMITMENT_SHAPE,
        metadata={
            "description": "From `POST /v1/commitments`; the game has the id that was named there."
        },
    )
    nonce = nonce_sent(
        "Your part of the chance: any text, made after you have seen the `commitment`, without "
        "which it is refused."
    )


class SeatWanted(Body):
    """A seat that somebody wants to take."""

    nonce = nonce_sent(
        "Your part of the chance: any text, made after you have seen the game's `commitment`."
    )


class MoveWanted(Body):
    """A move: either an action or its text."""

    keywords = EITHER_OR

    action = ActionSent(metadata={"description": "An option's `action`, or a variation of it."})
    text = fields.String(
        validate=validate.Length(1, 400),
        metadata={"description": "An option's `text` or its number `n`, or the like."},
    )

    @ma.validates_schema
    def one_of_both(self, data: dict[str, object], **_: object) -> None:
        """Refuse a move that is said twice, or not at all."""
        if len(data) != 1:
            raise ma.ValidationError("There must be either an “action” or a “text”.")


class MessageWanted(Body):
    """Something to say to the table."""

    text = fields.String(required=True, validate=[validate.Length(1, LONGEST_MESSAGE), SOMETHING])


class Paged(Query):
    """A part of a long list."""

    cursor = fields.String(metadata={"description": "From a `Link` header; means nothing else."})
    limit = AskedWhole(
        load_default=20,
        validate=validate.Range(1, LONGEST_PAGE),
        metadata={"description": "At most so many."},
    )


class GamesAsked(Paged):
    """Which games to list."""

    status = fields.String(
        load_default=None,
        validate=validate.OneOf(STATUSES),
        metadata={"description": "Only these; abandoned games are among the finished."},
    )
    mine = AskedFlag(load_default=False, metadata={"description": "Only those I sit at."})
    board = fields.String(load_default=None, metadata={"description": "Only this board."})


class PictureAsked(Query):
    """How a picture should look."""

    theme = fields.String(
        load_default="light",
        validate=validate.OneOf(THEMES),
        metadata={"description": "For readers by day or by night."},
    )


class GamePictureAsked(PictureAsked):
    """The same, and what it should show."""

    tickets = AskedFlag(
        load_default=False, metadata={"description": "Mark where my own tickets end."}
    )


WAIT = {"description": "Wait up to so many seconds for something to answer."}


class DecisionsAsked(Paged):
    """Which decisions to list."""

    wait = AskedWhole(load_default=0, validate=validate.Range(0, LONGEST_WAIT), metadata=WAIT)


class EventsAsked(Query):
    """Which events to read."""

    after = AskedWhole(
        load_default=0,
        validate=validate.Range(0, 10**9),
        metadata={"description": "The `seq` of the last event you know."},
    )
    wait = AskedWhole(load_default=0, validate=validate.Range(0, LONGEST_WAIT), metadata=WAIT)


class MessagesAsked(Query):
    """Which messages to read."""

    after = AskedWhole(
        load_default=0,
        validate=validate.Range(0, 10**9),
        metadata={"description": "The `number` of the last message you know."},
    )
    limit = AskedWhole(
        load_default=50,
        validate=validate.Range(1, LONGEST_PAGE),
        metadata={"description": "At most so many."},
    )
