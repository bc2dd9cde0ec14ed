from itertools import pairwise

import pytest

from engine import Game
from service.boards import atlas
from service.games.bots import selfplay
from service.games.bots.selfplay import Series, Violation

RULES = atlas.ruleset("usa", (), 2)


def test_series_repeats_itself() -> None:
    """The same text gives the same games; another text, table or number gives others."""
    game = Series(RULES, "a").play(1)

    assert game.lines() == Series(RULES, "a").play(1).lines()
    three = atlas.ruleset("usa", (), 3)
    others = [Series(RULES, "b"), Series(three, "a")]
    seeds = [game.seed, Series(RULES, "a").seed(2), *(series.seed(1) for series in others)]
    assert len(seeds) == len(set(seeds))
    assert len(set(game.nonces)) == len(game.nonces)


def test_game_is_watched_move_by_move() -> None:
    """Watching a game yields the set-up and then every move, without a gap."""
    numbers = [game.version for game in Series(RULES, "a").watch(1, check=True)]

    assert 0 == numbers[0]
    assert all(after == before + 1 for before, after in pairwise(numbers))


def test_endless_game_is_a_violation(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game that does not end is stopped."""
    monkeypatch.setattr(selfplay, "LONGEST", 20)

    with pytest.raises(Violation, match="move 20: the game does not end within 20 moves"):
        Series(RULES, "a").play(1)


def test_crash_is_a_violation_with_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    """A crash in the rules names the game, its seed and the line of code."""

    def crash(game: Game, seat: int) -> None:
        raise KeyError(f"{game.id} {seat}")

    monkeypatch.setattr(Game, "options", crash)
    with pytest.raises(Violation, match=r"seed [0-9a-f]{64}, move 0: KeyError.*test_selfplay\.py:"):
        Series(RULES, "a").play(1)


def test_replay_that_differs_is_a_violation(monkeypatch: pytest.MonkeyPatch) -> None:
    """A state that its events do not lead to is noticed at once."""
    monkeypatch.setattr(selfplay, "replay", lambda rules, *_: rules.initial)

    with pytest.raises(Violation, match="move 0: the events replayed lead to another state"):
        Series(RULES, "a").play(1, check=True)
