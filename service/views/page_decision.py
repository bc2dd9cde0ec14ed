"""The open decision of the reader of a game page, with the menu by sections."""

from collections.abc import Sequence
from typing import NamedTuple

from engine import Goal, Option, default_for, menu, question
from engine.state import decision_of
from engine.values import Seat
from service.memory.positions import Position
from service.views.menu_sections import Item, Locomotives, Section, locomotives_for, sections_of
from store.games.games import Table


class OpenDecision(NamedTuple):
    """The reader's open decision."""

    version: int
    """The version at which it was opened, which identifies it."""
    kind: str
    prompt: str
    since: str | None
    deadline: str | None
    default: str
    """The label of the option that is played when the time is up."""
    sections: tuple[Section, ...]
    locomotives: Locomotives | None
    """The numbers of locomotives that may be paid; None if there is no choice."""

    @property
    def items(self) -> tuple[Item, ...]:
        """All entries of the menu."""
        return tuple(item for section in self.sections for item in section.items)

    @property
    def places(self) -> frozenset[str]:
        """Routes and cities on the board that lead to entries."""
        return frozenset(item.place for item in self.items if item.place)

    @property
    def folds_sections(self) -> bool:
        """Whether long sections are folded below their titles, so that all titles are in sight."""
        return sum(section.is_long and not section.takes_cards for section in self.sections) > 1

    @property
    def has_more_than_cards(self) -> bool:
        """Whether something else can be done than taking a card."""
        return any(item.entry.card is None for item in self.items)

    @property
    def is_one_choice(self) -> bool:
        """Whether there is nothing to decide but which things to choose."""
        items = self.items
        return len(items) == 1 and items[0].entry.choice is not None

    @property
    def is_one_way(self) -> bool:
        """Whether there is nothing to decide at all, such as to roll the dice."""
        items = self.items
        return len(items) == 1 and items[0].entry.choice is None and len(items[0].entry.ways) == 1


def open_decision(
    table: Table, position: Position, number: Seat | None, tickets: Sequence[Goal]
) -> OpenDecision | None:
    """Return the open decision of a seat, unless the house plays there."""
    if number is None or table.status != "running":
        return None
    seat, rules, state = table.seated[number], position.rules, position.state
    decision = decision_of(state.awaiting, number)
    if seat.house or seat.decision_version is None or decision is None:
        return None
    entries = menu(rules, state, number)
    return OpenDecision(
        seat.decision_version,
        decision.kind,
        question(rules, state, decision),
        seat.awaited_since,
        seat.deadline,
        Option(rules, state, default_for(rules, state, number)).label,
        tuple(sections_of(rules, entries, tickets)),
        locomotives_for(rules, entries),
    )


def market_slots(
    market: Sequence[str | None], items: Sequence[Item]
) -> list[tuple[str, Item | None]]:
    """Return the deck, as "", and the open cards, each with the entry that takes it now, if any.

    A card keeps its place, in whatever order the rules offer those that can be taken.
    """
    takes = [item for item in items if item.entry.card is not None]
    slots: list[tuple[str, Item | None]] = []
    for card in ("", *(card for card in market if card)):
        taking = next((item for item in takes if item.entry.card == card), None)
        if taking:
            takes.remove(taking)
        slots.append((card, taking))
    return slots + [(item.entry.card or "", item) for item in takes]
