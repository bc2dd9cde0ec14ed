"""Tells a game move by move, to everybody at once or as one seat saw it."""

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
"""No honest number in an event comes near it."""

Hide = Callable[[Event], Event]


def open_to_all(event: Event) -> Event:
    """Nothing is hidden: how a game is told once it is over."""
    return event


def as_seen_by(seat: Seat | None) -> Hide:
    """What a seat sees while the game runs; None is a spectator."""
    return partial(seen_by, seat=seat)


class Standing(NamedTuple):
    """How things stand when a round begins."""

    round: int
    columns: tuple[tuple[str, tuple[str, ...]], ...]
    """What is told of every seat: a label, and a cell for each."""
    cards: tuple[tuple[str, tuple[str, ...]], ...]
    """Which cards lie open: a label, and the cards; in games that have any."""


class Told(NamedTuple):
    """One move in sentences, and what is worth a look after it."""

    number: int
    sentences: tuple[str, ...]
    standing: Standing | None
    sheet: Sheet | None


class Teller:
    """Tells moves in their order, and keeps the state that its listener knows of."""

    def __init__(self, rules: Ruleset, names: Sequence[str], hide: Hide = open_to_all) -> None:
        self.rules = rules
        self.names = names
        self.hide = hide
        self.state = rules.initial
        self.rounds = 0

    def tell(self, move: Move) -> Told:
        """What happened in the next move."""
        sentences, standing, sheet = [], None, None
        for event in map(self.hide, move.events):
            self.state = evolve(self.rules, self.state, event)
            if said := tell(self.rules, event, self.names):
                sentences.append(clean(said))
            if isinstance(event, TurnBegan) and event.seat == 0:
                standing = self._standing()
            if isinstance(event, GameEnded):
                sheet = sheet_of(self.rules, event, self.names)
        return Told(move.number, tuple(sentences), standing, sheet)

    def awaited(self) -> str:
        """Who has to do what now, as a sentence; empty when the game is over."""
        wanted = [
            say("{name} to {act}", name=self.names[asked.seat], act=waiting(self.rules, asked))
            for asked in self.state.awaiting
        ]
        return say("Awaited: {wanted}.", wanted=listed(wanted)) if wanted else ""

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


def retell(log: Log, teller: Teller) -> Iterator[Told]:
    """The moves of a stranger's log; raises LogError at the first that makes no sense.

    The log may be forged: it is told, not checked. Only what cannot be told is refused.
    """
    for line, move in enumerate(log.moves, 2):
        for event in move.events:
            _plausible(line, event, teller.rules)
        try:
            told = teller.tell(move)
        except Exception:  # noqa: BLE001  # a forged event can trip a rule anywhere; the log is at fault
            raise LogError(line, "does not fit what the log says before") from None
        yield told


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
