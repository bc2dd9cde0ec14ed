"""Glicko-2: how strong somebody is, how sure that is, and how steady.

Mark Glickman's system, in the steps and names of his paper "Example of the Glicko-2 system".
Games are judged together, some ten to twenty of them at a time: a period. Nothing here knows what
was played; a game of many seats is given as one result for each pair of players.
"""

from collections.abc import Sequence
from math import exp, log, pi, sqrt
from typing import NamedTuple

SCALE = 173.7178
"""Points of a rating for one unit of the scale on which all is worked out."""
MIDDLE = 1500.0
TAU = 0.5
"""How much volatility may change; between 0.3 and 1.2, says the paper."""
NEAR_ENOUGH = 1e-6
MOST_DEVIATION = 350.0
"""Nobody is less known than a newcomer."""


class Rating(NamedTuple):
    """Somebody's strength; as it stands here, a newcomer's."""

    rating: float = MIDDLE
    deviation: float = MOST_DEVIATION
    """The strength lies within two deviations with 95 % confidence."""
    volatility: float = 0.06

    @property
    def interval(self) -> tuple[float, float]:
        """Where the strength lies, with 95 % confidence."""
        return self.rating - 2 * self.deviation, self.rating + 2 * self.deviation


class Result(NamedTuple):
    """What came of a game: the other's rating before the period, and one's own share of it."""

    other: Rating
    score: float
    """1 won, 0.5 drawn, 0 lost."""


def expected(one: Rating, other: Rating) -> float:
    """The share of a game with the other that this one will have."""
    return _expected(_mu(one), _mu(other), sqrt(_phi(one) ** 2 + _phi(other) ** 2))


def after(one: Rating, results: Sequence[Result]) -> Rating:
    """The rating after a period with these results; without any, less is known of it."""
    mu, phi = _mu(one), _phi(one)
    if not results:
        return _rating(mu, sqrt(phi**2 + one.volatility**2), one.volatility)
    weight = surprise = 0.0
    for other, score in results:
        impact = _impact(_phi(other))
        chance = _expected(mu, _mu(other), _phi(other))
        weight += impact**2 * chance * (1 - chance)
        surprise += impact * (score - chance)
    volatility = _volatility(phi, one.volatility, 1 / weight, surprise / weight)
    phi = 1 / sqrt(1 / (phi**2 + volatility**2) + weight)
    return _rating(mu + phi**2 * surprise, phi, volatility)


def _mu(one: Rating) -> float:
    return (one.rating - MIDDLE) / SCALE


def _phi(one: Rating) -> float:
    return one.deviation / SCALE


def _rating(mu: float, phi: float, volatility: float) -> Rating:
    return Rating(MIDDLE + SCALE * mu, min(MOST_DEVIATION, SCALE * phi), volatility)


def _impact(phi: float) -> float:
    """A game with somebody of whom little is known tells little: the paper's g."""
    return 1 / sqrt(1 + 3 * phi**2 / pi**2)


def _expected(mu: float, other: float, phi: float) -> float:
    return 1 / (1 + exp(-_impact(phi) * (mu - other)))


def _volatility(phi: float, before: float, variance: float, change: float) -> float:
    """Step 5: where the paper's f is zero, by the Illinois algorithm."""
    start = log(before**2)

    def f(x: float) -> float:
        whole = phi**2 + variance + exp(x)
        return exp(x) * (change**2 - whole) / (2 * whole**2) - (x - start) / TAU**2

    low, high = start, _bound(phi, variance, change)
    if high is None:
        steps = 1
        while f(start - steps * TAU) < 0:
            steps += 1
        high = start - steps * TAU
    at_low, at_high = f(low), f(high)
    while abs(high - low) > NEAR_ENOUGH:
        between = low + (low - high) * at_low / (at_high - at_low)
        at_between = f(between)
        if at_between * at_high <= 0:
            low, at_low = high, at_high
        else:
            at_low /= 2
        high, at_high = between, at_between
    return exp(low / 2)


def _bound(phi: float, variance: float, change: float) -> float | None:
    """The other end to begin with, if the results were a great surprise."""
    beyond = change**2 - phi**2 - variance
    return log(beyond) if beyond > 0 else None
