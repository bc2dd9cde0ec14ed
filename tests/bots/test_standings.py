import xml.etree.ElementTree as ET

import pytest

from bots.arena import Entrant, Score, matches
from bots.glicko import Rating, expected
from bots.player import HOUSE, Unknown, named
from bots.standings import Duel, duels, ratings, wilson
from cli.chart import chart


def _score(names: tuple[str, ...], winners: tuple[int, ...]) -> Score:
    return Score(0, names, tuple(range(len(names))), winners, 10, ())


def test_seats_are_rotated_and_luck_is_paired() -> None:
    """Every draw of the luck is played from both sides, also where seats are odd in number."""
    one, two = (Entrant(name, HOUSE[name]) for name in ("easy", "hard"))
    made = list(matches([one, two], 3, 4))

    assert [0, 0, 1, 1] == [match.number for match in made]
    assert (one, two, one) == made[0].seated
    assert (two, one, two) == made[1].seated


def test_every_pair_meets() -> None:
    """Three bots make three pairs, each with all its games."""
    some = [Entrant(name, bot) for name, bot in HOUSE.items()]
    pairs = {frozenset(entrant.name for entrant in one.seated) for one in matches(some, 2, 6)}

    assert 18 == len(list(matches(some, 2, 6)))
    assert 3 == len(pairs)


def test_shared_victories_are_shared() -> None:
    """A tie is half a victory for each."""
    (duel,) = duels([_score(("a", "b"), (0,)), _score(("b", "a"), (0, 1))])

    assert 1.5 == duel.won
    assert ("a", "b") == duel.names
    assert (0.5, 0.5) == duel.means


def test_wilson_by_the_book() -> None:
    """Eight of ten lie between 49 % and 94 %, and nobody is sure of everything."""
    assert (0.490, 0.943) == tuple(round(bound, 3) for bound in wilson(8, 10))
    assert 1.0 == wilson(10, 10)[1]
    assert wilson(10, 10)[0] < 0.75


def _series(stronger: str, weaker: str, games: int, won: int) -> list[Score]:
    """Games of a pair, of which the stronger wins so many of every ten."""
    return [
        Score(at // 2, (stronger, weaker), (0, 0), (int(at % 10 >= won),), 10, ())
        for at in range(games)
    ]


def test_ratings_give_the_shares_back() -> None:
    """What two ratings promise is what was won, and more games leave less doubt."""
    few, many = (ratings(["a", "b"], _series("a", "b", games, 8)) for games in (20, 400))

    assert 0.8 == pytest.approx(expected(many["a"], many["b"]), abs=0.03)
    assert few["a"].deviation > 1.5 * many["a"].deviation


def test_ratings_of_three_agree_with_their_pairs() -> None:
    """Strengths add up along a chain of pairs, and the best stands first."""
    chain = [*_series("b", "a", 400, 7), *_series("c", "b", 400, 7)]
    rated = ratings(["a", "b", "c"], chain)

    assert ["c", "b", "a"] == list(rated)
    assert 1500 == pytest.approx(rated["b"].rating, abs=20)
    assert 2 * (rated["c"].rating - rated["b"].rating) == pytest.approx(
        rated["c"].rating - rated["a"].rating, abs=40
    )


def test_the_order_of_pairs_changes_nothing() -> None:
    """Who plays first is no better for it."""
    one, two = _series("b", "a", 40, 7), _series("c", "b", 40, 7)
    first, again = ratings("abc", [*one, *two]), ratings("abc", [*two, *one])

    assert all(first[name] == pytest.approx(again[name]) for name in "abc")


def test_nobody_is_infinitely_strong() -> None:
    """A clean sweep still gives a number."""
    assert ratings(["a", "b"], _series("b", "a", 400, 10))["b"].rating < 2600


def test_unknown_bots_are_named() -> None:
    """Whoever is not of the house is refused, with a list of those who are."""
    with pytest.raises(Unknown, match="easy, medium, hard"):
        named("grandmaster")


def test_chart_is_a_picture() -> None:
    """The plot is well-formed, whatever the names."""
    duel = Duel(("<a>", "b & c"), 10, 7, (1.0, 2.0))
    rated = {"b & c": Rating(), "<a>": Rating(1600, 50)}
    root = ET.fromstring(chart("A & B", [duel], rated))  # noqa: S314  # our own

    assert "svg" in root.tag
    assert "<a> against b & c" in [text.text for text in root.iter(f"{root.tag[:-3]}text")]
