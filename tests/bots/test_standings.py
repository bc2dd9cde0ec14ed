import pytest

from bots.arena import Entrant, Score, matches
from bots.player import HOUSE, Unknown, named
from bots.standings import duels, wilson


def _score(names: tuple[str, ...], winners: tuple[int, ...]) -> Score:
    return Score(0, names, tuple(range(len(names))), winners, 10, ())


def test_seats_are_rotated_and_luck_is_paired() -> None:
    """Each seed is played twice with the seats exchanged, even with an odd number of seats."""
    first, two = (Entrant(name, HOUSE[name]) for name in ("easy", "hard"))
    games = list(matches([first, two], 3, 4))

    assert [0, 0, 1, 1] == [match.number for match in games]
    assert (first, two, first) == games[0].seated
    assert (two, first, two) == games[1].seated


def test_every_pair_meets() -> None:
    """Three bots make three pairs, each with all its games."""
    some = [Entrant(name, bot) for name, bot in HOUSE.items()]
    pairs = {frozenset(entrant.name for entrant in match.seated) for match in matches(some, 2, 6)}

    assert 18 == len(list(matches(some, 2, 6)))
    assert 3 == len(pairs)


def test_shared_victories_are_shared() -> None:
    """A shared victory counts half for each."""
    (duel,) = duels([_score(("a", "b"), (0,)), _score(("b", "a"), (0, 1))])

    assert 1.5 == duel.won
    assert ("a", "b") == duel.names
    assert (0.5, 0.5) == duel.means


def test_wilson_by_the_book() -> None:
    """The interval for 8 of 10 is 49 % to 94 %, and that for 10 of 10 begins below 75 %."""
    assert (0.490, 0.943) == tuple(round(bound, 3) for bound in wilson(8, 10))
    assert 1.0 == wilson(10, 10)[1]
    assert wilson(10, 10)[0] < 0.75


def test_unknown_bots_are_named() -> None:
    """An unknown name is refused with a list of the house bots."""
    with pytest.raises(Unknown, match="easy, medium, hard"):
        named("grandmaster")
