"""Turns with dice by order: rolling, collecting tokens, and ending the turn."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from engine.errors import Unreadable
from engine.kinds import Action, Decision
from engine.notation import alone, without
from engine.rules.dice import RerollDice, RollDice, dice
from engine.rules.dice_purse import JOKER, face_for, free_dice
from engine.rules.dice_tokens import TakeToken
from engine.rules.dice_turn import FinishTurn, LeaveTunnel
from engine.rules.turn_end import EndTurn
from engine.state import State
from engine.translate import say
from engine.wishes import Need, PlainWish, Wish

if TYPE_CHECKING:
    from engine.ruleset import Ruleset


@dice.orders("roll")
def order_roll(rules: "Ruleset", words: str) -> list[Wish]:
    alone("roll", without(words, "the", "dice"))
    return [PlainWish("roll", lambda rules, state, action: isinstance(action, RollDice))]


@dice.orders("reroll")
def order_reroll(rules: "Ruleset", words: str) -> list[Wish]:
    """Only all of them: nobody knows yet what the dice will show."""
    if without(words, "the", "dice") != "all":
        raise Unreadable(
            say("Nobody knows what the dice will show: only “reroll all” can be ordered.")
        )
    return [PlainWish("reroll all", _rerolls_all)]


def _rerolls_all(rules: "Ruleset", state: State, action: Action) -> bool:
    number = len(dice.part(state).faces)
    return isinstance(action, RerollDice) and len(action.dice) == number


@dice.collects
def collect(
    rules: "Ruleset", state: State, decision: Decision, actions: Sequence[Action], need: Need
) -> Action | None:
    """Roll, reroll what does not fit, take a token for what is left, and end the turn."""
    for action in actions:
        if isinstance(action, RollDice):
            return action
    faces = [face_for(bill.cost) for bill in need.bills]
    return (
        _reroll(state, actions, {*faces, JOKER})
        or _token(state, actions, faces)
        or next((each for each in actions if each == EndTurn()), None)
    )


def _reroll(state: State, actions: Sequence[Action], fitting: set[str]) -> Action | None:
    """Reroll all dice that do not help to pay."""
    rest = [number for number, face in free_dice(dice.part(state)) if face not in fitting]
    for action in actions:
        if isinstance(action, RerollDice) and action.dice == tuple(rest):
            return action
    return None


def _token(state: State, actions: Sequence[Action], faces: Sequence[str]) -> Action | None:
    """Take a token that helps, for the dice that help least."""
    shows = dice.part(state).faces
    tokens = [each for each in actions if isinstance(each, TakeToken) and each.kind_ in faces]
    return min(
        tokens,
        key=lambda each: sum(shows[number - 1] in (*faces, JOKER) for number in each.dice),
        default=None,
    )


@dice.finishes(FinishTurn, LeaveTunnel)
def finish(rules: "Ruleset", state: State, decision: Decision) -> Action:
    """Keep all tokens."""
    return EndTurn()
