"""Bad input of any kind raises a documented error that names the place, and changes nothing."""

import json
import random
from collections.abc import Callable
from copy import deepcopy
from functools import cache, partial
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import (
    Chance,
    Game,
    LogError,
    MapError,
    Refusal,
    Unreadable,
    audit,
    board_of,
    decide,
    read,
    read_log,
    ruleset_of,
)
from engine.codec import parse, read_action, read_event, write
from tests.amounts import amount
from tests.maps.reading import MAPS, map_of
from tests.random_games import Step, Table, played, sample_of_tables

ODD: list[Any] = [
    None, True, False, 0, -1, 3, 10**30, 0.5, "", "?", "boston", "a" * 500, "\ud800", "\x00",
    [], [[]], {}, {"red": -1}, {"red": 10**9}, {"dice": [1, 1]}, {"type": "claim"}, ["red"], [None],
]  # fmt: skip
"""Values to put in the place of any other."""

JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@cache
def middle(table: Table) -> Game:
    """A game after half of its moves."""
    whole = played(table, 0)
    game = Game(table.rules, whole.game.id, whole.game.seed, whole.game.nonces)
    for step in whole.steps[: len(whole.steps) // 2]:
        game.play(step.seat, step.action)
    return game


def refusal_of(attempt: Callable[[], object]) -> Refusal | None:
    """The refusal of an attempt, or None; any other exception is a fault."""
    try:
        attempt()
    except Refusal as refusal:
        return refusal
    return None


def try_text(game: Game, seat: int, text: str) -> None:
    """Read and decide a move without making it."""
    action = read(game.rules, game.state, seat, text)
    decide(game.rules, game.state, seat, action, Chance(b"", "", 0))


def try_json(table: Table, step: Step, body: Any) -> None:
    """Read and decide an action in place of the one that was played."""
    decide(table.rules, step.state, step.seat, read_action(body), Chance(b"", "", 0))


def map_error(raw: Any) -> MapError | None:
    """The error in this map, or None."""
    try:
        board = board_of(raw)
        ruleset_of(board, board.seats[0])
    except MapError as error:
        return error
    return None


def mutated(value: Any, rng: random.Random) -> Any:
    """The same data with one value replaced, dropped, doubled or renamed."""
    copy = deepcopy(value)
    places = list(_places(copy))
    if not places:
        return rng.choice(ODD)
    inside, key = rng.choice(places)
    match rng.randrange(4):
        case 0:
            inside[key] = rng.choice(ODD)
        case 1:
            del inside[key]
        case 2 if isinstance(inside, list):
            inside.insert(key, deepcopy(inside[key]))
        case _ if isinstance(inside, dict):
            inside[rng.choice(["", "seat", "id", "extra", "cities"])] = inside.pop(key)
    return copy


def _places(value: Any) -> Any:
    keys = list(value) if isinstance(value, dict) else range(len(value))
    for key in keys:
        yield value, key
        if isinstance(value[key], dict | list):
            yield from _places(value[key])


@given(text=st.text(max_size=500))
@settings(max_examples=amount(100, soak=1000), deadline=None)
def test_any_text(text: str) -> None:
    """Any text is read as a move, or refused with a documented code."""
    game = middle(Table("usa", (), 3))
    refusal = refusal_of(lambda: read(game.rules, game.state, game.awaited[0], text))

    assert refusal is None or refusal.code in ("unreadable", "illegal", "ambiguous")


WORDS = [
    *("claim", "take", "draw", "keep", "tickets", "pass", "with", "return", "and", "all", "none"),
    *("boston", "new_york", "boston-new_york", "boston-new_york-red", "red", "locomotive", "pay"),
    *("1", "2", "99999999999", "-1", "²", "٣", "–", ",", "give", "up", "station", "buy", "roll"),
    *("reroll", "token", "single", "end", "dice", "die", "three", "wales_concession"),
]


@pytest.mark.parametrize("table", sample_of_tables(turn=2), ids=str)
def test_any_words(table: Table) -> None:
    """Words of the notation in any order are read or refused on every board, and change nothing."""
    rng, game = random.Random(str(table)), middle(table)
    for _ in range(150):
        text = " ".join(rng.choices(WORDS, k=rng.randint(1, 7)))
        moves, before = len(game.moves), game.state
        for seat in range(table.seats):
            refusal = refusal_of(partial(try_text, game, seat, text))
            assert refusal is None or refusal.sentence
        assert (moves, before) == (len(game.moves), game.state)


@given(body=JUNK)
@settings(max_examples=amount(100, soak=1000), deadline=None)
def test_any_json(body: Any) -> None:
    """JSON that is no action or event is refused as unreadable."""
    for reader in (read_action, read_event):
        with pytest.raises(Unreadable):
            reader(body)


@pytest.mark.parametrize("table", sample_of_tables(turn=3), ids=str)
def test_spoilt_actions(table: Table) -> None:
    """An action with one change is legal, or refused with a code and a sentence."""
    rng, recording = random.Random(str(table)), played(table, 0)
    for step in rng.sample(recording.steps, min(len(recording.steps), 40)):
        for _ in range(8):
            body = mutated(write(step.action), rng)
            refusal = refusal_of(partial(try_json, table, step, body))
            assert refusal is None or refusal.code in ("unreadable", "illegal")
            assert refusal is None or refusal.sentence.endswith(".")


@pytest.mark.parametrize("number", range(4))
@pytest.mark.parametrize("board", MAPS)
def test_spoilt_maps(board: str, number: int) -> None:
    """A map with one change is valid, or refused with the place and the reason."""
    rng = random.Random(f"{board} {number}")
    for _ in range(60):
        raw = mutated(map_of(board), rng)
        error = map_error(raw)
        assert error is None or (error.place and error.reason)


@pytest.mark.parametrize("table", sample_of_tables(8, turn=4), ids=str)
def test_spoilt_logs(table: Table) -> None:
    """A log with one change in any record fails the audit at that line."""
    rng, lines = random.Random(str(table)), played(table, 0).game.lines()
    for _ in range(40):
        at = rng.randrange(len(lines))
        record = mutated(json.loads(lines[at]), rng)
        if record == json.loads(lines[at]):
            continue
        forged = [*lines[:at], json.dumps(record), *lines[at + 1 :]]
        with pytest.raises(LogError) as caught:
            audit(table.rules, read_log(forged))
        assert caught.value.line == at + 1


@given(line=st.text(max_size=200) | st.binary(max_size=200).map(lambda raw: raw.decode("latin-1")))
@settings(max_examples=amount(100, soak=1000), deadline=None)
def test_any_line(line: str) -> None:
    """A line that is no record raises LogError."""
    with pytest.raises(LogError):
        read_log([line])


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("[" * 100_000, "deeply"),
        ('{"a": 1, "a": 2}', "twice"),
        ("NaN", "NaN"),
        ('"\\ud800"', "surrogate"),
        ("1" * 5000, "digits"),
        ("{", "line 1"),
        ("", "line 1"),
    ],
)
def test_strict_json(text: str, word: str) -> None:
    """JSON that is malformed, or that parsers read differently, is refused with the reason."""
    with pytest.raises(Unreadable, match=word):
        parse(text)
