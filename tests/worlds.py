"""Other worlds: the same game as far as one seat can know, with hidden things exchanged.

What a seat may know is written down here once more, from the rules (R-DIG-3 to R-DIG-7) and not
from the engine's marks, so that a mark that is missing there is noticed.
"""

import random
from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate
from typing import Any

from engine import Event, Ruleset, State, evolve
from engine.values import CARDS

TICKETS = {
    "tickets_offered": ("tickets",),
    "opening_tickets_chosen": ("kept", "returned"),
    "tickets_kept": ("kept", "returned"),
    "opening_closed": ("under",),
    "tickets_shuffled_in": ("tickets",),
}
"""Where tickets stand, all of them secret (R-DIG-5)."""
BLIND = ("hand_dealt", "card_drawn", "cards_drawn")
"""Cards that only the seat itself has seen (R-DIG-6)."""


def another_world(
    rules: Ruleset, log: Sequence[Event], seat: int | None, rng: random.Random
) -> list[Event]:
    """The log with tickets and cards exchanged that this seat has never seen."""
    other = other_tickets(rules, log, seat, rng)
    return other_cards(rules, other, seat, rng) if "cards" in rules.parameters else other


def other_tickets(
    rules: Ruleset, log: Sequence[Event], seat: int | None, rng: random.Random
) -> list[Event]:
    """Exchange tickets that the seat has never been offered, within their decks."""
    mine = {id for event in log if getattr(event, "seat", -1) == seat for id in _tickets_in(event)}
    traded: dict[str, str] = {}
    for decks in dict.fromkeys(ticket.decks for ticket in rules.board.tickets.values()):
        hidden = [id for id, card in rules.board.tickets.items() if card.decks == decks]
        hidden = [id for id in hidden if id not in mine]
        traded |= zip(hidden, rng.sample(hidden, len(hidden)), strict=True)
    return [_with(event, {}, traded) for event in log]


def _tickets_in(event: Event) -> list[str]:
    names = TICKETS.get(event.kind, ())
    return [id for name in names for id in getattr(event, name) or ()]


def _with(event: Event, changes: dict[str, Any], traded: dict[str, str]) -> Event:
    for name in TICKETS.get(event.kind, ()):
        if ids := getattr(event, name):
            changes[name] = tuple(traded.get(id, id) for id in ids)
    body: Any = event
    changed: Event = replace(body, **changes)
    return changed


def other_cards(
    rules: Ruleset, log: list[Event], seat: int | None, rng: random.Random, most: int = 3
) -> list[Event]:
    """Exchange cards that others drew unseen and still hold for other cards of the deck."""
    theirs = [
        at for at, event in enumerate(log)
        if event.kind in BLIND and getattr(event, "seat", None) != seat
    ]  # fmt: skip
    for at in rng.sample(theirs, min(most, len(theirs))):
        event: Any = log[at]
        later = list(accumulate(log, lambda state, past: evolve(rules, state, past),
                                initial=rules.initial))[at + 1 :]  # fmt: skip
        cards = (event.card,) if event.kind == "card_drawn" else event.cards
        old = rng.choice(cards)
        new = rng.choice(CARDS)
        in_hand = min(_held(state, event.seat, old) for state in later)
        free = min(_in_deck(state, new) for state in later)
        if new != old and in_hand and free:
            where = cards.index(old)
            swapped = (*cards[:where], new, *cards[where + 1 :])
            change = {"card": new} if event.kind == "card_drawn" else {"cards": swapped}
            log[at] = _with(event, change, {})
    return log


def _held(state: State, seat: int, card: str) -> int:
    number: int = state.parts["cards"].hands[seat][CARDS.index(card)]
    return number


def _in_deck(state: State, card: str) -> int:
    number: int = state.parts["cards"].deck[CARDS.index(card)]
    return number
