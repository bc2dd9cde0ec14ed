"""The menu of a decision: a short list of entries, made from the list of options.

An entry is one thing to do, such as claiming one route. It has ways, which mostly differ in what
is paid, or a choice of things, such as tickets or dice. Its number is its place in the menu, from
1, and is the same in emails, pages and documents.
"""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from engine.errors import Unreadable
from engine.kinds import Action
from engine.options import Option, actions_for, text_of
from engine.purse import Bill
from engine.ruleset import Ruleset
from engine.state import State, decision_of
from engine.translate import says
from engine.values import Payment, Seat


class Way(NamedTuple):
    """One way to do what an entry says; all its actions differ only in locomotives."""

    text: str
    """What is paid or chosen, in notation; empty where nothing is left open."""
    label: str
    """The same in words."""
    actions: tuple[Action, ...]
    """The thriftiest action; each further one pays with one locomotive or joker more."""
    locomotives: int = 0
    """How many locomotives or jokers the thriftiest action pays with."""

    @property
    def key(self) -> str:
        """The text, and by how many locomotives it can be raised, as in “3 green +2”.

        Two ways with the same key are paid in the same way, whatever they are for.
        """
        more = len(self.actions) - 1
        return f"{self.text} +{more}" if more else self.text

    @property
    def action(self) -> Action:
        """The thriftiest action."""
        return self.actions[0]

    @property
    def most_locomotives(self) -> int:
        """The most locomotives or jokers with which it can be paid."""
        return self.locomotives + len(self.actions) - 1


class Thing(NamedTuple):
    """A thing that can be chosen: a ticket, a die."""

    value: str | int
    """Its id or number, as the action has it."""
    title: str


class Choice(NamedTuple):
    """Things of which some are chosen, each at most once."""

    things: tuple[Thing, ...]
    least: int
    most: int
    build: Callable[[tuple[Any, ...]], Action]
    """Makes the action for these values."""
    rule: str
    """The rule that limits the number of things."""


class Entry(NamedTuple):
    """One thing that a seat may do now."""

    group: str
    """A verb; entries with the same verb are shown together."""
    about: str
    """The route, city or other thing that it is about; empty if none."""
    title: str
    text: str
    """The entry in notation, without what is paid or chosen."""
    lead: str
    """The text with the word that leads to what is paid or chosen, as in “claim a-b with”."""
    field: str = ""
    """The field of the action that its ways or its choice fill in; empty if none is open."""
    ways: tuple[Way, ...] = ()
    """The thriftiest first."""
    choice: Choice | None = None
    costs: str = ""
    note: str = ""
    """What is special about it, such as “tunnel”, in a word or two; empty if nothing."""
    points: int = 0
    """The points that it scores at once."""
    reveals: bool = False
    """Whether its outcome depends on chance."""
    card: str | None = None
    """The train card that it takes: empty for a face-down one, None if it takes none."""


Menu = tuple[Entry, ...]


class Chosen(NamedTuple):
    """An answer from the menu."""

    entry: int
    """The number of an entry, from 1."""
    way: str | None = None
    """The text of one of its ways; None if it needs none."""
    locomotives: int | None = None
    """With how many locomotives or jokers to pay; None for the fewest."""
    things: tuple[Any, ...] | None = None
    """The values of the things that are chosen."""


def menu(rules: Ruleset, state: State, seat: Seat) -> Menu:
    """The menu of this seat's decision; empty if it has none."""
    decision = decision_of(state.awaiting, seat)
    if decision is None:
        return ()
    kinds: dict[type[Action], list[Action]] = {}
    for action in actions_for(rules, state, decision):
        kinds.setdefault(type(action), []).append(action)
    entries: list[Entry] = []
    for kind, actions in kinds.items():
        if runs := rules.all("enters", kind):
            entries += runs[0](rules, state, decision, actions)
        else:
            entries += [plain_entry(rules, state, action) for action in actions]
    return tuple(entries)


def plain_entry(rules: Ruleset, state: State, action: Action) -> Entry:
    """An entry for one action that leaves nothing to choose."""
    option = Option(rules, state, action)
    group, _, about = option.group.partition(" ")
    return Entry(
        group,
        about,
        option.label,
        option.text,
        option.text,
        ways=(Way("", "", (action,)),),
        reveals=option.reveals,
        card=option.card,
    )


def paid_ways(
    bill: Bill, payments: Iterable[Payment], act: Callable[[Payment], Action]
) -> tuple[Way, ...]:
    """The ways to do something with one of these payments."""
    ways = bill.rules.purse.ways(bill, payments)
    return tuple(
        Way(
            str(way.payments[0]),
            way.payments[0].spoken,
            tuple(map(act, way.payments)),
            way.locomotives,
        )
        for way in ways
    )


def number_of(rules: Ruleset, entries: Menu, action: Action) -> int:
    """The number of the entry to which an accepted action belongs, listed or not; 0 if none."""
    text = text_of(rules, action)
    for number, entry in enumerate(entries, 1):
        if text == entry.text or (entry.field and text.startswith(f"{entry.lead} ")):
            return number
    return 0


def numbered(entries: Menu, number: int) -> Entry:
    """The entry with this number; raises Unreadable if there is none."""
    if not 1 <= number <= len(entries):
        raise Unreadable(
            says(
                "There is no move {number}; there is only move 1.",
                "There is no move {number}; choose one from 1 to {n}.",
                len(entries),
                number=number,
            )
        )
    return entries[number - 1]
