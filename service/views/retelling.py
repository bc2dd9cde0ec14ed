"""A game told move by move, with everything open or as one seat saw it."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

from engine import (
    Event,
    GameEnded,
    Log,
    LogError,
    Move,
    Ruleset,
    State,
    TurnBegan,
    evolve,
    seen_by,
    tell,
    waiting,
)
from engine.codec import write
from engine.display import columns, table_facts
from engine.text import clean, listed
from engine.translate import say
from engine.values import Seat
from service.views.scores import Sheet, sheet_of

LARGEST = 10**6
"""Numbers in the events of a real game are much smaller."""

Hide = Callable[[Event], Event]
"""Takes out of an event what the reader may not know."""


def open_to_all(event: Event) -> Event:
    """Hide nothing, as in a game that is over."""
    return event


def as_seen_by(seat: Seat | None) -> Hide:
    """Hide what this seat does not see while the game runs; None is a spectator."""
    return partial(seen_by, seat=seat)


def awaited_sentence(rules: Ruleset, state: State, names: Sequence[str]) -> str:
    """Return a sentence about who is awaited and what for; empty when nobody is."""
    awaited = [
        say("{name} to {act}", name=names[decision.seat], act=waiting(rules, decision))
        for decision in state.awaiting
    ]
    return say("Waiting for {awaited}.", awaited=listed(awaited)) if awaited else ""


class Standing(NamedTuple):
    """The score table and the open cards when a round begins."""

    round: int
    columns: tuple[tuple[str, tuple[str, ...]], ...]
    """Columns of the score table: a label, and a cell for each seat."""
    cards: tuple[tuple[str, tuple[str, ...]], ...]
    """Open cards: a label, and the cards; empty in games without any."""


class MoveText(NamedTuple):
    """One move in sentences, with the standing or the score sheet if one follows it."""

    number: int
    sentences: tuple[str, ...]
    standing: Standing | None
    sheet: Sheet | None


class Teller:
    """Tells moves in their order, and keeps the state as the reader knows it."""

    def __init__(self, rules: Ruleset, names: Sequence[str], hide: Hide = open_to_all) -> None:
        self.rules = rules
        self.names = names
        self.hide = hide
        self.state = rules.initial
        self.rounds = 0

    def tell(self, move: Move) -> MoveText:
        """Tell the next move."""
        sentences, standing, sheet = [], None, None
        for event in map(self.hide, move.events):
            self.state = evolve(self.rules, self.state, event)
            if sentence := tell(self.rules, event, self.names):
                sentences.append(clean(sentence))
            if isinstance(event, TurnBegan) and event.seat == 0:
                standing = self._standing()
            if isinstance(event, GameEnded):
                sheet = sheet_of(self.rules, event, self.names)
        return MoveText(move.number, tuple(sentences), standing, sheet)

    def awaited(self) -> str:
        """Return a sentence about who is awaited now; empty when the game is over."""
        return awaited_sentence(self.rules, self.state, self.names)

    def _standing(self) -> Standing:
        self.rounds += 1
        return Standing(
            self.rounds,
            tuple(
                (column.label, column.cells)
                for column in columns(self.rules, self.state)
                if column.every_round
            ),
            tuple(
                (fact.label, tuple(clean(card or "nothing") for card, _ in fact.cards))
                for fact in table_facts(self.rules, self.state)
                if fact.cards is not None
            ),
        )


def retell(log: Log, teller: Teller) -> Iterator[MoveText]:
    """Tell the moves of a log from elsewhere; raises LogError at the first that makes no sense.

    The log is told and not verified: it may be forged, as long as its events can be told.
    """
    for line, move in enumerate(log.moves, 2):
        for event in move.events:
            _plausible(line, event, teller.rules)
        try:
            text = teller.tell(move)
        except Exception:  # noqa: BLE001  # a forged event can trip a rule anywhere; the log is at fault
            raise LogError(line, "does not fit what the log says before") from None
        yield text


def _plausible(line: int, event: Event, rules: Ruleset) -> None:
    if type(event) not in rules.evolvers:
        raise LogError(line, f"“{event.kind}” does not happen in this game")
    if getattr(event, "seat", 0) not in range(rules.seats):
        raise LogError(line, "there is no such seat")
    if any(abs(number) > LARGEST for number in _numbers(write(event))):
        raise LogError(line, "a number is out of all proportion")


def _numbers(value: Any) -> Iterator[int]:
    if isinstance(value, int):
        yield value
    elif isinstance(value, list | dict):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _numbers(item)
