import xml.etree.ElementTree as ET

import pytest

from bots.arena import Score
from bots.standings import Duel
from cli.arena_chart import chart
from cli.ratings import Rating, ratings


def _series(stronger: str, weaker: str, games: int, one_in: int) -> list[Score]:
    """Games of a pair, of which the weaker bot wins one in `one_in`."""
    return [
        Score(at // 2, (stronger, weaker), (0, 0), (int(at % one_in == one_in // 2),), 10, ())
        for at in range(games)
    ]


def test_ratings_give_the_shares_back() -> None:
    """Winning ten games of eleven is worth about 400 points; more games lower the deviation."""
    few, many = (ratings(_series("a", "b", games, 11)) for games in (22, 440))

    assert 400 == pytest.approx(many["a"].rating - many["b"].rating, abs=100)
    assert few["a"].deviation > 1.5 * many["a"].deviation


def test_ratings_of_three_agree_with_their_pairs() -> None:
    """Rating differences add up along a chain of pairs, and the best bot comes first."""
    chain = [*_series("b", "a", 400, 4), *_series("c", "b", 400, 4)]
    rated = ratings(chain)

    assert ["c", "b", "a"] == list(rated)
    assert 1500 == pytest.approx(rated["b"].rating, abs=40)
    assert 2 * (rated["c"].rating - rated["b"].rating) == pytest.approx(
        rated["c"].rating - rated["a"].rating, abs=60
    )


def test_pairs_are_weighed_in_turn() -> None:
    """The order in which pairs have played makes little difference to the ratings."""
    first_pair, second_pair = _series("b", "a", 400, 4), _series("c", "b", 400, 4)
    first, again = ratings([*first_pair, *second_pair]), ratings([*second_pair, *first_pair])

    assert all(first[name].rating == pytest.approx(again[name].rating, abs=25) for name in "abc")


def test_nobody_is_infinitely_strong() -> None:
    """A bot that wins every game gets a rating below 2600."""
    assert ratings(_series("b", "a", 400, 999))["b"].rating < 2600


def test_chart_is_a_picture() -> None:
    """The chart is well-formed SVG, even if names contain markup."""
    duel = Duel(("<a>", "b & c"), 10, 7, (1.0, 2.0))
    rated = {"b & c": Rating(1500, 90), "<a>": Rating(1600, 50)}
    root = ET.fromstring(chart("A & B", [duel], rated))  # noqa: S314  # our own

    assert "svg" in root.tag
    assert "<a> against b & c" in [text.text for text in root.iter(f"{root.tag[:-3]}text")]
