"""What is answered about games."""

from marshmallow import fields, validate

from api.schemas.action_schemas import Component, EventSeen
from api.schemas.fields import Answer, Whole
from api.schemas.rule_schemas import with_rules
from service.clocks.pace import AWAY_AFTER, CUSTOM, PACES, WEEKDAYS
from service.games.lobby import STRENGTHS, VISIBILITIES

STATUSES = ("open", "running", "finished")


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


class AbsenceSeen(Answer):
    """When a player is away."""

    from_ = fields.String(
        required=True,
        data_key="from",
        attribute="from",
        metadata={"description": "It begins.", "format": "date-time"},
    )
    to = moment("It is over.")


class Player(Answer):
    """Who plays at a seat."""

    seat = whole(
        "Its number from 0; before the start the place at the table, of which whoever joins gets "
        "the lowest that is free."
    )
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
        metadata={
            "description": f"The house bot: {', '.join(STRENGTHS)}, or a caretaker of a seat "
            "that was given up, who plays as medium."
        },
    )
    resigned = fields.Boolean(required=True)
    away = fields.Boolean(
        required=True,
        metadata={
            "description": f"Has missed {AWAY_AFTER} deadlines in a row: the house decides here "
            "soon after it is asked, until the owner makes a move."
        },
    )
    nonce_given = fields.Boolean(
        required=True,
        metadata={
            "description": "Has added a nonce after the game's commitment was published: the seed "
            "was not chosen to fit it."
        },
    )
    absences = fields.List(
        fields.Nested(AbsenceSeen),
        metadata={
            "description": "When this player is away, as far as it concerns this game; told only "
            "to those who sit at the table, while the game runs."
        },
    )


class Awaited(Answer):
    """A seat for which the table waits."""

    seat = whole("Who is awaited.")
    since = moment("Since when.", maybe=True)
    deadline = moment("Until when; then the default is played. An absence may move it.", maybe=True)
    for_ = fields.String(data_key="for", metadata={"description": "What for: a phrase after “to”."})


CLOCK = {
    "per_decision": "Seconds that each decision may take while the clock runs.",
    "bank": "Seconds that each seat has on top for the whole game, used when a decision takes "
    "longer. Deadlines include what is left of it.",
    "reminders": "The parts of a decision's time after which its seat is reminded, the smaller "
    "first.",
    "window": "The part of the day in which the clock runs; null for all of it. It may go past "
    "midnight.",
    "weekdays": "The days on which the clock runs.",
    "time_zone": "Whose hours and days these are: an IANA name such as Europe/Paris.",
    "absences": "Whether the absences of players move their deadlines.",
}
"""What a clock is made of, in words."""


class WindowSet(Answer):
    """A part of the day, by the clock on a wall."""

    from_ = fields.String(
        required=True,
        data_key="from",
        attribute="from",
        metadata={"description": "When it begins, such as 08:00."},
    )
    to = words("When it ends; earlier than its beginning if it goes past midnight.")


class ClockSet(Answer):
    """How long a decision may take, and when that time runs."""

    per_decision = whole(CLOCK["per_decision"])
    bank = whole(CLOCK["bank"])
    reminders = fields.List(
        fields.Float(), required=True, metadata={"description": CLOCK["reminders"]}
    )
    window = fields.Nested(
        WindowSet, required=True, allow_none=True, metadata={"description": CLOCK["window"]}
    )
    weekdays = fields.List(
        fields.String(validate=validate.OneOf(WEEKDAYS)),
        required=True,
        metadata={"description": CLOCK["weekdays"]},
    )
    time_zone = words(CLOCK["time_zone"])
    absences = fields.Boolean(required=True, metadata={"description": CLOCK["absences"]})


class GameListed(Answer):
    """A game as it stands in a list."""

    id = words("Opaque.")
    title = words("What its players call it.")
    board = words("As in `/v1/boards`.")
    variants = fields.List(fields.String(), required=True)
    seats = whole("How many seats the table has.")
    status = words("Where it is.", enum=[*STATUSES, "abandoned"])
    visibility = words("Who may see it.", enum=list(VISIBILITIES))
    pace = words("How long a decision may take, in a word.", enum=[*PACES, CUSTOM])
    clock = fields.Nested(
        ClockSet,
        required=True,
        allow_none=True,
        metadata={"description": "The same in numbers; null if there is no clock."},
    )
    version = whole("How many moves have been made.")
    commitment = words("SHA-256 of the seed, which is revealed in the end.")
    committed = moment(
        "When the commitment was published: before the game was opened, if whoever opened it gave "
        "a nonce."
    )
    created = moment("When it was opened.")
    started = moment("When it began.", maybe=True)
    finished = moment("When it ended.", maybe=True)
    rated = fields.Boolean(
        required=True,
        metadata={
            "description": "Whether the ratings of the bots follow from it; only bots sit there."
        },
    )
    players = fields.List(fields.Nested(Player), required=True)
    awaited = fields.List(fields.Nested(Awaited), required=True)


class GameJoined(GameListed):
    """A game at whose table the caller has sat down."""

    me = Whole(required=True, metadata={"description": "My seat."})


@with_rules("seat")
class SeatState(Answer):
    """What a view says of a seat. What a game does not have is left out."""

    seat = whole("Its number.")


@with_rules("table")
class GameState(Answer):
    """What the caller knows of the position. What a game does not have is left out."""

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

    me = Whole(
        required=True,
        allow_none=True,
        metadata={
            "description": "My seat; null if I have none, or have resigned and only watch now."
        },
    )
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
    deadline = moment(
        "Until when, bank, closed hours and absences included; null if there is no limit.",
        maybe=True,
    )
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
    version = whole("The version now.")
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
