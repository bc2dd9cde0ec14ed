"""Who beat whom in an arena, with confidence intervals."""

from collections.abc import Sequence
from math import sqrt
from statistics import fmean
from typing import NamedTuple

from bots.arena import Score

SURE = 1.96
"""Standard deviations on either side of the mean for 95 % confidence."""


class Duel(NamedTuple):
    """All games of one pair, from the first bot's point of view."""

    names: tuple[str, str]
    games: int
    won: float
    """Games won by the first bot; a shared victory counts in part."""
    means: tuple[float, float]
    """Average points per game."""

    @property
    def share(self) -> float:
        return self.won / self.games

    @property
    def interval(self) -> tuple[float, float]:
        return wilson(self.won, self.games)


def wilson(won: float, games: int) -> tuple[float, float]:
    """Return the Wilson score interval for a share, with 95 % confidence."""
    share, square = won / games, SURE**2 / games
    middle = (share + square / 2) / (1 + square)
    wide = SURE * sqrt(share * (1 - share) / games + square / games / 4) / (1 + square)
    return max(0.0, middle - wide), min(1.0, middle + wide)


def duels(scores: Sequence[Score]) -> list[Duel]:
    """Return the results of each pair, in the order of their first games."""
    by_pair: dict[frozenset[str], list[Score]] = {}
    for score in scores:
        by_pair.setdefault(frozenset(score.names), []).append(score)
    return [_duel(games) for games in by_pair.values()]


def _duel(scores: Sequence[Score]) -> Duel:
    first, second = tuple(dict.fromkeys(scores[0].names))[:2]
    won = sum(share(score, first) for score in scores)
    means = [
        fmean(
            total
            for score in scores
            for name, total in zip(score.names, score.totals, strict=True)
            if name == player
        )
        for player in (first, second)
    ]
    return Duel((first, second), len(scores), won, (means[0], means[1]))


def share(score: Score, name: str) -> float:
    """Return a bot's share of the victory: 1 if it won alone."""
    return sum(score.names[seat] == name for seat in score.winners) / len(score.winners)
