"""What requests about games must look like, and what is answered to them."""

import marshmallow as ma
from marshmallow import fields, validate

from api.fields import Answer, AskedFlag, AskedWhole, Body, Query, Whole
from api.kinds import Component, EventSeen
from service.lobby import LONGEST_NONCE, STRENGTHS, VISIBILITIES
from service.names import LONGEST_MESSAGE, LONGEST_TITLE
from service.pace import PACES

STATUSES = ("open", "running", "finished")
LONGEST_WAIT = 60
LONGEST_PAGE = 100


def words(says: str, **more: object) -> fields.String:
    """A text in an answer."""
    return fields.String(required=True, metadata={"description": says, **more})


def whole(says: str) -> Whole:
    """A whole number in an answer."""
    return Whole(required=True, metadata={"description": says})


def moment(says: str, *, maybe: bool = False) -> fields.String:
    """A time in an answer, which may be missing."""
    about = {"description": says, "format": "date-time"}
    return fields.String(required=True, allow_none=maybe, metadata=about)


class ActionSent(Component):
    """An action in a request, which the engine reads."""

    component = "Action"


class Bots(Body):
    """How many house bots of each strength."""

    easy = Whole(load_default=0, validate=validate.Range(0, 5))
    medium = Whole(load_default=0, validate=validate.Range(0, 5))
    hard = Whole(load_default=0, validate=validate.Range(0, 5))


VISIBLE = (
    "Who may see it: everybody; whoever knows its id; or only those who sit there, which "
    "takes a table whose other seats the house plays."
)
NONCE = {
    "description": "Your part of the seed: any text. It proves that the cards were not chosen."
}


class GameWanted(Body):
    """A game that somebody wants to open."""

    board = fields.String(required=True, metadata={"description": "As in `/v1/boards`."})
    variants = fields.List(
        fields.String(),
        load_default=list,
        validate=validate.Length(max=10),
        metadata={"description": "As in `/v1/boards`, which says which go together."},
    )
    seats = Whole(
        required=True,
        validate=validate.Range(1, 8),
        metadata={"description": "How many seats; `/v1/boards` says how many a board has."},
    )
    pace = fields.String(
        load_default="days",
        validate=validate.OneOf(tuple(PACES)),
        metadata={"description": "How long a decision may take."},
    )
    visibility = fields.String(
        load_default="public",
        validate=validate.OneOf(VISIBILITIES),
        metadata={"description": VISIBLE},
    )
    title = fields.String(
        load_default=None,
        validate=validate.Length(1, LONGEST_TITLE),
        metadata={"description": "What to call it; the board's name if nothing is said."},
    )
    bots = fields.Nested(
        Bots, load_default=dict, metadata={"description": "Seats that the house plays."}
    )
    nonce = fields.String(
        load_default="", validate=validate.Length(max=LONGEST_NONCE), metadata=NONCE
    )


class SeatWanted(Body):
    """A seat that somebody wants to take."""

    nonce = fields.String(
        load_default="", validate=validate.Length(max=LONGEST_NONCE), metadata=NONCE
    )


class MoveWanted(Body):
    """A move: either an action or its text."""

    action = ActionSent(metadata={"description": "An option's `action`, or a variation of it."})
    text = fields.String(
        validate=validate.Length(max=400),
        metadata={"description": "An option's `text` or its number `n`, or the like."},
    )

    @ma.validates_schema
    def one_of_both(self, data: dict[str, object], **_: object) -> None:
        """Refuse a move that is said twice, or not at all."""
        if len(data) != 1:
            raise ma.ValidationError("There must be either an “action” or a “text”.")


class MessageWanted(Body):
    """Something to say to the table."""

    text = fields.String(required=True, validate=validate.Length(1, LONGEST_MESSAGE))


class Paged(Query):
    """A part of a long list."""

    cursor = fields.String(metadata={"description": "From a `Link` header; means nothing else."})
    limit = AskedWhole(
        load_default=20,
        validate=validate.Range(1, LONGEST_PAGE),
        metadata={"description": "At most so many."},
    )


class GamesAsked(Paged):
    """Which games to list."""

    status = fields.String(
        load_default=None,
        validate=validate.OneOf(STATUSES),
        metadata={"description": "Only these; abandoned games are among the finished."},
    )
    mine = AskedFlag(load_default=False, metadata={"description": "Only those I sit at."})
    board = fields.String(load_default=None, metadata={"description": "Only this board."})


WAIT = {"description": "Wait up to so many seconds for something to answer."}


class DecisionsAsked(Paged):
    """Which decisions to list."""

    wait = AskedWhole(load_default=0, validate=validate.Range(0, LONGEST_WAIT), metadata=WAIT)


class EventsAsked(Query):
    """Which events to read."""

    after = AskedWhole(
        load_default=0,
        validate=validate.Range(0, 10**9),
        metadata={"description": "The `seq` of the last event you know."},
    )
    wait = AskedWhole(load_default=0, validate=validate.Range(0, LONGEST_WAIT), metadata=WAIT)


class MessagesAsked(Query):
    """Which messages to read."""

    after = AskedWhole(
        load_default=0,
        validate=validate.Range(0, 10**9),
        metadata={"description": "The `number` of the last message you know."},
    )
    limit = AskedWhole(
        load_default=50,
        validate=validate.Range(1, LONGEST_PAGE),
        metadata={"description": "At most so many."},
    )


class Player(Answer):
    """Who plays at a seat."""

    seat = whole("Its number from 0; before the start the order of joining.")
    name = words("What to call this player.")
    kind = fields.String(
        required=True,
        allow_none=True,
        validate=validate.OneOf(("person", "bot", "house")),
        metadata={"description": "null once the account is gone."},
    )
    house = fields.String(
        required=True,
        allow_none=True,
        metadata={"description": f"The house bot: {', '.join(STRENGTHS)} or caretaker."},
    )
    resigned = fields.Boolean(required=True)


class Awaited(Answer):
    """A seat for which the table waits."""

    seat = whole("Who is awaited.")
    since = moment("Since when.", maybe=True)
    deadline = moment("Until when.", maybe=True)
    for_ = fields.String(data_key="for", metadata={"description": "What for: a phrase after “to”."})


class GameListed(Answer):
    """A game as it stands in a list."""

    id = words("Opaque.")
    title = words("What its players call it.")
    board = words("As in `/v1/boards`.")
    variants = fields.List(fields.String(), required=True)
    seats = whole("How many seats the table has.")
    status = words("Where it is.", enum=[*STATUSES, "abandoned"])
    visibility = words("Who may see it.", enum=list(VISIBILITIES))
    pace = words("How long a decision may take.", enum=list(PACES))
    version = whole("How many moves have been made.")
    commitment = words("SHA-256 of the seed, which is revealed in the end.")
    created = moment("When it was opened.")
    started = moment("When it began.", maybe=True)
    finished = moment("When it ended.", maybe=True)
    players = fields.List(fields.Nested(Player), required=True)
    awaited = fields.List(fields.Nested(Awaited), required=True)


class GameJoined(GameListed):
    """A game at whose table the caller has sat down."""

    me = Whole(required=True, metadata={"description": "My seat."})


COUNTS = fields.Dict(keys=fields.String(), values=Whole())


class SeatState(Answer):
    """What a view says of a seat. What a game does not have is left out."""

    seat = whole("Its number.")
    trains = Whole(metadata={"description": "Trains left."})
    route_points = Whole(metadata={"description": "Points for routes so far."})
    cards = fields.Dict(
        keys=fields.String(),
        values=Whole(),
        metadata={"description": "The hand by colour; “?” counts the cards you may not see."},
    )
    tickets = fields.List(
        fields.String(), metadata={"description": "Tickets held; “?” for each you may not see."}
    )
    offered = fields.List(
        fields.String(), metadata={"description": "Tickets offered, waiting for a choice."}
    )
    stations = fields.List(fields.String(), metadata={"description": "Cities with a station."})
    stations_left = Whole()
    technologies = fields.List(fields.String())
    tokens = fields.Dict(keys=fields.String(), values=Whole())


class GameState(Answer):
    """What the caller knows of the position. What a game does not have is left out."""

    turn = Whole(required=True, allow_none=True, metadata={"description": "Whose turn it is."})
    turns_left = Whole(
        required=True, allow_none=True, metadata={"description": "In the last round; else null."}
    )
    claimed = fields.Dict(
        keys=fields.String(),
        values=fields.List(Whole()),
        required=True,
        metadata={"description": "The seats that have claimed a route, by its id."},
    )
    closed = fields.List(
        fields.String(),
        required=True,
        metadata={"description": "Routes that nobody can claim any more."},
    )
    market = fields.List(
        fields.String(allow_none=True), metadata={"description": "Face-up cards, slot 1 first."}
    )
    deck = Whole(metadata={"description": "Cards left in the deck."})
    discards = fields.Dict(keys=fields.String(), values=Whole())
    aside = fields.Dict(
        keys=fields.String(),
        values=Whole(),
        metadata={"description": "Cards that a tunnel has shown, not discarded yet."},
    )
    dice = fields.List(fields.String(), metadata={"description": "Faces, die 1 first."})
    dice_used = fields.List(Whole(), metadata={"description": "Dice spent, by number."})
    rolls = Whole()
    double_routes = fields.List(fields.String())
    tickets_left = Whole()
    technologies_left = fields.Dict(keys=fields.String(), values=Whole())
    seats = fields.List(fields.Nested(SeatState), required=True)


class SeatResultField(Component):
    """How a seat ended."""

    component = "SeatResult"


class GameResult(Answer):
    """How a game ended."""

    reason = words("Why it ended.")
    winners = fields.List(Whole(), required=True)
    results = fields.List(SeatResultField(), required=True)


class GameSeen(GameListed):
    """A game as the caller may see it."""

    me = Whole(required=True, allow_none=True, metadata={"description": "My seat, if I have one."})
    head = fields.String(
        required=True,
        allow_none=True,
        metadata={"description": "The hash of the log so far; null before the start."},
    )
    state = fields.Nested(GameState, required=True, allow_none=True)
    result = fields.Nested(GameResult, required=True, allow_none=True)


class OptionListed(Answer):
    """Something the seat may do."""

    n = whole("Its number, from 1; valid for this version only.")
    text = words("In the notation.")
    label = words("As a sentence.")
    group = words("Options of one group belong together.")
    action = ActionSent(required=True)
    reveals = fields.Boolean(
        required=True, metadata={"description": "Chance has a say in what it leads to."}
    )
    spends = fields.String(
        required=True, allow_none=True, metadata={"description": "What it costs, in words."}
    )


class DecisionAsked(Answer):
    """What is asked of a seat, with everything it may answer."""

    game = words("The game's id.")
    title = words("What its players call the game.")
    version = whole("The version it is asked at.")
    seat = whole("Who is asked.")
    kind = words("What sort of decision it is.")
    prompt = words("The question.")
    since = moment("When it was opened.")
    deadline = moment("Until when; null if there is no limit.", maybe=True)
    options = fields.List(fields.Nested(OptionListed), required=True)
    default = whole("The `n` that is played for whoever does not answer.")


class DecisionsListed(Answer):
    """Decisions, the most urgent first."""

    decisions = fields.List(fields.Nested(DecisionAsked), required=True)


class GamesListed(Answer):
    """Games, the newest first."""

    games = fields.List(fields.Nested(GameListed), required=True)


class MoveMade(Answer):
    """What a move caused, as the seat that made it sees it."""

    game = words("The game's id.")
    move = whole("The number of the move.")
    version = whole("The version now, which counts what the house played at once.")
    head = words("The hash of the log so far; keep it to check the log in the end.")
    events = fields.List(fields.Nested(EventSeen), required=True)
    decision = fields.Nested(
        DecisionAsked, required=True, allow_none=True, metadata={"description": "What is next."}
    )


class EventsListed(Answer):
    """What happened, as the caller may see it."""

    events = fields.List(fields.Nested(EventSeen), required=True)
    version = whole("The game's version.")
    last = whole("Ask for what comes after this next time.")
    more = fields.Boolean(
        required=True, metadata={"description": "There is more already; `Link` leads there."}
    )
    over = fields.Boolean(required=True, metadata={"description": "Nothing more will come."})


class MessageSaid(Answer):
    """Something that was said to the table."""

    number = whole("Its number, from 1.")
    seat = Whole(required=True, allow_none=True)
    name = words("Who said it.")
    text = words("What was said.")
    at = moment("When.")


class MessagesListed(Answer):
    """Table talk, the oldest first."""

    messages = fields.List(fields.Nested(MessageSaid), required=True)
