"""Examples of answers by text that fit one decision, for letters."""

from collections.abc import Sequence
from typing import NamedTuple

from engine import Option, Ruleset, State, text_of
from engine.kinds import Action
from engine.menu import Choice, Thing
from service.views.menu_entries import NumberedEntry

MOST = 3

Answer = tuple[str, Action]
"""A text, and the action that it means."""


class Example(NamedTuple):
    """An answer that could be given now, and what it means."""

    text: str
    label: str


class _Forms(NamedTuple):
    """The forms in which one entry can be answered; None where a form does not suffice."""

    number: Answer | None
    """`7`, for an entry with only one way; `1 2`, if there is nothing but things to choose."""
    way: Answer | None
    """`7 with 3 green`, `7 1 2`, `all`: an entry with several ways, or a choice of things."""
    words: Answer
    """`claim dieppe-paris with 3 green`, `keep dieppe-paris`."""


def examples(rules: Ruleset, state: State, entries: Sequence[NumberedEntry]) -> tuple[Example, ...]:
    """Return answers to this very decision: by number, by number and way, and in words."""
    forms = {item.number: _forms(rules, item, alone=len(entries) == 1) for item in entries}
    used: set[int] = set()
    examples: dict[str, Action] = {}
    for form in ("number", "way", "words", "number", "words"):
        for item in sorted(
            entries,
            key=lambda item: (item.number in used, form == "words" and not item.entry.field),
        ):
            answer: Answer | None = getattr(forms[item.number], form)
            actions = examples.values() if item.entry.choice else ()
            if answer and answer[0] not in examples and answer[1] not in actions:
                examples[answer[0]] = answer[1]
                used.add(item.number)
                break
    return tuple(
        Example(text, Option(rules, state, action).label)
        for text, action in list(examples.items())[:MOST]
    )


def _forms(rules: Ruleset, item: NumberedEntry, *, alone: bool) -> _Forms:
    entry, number = item.entry, str(item.number)
    if entry.choice:
        return _chosen(rules, item, entry.choice, alone=alone)
    action = entry.ways[0].action
    words = text_of(rules, action), action
    if len(entry.ways) == 1:
        return _Forms((number, action), None, words)
    paid = (_paid(rules, item, action), action) if entry.field == "payment" else None
    return _Forms(None, paid, words)


def _chosen(rules: Ruleset, item: NumberedEntry, choice: Choice, *, alone: bool) -> _Forms:
    """Yield selections: the fewest things, but at least one, from either end, and all things."""
    few = max(choice.least, 1)
    first, last = _built(choice, choice.things[:few]), _built(choice, choice.things[-few:])
    words, numbers = (text_of(rules, last), last), _numbers(choice, few)
    if not alone:
        return _Forms(None, (f"{item.number} {numbers}", first), words)
    every = ("all", _built(choice, choice.things)) if choice.most == len(choice.things) else None
    return _Forms((numbers, first), every, words)


def _built(choice: Choice, things: Sequence[Thing]) -> Action:
    return choice.build(tuple(thing.value for thing in things))


def _numbers(choice: Choice, few: int) -> str:
    """Return the first things by their numbers: those of dice, or their places."""
    return " ".join(
        str(thing.value if isinstance(thing.value, int) else place)
        for place, thing in enumerate(choice.things[:few], 1)
    )


def with_locomotives(rules: Ruleset, entries: Sequence[NumberedEntry]) -> str:
    """Return an answer with more locomotives or jokers than necessary; empty if none can."""
    for item in entries:
        for way in item.entry.ways:
            if len(way.actions) > 1:
                return _paid(rules, item, way.actions[1])
    return ""


def _paid(rules: Ruleset, item: NumberedEntry, action: Action) -> str:
    """Return an entry by number, with what is paid."""
    return f"{item.number} with {text_of(rules, action).removeprefix(item.entry.lead).strip()}"
