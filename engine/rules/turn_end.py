"""Ending a turn early, when only optional steps are left."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

from engine.errors import Illegal, Refusal, Unreadable
from engine.kinds import Action, Decision, Event, action, event
from engine.menu import Entry, Way, plain_entry
from engine.notation import amounts, halves, not_understood, without
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
    """End the turn without doing more."""

    return_tokens: Annotated[Tokens, "Tokens to return to the supply; none if left out."] = Tokens()
    """Only in games with dice (R-DICE-17)."""


@event
class TurnEnded(Event):
    """A seat has skipped the optional rest of its turn."""

    seat: Seat


@turns.decides(EndTurn)
def leave_it(play: "Play", decision: Decision, action: EndTurn) -> None:
    play.record(TurnEnded(decision.seat))


@turns.evolves(TurnEnded)
def left(part: Turns, event: TurnEnded) -> Turns:
    return part


@turns.awaits(TurnEnded)
def enough(awaiting: Awaiting, event: TurnEnded) -> Awaiting:
    return closed(awaiting, event.seat)


@turns.explains(EndTurn)
def why_not_end(rules: "Ruleset", state: State, decision: Decision, action: EndTurn) -> Refusal:
    if any(action.return_tokens):
        sentence = say("You cannot return {tokens} now.", tokens=action.return_tokens.spoken)
        return Illegal(sentence, "R-DICE-17")
    return Illegal(say("You cannot end your turn before you have taken an action."), "R-TURN-2")


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


@turns.enters(EndTurn)
def enter_end(
    rules: "Ruleset", state: State, decision: Decision, actions: Sequence[EndTurn]
) -> list[Entry]:
    """One entry; with tokens, returning some of them is another way to do it."""
    if len(actions) == 1:
        return [plain_entry(rules, state, actions[0])]
    ways = tuple(Way(str(action.return_tokens), _returned(action), (action,)) for action in actions)
    title = title_end(rules, "")
    return [Entry("end", "", title, "end", "end returning", "return_tokens", ways)]


def _returned(action: EndTurn) -> str:
    tokens = action.return_tokens
    if not any(tokens):
        return say("return nothing")
    return say("return {tokens}", tokens=tokens.spoken)


@turns.writes(EndTurn)
def write_end(rules: "Ruleset", action: EndTurn) -> str:
    tokens = action.return_tokens
    return f"end returning {tokens}" if any(tokens) else "end"


@turns.reads("end")
def read_end(rules: "Ruleset", state: State, decision: Decision, words: str) -> list[Action]:
    much, given = halves(words, "returning")
    if without(much, "your", "the") not in ("", "turn"):
        raise Unreadable(not_understood(f"end {shown(much)}", "end"))
    bare = without(given, "token", "tokens", "none")
    return [EndTurn(Tokens(**amounts(bare, KINDS, _no_token)))]


def _no_token(word: str) -> str:
    return say("“{word}” is not a kind of token.", word=word)


@turns.tells(TurnEnded)
def tell_left(rules: "Ruleset", event: TurnEnded, names: Sequence[str]) -> str:
    return say("{who} ends their turn.", who=names[event.seat])
