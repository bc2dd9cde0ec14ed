"""Play: records events while one action unfolds; `begin` and `decide`."""

from typing import NamedTuple

from engine.chance import Chance
from engine.fold import evolve
from engine.kinds import Action, Event
from engine.options import check, owed_by
from engine.ruleset import Ruleset
from engine.state import State
from engine.values import Seat


class Outcome(NamedTuple):
    """What an action caused, and the state it led to."""

    events: tuple[Event, ...]
    state: State


class Play:
    """One action unfolding: what has been recorded so far, and where that has led."""

    __slots__ = ("chance", "events", "rules", "state")

    def __init__(self, rules: Ruleset, state: State, chance: Chance) -> None:
        self.rules = rules
        self.state = state
        self.chance = chance
        self.events: list[Event] = []

    def record(self, event: Event) -> None:
        """Let this have happened."""
        self.events.append(event)
        self.state = evolve(self.rules, self.state, event)

    def outcome(self) -> Outcome:
        """Settle what follows by itself; when nothing is awaited any more, the turn goes on."""
        for run in self.rules.settles:
            run(self)
        if not self.state.awaiting:
            self.rules.advance(self)
        return Outcome(tuple(self.events), self.state)


def begin(rules: Ruleset, chance: Chance) -> Outcome:
    """Set the table: the events of move 0."""
    play = Play(rules, rules.initial, chance)
    for run in rules.all("sets_up"):
        run(play)
    return play.outcome()


def decide(rules: Ruleset, state: State, seat: Seat, action: Action, chance: Chance) -> Outcome:
    """What happens if this seat does this; raises a Refusal and changes nothing if it may not."""
    asked = owed_by(state, seat)
    check(rules, state, asked, action)
    play = Play(rules, state, chance)
    for run in rules.intercepts.get(type(action), ()):
        if run(play, asked, action):
            break
    else:
        rules.decides[type(action)](play, asked, action)
    return play.outcome()
