"""Ending a turn in which something optional is left."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from engine.errors import Illegal, Refusal, Unreadable
from engine.kinds import Action, Decision, Event, action, event
from engine.notation import amounts, halves, not_understood
from engine.rules.turns import Turns, turns
from engine.state import Awaiting, State, closed
from engine.text import shown
from engine.translate import say
from engine.values import Seat, Tokens

if TYPE_CHECKING:
    from engine.play import Play
    from engine.ruleset import Ruleset


KINDS = {kind: kind for kind in Tokens._fields}


@action("end_turn")
class EndTurn(Action):
    return_tokens: Tokens = Tokens()
    """Back to the supply, in games that have tokens (R-DICE-17)."""


@event
class TurnEnded(Event):
    """The seat leaves the rest of its action undone."""

    seat: Seat


@turns.decides(EndTurn)
def leave_it(play: "Play", asked: Decision, action: EndTurn) -> None:
    play.record(TurnEnded(asked.seat))


@turns.evolves(TurnEnded)
def left(part: Turns, event: TurnEnded) -> Turns:
    return part


@turns.awaits(TurnEnded)
def enough(awaiting: Awaiting, event: TurnEnded) -> Awaiting:
    return closed(awaiting, event.seat)


@turns.explains(EndTurn)
def why_not_end(rules: "Ruleset", state: State, asked: Decision, action: EndTurn) -> Refusal:
    if any(action.return_tokens):
        said = say("You cannot return {tokens} now.", tokens=action.return_tokens.spoken)
        return Illegal(said, "R-DICE-17")
    return Illegal(say("A turn cannot be ended before its action is done."), "R-TURN-2")


@turns.labels(EndTurn)
def label_end(rules: "Ruleset", state: State, action: EndTurn) -> str:
    tokens = action.return_tokens
    if not any(tokens):
        return say("End your turn")
    return say("End your turn and return {tokens}", tokens=tokens.spoken)


@turns.titles("end")
def title_end(rules: "Ruleset", what: str) -> str:
    return say("End your turn")


@turns.groups(EndTurn)
def group_end(rules: "Ruleset", action: EndTurn) -> str:
    return "end"


@turns.writes(EndTurn)
def write_end(rules: "Ruleset", action: EndTurn) -> str:
    tokens = action.return_tokens
    return f"end returning {tokens}" if any(tokens) else "end"


@turns.reads("end")
def read_end(rules: "Ruleset", state: State, asked: Decision, said: str) -> list[Action]:
    much, given = halves(said, "returning")
    if much not in ("", "turn"):
        raise Unreadable(not_understood(f"end {shown(much)}", "end"))
    bare = " ".join(word for word in given.split() if word not in ("token", "tokens"))
    return [EndTurn(Tokens(**amounts(bare, KINDS, _no_token)))]


def _no_token(said: str) -> str:
    return say("“{said}” is no kind of token.", said=said)


@turns.tells(TurnEnded)
def tell_left(rules: "Ruleset", event: TurnEnded, names: Sequence[str]) -> str:
    return say("{who} leaves it at that.", who=names[event.seat])
