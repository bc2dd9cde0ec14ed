"""Who beat whom, how sure that is, and one number for each: from the scores of an arena."""

from collections.abc import Sequence
from math import sqrt
from statistics import fmean
from typing import NamedTuple

from openskill.models import PlackettLuce

from bots.arena import Score

SURE = 1.96
"""Standard deviations on either side that hold 95 %."""
MODEL = PlackettLuce(mu=1500.0, sigma=250.0, beta=125.0, tau=2.5)
"""On the scale of Elo: whoever stands 400 above another wins ten times as often."""


class Rating(NamedTuple):
    """How strong somebody is, and how unsure that still is."""

    rating: float
    deviation: float

    @property
    def interval(self) -> tuple[float, float]:
        """Where the strength lies, with 95 % confidence."""
        wide = SURE * self.deviation
        return self.rating - wide, self.rating + wide


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
    won = sum(_share(score, one) for score in scores)
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


def _share(score: Score, name: str) -> float:
    """How much of the victory is theirs."""
    return sum(score.names[seat] == name for seat in score.winners) / len(score.winners)


def ratings(names: Sequence[str], scores: Sequence[Score]) -> dict[str, Rating]:
    """Everybody's rating after all games, the best first; all begin alike.

    Pairs have played one after another, but are weighed in turn, as if they had played at once.
    """
    rated = {name: MODEL.rating(name=name) for name in names}
    for score in sorted(scores, key=lambda one: one.number):
        pair = tuple(dict.fromkeys(score.names))
        shares = [_share(score, name) for name in pair]
        teams = MODEL.rate([[rated[name]] for name in pair], scores=shares)
        rated.update(zip(pair, (team[0] for team in teams), strict=True))
    best_first = sorted(rated.items(), key=lambda item: -item[1].mu)
    return {name: Rating(one.mu, one.sigma) for name, one in best_first}
