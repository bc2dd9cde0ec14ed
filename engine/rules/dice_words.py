"""Texts about dice and tokens: prompts, labels, notation, refusals and sentences."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from engine.errors import Illegal, Refusal, Unreadable
from engine.kinds import Action, Decision
from engine.names import called, die
from engine.notation import alone, halves, not_understood, without
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
    DOUBLE,
    SINGLE,
    Face,
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
from engine.text import listed, shown
from engine.translate import say, says
from engine.values import DicePayment, Tokens

if TYPE_CHECKING:
    from engine.ruleset import Ruleset


def named(dice_numbers: Numbers) -> str:
    """Dice in notation: `die 3`, `dice 1 2`."""
    return str(DicePayment(dice_numbers))


def showing(state: State, dice_numbers: Numbers) -> str:
    """Dice with the faces they show."""
    faces = dice.part(state).faces
    return f"{DicePayment(dice_numbers).spoken} ({_faces([faces[n - 1] for n in dice_numbers])})"


def _faces(faces: Sequence[Face]) -> str:
    return ", ".join(map(called, faces))


def one_token(kind: str) -> str:
    """A single token, a double token."""
    return say("a single token") if kind == SINGLE else say("a double token")


def held(tokens: Tokens) -> str:
    """The tokens that are held, as “1 single 2 double”."""
    kinds = tokens._asdict().items()
    return " ".join(_OF_A_KIND[kind](number) for kind, number in kinds if number)


_OF_A_KIND: dict[str, Callable[[int], str]] = {
    SINGLE: lambda n: says("{n} single", "{n} single", n),
    DOUBLE: lambda n: says("{n} double", "{n} double", n),
}


@dice.asks(SpendDice)
def ask_spend(rules: "Ruleset", state: State, decision: SpendDice) -> str:
    part = dice.part(state)
    left = ", ".join(die(n, face) for n, face in free_dice(part)) or say("none")
    if not any(part.tokens[decision.seat]):
        return say("Use your dice or end your turn. Your dice: {dice}.", dice=left)
    return say(
        "Use your dice or end your turn. Your dice: {dice}; your tokens: {tokens}.",
        dice=left,
        tokens=held(part.tokens[decision.seat]),
    )


@dice.asks(FinishTurn)
def ask_finish(rules: "Ruleset", state: State, decision: FinishTurn) -> str:
    return say("Your action is done. Take tokens for leftover dice, or end your turn.")


@dice.asks(LeaveTunnel)
def ask_leave(rules: "Ruleset", state: State, decision: LeaveTunnel) -> str:
    return say("You gave up the tunnel. End your turn.")


@dice.waits(SpendDice)
def wait_spend(rules: "Ruleset", decision: SpendDice) -> str:
    return say("use the dice")


@dice.waits(FinishTurn)
@dice.waits(LeaveTunnel)
def wait_end(rules: "Ruleset", decision: Decision) -> str:
    return say("end the turn")


@dice.labels(RollDice)
def label_roll(rules: "Ruleset", state: State, action: RollDice) -> str:
    return say("Roll the dice")


@dice.labels(RerollDice)
def label_reroll(rules: "Ruleset", state: State, action: RerollDice) -> str:
    return say("Reroll {dice}", dice=showing(state, action.dice))


@dice.labels(DrawForDice)
def label_draw(rules: "Ruleset", state: State, action: DrawForDice) -> str:
    return says(
        "Draw a ticket for {dice}",
        "Draw {n} tickets for {dice}",
        len(action.dice),
        dice=showing(state, action.dice),
    )


@dice.labels(TakeToken)
def label_token(rules: "Ruleset", state: State, action: TakeToken) -> str:
    token, price = one_token(action.kind_), showing(state, action.dice)
    return say("Take {token} for {dice}", token=token, dice=price)


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
def read_roll(rules: "Ruleset", state: State, decision: Decision, words: str) -> list[Action]:
    alone("roll", without(words, "the", "dice"))
    return [RollDice()]


@dice.reads("reroll")
def read_reroll(rules: "Ruleset", state: State, decision: Decision, words: str) -> list[Action]:
    if words == "all":
        return [RerollDice(tuple(range(1, len(dice.part(state).faces) + 1)))]
    return [RerollDice(numbers_in(words))]


@dice.reads("tickets")
def read_draw(rules: "Ruleset", state: State, decision: Decision, words: str) -> list[Action]:
    """Without dice, all selections of dice that are offered are meant."""
    much, given = halves(words, "with")
    if much:
        raise Unreadable(not_understood(f"tickets {shown(much)}", "tickets with die 3"))
    meant = [
        action for action in actions_for(rules, state, decision) if isinstance(action, DrawForDice)
    ]
    return list(meant) if meant and not given else [DrawForDice(numbers_in(given))]


@dice.reads("token")
def read_token(rules: "Ruleset", state: State, decision: Decision, words: str) -> list[Action]:
    """Without dice, all pairs of dice that are offered are meant."""
    kind, given = halves(words, "with")
    if kind not in KINDS:
        raise Unreadable(
            say(
                "“{kind}” is not a kind of token; the kinds are {kinds}.",
                kind=shown(kind),
                kinds=listed(KINDS),
            )
        )
    meant = [
        action
        for action in actions_for(rules, state, decision)
        if isinstance(action, TakeToken) and action.kind_ == kind
    ]
    return list(meant) if meant and not given else [TakeToken(kind, numbers_in(given))]


@dice.explains(RollDice)
def why_no_roll(rules: "Ruleset", state: State, decision: Decision, action: RollDice) -> Refusal:
    return Illegal(say("You roll the dice only once, at the beginning of your turn."), "R-DICE-6")


@dice.explains(RerollDice)
def why_no_reroll(
    rules: "Ruleset", state: State, decision: Decision, action: RerollDice
) -> Refusal:
    part = dice.part(state)
    if part.staked:
        return Illegal(say("You cannot reroll after the tunnel dice are rolled."), "R-DICE-23")
    if not isinstance(decision, SpendDice):
        return Illegal(say("There is nothing to reroll now."), "R-DICE-6")
    if part.rolls > 1:
        return Illegal(say("You can reroll only once in a turn."), "R-DICE-6")
    if part.used:
        return Illegal(say("You have already used a die, so you cannot reroll."), "R-DICE-6")
    last = len(part.faces)
    sentence = say("Name one or more of the dice 1 to {last}, each only once.", last=last)
    return Illegal(sentence, "R-DICE-6")


@dice.explains(DrawForDice)
def why_no_draw(rules: "Ruleset", state: State, decision: Decision, action: DrawForDice) -> Refusal:
    if not isinstance(decision, SpendDice):
        before = isinstance(decision, TakeTurn)
        sentence = (
            say("Roll the dice first.") if before else say("You have only one action in a turn.")
        )
        return Illegal(sentence, "R-DICE-7")
    part = tickets.part(state)
    if not (part.fresh or part.under):
        return Illegal(say("There are no tickets left to draw."), "R-TKT-2")
    if likeness(free_dice(dice.part(state)), action.dice) is None:
        return Illegal(say("Name unused dice, each only once."), "R-DICE-9")
    sentence = say("Each ticket costs a die that shows a station or a joker.")
    return Illegal(sentence, "R-DICE-11")


@dice.tells(DiceRolled)
def tell_rolled(rules: "Ruleset", event: DiceRolled, names: Sequence[str]) -> str:
    return say("{who} rolls {faces}.", who=names[event.seat], faces=_faces(event.faces))


@dice.tells(DiceRerolled)
def tell_rerolled(rules: "Ruleset", event: DiceRerolled, names: Sequence[str]) -> str:
    return say(
        "{who} rerolls {dice}: now {faces}.",
        who=names[event.seat],
        dice=DicePayment(event.dice).spoken,
        faces=_faces(event.faces),
    )


@dice.tells(DiceSpent)
def tell_spent(rules: "Ruleset", event: DiceSpent, names: Sequence[str]) -> str:
    who, paid = names[event.seat], event.payment.spoken
    return say("{who} uses {payment} for tickets.", who=who, payment=paid)


@dice.tells(TokenTaken)
def tell_token(rules: "Ruleset", event: TokenTaken, names: Sequence[str]) -> str:
    return say(
        "{who} takes {token} for {dice}.",
        who=names[event.seat],
        token=one_token(event.kind_),
        dice=DicePayment(event.dice).spoken,
    )


@dice.tells(TunnelDiceRolled)
def tell_tunnel(rules: "Ruleset", event: TunnelDiceRolled, names: Sequence[str]) -> str:
    """The event that follows mentions them."""
    return ""


@dice.tells(ActionDone)
@dice.tells(ActionFailed)
def tell_over(rules: "Ruleset", event: ActionDone | ActionFailed, names: Sequence[str]) -> str:
    return ""


@dice.tells(DiceHandedOn)
def tell_handed_on(rules: "Ruleset", event: DiceHandedOn, names: Sequence[str]) -> str:
    who, back = names[event.seat], event.returned
    if not any(back):
        return say("{who} ends their turn.", who=who)
    return say("{who} ends their turn, returning {tokens}.", who=who, tokens=back.spoken)
