"""Turns: whose turn it is, passing, the last round and the end of the game."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, NamedTuple, TypedDict

from engine.chance import shuffle
from engine.display import LAST, Fact
from engine.errors import Illegal, Refusal
from engine.kinds import Action, Decision, Event, action, decision, event
from engine.meanings import OneOf
from engine.module import Module, Shown
from engine.notation import alone
from engine.state import Awaiting, State, closed, opened
from engine.tally import Tally
from engine.text import listed, points
from engine.translate import say, says
from engine.values import Result, Seat

if TYPE_CHECKING:
    from engine.play import Play
    from engine.ruleset import Ruleset

LAST_ROUND, STALEMATE = ENDINGS = ("last_round", "stalemate")
"""Why a game ends."""


@dataclass(frozen=True, slots=True)
class Parameters:
    ties: tuple[str, ...]
    """Measures that break ties, most important first (R-TIE)."""


class Turns(NamedTuple):
    seat: Seat | None
    """Whose turn it is; None before the first."""
    passes: int
    """How many turns in a row were passed, before this one."""
    passing: bool
    """Whether this turn was passed."""
    left: int | None
    """How many turns of the last round have not begun; None before it."""
    winners: tuple[Seat, ...] | None


turns: Module[Parameters, Turns] = Module("turns", Parameters)


@decision
class TakeTurn(Decision):
    """Take a turn."""

    seat: Seat


@action("pass")
class PassTurn(Action):
    """Pass the turn, when there is nothing else to do."""


@event
class GameStarted(Event):
    """The game has started."""

    board: Annotated[str, "The board's id."]
    variants: Annotated[tuple[str, ...], "The ids of the variants."]
    digest: Annotated[str, "A hash of everything on the board that matters to the rules."]
    seating: Annotated[
        tuple[int, ...],
        "For each seat the place at the table from which its player came, from 0.",
    ]


@event
class TurnBegan(Event):
    """The turn of a seat has begun."""

    seat: Seat


@event
class TurnPassed(Event):
    """A seat has passed its turn."""

    seat: Seat


@event
class LastRoundBegan(Event):
    """The last round has begun."""

    seat: Seat
    turns: Annotated[int, "How many turns are left, this seat's last one included."]


@event
class GameEnded(Event):
    """The game is over."""

    reason: Annotated[
        str,
        "Why the game has ended: `last_round`, or `stalemate` if nobody had a move left.",
        OneOf(ENDINGS),
    ]
    winners: Annotated[tuple[Seat, ...], "The seats that have won."]
    results: Annotated[tuple[Result, ...], "The result of each seat."]


@turns.starts
def nobodys_turn(rules: "Ruleset") -> Turns:
    return Turns(None, 0, passing=False, left=None, winners=None)


@turns.sets_up
def draw_seats(play: "Play") -> None:
    """Draw the seats at random, unless they are kept; seat 0 begins (R-DIG-1, R-SETUP-9)."""
    board = play.rules.board
    seating = list(range(play.rules.seats))
    if not play.keeps_seats:
        shuffle(play.chance, seating)
    play.record(GameStarted(board.id, board.variants, board.digest, tuple(seating)))


@turns.evolves(GameStarted)
def started(part: Turns, event: GameStarted) -> Turns:
    return part


@turns.evolves(TurnBegan)
def begun(part: Turns, event: TurnBegan) -> Turns:
    left = None if part.left is None else part.left - 1
    passes = part.passes + 1 if part.passing else 0
    return Turns(event.seat, passes, passing=False, left=left, winners=None)


@turns.awaits(TurnBegan)
def ask_for_a_turn(awaiting: Awaiting, event: TurnBegan) -> Awaiting:
    return opened(awaiting, TakeTurn(event.seat))


@turns.evolves(TurnPassed)
def passed(part: Turns, event: TurnPassed) -> Turns:
    return part._replace(passing=True)


@turns.awaits(TurnPassed)
def no_turn(awaiting: Awaiting, event: TurnPassed) -> Awaiting:
    return closed(awaiting, event.seat)


@turns.evolves(LastRoundBegan)
def last_round(part: Turns, event: LastRoundBegan) -> Turns:
    return part._replace(left=event.turns)


@turns.evolves(GameEnded)
def ended(part: Turns, event: GameEnded) -> Turns:
    return part._replace(winners=event.winners)


@turns.awaits(GameEnded)
def nothing_more(awaiting: Awaiting, event: GameEnded) -> Awaiting:
    return ()


@turns.advances
def go_on(play: "Play") -> None:
    """After a turn: end the game, start the last round, or begin the next turn (R-TURN-4)."""
    rules, seats = play.rules, play.rules.seats
    seat, passes, passing, left, _ = turns.part(play.state)
    if seat is None:
        play.record(TurnBegan(0))
    elif passing and passes + 1 == seats:
        finish(play, STALEMATE)
    elif left == 0:
        finish(play, LAST_ROUND)
    else:
        if left is None and True in [run(rules, play.state, seat) for run in rules.endings]:
            play.record(LastRoundBegan(seat, seats))
        play.record(TurnBegan((seat + 1) % seats))


def finish(play: "Play", reason: str) -> None:
    """Score everything and determine the winners (R-FINAL)."""
    tally = Tally(play.rules.seats)
    for run in play.rules.all("scores"):
        run(play.rules, play.state, tally)
    results = tally.results(turns.parameters(play.rules).ties)
    winners = tuple(result.seat for result in results if result.rank == 1)
    play.record(GameEnded(reason, winners, results))


@turns.falls_back(TakeTurn)
def offer_to_pass(rules: "Ruleset", state: State, decision: TakeTurn) -> list[Action]:
    """Passing is only allowed when nothing else is possible (R-ACT-PASS)."""
    return [PassTurn()]


@turns.decides(PassTurn)
def pass_on(play: "Play", decision: TakeTurn, action: PassTurn) -> None:
    play.record(TurnPassed(decision.seat))


@turns.explains(PassTurn)
def no_passing(rules: "Ruleset", state: State, decision: Decision, action: PassTurn) -> Refusal:
    return Illegal(say("You cannot pass while you have another move."), "R-ACT-PASS")


@turns.defaults(TakeTurn)
def first_thing(
    rules: "Ruleset", state: State, decision: TakeTurn, actions: Sequence[Action]
) -> Action:
    """The first option that is not a free action; options that spend nothing are listed first."""
    return next(action for action in actions if not action.free)


@turns.asks(TakeTurn)
def ask_turn(rules: "Ruleset", state: State, decision: TakeTurn) -> str:
    left = turns.part(state).left
    return say("Your turn.") if left is None else say("Your last turn.")


@turns.waits(TakeTurn)
def wait_turn(rules: "Ruleset", decision: TakeTurn) -> str:
    return say("take a turn")


@turns.labels(PassTurn)
def label_pass(rules: "Ruleset", state: State, action: PassTurn) -> str:
    return say("Pass: you have no other move")


@turns.titles("pass")
def title_pass(rules: "Ruleset", what: str) -> str:
    return say("Pass")


@turns.groups(PassTurn)
def group_pass(rules: "Ruleset", action: PassTurn) -> str:
    return "pass"


@turns.writes(PassTurn)
def write_pass(rules: "Ruleset", action: PassTurn) -> str:
    return "pass"


@turns.reads("pass")
def read_pass(rules: "Ruleset", state: State, decision: Decision, words: str) -> list[Action]:
    alone("pass", words)
    return [PassTurn()]


@turns.tells(GameStarted)
def tell_started(rules: "Ruleset", event: GameStarted, names: Sequence[str]) -> str:
    board, players = rules.board.spoken, ", ".join(names)
    return say("{board}: the turn order is {players}.", board=board, players=players)


@turns.tells(TurnBegan)
def tell_begun(rules: "Ruleset", event: TurnBegan, names: Sequence[str]) -> str:
    return ""


@turns.tells(TurnPassed)
def tell_passed(rules: "Ruleset", event: TurnPassed, names: Sequence[str]) -> str:
    return say("{who} has no move and passes.", who=names[event.seat])


@turns.tells(LastRoundBegan)
def tell_last_round(rules: "Ruleset", event: LastRoundBegan, names: Sequence[str]) -> str:
    who = names[event.seat]
    return say("{who} starts the last round: everybody gets one more turn.", who=who)


@turns.tells(GameEnded)
def tell_ended(rules: "Ruleset", event: GameEnded, names: Sequence[str]) -> str:
    who_won = verdict(event, names)
    if event.reason != STALEMATE:
        return say("The game is over: {verdict}", verdict=who_won)
    return say("Nobody has a move left. The game is over: {verdict}", verdict=who_won)


def verdict(event: GameEnded, names: Sequence[str]) -> str:
    """Who won, as a sentence."""
    won = points(event.results[event.winners[0]].total)
    winners = listed([names[seat] for seat in event.winners])
    if len(event.winners) == 1:
        return say("{who} wins with {points}.", who=winners, points=won)
    return say("{who} share the victory with {points}.", who=winners, points=won)


@turns.shows
def show(rules: "Ruleset", state: State) -> Shown:
    part = turns.part(state)
    return Shown({"turn": part.seat, "turns_left": part.left})


class TableShown(TypedDict):
    turn: Annotated[int | None, "Whose turn it is."]
    turns_left: Annotated[
        int | None, "Turns that have not begun, in the last round; otherwise null."
    ]


turns.shapes(table=TableShown)


@turns.lays_out
def turns_to_come(rules: "Ruleset", state: State) -> list[Fact]:
    """The turns left in the last round; nothing before it."""
    left = turns.part(state).left
    if left is None:
        return []
    value = says("{n} turn to go", "{n} turns to go", left)
    return [Fact("last_round", say("Last round"), value, place=LAST)]
