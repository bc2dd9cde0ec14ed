"""Schemas of decisions: the menu, its ways and choices, and the list of all options."""

from marshmallow import fields

from api.schemas.action_schemas import ActionField
from api.schemas.fields import ResponseSchema, integer_field, text_field, time_field
from engine.kinds import DECISIONS


def yes_or_no(description: str) -> fields.Boolean:
    """Make a required boolean field of a response."""
    return fields.Boolean(required=True, metadata={"description": description})


class Thing(ResponseSchema):
    """A thing that can be chosen, such as a ticket or a die."""

    value = fields.Raw(
        required=True,
        metadata={"description": "Its id, or the number of a die; send it in `choose.things`."},
    )
    title = text_field("What it is, in words.")


class Choice(ResponseSchema):
    """Things of which some are chosen, each at most once."""

    field = text_field("The field of the `action` that takes the list of chosen values.")
    least = integer_field("How many have to be chosen at least.")
    most = integer_field("How many may be chosen at most.")
    things = fields.List(
        fields.Nested(Thing),
        required=True,
        metadata={"description": "The things to choose from."},
    )


class Way(ResponseSchema):
    """A way to do what an entry says; mostly what is paid for it."""

    text = text_field("What is paid or chosen, in the notation.")
    label = text_field("The way in words.")
    fill = fields.Dict(
        keys=fields.String(),
        required=True,
        metadata={"description": "The fields that complete the entry's `action`."},
    )
    locomotives = integer_field("How many locomotives (or jokers) it takes, the fewest possible.")
    most_locomotives = integer_field(
        "The most locomotives (or jokers) with which it can be paid instead."
    )


class Entry(ResponseSchema):
    """One thing that the seat may do now."""

    n = integer_field("Its number, from 1; valid for this decision only.")
    group = text_field("Entries with the same group belong together, such as all claims.")
    about = text_field("The route, city or other thing it is about; empty if there is none.")
    title = text_field("The entry in words.")
    text = text_field("The entry in the notation, without what is paid or chosen.")
    action = fields.Dict(
        keys=fields.String(),
        required=True,
        metadata={
            "description": "The action, without what is still open: add the `fill` of a way, or "
            "the list of chosen values under `choice.field`."
        },
    )
    costs = text_field("What it costs, in words; empty if nothing.")
    points = integer_field("The points that it scores at once.")
    reveals = yes_or_no("Whether the outcome depends on chance.")
    ways = fields.List(
        fields.String(),
        required=True,
        metadata={
            "description": "The ways to do it, the thriftiest first; keys of the decision's `ways`."
        },
    )
    choice = fields.Nested(
        Choice,
        metadata={"description": "What to choose from; left out if there is nothing to choose."},
    )


class Option(ResponseSchema):
    """A complete move that the seat may make."""

    entry = integer_field("The number of the entry to which it belongs.")
    text = text_field("The move in the notation.")
    label = text_field("The move as a sentence.")
    action = ActionField(required=True, metadata={"description": "The move as an action."})


class Decision(ResponseSchema):
    """A decision that a seat has to make, with its menu."""

    game = text_field("The game's id.")
    title = text_field("The game's title.")
    version = integer_field("The version of the game that the menu belongs to.")
    seat = integer_field("The seat that has to decide.")
    kind = text_field("The kind of decision.", enum=sorted(DECISIONS))
    prompt = text_field("The question.")
    since = time_field("When the decision opened.")
    deadline = time_field(
        "The deadline, including bank, closed hours and absences; null if there is none.",
        maybe=True,
    )
    menu = fields.List(
        fields.Nested(Entry),
        required=True,
        metadata={"description": "Everything the seat may do, as a short list of entries."},
    )
    ways = fields.Dict(
        keys=fields.String(),
        values=fields.Nested(Way),
        required=True,
        metadata={"description": "The ways of all entries, by their keys."},
    )
    default = fields.Nested(
        Option, required=True, metadata={"description": "What is played at the deadline."}
    )
    options = fields.List(
        fields.Nested(Option),
        metadata={
            "description": "Every option, with all payments and selections; with `options=all`."
        },
    )


class DecisionList(ResponseSchema):
    """Decisions, most urgent first."""

    decisions = fields.List(
        fields.Nested(Decision),
        required=True,
        metadata={"description": "The decisions of this page."},
    )
