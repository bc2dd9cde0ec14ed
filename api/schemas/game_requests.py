"""Schemas of requests about games."""

from typing import Any

import marshmallow as ma
from marshmallow import fields, validate

from api.http.slips.move_slips import slip_in_move
from api.schemas.action_schemas import ActionField
from api.schemas.clock_schemas import ClockField
from api.schemas.fields import (
    EITHER_OR,
    QueryBoolean,
    QueryInteger,
    QuerySchema,
    RequestSchema,
    StrictBoolean,
    StrictInteger,
)
from api.schemas.game_schemas import STATUSES
from api.schemas.patterns import LINE, NOT_BLANK, TRIMMED
from pictures import COLOURS, THEMES
from service.clocks.paces import PACES
from service.games.commitments import LONGEST_NONCE
from service.games.lobby import MOST_SEATS, STRENGTHS, VISIBILITIES
from service.people.names import LONGEST_MESSAGE, LONGEST_TITLE

LONGEST_WAIT = 60
"""Seconds that a long poll may wait."""
LONGEST_PAGE = 100
"""Entries in one page of a list."""


HouseBots = RequestSchema.from_dict(
    {
        strength: StrictInteger(
            load_default=0,
            validate=validate.Range(0, MOST_SEATS),
            metadata={"description": "How many house bots of this strength."},
        )
        for strength in STRENGTHS
    },
    name="HouseBots",
)
HouseBots.__doc__ = "How many house bots of each strength."


VISIBILITY = (
    "Who can see the game: everyone; anyone who knows its id; or only its players "
    "and those who were invited."
)
DEFAULT_VISIBILITY = (
    " If it is left out, the game is public, and becomes private with the first invitation."
)
COMMITMENT_PATTERN = validate.Regexp(
    r"^[0-9a-f]{64}$", error="must be 64 lower-case hexadecimal digits."
)


def nonce_field(description: str) -> fields.String:
    """Make a nonce field of a request; empty if there is none."""
    checks = [validate.Length(max=LONGEST_NONCE), TRIMMED]
    return fields.String(load_default="", validate=checks, metadata={"description": description})


def colour_field() -> fields.String:
    """Make the field of a request with which a player chooses a colour."""
    return fields.String(
        validate=validate.OneOf(COLOURS),
        metadata={
            "description": "The colour of your trains, if you want to choose it; otherwise you get "
            "the colour of your seat, or the next one that nobody has."
        },
    )


PACE = {
    "description": "How long a decision may take: `days` is 3 days, `daily` one day, `week` 7 "
    "days, `live` 5 minutes, and `none` has no clock. When the time is up, the decision's default "
    "is played. A `clock` takes precedence.",
    "type": "string",
    "enum": list(PACES),
    "default": "days",
}


class PaceField(fields.Field[Any]):
    """A pace in a request; the service parses it.

    It may also be a clock, for clients from before the field `clock` existed. The OpenAPI document
    does not say so, since few generators of clients understand a union of a text and an object.
    """

    def __init__(self) -> None:
        super().__init__(metadata=PACE)


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
    clock = ClockField(
        metadata={"description": "The pace in numbers, if none of the presets suits you."}
    )
    visibility = fields.String(
        validate=validate.OneOf(VISIBILITIES),
        metadata={"description": VISIBILITY + DEFAULT_VISIBILITY},
    )
    title = fields.String(
        allow_none=True,
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
    colour = colour_field()


class SeatRequest(RequestSchema):
    """A request to join a game."""

    nonce = nonce_field(
        "Your contribution to the randomness: any text, chosen after you have seen the game's "
        "`commitment`."
    )
    colour = colour_field()


class TableBotRequest(RequestSchema):
    """A house bot for a free seat."""

    strength = fields.String(
        required=True,
        validate=validate.OneOf(STRENGTHS),
        metadata={"description": "How strong it is."},
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
        validate=validate.Range(1, 10**6, error="must be the “n” of an entry; they begin at 1."),
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
        metadata={"description": "A complete action: an entry's `action`, with its missing fields."}
    )
    text = fields.String(
        validate=validate.Length(1, 400),
        metadata={
            "description": "A move in the notation, or the number of an entry, perhaps followed by "
            "what is paid or chosen."
        },
    )
    choose = fields.Nested(
        ChooseRequest, metadata={"description": "A choice from the menu of the decision."}
    )

    @ma.pre_load
    def explain_slips(self, data: Any, **_: object) -> Any:
        """Refuse a whole entry, a bare action or a version in the body, with what to send."""
        if sentence := slip_in_move(data):
            raise ma.ValidationError(sentence)
        return data

    @ma.validates_schema
    def check_one_given(self, data: dict[str, object], **_: object) -> None:
        """Refuse a body with several fields or with none."""
        if len(data) != 1:
            raise ma.ValidationError("Send one of “action”, “text” and “choose”.")


class MessageRequest(RequestSchema):
    """A message to the table."""

    text = fields.String(
        required=True,
        validate=[validate.Length(1, LONGEST_MESSAGE), NOT_BLANK],
        metadata={"description": "The message; it may have several lines."},
    )


class PageQuery(QuerySchema):
    """One page of a list."""

    cursor = fields.String(
        metadata={
            "description": "An opaque cursor from a `Link` header.",
            "example": "MjAyNi0wMy0wMlQxODo0MTo1Ni4wMDBafGcyN2JzV2JFVTBRYlN0a2o2QkNndFI=",
        }
    )
    limit = QueryInteger(
        load_default=20,
        validate=validate.Range(1, LONGEST_PAGE),
        metadata={"description": "The maximum number of entries.", "example": 50},
    )


class GamesQuery(PageQuery):
    """Which games to list."""

    status = fields.String(
        validate=validate.OneOf(STATUSES),
        metadata={
            "description": "Only games with this status; `finished` includes abandoned games.",
            "example": "running",
        },
    )
    mine = QueryBoolean(
        load_default=False, metadata={"description": "Only your own games.", "example": True}
    )
    board = fields.String(metadata={"description": "Only games on this board.", "example": "usa"})
    pace = fields.String(
        validate=validate.OneOf(list(PACES)),
        metadata={"description": "Only games with this preset pace.", "example": "daily"},
    )
    seats = QueryInteger(
        validate=validate.Range(1, 8),
        metadata={"description": "Only games with this number of seats.", "example": 3},
    )
    known = QueryBoolean(
        load_default=False,
        metadata={
            "description": "Only games of people with whom you have played before.",
            "example": True,
        },
    )


class PictureQuery(QuerySchema):
    """How a picture should look."""

    theme = fields.String(
        load_default="light",
        validate=validate.OneOf(THEMES),
        metadata={"description": "Light or dark colours.", "example": "dark"},
    )


class GamePictureQuery(PictureQuery):
    """How a picture of a game should look, and what it should show."""

    tickets = QueryBoolean(
        load_default=False,
        metadata={"description": "Mark the cities of your own tickets.", "example": True},
    )


WAIT = {
    "description": "Long poll: wait up to this many seconds if there is nothing to return.",
    "example": 30,
}


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
        metadata={"description": "The `seq` of the last event you have seen.", "example": 57},
    )
    wait = QueryInteger(load_default=0, validate=validate.Range(0, LONGEST_WAIT), metadata=WAIT)


class MessagesQuery(QuerySchema):
    """Which messages to read."""

    after = QueryInteger(
        load_default=0,
        validate=validate.Range(0, 10**9),
        metadata={"description": "The `number` of the last message you have seen.", "example": 3},
    )
    limit = QueryInteger(
        load_default=50,
        validate=validate.Range(1, LONGEST_PAGE),
        metadata={"description": "The maximum number of messages.", "example": 20},
    )
