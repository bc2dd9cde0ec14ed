"""What a seat receives does not depend on what is hidden from it."""

import json
import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from engine import (
    Action,
    Event,
    NotAwaited,
    Refusal,
    Ruleset,
    State,
    default_for,
    menu,
    options,
    question,
    read,
    replay,
    seen_by,
    story,
    waiting,
)
from engine.codec import write
from engine.kinds import EVENTS
from engine.rules.cards import cards
from engine.rules.tickets import tickets
from engine.state import decision_of
from tests.amounts import amount
from tests.random_games import Table, played, sample_of_tables
from tests.worlds import another_world

NAMES = ("Ada", "Ben", "Cem", "Dora", "Eli")
PAIRS = amount(6, soak=100)
"""Pairs of worlds for each table, half of them from the last fifth of a game."""


def outputs(
    rules: Ruleset, log: list[Event], seat: int | None, attempts: list[str]
) -> Iterator[str]:
    """Everything that the engine shows to this seat, or to a spectator, in this position."""
    redacted = [seen_by(event, seat) for event in log]
    yield json.dumps([write(event) for event in redacted])
    yield from story(rules, redacted, NAMES[: rules.seats])
    yield repr(replay(rules, redacted))
    full = replay(rules, log)
    for decision in full.awaiting:
        yield f"{decision.seat} {waiting(rules, decision)}"
    if seat is not None:
        yield from private(rules, full, seat, attempts)


def private(rules: Ruleset, full: State, seat: int, attempts: list[str]) -> Iterator[str]:
    """What the seat alone is shown: question, options, default, and every refusal."""
    decision = decision_of(full.awaiting, seat)
    if decision is not None:
        yield question(rules, full, decision)
        yield repr(default_for(rules, full, seat))
    for option in options(rules, full, seat):
        yield f"{option.text} {option.label} {option.group} {option.action}"
    for entry in menu(rules, full, seat):
        yield repr(entry)
    for text in attempts:
        yield answer(rules, full, seat, text)


def answer(rules: Ruleset, full: State, seat: int, text: str) -> str:
    """The response to this seat's attempt."""
    try:
        return repr(read(rules, full, seat, text))
    except NotAwaited as refusal:
        return refusal.code
    except Refusal as refusal:
        return f"{refusal.code} {refusal.rule} {refusal.sentence}"


def attempts_on(rules: Ruleset, rng: random.Random) -> list[str]:
    """Moves that are mostly refused: every verb, alone and with arguments."""
    ids = sorted(rules.board.routes)
    routes = rng.sample(ids, min(8, len(ids)))
    cities = rng.sample(sorted(rules.board.cities), 3)
    sold = [str(row["id"]) for row in rules.board.technologies[:4]]
    return [
        "take 1", "take 5", "take locomotive", "keep all", "keep none", "give up", "draw three",
        "nonsense", "99", *sorted(rules.verbs()),
        *(f"claim {route}" for route in routes),
        *(f"claim {route} with {rng.randint(1, 6)} red" for route in routes),
        *(f"claim {route} with {rng.randint(1, 6)} locomotive" for route in routes),
        *(f"station {city} with {rng.randint(1, 3)} blue" for city in cities),
        *(f"buy {technology}" for technology in sold),
        *(f"pay {rng.randint(1, 3)} {colour}" for colour in ("green", "locomotive")),
    ]  # fmt: skip


def differences(table: Table, number: int, pairs: int) -> Iterator[tuple[str, str]]:
    """Outputs that differ between two worlds, over this many pairs."""
    rules, game = table.rules, played(table, number).game
    rng = random.Random(f"{table} {number}")
    changed = 0
    for pair in range(pairs):
        first = len(game.moves) * 4 // 5 if pair % 2 else 1
        moves = game.moves[: rng.randrange(first, len(game.moves))]
        log = [event for move in moves for event in move.events]
        seat = rng.choice([None, *range(table.seats)])
        other = another_world(rules, log, seat, rng)
        changed += log != other
        attempts = attempts_on(rules, rng)
        here, there = (list(outputs(rules, world, seat, attempts)) for world in (log, other))
        yield from ((a, b) for a, b in zip(here, there, strict=False) if a != b)
        yield from [("length", "length")] * (len(here) != len(there))
    assert changed, "no pair is of two worlds"


@pytest.mark.parametrize("table", sample_of_tables(turn=1), ids=str)
def test_worlds_cannot_be_told_apart(table: Table) -> None:
    """R-DIG-3 to R-DIG-7: all that a seat or spectator is shown is the same in both worlds."""
    assert [] == list(differences(table, 0, PAIRS // 2))
    assert [] == list(differences(table, 1, PAIRS // 2))


USA = Table("usa", (), 3)


def test_most_pairs_are_of_two_worlds() -> None:
    """Of 50 worlds more than 45 differ from the original, so hidden facts are really exchanged."""
    rng = random.Random("worlds")
    log = [event for move in played(USA, 0).game.moves[:100] for event in move.events]
    worlds = [another_world(USA.rules, log, rng.randrange(3), rng) for _ in range(50)]

    assert sum(log != world for world in worlds) > 45


@pytest.mark.parametrize("kind", ["card_drawn", "hand_dealt", "tickets_offered", "tickets_kept"])
def test_a_forgotten_mark_is_found(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted fault: an event without its secret marks makes the worlds differ."""
    monkeypatch.setattr(EVENTS[kind], "marks", ())

    assert any(differences(USA, 0, 400))


LEAKS: dict[str, Callable[[State], object]] = {
    "others' cards": lambda state: cards.part(state).hands,
    "what is left in the deck": lambda state: cards.part(state).deck,
    "an aggregate of the deck": lambda state: max(cards.part(state).deck) % 2,
    "others' tickets": lambda state: tickets.part(state).held,
}


@pytest.mark.parametrize("leak", LEAKS)
def test_a_leaky_label_is_found(leak: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted fault: a label that depends on hidden facts makes the worlds differ."""
    rules = USA.rules
    honest = rules.word

    def label(_rules: Ruleset, state: State, _action: Action) -> str:
        return str(LEAKS[leak](state))

    def word(joint: str, key: Any) -> Any:
        return label if joint == "labels" else honest(joint, key)

    monkeypatch.setattr(rules, "word", word)

    assert any(differences(USA, 0, 60))
