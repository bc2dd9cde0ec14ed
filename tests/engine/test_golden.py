"""Golden games: recorded once, and replayed move by move."""

from functools import cache
from pathlib import Path

import pytest

from engine import Game, audit, read_log
from engine.codec import write
from engine.kinds import DECISIONS, EVENTS
from engine.rules import MODULES
from service.boards import atlas
from tools.golden import RECIPES
from tools.transcripts import played_again, transcript

FOLDER = Path(__file__).parents[1] / "golden"
FILES = sorted(FOLDER.glob("*.game"))


@cache
def game_in(path: Path) -> Game:
    """The game in this file."""
    return played_again(path.read_text(encoding="utf-8"))[0]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_golden_game_comes_out_the_same(path: Path) -> None:
    """Replaying gives every sentence, question, score and view as recorded."""
    text = path.read_text(encoding="utf-8")
    game, seed = played_again(text)

    assert text.splitlines() == transcript(game, seed).splitlines()
    assert game.is_over


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_golden_game_verifies(path: Path) -> None:
    """The log of every golden game passes an audit."""
    game = game_in(path)

    assert game.state == audit(game.rules, read_log(game.lines()))


def test_there_is_a_file_for_each_recipe() -> None:
    """The folder contains exactly the games that `make golden` writes."""
    assert sorted(RECIPES) == [path.stem for path in FILES]


def test_every_module_is_in_a_golden_game() -> None:
    """Every rule module is in play in some golden game."""
    shown = {module.name for path in FILES for module in game_in(path).rules.modules}

    assert set(MODULES) == shown


def test_every_table_size_and_variant_is_in_a_golden_game() -> None:
    """Each board is played with each of its variants, and with each number of seats."""
    rules = [game_in(path).rules for path in FILES]
    seats = {(each.board.id, each.seats) for each in rules}
    variants = {(each.board.id, name) for each in rules for name in each.board.variants or ("",)}

    assert {(board, seats) for board, _, seats in atlas.tables()} == seats
    assert {
        (board, name) for board, names, _ in atlas.tables() for name in names or ("",)
    } <= variants


def test_every_event_is_in_a_golden_game() -> None:
    """Every kind of event happens in some golden game."""
    shown = {event.kind for path in FILES for event in game_in(path).events}

    assert set(EVENTS) == shown


def test_every_decision_is_in_a_golden_game() -> None:
    """Every kind of decision is open in some golden game."""
    kinds: set[str] = set()
    for path in FILES:
        done = game_in(path)
        again = Game(done.rules, done.id, done.seed, done.nonces)
        for move in done.moves[1:]:
            kinds |= {decision.kind for decision in again.state.awaiting}
            assert move.seat is not None
            assert move.action is not None
            again.play(move.seat, move.action)

    assert set(DECISIONS) == kinds


def test_every_ending_is_in_a_golden_game() -> None:
    """R-END-2, R-END-5, R-TIE: last round, stalemate, a broken tie and a shared victory occur."""
    ends = [write(game_in(path).events[-1]) for path in FILES]
    best = [max(result["total"] for result in end["results"]) for end in ends]
    tied = [
        sum(result["total"] == top for result in end["results"])
        for end, top in zip(ends, best, strict=True)
    ]
    winners = [len(end["winners"]) for end in ends]

    assert {"last_round", "stalemate"} <= {end["reason"] for end in ends}
    assert (2, 1) in zip(tied, winners, strict=True)
    assert (2, 2) in zip(tied, winners, strict=True)
