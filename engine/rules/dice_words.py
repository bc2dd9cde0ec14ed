"""The words of dice and tokens: prompts, labels, notation, refusals and sentences."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from engine.errors import Illegal, Refusal, Unreadable
from engine.kinds import Action, Decision
from engine.notation import alone, halves
from engine.options import actions_for
from engine.rules.dice import (
    DiceRerolled,
    DiceRolled,
    DiceSpent,
    DrawForDice,
    RerollDice,
    RollDice,
    dice,
)
from engine.rules.dice_purse import (
    JOKER,
    STATION,
    Numbers,
    SpendDice,
    free_dice,
    likeness,
    numbers_in,
)
from engine.rules.dice_tokens import KINDS, TakeToken, TokenTaken
from engine.rules.dice_turn import (
    ActionDone,
    ActionFailed,
    DiceHandedOn,
    FinishTurn,
    LeaveTunnel,
    TunnelDiceRolled,
)
from engine.rules.tickets import tickets
from engine.rules.turns import TakeTurn
from engine.state import State
from engine.values import DicePayment
from engine.words import shown

if TYPE_CHECKING:
    from engine.ruleset import Ruleset


def named(some: Numbers) -> str:
    """Die 3, dice 1 2."""
    return str(DicePayment(some))


def showing(state: State, some: Numbers) -> str:
    """Dice with what they show."""
    faces = dice.part(state).faces
    return f"{DicePayment(some).spoken} ({', '.join(faces[die - 1] for die in some)})"


@dice.asks(SpendDice)
def ask_spend(rules: "Ruleset", state: State, asked: SpendDice) -> str:
    part = dice.part(state)
    left = ", ".join(f"{die} {face}" for die, face in free_dice(part)) or "none"
    held = f"; your tokens: {part.tokens[asked.seat]}" if any(part.tokens[asked.seat]) else ""
    return f"Use your dice or end your turn. Your dice: {left}{held}."


@dice.asks(FinishTurn)
def ask_finish(rules: "Ruleset", state: State, asked: FinishTurn) -> str:
    return "Your action is done. Take tokens for dice that are left, or end your turn."


@dice.asks(LeaveTunnel)
def ask_leave(rules: "Ruleset", state: State, asked: LeaveTunnel) -> str:
    return "You have not claimed the tunnel. End your turn."


@dice.waits(SpendDice)
def wait_spend(rules: "Ruleset", asked: SpendDice) -> str:
    return "use the dice"


@dice.waits(FinishTurn)
@dice.waits(LeaveTunnel)
def wait_end(rules: "Ruleset", asked: Decision) -> str:
    return "end the turn"


@dice.labels(RollDice)
def label_roll(rules: "Ruleset", state: State, action: RollDice) -> str:
    return "Roll the dice"


@dice.labels(RerollDice)
def label_reroll(rules: "Ruleset", state: State, action: RerollDice) -> str:
    return f"Reroll {showing(state, action.dice)}"


@dice.labels(DrawForDice)
def label_draw(rules: "Ruleset", state: State, action: DrawForDice) -> str:
    number = len(action.dice)
    noun = "a ticket" if number == 1 else f"{number} tickets"
    return f"Draw {noun} for {showing(state, action.dice)}"


@dice.labels(TakeToken)
def label_token(rules: "Ruleset", state: State, action: TakeToken) -> str:
    return f"Take a {action.kind_} token for {showing(state, action.dice)}"


@dice.groups(RollDice)
@dice.groups(RerollDice)
def group_roll(rules: "Ruleset", action: Action) -> str:
    return "roll"


@dice.groups(DrawForDice)
def group_draw(rules: "Ruleset", action: DrawForDice) -> str:
    return "tickets"


@dice.groups(TakeToken)
def group_token(rules: "Ruleset", action: TakeToken) -> str:
    return f"token {action.kind_}"


@dice.writes(RollDice)
def write_roll(rules: "Ruleset", action: RollDice) -> str:
    return "roll"


@dice.writes(RerollDice)
def write_reroll(rules: "Ruleset", action: RerollDice) -> str:
    return f"reroll {' '.join(map(str, action.dice))}"


@dice.writes(DrawForDice)
def write_draw(rules: "Ruleset", action: DrawForDice) -> str:
    return f"tickets with {named(action.dice)}"


@dice.writes(TakeToken)
def write_token(rules: "Ruleset", action: TakeToken) -> str:
    return f"token {action.kind_} with {named(action.dice)}"


@dice.reads("roll")
def read_roll(rules: "Ruleset", state: State, asked: Decision, said: str) -> list[Action]:
    alone("roll", said)
    return [RollDice()]


@dice.reads("reroll")
def read_reroll(rules: "Ruleset", state: State, asked: Decision, said: str) -> list[Action]:
    if said == "all":
        return [RerollDice(tuple(range(1, len(dice.part(state).faces) + 1)))]
    return [RerollDice(numbers_in(said))]


@dice.reads("tickets")
def read_draw(rules: "Ruleset", state: State, asked: Decision, said: str) -> list[Action]:
    """Without dice, every choice of dice that is offered is meant."""
    much, given = halves(said, "with")
    if much:
        raise Unreadable(f"“tickets {shown(much)}” is not understood; “tickets with die 3” is.")
    listed = [one for one in actions_for(rules, state, asked) if isinstance(one, DrawForDice)]
    return list(listed) if listed and not given else [DrawForDice(numbers_in(given))]


@dice.reads("token")
def read_token(rules: "Ruleset", state: State, asked: Decision, said: str) -> list[Action]:
    """Without dice, every pair of dice that is offered is meant."""
    kind, given = halves(said, "with")
    if kind not in KINDS:
        raise Unreadable(f"“{shown(kind)}” is no kind of token; there are {' and '.join(KINDS)}.")
    listed = [
        one
        for one in actions_for(rules, state, asked)
        if isinstance(one, TakeToken) and one.kind_ == kind
    ]
    return list(listed) if listed and not given else [TakeToken(kind, numbers_in(given))]


@dice.explains(RollDice)
def why_no_roll(rules: "Ruleset", state: State, asked: Decision, action: RollDice) -> Refusal:
    return Illegal("The dice are rolled once, when a turn begins.", "R-DICE-6")


@dice.explains(RerollDice)
def why_no_reroll(rules: "Ruleset", state: State, asked: Decision, action: RerollDice) -> Refusal:
    part = dice.part(state)
    if part.staked:
        return Illegal("After the tunnel dice no die is rolled again.", "R-DICE-23")
    if not isinstance(asked, SpendDice):
        return Illegal("There is nothing to reroll now.", "R-DICE-6")
    if part.rolls > 1:
        return Illegal("The dice can be rerolled once only.", "R-DICE-6")
    if part.used:
        return Illegal("You have used a die, so you cannot reroll any more.", "R-DICE-6")
    return Illegal(f"Name some of dice 1 to {len(part.faces)}, each once.", "R-DICE-6")


@dice.explains(DrawForDice)
def why_no_draw(rules: "Ruleset", state: State, asked: Decision, action: DrawForDice) -> Refusal:
    if not isinstance(asked, SpendDice):
        after_roll = not isinstance(asked, TakeTurn)
        said = "A turn has one action." if after_roll else "Roll the dice first."
        return Illegal(said, "R-DICE-7")
    part = tickets.part(state)
    if not (part.fresh or part.under):
        return Illegal("There are no tickets left to draw.", "R-TKT-2")
    if likeness(free_dice(dice.part(state)), action.dice) is None:
        return Illegal("Name dice that are not used yet, each once.", "R-DICE-9")
    return Illegal(f"Each ticket costs a die that shows a {STATION} or a {JOKER}.", "R-DICE-11")


@dice.tells(DiceRolled)
def tell_rolled(rules: "Ruleset", event: DiceRolled, names: Sequence[str]) -> str:
    return f"{names[event.seat]} rolls {', '.join(event.faces)}."


@dice.tells(DiceRerolled)
def tell_rerolled(rules: "Ruleset", event: DiceRerolled, names: Sequence[str]) -> str:
    some, now = DicePayment(event.dice).spoken, ", ".join(event.faces)
    return f"{names[event.seat]} rerolls {some}: now {now}."


@dice.tells(DiceSpent)
def tell_spent(rules: "Ruleset", event: DiceSpent, names: Sequence[str]) -> str:
    return f"{names[event.seat]} uses {event.payment.spoken} for tickets."


@dice.tells(TokenTaken)
def tell_token(rules: "Ruleset", event: TokenTaken, names: Sequence[str]) -> str:
    return f"{names[event.seat]} takes a {event.kind_} token for {DicePayment(event.dice).spoken}."


@dice.tells(TunnelDiceRolled)
def tell_tunnel(rules: "Ruleset", event: TunnelDiceRolled, names: Sequence[str]) -> str:
    """Whoever had them rolled tells of them."""
    return ""


@dice.tells(ActionDone)
@dice.tells(ActionFailed)
def tell_over(rules: "Ruleset", event: ActionDone | ActionFailed, names: Sequence[str]) -> str:
    return ""


@dice.tells(DiceHandedOn)
def tell_handed_on(rules: "Ruleset", event: DiceHandedOn, names: Sequence[str]) -> str:
    back = f", returning {event.returned.spoken}" if any(event.returned) else ""
    return f"{names[event.seat]} ends the turn{back}."
