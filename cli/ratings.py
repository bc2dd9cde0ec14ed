"""Calculates ratings from the scores of an arena, as for the ladder."""

from collections.abc import Sequence
from typing import NamedTuple

from bots.arena import Score
from bots.standings import SURE, share
from service.games.bots.ratings import MODEL


class Rating(NamedTuple):
    """A rating with its standard deviation."""

    rating: float
    deviation: float

    @property
    def interval(self) -> tuple[float, float]:
        """The interval of the rating, with 95 % confidence."""
        wide = SURE * self.deviation
        return self.rating - wide, self.rating + wide


def ratings(scores: Sequence[Score]) -> dict[str, Rating]:
    """Return the rating of every bot that has finished a game, best first; all start equal.

    Pairs play one after another, but are rated alternately, as if they had played in parallel.
    """
    rated = {name: MODEL.rating(name=name) for score in scores for name in score.names}
    for score in sorted(scores, key=lambda score: score.number):
        pair = tuple(dict.fromkeys(score.names))
        shares = [share(score, name) for name in pair]
        teams = MODEL.rate([[rated[name]] for name in pair], scores=shares)
        rated.update(zip(pair, (team[0] for team in teams), strict=True))
    best_first = sorted(rated.items(), key=lambda item: -item[1].mu)
    return {name: Rating(rating.mu, rating.sigma) for name, rating in best_first}
