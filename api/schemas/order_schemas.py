"""Schemas of requests and responses about standing orders."""

from marshmallow import fields, validate

from api.schemas.fields import (
    RequestSchema,
    ResponseSchema,
    StrictBoolean,
    integer_field,
    text_field,
    time_field,
)
from engine.orders import LONGEST_ORDERS
from service.games.ordering.giving import STATES

STEP_STATES = ("done", "current", "open")
"""What has become of a step."""


class OrdersRequest(RequestSchema):
    """What is to be played for you from now on."""

    text = fields.String(
        required=True,
        validate=validate.Length(1, LONGEST_ORDERS),
        metadata={
            "description": "Steps, separated by semicolons or line breaks, as docs/orders.md "
            "describes them.",
            "example": "draw; draw; claim dieppe-paris when I can",
        },
    )
    at_once = StrictBoolean(
        load_default=False,
        metadata={
            "description": "Play without the random delay. Then the others may guess that you have "
            "orders, because your moves come at once."
        },
    )


class OrderStep(ResponseSchema):
    """A step of your orders."""

    text = text_field("The step as text.")
    state = text_field("What has become of it.", enum=list(STEP_STATES))


class OrderedMove(ResponseSchema):
    """A move that your orders have made."""

    version = integer_field("The version of the game after it.")
    move = text_field("The move as text.")


class Orders(ResponseSchema):
    """Your orders in a game; nobody else can see them."""

    text = text_field("All steps as text, in one form for all ways to write them.")
    at_once = fields.Boolean(
        required=True, metadata={"description": "Whether they are played without the delay."}
    )
    given = time_field("When you gave them.")
    state = text_field(
        "`waiting` while they are carried out, `stopped` if you are asked, `finished` if nothing "
        "is left of them.",
        enum=list(STATES),
    )
    reason = fields.String(
        required=True,
        allow_none=True,
        metadata={"description": "Why they have stopped, in your language; null if they have not."},
    )
    ended = time_field("When they stopped or were finished; null before that.", maybe=True)
    steps = fields.List(
        fields.Nested(OrderStep), required=True, metadata={"description": "The steps, in order."}
    )
    played = fields.List(
        fields.Nested(OrderedMove),
        required=True,
        metadata={"description": "The latest moves that they have made, in order."},
    )
