"""What requests about boards must look like, and what is answered to them."""

from marshmallow import fields, validate

from api.schemas.fields import Answer, Query, Whole
from api.schemas.game_schemas import whole, words
from api.schemas.rule_schemas import with_rules
from engine.board import KINDS
from engine.values import COLOURS, GRAY

PAIR = validate.Length(equal=2)


def names(says: str) -> fields.List[str]:
    """Several ids in an answer."""
    return fields.List(fields.String(), required=True, metadata={"description": says})


class BoardAsked(Query):
    """With which variants."""

    variant = fields.List(
        fields.String(),
        load_default=list,
        metadata={"description": "The id of a variant. Repeat it, or separate them by commas."},
    )


class VariantOffered(Answer):
    """A way to play a board otherwise."""

    id = words("Name it in `variants` when you open a game.")
    name = words("What people call it.")
    description = words("What is different.")
    excludes = names("The variants with which it cannot be played.")


class BoardListed(Answer):
    """A board, and how it can be played."""

    id = words("Name it in `board` when you open a game.")
    name = words("What people call it.")
    seats = fields.List(
        Whole(),
        required=True,
        validate=PAIR,
        metadata={"description": "The least and the greatest number of seats."},
    )
    variants = fields.List(fields.Nested(VariantOffered), required=True)


class BoardsListed(Answer):
    """Every board there is."""

    boards = fields.List(fields.Nested(BoardListed), required=True)


class CityShown(Answer):
    """A city."""

    id = words("As routes and actions name it.")
    name = words("As people say it; not always unlike all others.")
    lat = fields.Float(required=True, metadata={"description": "Degrees north."})
    lon = fields.Float(required=True, metadata={"description": "Degrees east."})
    region = words("The part of the map it belongs to; empty where that does not matter.")


class PlaceShown(Answer):
    """A destination of tickets that any of several cities satisfies."""

    id = words("As tickets name it.")
    name = words("As people say it.")
    cities = names("The cities of which one will do.")


class RouteShown(Answer):
    """A route between two cities."""

    id = words("As actions and events name it.")
    name = words("Its cities, and what tells it from another track between them.")
    cities = fields.List(fields.String(), required=True, validate=PAIR)
    length = whole("How many trains it takes.")
    colour = words("The colour of cards it takes; any one colour if gray.", enum=[*COLOURS, GRAY])
    kind = words("What sort of route it is.", enum=list(KINDS))
    locomotives = whole("How many locomotives must be among its cards.")
    twin = fields.String(
        required=True,
        allow_none=True,
        metadata={"description": "The other track; with few seats only one of both is open."},
    )
    open_to_all = fields.Boolean(
        required=True, metadata={"description": "Every seat may claim it, also after another."}
    )


class TicketShown(Answer):
    """A ticket that can be dealt."""

    id = words("As actions and events name it.")
    name = words("Its two ends.")
    ends = fields.List(
        fields.String(),
        required=True,
        validate=PAIR,
        metadata={"description": "Ids of cities or places."},
    )
    points = whole("Won if it is completed, lost if not.")
    decks = names("The decks it belongs to.")


class HelpShown(Answer):
    """A short explanation of something that can be chosen."""

    about = words("What it explains, for programs.")
    title = words("What it explains, for people.")
    text = words("The explanation, in English.")


@with_rules("board")
class BoardShown(BoardListed):
    """A board with everything on it."""

    chosen = names("The variants that are worked in.")
    digest = words("Changes if anything changes that matters to the rules.")
    modules = names("The rule modules in play.")
    parameters = fields.Dict(
        keys=fields.String(),
        values=fields.Dict(keys=fields.String()),
        required=True,
        metadata={"description": "What the rules are set to, by module."},
    )
    cities = fields.List(fields.Nested(CityShown), required=True)
    places = fields.List(fields.Nested(PlaceShown), required=True)
    routes = fields.List(fields.Nested(RouteShown), required=True)
    tickets = fields.List(fields.Nested(TicketShown), required=True)
    help = fields.List(
        fields.Nested(HelpShown),
        required=True,
        metadata={"description": "What explains the choices of this game."},
    )
