"""The menu's entries for dice: rerolling, drawing tickets and taking tokens."""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from engine.kinds import Decision
from engine.menu import Choice, Entry, Thing, Way
from engine.names import die
from engine.rules.dice import DrawForDice, RerollDice, dice
from engine.rules.dice_purse import JOKER, STATION, Face, free_dice, handfuls
from engine.rules.dice_tokens import KINDS, PRICE, TakeToken
from engine.rules.dice_words import named, one_token
from engine.state import State
from engine.translate import say
from engine.values import DicePayment

if TYPE_CHECKING:
    from engine.ruleset import Ruleset


@dice.enters(RerollDice)
def enter_reroll(
    rules: "Ruleset", state: State, decision: Decision, actions: Sequence[RerollDice]
) -> list[Entry]:
    things = _things(free_dice(dice.part(state)))
    choice = Choice(things, 1, len(things), RerollDice, "R-DICE-6")
    return [_dice_entry("roll", say("Reroll dice"), "reroll", "reroll", choice, reveals=True)]


@dice.enters(DrawForDice)
def enter_draw(
    rules: "Ruleset", state: State, decision: Decision, actions: Sequence[DrawForDice]
) -> list[Entry]:
    things = _things([pair for pair in free_dice(dice.part(state)) if pair[1] in (STATION, JOKER)])
    choice = Choice(things, 1, len(things), DrawForDice, "R-DICE-11")
    title = say("Draw a ticket for each of these dice")
    return [_dice_entry("tickets", title, "tickets", "tickets with", choice, reveals=True)]


@dice.enters(TakeToken)
def enter_tokens(
    rules: "Ruleset", state: State, decision: Decision, actions: Sequence[TakeToken]
) -> list[Entry]:
    """A choice of two dice; where only some pairs may be taken, these are the ways."""
    free = free_dice(dice.part(state))
    pairs = sum(len(numbers) == PRICE for numbers in handfuls(free).values())
    entries = []
    for kind in KINDS:
        same = [action for action in actions if action.kind_ == kind]
        title = say("Take {token} for two dice", token=one_token(kind))
        text, lead = f"token {kind}", f"token {kind} with"
        choice = Choice(_things(free), PRICE, PRICE, partial(TakeToken, kind), "R-DICE-13")
        entry = _dice_entry("token", title, text, lead, choice)
        if len(same) < pairs:
            entry = entry._replace(choice=None, ways=tuple(map(_way, same)))
        if same:
            entries.append(entry._replace(about=kind))
    return entries


def _way(action: TakeToken) -> Way:
    return Way(named(action.dice), DicePayment(action.dice).spoken, (action,))


def _things(free: Sequence[tuple[int, Face]]) -> tuple[Thing, ...]:
    return tuple(Thing(number, die(number, face)) for number, face in free)


def _dice_entry(
    group: str, title: str, text: str, lead: str, choice: Choice, *, reveals: bool = False
) -> Entry:
    return Entry(group, "", title, text, lead, "dice", choice=choice, reveals=reveals)
