"""Who beat whom, and how sure that is: from the scores of an arena."""

from collections.abc import Sequence
from math import sqrt
from statistics import fmean
from typing import NamedTuple

from bots.arena import Score

SURE = 1.96
"""Standard deviations on either side that hold 95 %."""


class Duel(NamedTuple):
    """All games of one pair, seen from the first."""

    names: tuple[str, str]
    games: int
    won: float
    """A shared victory is shared."""
    means: tuple[float, float]
    """Points a game, on average."""

    @property
    def share(self) -> float:
        return self.won / self.games

    @property
    def interval(self) -> tuple[float, float]:
        return wilson(self.won, self.games)


def wilson(won: float, games: int) -> tuple[float, float]:
    """Wilson's interval for a share, with 95 % confidence."""
    share, square = won / games, SURE**2 / games
    middle = (share + square / 2) / (1 + square)
    wide = SURE * sqrt(share * (1 - share) / games + square / games / 4) / (1 + square)
    return max(0.0, middle - wide), min(1.0, middle + wide)


def duels(scores: Sequence[Score]) -> list[Duel]:
    """The pairs in the order in which they came up."""
    found: dict[frozenset[str], list[Score]] = {}
    for score in scores:
        found.setdefault(frozenset(score.names), []).append(score)
    return [_duel(some) for some in found.values()]


def _duel(scores: Sequence[Score]) -> Duel:
    one, two = tuple(dict.fromkeys(scores[0].names))[:2]
    won = sum(share(score, one) for score in scores)
    means = [
        fmean(
            total
            for score in scores
            for name, total in zip(score.names, score.totals, strict=True)
            if name == wanted
        )
        for wanted in (one, two)
    ]
    return Duel((one, two), len(scores), won, (means[0], means[1]))


def share(score: Score, name: str) -> float:
    """How much of the victory is theirs."""
    return sum(score.names[seat] == name for seat in score.winners) / len(score.winners)
