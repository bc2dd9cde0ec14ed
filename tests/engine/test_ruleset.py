"""Combining rules: a bad combination is refused on load, and a new board needs no code."""

import random
import re
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_type_hints

import pytest

from engine import MODULES, Game, MapError, Ruleset, audit, board_of, read_log, ruleset_of
from engine.kinds import Action, Decision
from engine.module import Module
from engine.rules.cards import DrawBlind
from tests.random_games import BOUND, seed_of

PAGE = (Path(__file__).parents[2] / "docs" / "maps.md").read_text(encoding="utf-8")


def toy() -> dict[str, Any]:
    """The small map in docs/maps.md."""
    (text,) = re.findall(r"```toml\n(id = .*?)```", PAGE, re.DOTALL)
    return tomllib.loads(text)


@pytest.mark.parametrize("variants", [(), ("dice",)])
@pytest.mark.parametrize("seats", [2, 3])
@pytest.mark.parametrize("number", range(5))
def test_a_new_board_needs_no_code(variants: tuple[str, ...], seats: int, number: int) -> None:
    """The map in the documentation is played to the end with cards and with dice, and audited."""
    rules = ruleset_of(board_of(toy(), variants), seats)
    game, rng = Game(rules, f"toy {number}", seed_of(f"{number}")), random.Random(number)
    while not game.is_over:
        assert game.version < BOUND
        seat = rng.choice(game.awaited)
        game.play(seat, rng.choice(game.options(seat).actions))
        for run in rules.all("accounts"):
            run(rules, game.state)

    assert game.state == audit(rules, read_log(game.lines()))


def _change(path: str, value: object) -> Callable[[dict[str, Any]], None]:
    *tables, key = path.split(".")

    def change(raw: dict[str, Any]) -> None:
        table = raw
        for name in tables:
            table = table.setdefault(name, {})
        table[key] = value

    return change


CORE = ["turns", "routes", "cards", "tickets", "ferries", "longest_trail"]


@pytest.mark.parametrize(
    ("change", "place", "reason"),
    [
        (_change("modules", [*CORE, "rockets"]), "modules", "there is no rule module “rockets”"),
        (_change("modules", [*CORE, "cards"]), "modules", "“cards” appears twice"),
        (_change("modules", [*CORE, "dice"]), "modules", "exactly one of cards and dice is needed"),
        (_change("modules", ["turns", "routes", "tickets"]), "parameters.cards", "not in play"),
        (_change("modules", ["routes", *CORE[2:]]), "modules", "“cards” needs “turns”"),
        (_change("parameters.stations.each", 3), "parameters.stations", "not in play"),
        (_change("parameters.routes.wagons", 3), "parameters.routes.wagons", "is not a known key"),
        (
            _change("parameters.routes.trains", "20"),
            "parameters.routes.trains",
            "must be a whole number",
        ),
        (_change("parameters.routes.points", {"2": 2}), "parameters.routes.points", "length 3"),
        (_change("parameters.turns.ties", ["luck"]), "parameters.turns.ties", "measures “luck”"),
        (_change("parameters.tickets.dealt", 9), "parameters.tickets", "too few tickets"),
        (_change("parameters.cards.hand", 90), "parameters.cards", "too few cards to deal"),
    ],
)
def test_bad_combinations_are_refused(
    change: Callable[[dict[str, Any]], None], place: str, reason: str
) -> None:
    """An impossible combination is refused on load, with the place and the reason."""
    raw = toy()
    change(raw)

    with pytest.raises(MapError) as caught:
        ruleset_of(board_of(raw), 2)
    assert place == caught.value.place
    assert reason in caught.value.reason


@pytest.mark.parametrize("variants", [(), ("dice",)])
@pytest.mark.parametrize("value", [-1, 0])
def test_no_number_is_believed(variants: tuple[str, ...], value: int) -> None:
    """Each number of each module, set to -1 or 0, is refused; a 0 may also be playable."""
    for name, module in MODULES.items():
        for key, hint in get_type_hints(module.kind).items():
            raw = toy()
            board = board_of(raw, variants)
            if hint is not int or name not in board.modules:
                continue
            board.parameters.setdefault(name, {})[key] = value
            try:
                rules = ruleset_of(board, 2)
            except MapError as error:
                assert error.place.startswith(f"parameters.{name}")  # noqa: PT017  # or it is played
                continue
            assert value == 0, f"{name}.{key} may not be negative"
            _play(rules, random.Random(f"{name} {key}"))


def _play(rules: Ruleset, rng: random.Random) -> None:
    game = Game(rules, "numbers", seed_of("numbers"))
    while not game.is_over:
        assert game.version < BOUND
        seat = rng.choice(game.awaited)
        game.play(seat, rng.choice(game.options(seat).actions))


def test_seats_are_counted() -> None:
    """R-SETUP-1: a board is refused with more seats than it allows."""
    with pytest.raises(MapError, match="Toy is for 2 to 3 seats, not 4"):
        ruleset_of(board_of(toy()), 4)


def test_variants_that_exclude_each_other() -> None:
    """Variants that exclude each other, are unknown, or exclude on one side only are refused."""
    raw = toy()
    raw["variants"]["dice"]["excludes"] = ["long"]
    raw["variants"]["long"] = {"name": "Long", "summary": "Long.", "set": {}, "excludes": ["dice"]}

    with pytest.raises(MapError, match="“dice” and “long” cannot be played together"):
        board_of(raw, ["dice", "long"])
    with pytest.raises(MapError, match="there is no variant “short”"):
        board_of(raw, ["short"])
    raw["variants"]["long"]["excludes"] = []
    with pytest.raises(MapError, match="“long” must exclude it in turn"):
        board_of(raw)


@dataclass(frozen=True, slots=True)
class Parameters:
    """The parameters of a test module: none."""


def nothing(*_: object) -> None:
    """Do nothing; registered on a joint and never called."""


def with_module(module: Module[Parameters, None]) -> Ruleset:
    """The toy board with one more rule module."""
    raw = toy()
    raw["modules"].append(module.name)
    return Ruleset(board_of(raw), 2, {**MODULES, module.name: module})


def test_an_action_has_one_owner() -> None:
    """Two modules that decide the same action are refused."""
    second: Module[Parameters, None] = Module("second", Parameters)
    second.decides(DrawBlind)(nothing)

    with pytest.raises(MapError, match="“cards” and “second” both decides DrawBlind"):
        with_module(second)


def test_a_decision_needs_everything() -> None:
    """A decision without options or without words for the waiting is refused."""

    class Question(Decision):
        """A decision that a module only asks."""

    mute: Module[Parameters, None] = Module("mute", Parameters)
    mute.asks(Question)(nothing)
    with pytest.raises(MapError, match="nothing offers Question"):
        with_module(mute)
    mute.offers(Question)(nothing)
    with pytest.raises(MapError, match="nothing waits Question"):
        with_module(mute)


def test_an_action_needs_words() -> None:
    """An action without a label is refused."""

    class Wave(Action):
        """An action that a module only decides."""

    mute: Module[Parameters, None] = Module("mute", Parameters)
    mute.decides(Wave)(nothing)

    with pytest.raises(MapError, match="nothing labels Wave"):
        with_module(mute)
