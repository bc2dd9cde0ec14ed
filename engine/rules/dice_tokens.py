"""Route tokens: taking them for unused dice."""

from functools import lru_cache
from typing import TYPE_CHECKING, Annotated

from engine.errors import Illegal, Refusal
from engine.fold import evolve
from engine.kinds import Action, Decision, Event, action, event
from engine.meanings import OneOf
from engine.module import PAY
from engine.options import actions_for
from engine.rules.dice import dice, holding
from engine.rules.dice_purse import (
    SINGLE,
    Dice,
    Free,
    Numbers,
    SpendDice,
    free_dice,
    handfuls,
    likeness,
)
from engine.rules.dice_turn import FinishTurn, LeaveTunnel
from engine.rules.turn_end import EndTurn
from engine.state import State
from engine.translate import say, says
from engine.values import Seat, Tokens

if TYPE_CHECKING:
    from engine.play import Play
    from engine.ruleset import Ruleset

KINDS = Tokens._fields
TokenKind = Annotated[str, "The kind of token.", OneOf(KINDS)]
PRICE = 2
"""How many dice a token costs (R-DICE-13)."""


@action("take_token")
class TakeToken(Action):
    """Take a token for dice."""

    free = True
    kind_: TokenKind
    dice: Numbers


@event
class TokenTaken(Event):
    """A seat has taken a token for dice."""

    seat: Seat
    kind_: TokenKind
    dice: Numbers


@dice.offers(SpendDice, FinishTurn)
def offer_tokens(rules: "Ruleset", state: State, decision: Decision) -> list[TakeToken]:
    """Tokens for any two dice, before the action or after it (R-DICE-13, R-DICE-14)."""
    part = dice.part(state)
    if _limit(rules, part, decision.seat):
        return []
    return [*_tokens_for(free_dice(part))]


@lru_cache(maxsize=1 << 12)
def _tokens_for(free: Free) -> tuple[TakeToken, ...]:
    pairs = [numbers for numbers in handfuls(free).values() if len(numbers) == PRICE]
    return tuple(TakeToken(kind, pair) for kind in KINDS for pair in pairs)


def _limit(rules: "Ruleset", part: Dice, seat: Seat) -> Refusal | None:
    """Why this seat may not take any token now, or None if it may."""
    hold = dice.parameters(rules).hold
    if part.before >= hold:
        sentence = says(
            "You began this turn with {n} token, so you cannot take any.",
            "You began this turn with {n} tokens, so you cannot take any.",
            hold,
        )
        return Illegal(sentence, "R-DICE-16")
    if sum(part.tokens[seat]) >= hold:
        sentence = says("You already have {n} token.", "You already have {n} tokens.", hold)
        return Illegal(sentence, "R-DICE-15")
    return None


@dice.offers(PAY)
def offer_tokens_to_pay(rules: "Ruleset", state: State, decision: Decision) -> list[TakeToken]:
    """Tokens after which the decision can still be answered (R-DICE-24, R-ACT-6).

    A tunnel can always be given up, so before that any token may be taken (R-DICE-27).
    """
    return [
        taking
        for taking in offer_tokens(rules, state, decision)
        if _goes_on(rules, state, decision, taking)
    ]


def _goes_on(rules: "Ruleset", state: State, decision: Decision, taking: TakeToken) -> bool:
    after = evolve(rules, state, TokenTaken(decision.seat, taking.kind_, taking.dice))
    return any(
        not isinstance(other, EndTurn)
        for run in rules.offers[type(decision)]
        for other in run(rules, after, decision)
    )


@dice.admits(TakeToken)
def other_dice(rules: "Ruleset", state: State, decision: Decision, action: TakeToken) -> bool:
    like = likeness(free_dice(dice.part(state)), action.dice)
    return like is not None and TakeToken(action.kind_, like) in actions_for(rules, state, decision)


@dice.decides(TakeToken)
def take(play: "Play", decision: Decision, action: TakeToken) -> None:
    play.record(TokenTaken(decision.seat, action.kind_, tuple(sorted(action.dice))))


@dice.evolves(TokenTaken)
def taken(part: Dice, event: TokenTaken) -> Dice:
    single, double = part.tokens[event.seat]
    more = Tokens(single + 1, double) if event.kind_ == SINGLE else Tokens(single, double + 1)
    faces, rolls, used, staked, held, before, doubles = part
    gone = used.union(event.dice)
    return holding(Dice(faces, rolls, gone, staked, held, before, doubles), event.seat, more)


@dice.explains(TakeToken)
def why_no_token(rules: "Ruleset", state: State, decision: Decision, action: TakeToken) -> Refusal:
    part = dice.part(state)
    if action.kind_ not in KINDS:
        return Illegal(say("A token is single or double."), "R-DICE-5")
    if isinstance(decision, LeaveTunnel):
        sentence = say("You cannot take tokens after giving up a tunnel.")
        return Illegal(sentence, "R-DICE-22")
    if limit := _limit(rules, part, decision.seat):
        return limit
    if len(action.dice) != PRICE or likeness(free_dice(part), action.dice) is None:
        return Illegal(say("A token costs two unused dice."), "R-DICE-13")
    return Illegal(say("You cannot take a token now."), "R-ACT-6")
