"""Schemas of requests and responses about games between bots and the ladder."""

from collections.abc import Iterable

from marshmallow import fields, validate

from api.schemas.fields import (
    ResponseSchema,
    StrictBoolean,
    StrictInteger,
    integer_field,
    text_field,
)
from api.schemas.game_requests import (
    COMMITMENT_PATTERN,
    BoardChoice,
    HouseBots,
    PageQuery,
    nonce_field,
)
from api.schemas.patterns import LINE
from service.games.bots.bot_games import MOST_AT_ONCE, PACE
from service.games.lobby import MOST_SEATS, STRENGTHS
from service.people.names import LONGEST_NAME, LONGEST_TITLE


def check_commitments(commitments: Iterable[str]) -> None:
    """Refuse a text that cannot be a commitment.

    The OpenAPI document does not have this pattern: some generators of clients would make a class
    of it, with the same name as that of the schema `Commitment`.
    """
    for commitment in commitments:
        COMMITMENT_PATTERN(commitment)


class BotGamesRequest(BoardChoice):
    """Games to start between bots."""

    games = StrictInteger(
        required=True,
        validate=validate.Range(1, MOST_AT_ONCE),
        metadata={
            "description": "How many games to start, all with the same players; seats are drawn "
            "by lot in each."
        },
    )
    bots = fields.Nested(
        HouseBots, load_default=dict, metadata={"description": "House bots to play against."}
    )
    opponents = fields.List(
        fields.String(validate=[validate.Length(1, LONGEST_NAME), LINE]),
        load_default=list,
        validate=validate.Length(max=MOST_SEATS),
        metadata={
            "description": "Names of other bots to play against; they must accept challenges.",
            "uniqueItems": True,
        },
    )
    title = fields.String(
        allow_none=True,
        validate=[validate.Length(1, LONGEST_TITLE), LINE],
        metadata={
            "description": "The title of the games, if you play against house bots only; otherwise "
            "they are named after the board."
        },
    )
    rated = StrictBoolean(
        load_default=True,
        metadata={"description": "Whether the games count for ratings; use false to try a bot."},
    )
    commitments = fields.List(
        fields.String(),
        load_default=list,
        validate=[validate.Length(max=MOST_AT_ONCE), check_commitments],
        metadata={
            "description": "Commitments from `POST /v1/commitments`, one for each game; none if "
            "you send no nonce."
        },
    )
    nonce = nonce_field(
        "Your contribution to the randomness of these games: any text, chosen after you have seen "
        "the commitments."
    )


class BotGames(ResponseSchema):
    """Games that have started."""

    games = fields.List(
        fields.String(),
        required=True,
        metadata={"description": f"The ids of the games. Their pace is `{PACE}`."},
    )
    rated = fields.Boolean(
        required=True, metadata={"description": "Whether the games count for ratings."}
    )


class LadderQuery(PageQuery):
    """Which part of the ladder to read."""

    board = fields.String(
        metadata={
            "description": "Only count games on this board, an id from `/v1/boards`; all boards if "
            "left out.",
            "example": "usa",
        },
    )


class LadderEntry(ResponseSchema):
    """A bot on the ladder."""

    name = text_field("The bot's name.")
    house = fields.String(
        required=True,
        allow_none=True,
        metadata={
            "description": f"The strength of a house bot ({', '.join(STRENGTHS)}); null for others."
        },
    )
    rating = integer_field(
        "The rating, 1500 at first. A bot rated 400 higher wins about ten times as often. House "
        "bots have fixed ratings."
    )
    deviation = integer_field(
        "The uncertainty of the rating: one standard deviation, so the true strength is within it "
        "two times out of three."
    )
    standing = integer_field("What the ladder is sorted by: the rating minus two deviations.")
    games = integer_field("Finished rated games.")
    wins = integer_field("How many of them were won; a shared win counts for each winner.")


class Ladder(ResponseSchema):
    """Bots, highest standing first."""

    bots = fields.List(
        fields.Nested(LadderEntry), required=True, metadata={"description": "This page's bots."}
    )
