"""One list of options for everyone: validation, mail, pages, bots, clocks and fuzzers."""

from collections.abc import Iterator, Sequence
from itertools import repeat
from operator import is_
from typing import overload

from engine.errors import GameOver, Illegal, NotAwaited
from engine.kinds import Action, Decision
from engine.ruleset import Ruleset
from engine.state import State, asked_of
from engine.translate import say
from engine.values import Seat


class Option:
    """A legal action with its text, label and group, worked out when somebody asks."""

    __slots__ = ("_rules", "_state", "action")

    def __init__(self, rules: Ruleset, state: State, action: Action) -> None:
        self._rules = rules
        self._state = state
        self.action = action

    @property
    def text(self) -> str:
        """The notation."""
        return text_of(self._rules, self.action)

    @property
    def label(self) -> str:
        """A sentence."""
        said: str = self._rules.word("labels", type(self.action))(
            self._rules, self._state, self.action
        )
        return said

    @property
    def group(self) -> str:
        """Options with the same group are shown together."""
        said: str = self._rules.word("groups", type(self.action))(self._rules, self.action)
        return said

    @property
    def reveals(self) -> bool:
        """Whether chance has a say in what it leads to."""
        kind = type(self.action)
        runs = self._rules.reveals.get(kind, ())
        return kind.reveals or any(run(self._rules, self.action) for run in runs)

    @property
    def card(self) -> str | None:
        """The train card that it takes: empty for a hidden one, None if it takes none."""
        for run in self._rules.all("takes", type(self.action)):
            taken: str = run(self._rules, self._state, self.action)
            return taken
        return None

    def __repr__(self) -> str:
        return f"Option({self.text!r})"


class Options(Sequence[Option]):
    """The options of one decision, in the order in which they are numbered."""

    __slots__ = ("_rules", "_state", "actions")

    def __init__(self, rules: Ruleset, state: State, actions: Sequence[Action]) -> None:
        self._rules = rules
        self._state = state
        self.actions = actions

    def __len__(self) -> int:
        return len(self.actions)

    @overload
    def __getitem__(self, at: int) -> Option: ...
    @overload
    def __getitem__(self, at: slice) -> "Options": ...
    def __getitem__(self, at: int | slice) -> "Option | Options":
        if isinstance(at, slice):
            return Options(self._rules, self._state, self.actions[at])
        return Option(self._rules, self._state, self.actions[at])

    def __iter__(self) -> Iterator[Option]:
        return (Option(self._rules, self._state, action) for action in self.actions)


def text_of(rules: Ruleset, action: Action) -> str:
    """An action in the notation."""
    said: str = rules.word("writes", type(action))(rules, action)
    return said


def options(rules: Ruleset, state: State, seat: Seat) -> Options:
    """Everything this seat may do now; empty when nothing is asked of it."""
    asked = asked_of(state.awaiting, seat)
    return Options(rules, state, actions_for(rules, state, asked) if asked else ())


def owed_by(state: State, seat: Seat) -> Decision:
    """What is asked of this seat; a Refusal if it is nothing."""
    asked = asked_of(state.awaiting, seat)
    if asked is None:
        raise NotAwaited if state.awaiting else GameOver
    return asked


def actions_for(rules: Ruleset, state: State, asked: Decision) -> tuple[Action, ...]:
    """The actions that answer a decision; remembered for the state at hand."""
    last = rules.memory.get("options")
    if last is not None and last[0] is state and last[1] is asked:
        remembered: tuple[Action, ...] = last[2]
        return remembered
    actions: list[Action] = []
    for run in rules.offers[type(asked)]:
        actions += run(rules, state, asked)
    if type(asked) in rules.falls_back and all(action.free for action in actions):
        actions += rules.falls_back[type(asked)](rules, state, asked)
    listed = tuple(actions)
    rules.memory["options"] = (state, asked, listed)
    return listed


def check(rules: Ruleset, state: State, asked: Decision, action: Action) -> None:
    """Refuse what is neither an option nor a variation of one, with the reason."""
    listed = actions_for(rules, state, asked)
    if True in map(is_, listed, repeat(action)) or action in listed:
        return
    kind = type(action)
    if kind in rules.admits and rules.admits[kind](rules, state, asked, action):
        return
    if kind not in rules.explains:
        said = say("“{action}” does not exist in this game.", action=kind.kind)
        raise Illegal(said, "R-TURN-1")
    raise rules.explains[kind](rules, state, asked, action)


def default_for(rules: Ruleset, state: State, seat: Seat) -> Action:
    """What is done for a seat that does not answer."""
    asked = owed_by(state, seat)
    actions = actions_for(rules, state, asked)
    chosen: Action = rules.word("defaults", type(asked))(rules, state, asked, actions)
    return chosen


def capped(rules: Ruleset, state: State, seat: Seat, most: int) -> Action | None:
    """What a seat does that pays at most so much; None if nothing is asked that could be capped."""
    asked = asked_of(state.awaiting, seat)
    if asked is None or not (runs := rules.all("caps", type(asked))):
        return None
    chosen: Action = runs[0](rules, state, asked, actions_for(rules, state, asked), most)
    return chosen


def question(rules: Ruleset, state: State, asked: Decision) -> str:
    """What is asked, in a sentence."""
    said: str = rules.word("asks", type(asked))(rules, state, asked)
    return said


def waiting(rules: Ruleset, asked: Decision) -> str:
    """What the others wait for, a phrase after “to”."""
    said: str = rules.word("waits", type(asked))(rules, asked)
    return said
