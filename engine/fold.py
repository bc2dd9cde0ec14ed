"""`evolve` and `replay`: fold events into a state; they never fail and never draw."""

from collections.abc import Iterable

from engine.kinds import Event
from engine.ruleset import Ruleset
from engine.state import State


def evolve(rules: Ruleset, state: State, event: Event) -> State:
    """The state after this event."""
    awaits, touches = rules.evolvers[type(event)]
    awaiting, parts = state
    if touches:
        parts = parts.copy()
        for name, run in touches:
            parts[name] = run(parts[name], event)
    return State(awaits(awaiting, event) if awaits else awaiting, parts)


def replay(rules: Ruleset, events: Iterable[Event], start: State | None = None) -> State:
    """Fold `evolve` over events; copies the parts once, since no caller sees the states between."""
    awaiting, parts = start or rules.initial
    parts = parts.copy()
    evolvers = rules.evolvers
    for event in events:
        awaits, touches = evolvers[type(event)]
        for name, run in touches:
            parts[name] = run(parts[name], event)
        if awaits:
            awaiting = awaits(awaiting, event)
    return State(awaiting, parts)
