"""What is asked and answered about bots among themselves."""

from marshmallow import fields, validate

from api.fields import Answer, Whole
from api.game_requests import Bots, OnBoard, Paged
from api.game_schemas import whole, words
from service.bot_games import MOST_AT_ONCE, PACE
from service.lobby import MOST_SEATS, STRENGTHS
from service.names import LONGEST_NAME, LONGEST_TITLE


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
        fields.String(validate=validate.Length(1, LONGEST_NAME)),
        load_default=list,
        validate=validate.Length(max=MOST_SEATS),
        metadata={"description": "Names of other bots, which let others challenge them."},
    )
    title = fields.String(
        load_default=None,
        validate=validate.Length(1, LONGEST_TITLE),
        metadata={"description": "What to call them; the board's name if nothing is said."},
    )


class BotGamesBegun(Answer):
    """Games that have begun."""

    games = fields.List(
        fields.String(),
        required=True,
        metadata={"description": f"Their ids. Their pace is `{PACE}`."},
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
    rating = whole("1500 at first; whoever stands 400 higher wins about ten times as often.")
    deviation = whole("How unsure that is: in two of three cases it is off by less than this.")
    standing = whole("What it is worth at least: two deviations below its rating.")
    games = whole("Games between bots that are over.")
    wins = whole("Of these; a shared victory counts for each.")


class Ladder(Answer):
    """Bots, the highest standing first."""

    bots = fields.List(fields.Nested(Rung), required=True)
