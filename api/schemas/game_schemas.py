"""Schemas of responses about games."""

from marshmallow import fields, validate

from api.schemas.action_schemas import Component, EventRecord
from api.schemas.clock_schemas import Clock
from api.schemas.decision_schemas import Decision
from api.schemas.fields import (
    ResponseSchema,
    StrictInteger,
    integer_field,
    text_field,
    time_field,
)
from api.schemas.rule_schemas import with_rules
from engine import ENDINGS
from pictures import COLOURS
from service.clocks.paces import AWAY_AFTER, CUSTOM, PACES
from service.games.lobby import STRENGTHS, VISIBILITIES

STATUSES = ("open", "running", "finished")


class PlayerAbsence(ResponseSchema):
    """A period in which a player is away."""

    from_ = fields.String(
        required=True,
        data_key="from",
        attribute="from",
        metadata={"description": "When it begins.", "format": "date-time"},
    )
    to = time_field("When it ends.")


class Player(ResponseSchema):
    """A player at a seat."""

    seat = integer_field(
        "The seat's number, from 0. Before the game starts it is a place at the table; new players "
        "get the lowest free one."
    )
    name = text_field("The player's name.")
    kind = fields.String(
        required=True,
        allow_none=True,
        validate=validate.OneOf(("person", "bot", "house")),
        metadata={"description": "Who plays; null once the account has been deleted."},
    )
    house = fields.String(
        required=True,
        allow_none=True,
        metadata={
            "description": f"The house bot ({', '.join(STRENGTHS)}), or `caretaker` for a seat "
            "that was given up; a caretaker plays at medium strength. Null for other players."
        },
    )
    resigned = fields.Boolean(
        required=True,
        metadata={"description": "Whether the player has left the running game."},
    )
    away = fields.Boolean(
        required=True,
        metadata={
            "description": f"Whether the player has missed {AWAY_AFTER} deadlines in a row. The "
            "house then plays soon after each decision opens, until the player moves again."
        },
    )
    nonce_given = fields.Boolean(
        required=True,
        metadata={
            "description": "Whether the player added a nonce after the game's commitment was "
            "published, which proves that the seed was not chosen to fit it."
        },
    )
    colour = fields.String(
        required=True,
        allow_none=True,
        validate=validate.OneOf(COLOURS),
        metadata={
            "description": "The colour of the player's trains. Before the game starts, the one "
            "that the player has chosen, or null; afterwards every seat has one."
        },
    )
    absences = fields.List(
        fields.Nested(PlayerAbsence),
        metadata={
            "description": "The player's absences that affect this game; only players of a running "
            "game see them."
        },
    )


class AwaitedSeat(ResponseSchema):
    """A seat that the game is waiting for."""

    seat = integer_field("The seat's number.")
    since = time_field("When its decision opened.", maybe=True)
    deadline = time_field(
        "When the default is played if the seat has not moved. An absence may move it.", maybe=True
    )
    for_ = fields.String(
        data_key="for",
        metadata={"description": "What the game is waiting for: a phrase that follows “to”."},
    )


class GameSummary(ResponseSchema):
    """A game in a list."""

    id = text_field("An opaque id.")
    title = text_field("The game's title.")
    board = text_field("An id from `/v1/boards`.")
    variants = fields.List(
        fields.String(),
        required=True,
        metadata={"description": "The ids of the variants, from `/v1/boards`."},
    )
    seats = integer_field("The number of seats.")
    reserved = fields.List(
        time_field("When the reservation ends."),
        required=True,
        metadata={
            "description": "Free seats that are reserved for guests: when each reservation ends, "
            "the first one first. The seats that are left over can be taken by anybody."
        },
    )
    status = text_field("The game's status.", enum=[*STATUSES, "abandoned"])
    visibility = text_field("Who can see the game.", enum=list(VISIBILITIES))
    pace = text_field("How long a decision may take.", enum=[*PACES, CUSTOM])
    clock = fields.Nested(
        Clock,
        required=True,
        allow_none=True,
        metadata={"description": "The pace in numbers; null if there is no clock."},
    )
    version = integer_field("How many moves have been made.")
    commitment = text_field(
        "The SHA-256 hash of the seed, which is revealed when the game is over."
    )
    committed = time_field(
        "When the commitment was published; before the game was opened, if its opener sent a nonce."
    )
    created = time_field("When the game was opened.")
    started = time_field("When the game started.", maybe=True)
    finished = time_field("When the game ended.", maybe=True)
    rated = fields.Boolean(
        required=True,
        metadata={"description": "Whether the game counts for ratings; only bots may play in it."},
    )
    players = fields.List(
        fields.Nested(Player), required=True, metadata={"description": "The players, by seat."}
    )
    awaited = fields.List(
        fields.Nested(AwaitedSeat),
        required=True,
        metadata={"description": "The seats that the game is waiting for."},
    )


class JoinedGame(GameSummary):
    """A game that you have joined."""

    me = StrictInteger(required=True, metadata={"description": "Your seat."})


@with_rules("seat")
class SeatState(ResponseSchema):
    """The state of a seat. Fields that a game does not use are left out."""

    seat = integer_field("The seat's number.")


@with_rules("table")
class GameState(ResponseSchema):
    """The position as you may see it. Fields that a game does not use are left out."""

    seats = fields.List(
        fields.Nested(SeatState), required=True, metadata={"description": "The state of each seat."}
    )


class SeatResultField(Component):
    """The result of a seat."""

    component = "SeatResult"


class GameResult(ResponseSchema):
    """The result of a game."""

    reason = text_field(
        "Why the game ended: after the last round, or because nobody had a move left.",
        enum=list(ENDINGS),
    )
    winners = fields.List(
        StrictInteger(), required=True, metadata={"description": "The seats that have won."}
    )
    results = fields.List(
        SeatResultField(), required=True, metadata={"description": "The result of each seat."}
    )


class Game(GameSummary):
    """A game as you may see it."""

    me = StrictInteger(
        required=True,
        allow_none=True,
        metadata={"description": "Your seat; null if you have none or have resigned."},
    )
    head = fields.String(
        required=True,
        allow_none=True,
        metadata={"description": "The hash of the log so far; null before the game starts."},
    )
    state = fields.Nested(
        GameState,
        required=True,
        allow_none=True,
        metadata={"description": "The position as you may see it; null before the game starts."},
    )
    end = text_field(
        "How near the last round is, in words: who has the fewest trains left, and how many turns "
        "must pass at least. Empty before the game starts, in the last round and after the end."
    )
    result = fields.Nested(
        GameResult,
        required=True,
        allow_none=True,
        metadata={"description": "The result; null if the game has none, or none yet."},
    )


class TableLink(ResponseSchema):
    """A link with which anybody can take a seat."""

    link = text_field("The address of a page; it is a secret.")


class GameList(ResponseSchema):
    """Games, newest first."""

    games = fields.List(
        fields.Nested(GameSummary),
        required=True,
        metadata={"description": "The games of this page."},
    )


class MoveReceipt(ResponseSchema):
    """What a move caused, as the seat that made it sees it."""

    game = text_field("The game's id.")
    move = integer_field("The number of the move.")
    version = integer_field("The game's version after the move.")
    head = text_field("The hash of the log so far; keep it to check the log after the game.")
    events = fields.List(
        fields.Nested(EventRecord),
        required=True,
        metadata={"description": "What happened, as you may see it."},
    )
    decision = fields.Nested(
        Decision,
        required=True,
        allow_none=True,
        metadata={"description": "Your next decision, if it is still your turn."},
    )


class EventList(ResponseSchema):
    """Events as you may see them."""

    events = fields.List(
        fields.Nested(EventRecord),
        required=True,
        metadata={"description": "The events of this page, in order."},
    )
    version = integer_field("The game's version.")
    last = integer_field("The `seq` to send as `after` next time.")
    more = fields.Boolean(
        required=True,
        metadata={"description": "Whether more events are waiting; `Link` leads to them."},
    )
    over = fields.Boolean(
        required=True, metadata={"description": "Whether the game is over; no more events follow."}
    )


class Message(ResponseSchema):
    """A message to the table."""

    number = integer_field("Its number, from 1.")
    seat = StrictInteger(
        required=True,
        allow_none=True,
        metadata={"description": "The seat of its author; null if they have left the table."},
    )
    name = text_field("Who wrote it.")
    text = text_field("The message.")
    at = time_field("When it was sent.")


class MessageList(ResponseSchema):
    """Table talk, oldest first."""

    messages = fields.List(
        fields.Nested(Message),
        required=True,
        metadata={"description": "The messages of this page."},
    )
