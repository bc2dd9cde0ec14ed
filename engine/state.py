"""The state of a game: the open decisions, and one part per rule module."""

from typing import Any, NamedTuple

from engine.kinds import Decision
from engine.values import Seat

Awaiting = tuple[Decision, ...]
"""The open decisions, at most one per seat."""


class State(NamedTuple):
    awaiting: Awaiting
    parts: dict[str, Any]
    """By module name. Never changed in place: a new state has a new dict."""


def decision_of(awaiting: Awaiting, seat: Seat) -> Decision | None:
    """The decision that this seat has to make, if any."""
    for decision in awaiting:
        if decision.seat == seat:
            return decision
    return None


def closed(awaiting: Awaiting, seat: Seat) -> Awaiting:
    """The open decisions without the one of this seat."""
    return tuple([decision for decision in awaiting if decision.seat != seat])


def opened(awaiting: Awaiting, decision: Decision) -> Awaiting:
    """The open decisions with this one, which replaces the one its seat had before."""
    return (*closed(awaiting, decision.seat), decision) if awaiting else (decision,)
