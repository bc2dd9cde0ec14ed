"""Route tokens: taking them for dice that are not used otherwise."""

from functools import lru_cache
from typing import TYPE_CHECKING

from engine.errors import Illegal, Refusal
from engine.fold import evolve
from engine.kinds import Action, Decision, Event, action, event
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
PRICE = 2
"""Dice for a token (R-DICE-13)."""


@action("take_token")
class TakeToken(Action):
    free = True
    kind_: str
    dice: Numbers


@event
class TokenTaken(Event):
    seat: Seat
    kind_: str
    dice: Numbers


@dice.offers(SpendDice, FinishTurn)
def offer_tokens(rules: "Ruleset", state: State, asked: Decision) -> list[TakeToken]:
    """For any two dice, before the action or after it (R-DICE-13, R-DICE-14)."""
    part = dice.part(state)
    if _limit(rules, part, asked.seat):
        return []
    return [*_tokens_for(free_dice(part))]


@lru_cache(maxsize=1 << 12)
def _tokens_for(free: Free) -> tuple[TakeToken, ...]:
    pairs = [some for some in handfuls(free).values() if len(some) == PRICE]
    return tuple(TakeToken(kind, pair) for kind in KINDS for pair in pairs)


def _limit(rules: "Ruleset", part: Dice, seat: Seat) -> Refusal | None:
    """Why this seat may take no token now, whatever the dice, if it may not."""
    hold = dice.parameters(rules).hold
    if part.before >= hold:
        said = says(
            "Who begins the turn with {n} token takes none in it.",
            "Who begins the turn with {n} tokens takes none in it.",
            hold,
        )
        return Illegal(said, "R-DICE-16")
    if sum(part.tokens[seat]) >= hold:
        said = says("You hold {n} token already.", "You hold {n} tokens already.", hold)
        return Illegal(said, "R-DICE-15")
    return None


@dice.offers(PAY)
def offer_tokens_to_pay(rules: "Ruleset", state: State, asked: Decision) -> list[TakeToken]:
    """Only if what is asked can still be done with the dice that are left (R-DICE-24, R-ACT-6).

    A tunnel can always be refused, so before that any token may be taken (R-DICE-27).
    """
    return [one for one in offer_tokens(rules, state, asked) if _goes_on(rules, state, asked, one)]


def _goes_on(rules: "Ruleset", state: State, asked: Decision, taking: TakeToken) -> bool:
    after = evolve(rules, state, TokenTaken(asked.seat, taking.kind_, taking.dice))
    return any(
        not isinstance(other, EndTurn)
        for run in rules.offers[type(asked)]
        for other in run(rules, after, asked)
    )


@dice.admits(TakeToken)
def other_dice(rules: "Ruleset", state: State, asked: Decision, action: TakeToken) -> bool:
    like = likeness(free_dice(dice.part(state)), action.dice)
    return like is not None and TakeToken(action.kind_, like) in actions_for(rules, state, asked)


@dice.decides(TakeToken)
def take(play: "Play", asked: Decision, action: TakeToken) -> None:
    play.record(TokenTaken(asked.seat, action.kind_, tuple(sorted(action.dice))))


@dice.evolves(TokenTaken)
def taken(part: Dice, event: TokenTaken) -> Dice:
    single, double = part.tokens[event.seat]
    more = Tokens(single + 1, double) if event.kind_ == SINGLE else Tokens(single, double + 1)
    faces, rolls, used, staked, held, before, doubles = part
    gone = used.union(event.dice)
    return holding(Dice(faces, rolls, gone, staked, held, before, doubles), event.seat, more)


@dice.explains(TakeToken)
def why_no_token(rules: "Ruleset", state: State, asked: Decision, action: TakeToken) -> Refusal:
    part = dice.part(state)
    if action.kind_ not in KINDS:
        return Illegal(say("A token is single or double."), "R-DICE-5")
    if isinstance(asked, LeaveTunnel):
        said = say("Tokens could be taken until you gave the tunnel up, and not after that.")
        return Illegal(said, "R-DICE-22")
    if limit := _limit(rules, part, asked.seat):
        return limit
    if len(action.dice) != PRICE or likeness(free_dice(part), action.dice) is None:
        return Illegal(say("A token costs two dice that are not used yet."), "R-DICE-13")
    return Illegal(say("No token can be taken now."), "R-ACT-6")
