"""Answers from the menu: an entry, and one of its ways or some of its things."""

from collections.abc import Sequence
from typing import Any

from engine.errors import Ambiguous, Illegal, Unreadable
from engine.kinds import Action
from engine.menu import Choice, Chosen, Entry, Way, menu, numbered
from engine.notation import read
from engine.options import owed_by, text_of
from engine.ruleset import Ruleset
from engine.state import State
from engine.text import listed, shown, together
from engine.translate import say, says
from engine.values import Seat


def chosen(rules: Ruleset, state: State, seat: Seat, answer: Chosen) -> Action:
    """The action that this answer means in this position; raises a Refusal if it means none.

    An entry alone means the same as its text: it is ambiguous where its ways differ in more than
    locomotives.
    """
    owed_by(state, seat)
    entry = numbered(menu(rules, state, seat), answer.entry)
    if entry.choice:
        if answer.way is not None or answer.locomotives is not None:
            sentence = say("“{entry}” has no ways; choose from its things.", entry=entry.title)
            raise Unreadable(sentence)
        return entry.choice.build(_things(entry, entry.choice, answer.things))
    if answer.things is not None:
        raise Unreadable(say("“{entry}” has no things to choose from.", entry=entry.title))
    if answer.way is None and answer.locomotives is None:
        return read(rules, state, seat, entry.text)
    return _with_locomotives(rules, _way(rules, entry, answer), answer.locomotives)


def _way(rules: Ruleset, entry: Entry, answer: Chosen) -> Way:
    text = answer.way
    if not entry.field and (text or answer.locomotives is not None):
        raise Unreadable(say("“{entry}” leaves nothing to choose.", entry=entry.title))
    if text is None and len(entry.ways) == 1:
        return entry.ways[0]
    for way in entry.ways:
        if text in (way.text, way.key):
            return way
    raise Ambiguous(entry.text, [text_of(rules, way.action) for way in entry.ways])


def _with_locomotives(rules: Ruleset, way: Way, number: int | None) -> Action:
    if number is None:
        return way.action
    if not way.locomotives <= number <= way.most_locomotives:
        raise Unreadable(_range(rules, way, number))
    return way.actions[number - way.locomotives]


def _range(rules: Ruleset, way: Way, number: int) -> str:
    """With how many locomotives or jokers a way can be paid; with dice there is only one number."""
    if rules.purse.rolls:
        return says(
            "You can pay this with exactly {n} joker.",
            "You can pay this with exactly {n} jokers.",
            way.locomotives,
        )
    if len(way.actions) == 1:
        return says(
            "You can pay this with exactly {n} locomotive.",
            "You can pay this with exactly {n} locomotives.",
            way.locomotives,
        )
    return say(
        "You can pay this with {least} to {most} locomotives, not {number}.",
        least=way.locomotives,
        most=way.most_locomotives,
        number=number,
    )


def _things(entry: Entry, choice: Choice, values: Sequence[Any] | None) -> tuple[Any, ...]:
    """The chosen things in the menu's order; refuses unknown or repeated ones and a bad count."""
    offered = [thing.value for thing in choice.things]
    if values is None:
        raise Unreadable(together(_question(entry, choice), how_many(choice)))
    for value in values:
        if not any(value == each and type(value) is type(each) for each in offered):
            named = shown(str(value))
            sentence = say("“{thing}” is not one of the things to choose from.", thing=named)
            raise Illegal(together(sentence, how_many(choice)), choice.rule)
        if values.count(value) > 1:
            sentence = say("“{thing}” is named twice; name each once.", thing=shown(str(value)))
            raise Illegal(together(sentence, how_many(choice)), choice.rule)
    if not choice.least <= len(values) <= choice.most:
        more = says("You chose {n}.", "You chose {n}.", len(values))
        raise Illegal(together(how_many(choice), more), choice.rule)
    return tuple(value for value in offered if value in values)


def _question(entry: Entry, choice: Choice) -> str:
    titles = listed([thing.title for thing in choice.things])
    return say("{entry}: which of {things}?", entry=entry.title, things=titles)


def how_many(choice: Choice) -> str:
    """How many things have to be chosen, as a sentence."""
    least, most = choice.least, choice.most
    if least == most:
        return says("Choose exactly {n}.", "Choose exactly {n}.", least)
    if not least:
        return says("Choose any of them.", "Choose any of them, up to {n}.", most)
    return say("Choose {least} to {most} of them.", least=least, most=most)
