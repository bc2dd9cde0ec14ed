"""Decides moves: `begin` sets up a game, `decide` plays an action; both return an Outcome."""

from typing import NamedTuple

from engine.chance import Chance
from engine.fold import evolve
from engine.kinds import Action, Event
from engine.options import check, owed_by
from engine.ruleset import Ruleset
from engine.state import State
from engine.values import Seat


class Outcome(NamedTuple):
    """The events that an action caused, and the state after them."""

    events: tuple[Event, ...]
    state: State


class Play:
    """One action being played: the events recorded so far, and the state after them."""

    __slots__ = ("chance", "events", "keeps_seats", "rules", "state")

    def __init__(
        self, rules: Ruleset, state: State, chance: Chance, *, keeps_seats: bool = False
    ) -> None:
        self.rules = rules
        self.state = state
        self.chance = chance
        self.keeps_seats = keeps_seats
        self.events: list[Event] = []

    def record(self, event: Event) -> None:
        """Add an event and evolve the state with it."""
        self.events.append(event)
        self.state = evolve(self.rules, self.state, event)

    def outcome(self) -> Outcome:
        """Run what follows automatically, and start the next turn if no decision is open."""
        for run in self.rules.settles:
            run(self)
        if not self.state.awaiting:
            self.rules.advance(self)
        return Outcome(tuple(self.events), self.state)


def begin(rules: Ruleset, chance: Chance, *, keeps_seats: bool = False) -> Outcome:
    """Set up the game: the events of move 0; the seats are drawn by lot, unless they are kept."""
    play = Play(rules, rules.initial, chance, keeps_seats=keeps_seats)
    for run in rules.all("sets_up"):
        run(play)
    return play.outcome()


def decide(rules: Ruleset, state: State, seat: Seat, action: Action, chance: Chance) -> Outcome:
    """The events and state if this seat plays this action; raises a Refusal if it may not."""
    decision = owed_by(state, seat)
    check(rules, state, decision, action)
    play = Play(rules, state, chance)
    for run in rules.intercepts.get(type(action), ()):
        if run(play, decision, action):
            break
    else:
        rules.decides[type(action)](play, decision, action)
    return play.outcome()
