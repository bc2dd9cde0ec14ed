import xml.etree.ElementTree as ET

import pytest

from bots.arena import Entrant, Score, matches
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


def test_ratings_give_the_shares_back() -> None:
    """Who wins ten games of eleven is 400 Elo ahead, and less is known of him from few games."""
    many = [Duel(("a", "b"), 109_999, 99_999.5, (0, 0))]
    few = [Duel(("a", "b"), 10, 8, (0, 0))]

    assert 400 == round(ratings(["b", "a"], many)[1].elo)
    assert ratings(["b", "a"], few)[1].margin > 10 * ratings(["b", "a"], many)[1].margin


def test_ratings_of_three_agree_with_their_pairs() -> None:
    """Strengths add up along a chain of pairs."""
    chain = [Duel(("b", "a"), 1000, 750, (0, 0)), Duel(("c", "b"), 1000, 750, (0, 0))]
    a, b, c = ratings(["a", "b", "c"], chain)

    assert 0 == a.elo
    assert c.elo == pytest.approx(2 * b.elo)
    assert c.margin > b.margin


def test_nobody_is_infinitely_strong() -> None:
    """A clean sweep still gives a number."""
    assert ratings(["a", "b"], [Duel(("b", "a"), 20, 20, (0, 0))])[1].elo < 1000


def test_unknown_bots_are_named() -> None:
    """Whoever is not of the house is refused, with a list of those who are."""
    with pytest.raises(Unknown, match="easy, medium, hard"):
        named("grandmaster")


def test_chart_is_a_picture() -> None:
    """The plot is well-formed, whatever the names."""
    duel = Duel(("<a>", "b & c"), 10, 7, (1.0, 2.0))
    root = ET.fromstring(chart("A & B", [duel], ratings(["b & c", "<a>"], [duel])))  # noqa: S314  # our own

    assert "svg" in root.tag
    assert "<a> against b & c" in [text.text for text in root.iter(f"{root.tag[:-3]}text")]
