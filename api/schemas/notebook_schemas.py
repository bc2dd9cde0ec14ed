"""Schemas of requests and responses about notebooks."""

from marshmallow import fields, validate

from api.schemas.fields import (
    RequestSchema,
    ResponseSchema,
    StrictInteger,
    integer_field,
    text_field,
)
from engine.forecast import STATUSES
from engine.values import CARDS
from service.games.notebooks import MOST_NOTES

MOST_ROUTES = 400
"""Routes in a request; no board has more."""
STATUS = (
    "`open`: you may claim it once you can pay. `locked`: you need another right first, such as a "
    "technology. `excess`: not after the routes before it. `lost`: never. `done`: it is yours."
)


class NotebookUpdate(RequestSchema):
    """Your notes and your sketch."""

    notes = fields.String(
        required=True,
        validate=validate.Length(max=MOST_NOTES),
        metadata={"description": "Anything; it may have several lines, or be empty."},
    )
    sketch = fields.List(
        fields.String(validate=validate.Length(1, 100)),
        required=True,
        validate=validate.Length(max=MOST_ROUTES),
        metadata={"description": "The ids of the routes you mean to claim, in this order."},
    )


class MissingCards(ResponseSchema):
    """Train cards that you do not have yet."""

    card = fields.String(
        required=True,
        allow_none=True,
        validate=validate.OneOf(CARDS),
        metadata={"description": "The card; null for any one colour."},
    )
    number = integer_field("How many; a locomotive can take the place of any card.")


class SketchedRoute(ResponseSchema):
    """A route of your sketch, judged after those before it."""

    route = text_field("The route's id.")
    name = text_field("The route's name.")
    status = text_field(STATUS, enum=list(STATUSES))
    reason = text_field("Why it is locked, in excess or lost; empty otherwise.")
    trains = integer_field("How many trains it takes.")
    points = integer_field("How many points you would get for it now; 0 if it does not count.")
    price = text_field("What it costs, in words; empty if it does not count.")
    missing = text_field(
        "The cards that your hand lacks for it, paid in the thriftiest way; empty if it has them, "
        "or if you pay with dice."
    )


class Forecast(ResponseSchema):
    """What the sketch takes and brings; only routes that are `open` or `locked` count."""

    trains = integer_field("How many trains the sketch takes.")
    trains_left = StrictInteger(
        required=True, metadata={"description": "How many trains you have."}
    )
    points = integer_field("The points for all its routes.")
    missing = fields.List(
        fields.Nested(MissingCards),
        required=True,
        metadata={"description": "All cards that your hand lacks for it."},
    )
    completes = fields.List(
        fields.String(),
        required=True,
        metadata={"description": "Your tickets that would be completed with its routes."},
    )


class Notebook(ResponseSchema):
    """Your private notes in a game, and the routes you mean to claim."""

    version = integer_field("How often it was changed; 0 if it is new.")
    notes = text_field("Your notes.")
    sketch = fields.List(
        fields.Nested(SketchedRoute),
        required=True,
        metadata={"description": "The routes you mean to claim, in your order."},
    )
    forecast = fields.Nested(
        Forecast, required=True, metadata={"description": "What the sketch takes and brings."}
    )
