"""Who beat whom, how sure that is, and one number for each: from the scores of an arena."""

from collections.abc import Sequence
from math import exp, log, sqrt
from statistics import fmean
from typing import NamedTuple

from bots.arena import Score

SURE = 1.96
"""Standard deviations on either side that hold 95 %."""
ELO = 400 / log(10)
ROUNDS = 60
"""Newton needs far fewer steps for a handful of players."""


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


class Rating(NamedTuple):
    name: str
    elo: float
    """Beyond the first of the list."""
    margin: float
    """On either side, with 95 % confidence."""


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
    won = sum(
        sum(score.names[seat] == one for seat in score.winners) / len(score.winners)
        for score in scores
    )
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


def ratings(names: Sequence[str], fought: Sequence[Duel]) -> list[Rating]:
    """Elo by the greatest likelihood, the first of them at 0.

    Half a game for each side is added to every pair, so that nobody is infinitely strong.
    """
    place = {name: at for at, name in enumerate(names)}
    strengths = [0.0] * len(names)
    spread = [[0.0] * len(names) for _ in names]
    for _ in range(ROUNDS):
        slope, curve = _slope(place, strengths, fought)
        spread = _inverse([row[1:] for row in curve[1:]])
        for at, row in enumerate(spread, 1):
            step = sum(one * other for one, other in zip(row, slope[1:], strict=True))
            strengths[at] += max(-1.0, min(1.0, step))
    errors = [0.0, *(sqrt(row[at]) for at, row in enumerate(spread))]
    return [
        Rating(name, ELO * strength, ELO * SURE * error)
        for name, strength, error in zip(names, strengths, errors, strict=True)
    ]


def _slope(
    place: dict[str, int], strengths: Sequence[float], fought: Sequence[Duel]
) -> tuple[list[float], list[list[float]]]:
    """First and (with its sign turned) second derivative of the likelihood."""
    size = len(strengths)
    slope, curve = [0.0] * size, [[0.0] * size for _ in range(size)]
    for duel in fought:
        a, b = (place[name] for name in duel.names)
        chance = 1 / (1 + exp(strengths[b] - strengths[a]))
        games = duel.games + 1
        surprise, weight = duel.won + 0.5 - games * chance, games * chance * (1 - chance)
        slope[a] += surprise
        slope[b] -= surprise
        for one, other, sign in ((a, a, 1), (b, b, 1), (a, b, -1), (b, a, -1)):
            curve[one][other] += sign * weight
    return slope, curve


def _inverse(matrix: Sequence[Sequence[float]]) -> list[list[float]]:
    """By Gauss and Jordan; as many rows as there are players but one."""
    size = len(matrix)
    rows = [[*row, *(float(at == other) for other in range(size))] for at, row in enumerate(matrix)]
    for at in range(size):
        lead = max(range(at, size), key=lambda one: abs(rows[one][at]))
        rows[at], rows[lead] = rows[lead], rows[at]
        rows[at] = [value / rows[at][at] for value in rows[at]]
        for other in range(size):
            if other != at:
                factor = rows[other][at]
                rows[other] = [
                    mine - factor * its for mine, its in zip(rows[other], rows[at], strict=True)
                ]
    return [row[size:] for row in rows]
