"""One number for each bot, from the scores of an arena, by the measure of the ladder."""

from collections.abc import Sequence
from typing import NamedTuple

from bots.arena import Score
from bots.standings import SURE, share
from service.games.ratings import MODEL


class Rating(NamedTuple):
    """How strong somebody is, and how unsure that still is."""

    rating: float
    deviation: float

    @property
    def interval(self) -> tuple[float, float]:
        """Where the strength lies, with 95 % confidence."""
        wide = SURE * self.deviation
        return self.rating - wide, self.rating + wide


def ratings(scores: Sequence[Score]) -> dict[str, Rating]:
    """The rating of everybody who has ended a game, the best first; all begin alike.

    Pairs have played one after another, but are weighed in turn, as if they had played at once.
    """
    rated = {name: MODEL.rating(name=name) for score in scores for name in score.names}
    for score in sorted(scores, key=lambda one: one.number):
        pair = tuple(dict.fromkeys(score.names))
        shares = [share(score, name) for name in pair]
        teams = MODEL.rate([[rated[name]] for name in pair], scores=shares)
        rated.update(zip(pair, (team[0] for team in teams), strict=True))
    best_first = sorted(rated.items(), key=lambda item: -item[1].mu)
    return {name: Rating(one.mu, one.sigma) for name, one in best_first}
