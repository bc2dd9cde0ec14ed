"""Schemas of responses about commitments."""

from api.schemas.fields import ResponseSchema, text_field, time_field
from service.games.commitments import MOST_UNUSED


class Commitment(ResponseSchema):
    """A seed that the house has committed to, for one game that you may open."""

    commitment = text_field(
        "The SHA-256 hash of the seed. Send it once, with `POST /v1/games` or `POST /v1/bot-games`."
    )
    game = text_field("The id the game will have; it is part of every random draw.")
    created = time_field("When the commitment was made.")
    expires = time_field(
        "When the commitment expires. An account keeps its newest "
        f"{MOST_UNUSED} unused commitments; older ones are dropped."
    )
