"""The list of legal options, the same for validation, mail, pages, bots, clocks and fuzzers."""

from collections.abc import Iterator, Sequence
from itertools import repeat
from operator import is_
from typing import overload

from engine.errors import GameOver, Illegal, NotAwaited
from engine.kinds import Action, Decision
from engine.ruleset import Ruleset
from engine.state import State, decision_of
from engine.translate import say
from engine.values import Seat


class Option:
    """A legal action; its text, label and group are made when they are first needed."""

    __slots__ = ("_rules", "_state", "action")

    def __init__(self, rules: Ruleset, state: State, action: Action) -> None:
        self._rules = rules
        self._state = state
        self.action = action

    @property
    def text(self) -> str:
        """The action in notation."""
        return text_of(self._rules, self.action)

    @property
    def label(self) -> str:
        """The action in words, for people."""
        label: str = self._rules.word("labels", type(self.action))(
            self._rules, self._state, self.action
        )
        return label

    @property
    def group(self) -> str:
        """The group under which it is shown: a verb, and mostly a route or city."""
        group: str = self._rules.word("groups", type(self.action))(self._rules, self.action)
        return group

    @property
    def reveals(self) -> bool:
        """Whether its outcome depends on chance."""
        kind = type(self.action)
        runs = self._rules.reveals.get(kind, ())
        return kind.reveals or any(run(self._rules, self.action) for run in runs)

    @property
    def card(self) -> str | None:
        """The train card that it takes: empty for a face-down one, None if it takes none."""
        for run in self._rules.all("takes", type(self.action)):
            taken: str = run(self._rules, self._state, self.action)
            return taken
        return None

    def __repr__(self) -> str:
        return f"Option({self.text!r})"


class Options(Sequence[Option]):
    """The options of one decision, in the order of their numbers."""

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
    text: str = rules.word("writes", type(action))(rules, action)
    return text


def options(rules: Ruleset, state: State, seat: Seat) -> Options:
    """Everything this seat may do now; empty if it has nothing to decide."""
    decision = decision_of(state.awaiting, seat)
    return Options(rules, state, actions_for(rules, state, decision) if decision else ())


def owed_by(state: State, seat: Seat) -> Decision:
    """The decision that this seat has to make; raises a Refusal if there is none."""
    decision = decision_of(state.awaiting, seat)
    if decision is None:
        raise NotAwaited if state.awaiting else GameOver
    return decision


def actions_for(rules: Ruleset, state: State, decision: Decision) -> tuple[Action, ...]:
    """The actions that answer a decision; cached for the latest state."""
    last = rules.memory.get("options")
    if last is not None and last[0] is state and last[1] is decision:
        remembered: tuple[Action, ...] = last[2]
        return remembered
    actions: list[Action] = []
    for run in rules.offers[type(decision)]:
        actions += run(rules, state, decision)
    if type(decision) in rules.falls_back and all(action.free for action in actions):
        actions += rules.falls_back[type(decision)](rules, state, decision)
    listed = tuple(actions)
    rules.memory["options"] = (state, decision, listed)
    return listed


def check(rules: Ruleset, state: State, decision: Decision, action: Action) -> None:
    """Raise a Refusal with the reason unless the action is an option or a variation of one."""
    listed = actions_for(rules, state, decision)
    if True in map(is_, listed, repeat(action)) or action in listed:
        return
    kind = type(action)
    if kind in rules.admits and rules.admits[kind](rules, state, decision, action):
        return
    if kind not in rules.explains:
        sentence = say("There is no “{action}” in this game.", action=kind.kind)
        raise Illegal(sentence, "R-TURN-1")
    raise rules.explains[kind](rules, state, decision, action)


def default_for(rules: Ruleset, state: State, seat: Seat) -> Action:
    """What is played for a seat that does not answer."""
    decision = owed_by(state, seat)
    actions = actions_for(rules, state, decision)
    chosen: Action = rules.word("defaults", type(decision))(rules, state, decision, actions)
    return chosen


def capped(rules: Ruleset, state: State, seat: Seat, most: int) -> Action | None:
    """The action for a seat that pays at most `most`; None if its decision cannot be capped."""
    decision = decision_of(state.awaiting, seat)
    if decision is None or not (runs := rules.all("caps", type(decision))):
        return None
    chosen: Action = runs[0](rules, state, decision, actions_for(rules, state, decision), most)
    return chosen


def question(rules: Ruleset, state: State, decision: Decision) -> str:
    """The prompt of a decision."""
    prompt: str = rules.word("asks", type(decision))(rules, state, decision)
    return prompt


def waiting(rules: Ruleset, decision: Decision) -> str:
    """What the others wait for, as in “waiting for Ada to …”."""
    phrase: str = rules.word("waits", type(decision))(rules, decision)
    return phrase
