"""What a seat may see: secrets are removed from events before they are folded."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from operator import attrgetter
from typing import Any, cast

from engine.kinds import NOBODYS, OWNERS_WHOLLY, Event
from engine.ruleset import Ruleset
from engine.state import State
from engine.values import HIDDEN, Seat

owner_of = attrgetter("seat")
"""The seat whose secrets an event holds."""


def seen_by(event: Event, seat: Seat | None) -> Event:
    """The event as this seat sees it while the game runs; None is a spectator."""
    hidden = {}
    for name, mark in event.marks:
        if mark is NOBODYS or owner_of(event) != seat:
            hidden[name] = None if mark is OWNERS_WHOLLY else _veiled(getattr(event, name))
    return cast(Event, replace(cast(Any, event), **hidden)) if hidden else event


def log_seen_by(events: Iterable[Event], seat: Seat | None) -> Iterator[Event]:
    """A running game's log as this seat sees it."""
    return (seen_by(event, seat) for event in events)


def _veiled(value: object) -> object:
    """The value hidden but of the same length: three hidden tickets stay three."""
    return (HIDDEN,) * len(value) if isinstance(value, tuple) else HIDDEN


def shown(rules: Ruleset, state: State) -> dict[str, Any]:
    """A view as plain data: what the seat knows about the table and about each seat."""
    view: dict[str, Any] = {}
    seats: list[dict[str, Any]] = [{"seat": seat} for seat in range(rules.seats)]
    for run in rules.all("shows"):
        table, rows = run(rules, state)
        view |= table
        for seat, row in enumerate(rows):
            seats[seat] |= row
    return {**view, "seats": seats}
