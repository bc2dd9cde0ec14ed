"""What is asked and answered about bots among themselves."""

from marshmallow import fields, validate

from api.schemas.fields import Answer, Flag, Whole
from api.schemas.game_requests import COMMITMENT_SHAPE, Bots, OnBoard, Paged, nonce_sent
from api.schemas.game_schemas import whole, words
from api.schemas.patterns import LINE
from service.games.bot_games import MOST_AT_ONCE, PACE
from service.games.lobby import MOST_SEATS, STRENGTHS
from service.people.names import LONGEST_NAME, LONGEST_TITLE


class BotGamesWanted(OnBoard):
    """Games that a bot wants to play."""

    games = Whole(
        required=True,
        validate=validate.Range(1, MOST_AT_ONCE),
        metadata={"description": "How many, all with the same players; seats are drawn in each."},
    )
    bots = fields.Nested(
        Bots, load_default=dict, metadata={"description": "House bots to play against."}
    )
    opponents = fields.List(
        fields.String(validate=[validate.Length(1, LONGEST_NAME), LINE]),
        load_default=list,
        validate=validate.Length(max=MOST_SEATS),
        metadata={
            "description": "Names of other bots, which let others challenge them.",
            "uniqueItems": True,
        },
    )
    title = fields.String(
        load_default=None,
        validate=[validate.Length(1, LONGEST_TITLE), LINE],
        metadata={
            "description": "What to call them, where only the house plays against you; else they "
            "have the board's name."
        },
    )
    rated = Flag(
        load_default=True,
        metadata={"description": "Whether ratings follow from them; false to try a bot."},
    )
    commitments = fields.List(
        fields.String(validate=COMMITMENT_SHAPE),
        load_default=list,
        validate=validate.Length(max=MOST_AT_ONCE),
        metadata={
            "description": "From `POST /v1/commitments`, one for each game; none if you give no "
            "nonce."
        },
    )
    nonce = nonce_sent(
        "Your part of the chance in each of these games: any text, made after you have seen the "
        "commitments."
    )


class BotGamesBegun(Answer):
    """Games that have begun."""

    games = fields.List(
        fields.String(),
        required=True,
        metadata={"description": f"Their ids. Their pace is `{PACE}`."},
    )
    rated = fields.Boolean(
        required=True, metadata={"description": "Whether ratings follow from them."}
    )


class LadderAsked(Paged):
    """Which part of the ladder."""

    board = fields.String(
        load_default=None,
        metadata={
            "description": "By games on this board of `/v1/boards` alone; without it by all."
        },
    )


class Rung(Answer):
    """How strong a bot is."""

    name = words("What to call it.")
    house = fields.String(
        required=True,
        allow_none=True,
        metadata={"description": f"A house bot to compare with: {', '.join(STRENGTHS)}."},
    )
    rating = whole(
        "1500 at first; whoever stands 400 higher wins about ten times as often. House bots have "
        "a fixed one, which no game changes."
    )
    deviation = whole("How unsure that is: in two of three cases it is off by less than this.")
    standing = whole("What it is worth at least: two deviations below its rating.")
    games = whole("Rated games that are over.")
    wins = whole("Of these; a shared victory counts for each.")


class Ladder(Answer):
    """Bots, the highest standing first."""

    bots = fields.List(fields.Nested(Rung), required=True)
