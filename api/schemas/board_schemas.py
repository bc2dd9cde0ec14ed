"""Schemas of requests and responses about boards."""

from marshmallow import fields, validate

from api.schemas.fields import (
    QuerySchema,
    ResponseSchema,
    StrictInteger,
    integer_field,
    text_field,
)
from api.schemas.rule_schemas import with_rules
from engine.board import KINDS
from engine.values import COLOURS, GRAY

PAIR = validate.Length(equal=2)


def ids_field(description: str) -> fields.List[str]:
    """Make a required list of ids in a response."""
    return fields.List(fields.String(), required=True, metadata={"description": description})


class BoardQuery(QuerySchema):
    """The variants to show a board with."""

    variant = fields.List(
        fields.String(),
        load_default=list,
        metadata={
            "description": "The id of a variant. Repeat the parameter, or separate ids by commas.",
            "example": ["usa_1910"],
        },
    )


class Variant(ResponseSchema):
    """A variant of a board."""

    id = text_field("Use it in `variants` when you open a game.")
    name = text_field("The name people see.")
    description = text_field("What is different.")
    excludes = ids_field("Variants that cannot be combined with this one.")


class StandIn(ResponseSchema):
    """What a board has in place of facts that are not known."""

    edition = text_field("The edition of the stand-ins; the true ones would have another.")
    notes = fields.List(
        fields.String(),
        required=True,
        metadata={"description": "What is not known, and what stands in for it, in sentences."},
    )


class BoardSummary(ResponseSchema):
    """A board and its variants."""

    id = text_field("Use it as `board` when you open a game.")
    name = text_field("The name people see.")
    description = text_field("What it adds to the basic game.")
    seats = fields.List(
        StrictInteger(),
        required=True,
        validate=PAIR,
        metadata={"description": "The minimum and maximum number of seats."},
    )
    variants = fields.List(
        fields.Nested(Variant), required=True, metadata={"description": "What can be varied."}
    )
    stand_in = fields.Nested(
        StandIn,
        required=True,
        allow_none=True,
        metadata={"description": "Stand-ins for facts that are not known; null on most boards."},
    )


class BoardList(ResponseSchema):
    """All boards."""

    boards = fields.List(
        fields.Nested(BoardSummary), required=True, metadata={"description": "All boards."}
    )


class City(ResponseSchema):
    """A city."""

    id = text_field("The id used in routes and actions.")
    name = text_field("The name people see; two cities may share one.")
    lat = fields.Float(required=True, metadata={"description": "Degrees north."})
    lon = fields.Float(required=True, metadata={"description": "Degrees east."})
    region = text_field("The region it belongs to; empty where regions do not matter.")


class Place(ResponseSchema):
    """A ticket destination that is reached at any one of several cities."""

    id = text_field("The id used in tickets.")
    name = text_field("The name people see.")
    cities = ids_field("Any one of these cities counts.")


class Route(ResponseSchema):
    """A route between two cities."""

    id = text_field("The id used in actions and events.")
    name = text_field("Its cities, and the track where there are two.")
    cities = fields.List(
        fields.String(),
        required=True,
        validate=PAIR,
        metadata={"description": "The ids of its two cities."},
    )
    length = integer_field("How many trains it takes.")
    colour = text_field(
        "The colour of the cards it takes; gray means any one colour.", enum=[*COLOURS, GRAY]
    )
    kind = text_field("The kind of route.", enum=list(KINDS))
    locomotives = integer_field("How many of its cards must be locomotives.")
    twin = fields.String(
        required=True,
        allow_none=True,
        metadata={
            "description": "The parallel track; with few players only one of the two is open."
        },
    )
    open_to_all = fields.Boolean(
        required=True,
        metadata={"description": "Whether it can be claimed without any technology."},
    )


class TicketOption(ResponseSchema):
    """One of several ways to complete a ticket."""

    to = text_field("The id of the city or place that has to be reached.")
    points = integer_field("Points won for it.")


class Ticket(ResponseSchema):
    """A ticket that can be dealt."""

    id = text_field("The id used in actions and events.")
    name = text_field("Its two ends.")
    ends = fields.List(
        fields.String(),
        required=True,
        validate=PAIR,
        metadata={"description": "Ids of cities or places."},
    )
    points = integer_field("Points won if it is completed, and lost if it is not.")
    options = fields.List(
        fields.Nested(TicketOption),
        required=True,
        metadata={
            "description": "If it can be completed in several ways, each of them; only the best "
            "one that is completed scores. Empty for most tickets."
        },
    )
    decks = ids_field("The decks it belongs to.")


class HelpText(ResponseSchema):
    """A short explanation of a choice."""

    about = text_field("What it explains, for programs.")
    title = text_field("What it explains, for people.")
    text = text_field("The explanation, in English.")


@with_rules("board")
class Board(BoardSummary):
    """A board with everything on it."""

    chosen = ids_field("The variants that this document includes.")
    digest = text_field("A hash that changes whenever anything that matters to the rules changes.")
    modules = ids_field("The rule modules in play.")
    parameters = fields.Dict(
        keys=fields.String(),
        values=fields.Dict(keys=fields.String()),
        required=True,
        metadata={"description": "The parameters of the rules, by module."},
    )
    cities = fields.List(
        fields.Nested(City), required=True, metadata={"description": "All cities."}
    )
    places = fields.List(
        fields.Nested(Place),
        required=True,
        metadata={"description": "Destinations that consist of several cities."},
    )
    routes = fields.List(
        fields.Nested(Route), required=True, metadata={"description": "All routes."}
    )
    tickets = fields.List(
        fields.Nested(Ticket),
        required=True,
        metadata={"description": "The tickets of a game with these variants."},
    )
    help = fields.List(
        fields.Nested(HelpText),
        required=True,
        metadata={"description": "Explanations of the choices in this game."},
    )
