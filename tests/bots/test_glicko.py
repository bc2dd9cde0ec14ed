import pytest
from hypothesis import given
from hypothesis import strategies as st

from bots.glicko import MOST_DEVIATION, Rating, Result, after, expected

WEAK, EVEN, STRONG = Rating(1400, 30), Rating(1550, 100), Rating(1700, 300)

ratings = st.builds(Rating, st.floats(0, 3500), st.floats(20, 350), st.floats(0.01, 0.2))
results = st.lists(st.builds(Result, ratings, st.sampled_from([0, 0.25, 0.5, 1])), max_size=60)


def test_the_example_of_the_paper() -> None:
    """One victory and two defeats come out as in Glickman's worked example."""
    made = after(Rating(1500, 200, 0.06), [Result(WEAK, 1), Result(EVEN, 0), Result(STRONG, 0)])

    assert 1464.06 == pytest.approx(made.rating, abs=0.01)
    assert 151.52 == pytest.approx(made.deviation, abs=0.01)
    assert 0.05999 == pytest.approx(made.volatility, abs=0.00001)


def test_great_surprises_shake_a_rating() -> None:
    """Who loses to the weak again and again is held for less steady than before."""
    made = after(Rating(2000, 50), [Result(WEAK, 0)] * 12)

    assert made.rating < 2000
    assert made.volatility > 0.06


def test_who_does_not_play_is_less_known() -> None:
    """Without games the rating stands and its deviation grows, up to a newcomer's."""
    idle = after(Rating(1600, 200), [])

    assert 1600 == idle.rating
    assert 200.27 == pytest.approx(idle.deviation, abs=0.01)
    assert MOST_DEVIATION == after(Rating(), []).deviation


def test_expectations_add_up() -> None:
    """Two players expect one game between them; 200 points with certainty are 76 %."""
    one, other = Rating(1700, 1e-6), Rating(1500, 1e-6)

    assert 0.76 == pytest.approx(expected(one, other), abs=0.001)
    assert 1 == pytest.approx(expected(EVEN, STRONG) + expected(STRONG, EVEN))


@given(ratings, results)
def test_ratings_stay_numbers(one: Rating, some: list[Result]) -> None:
    """Whatever happens, a rating is finite and its deviation between nothing and a newcomer's."""
    made = after(one, some)

    assert abs(made.rating) < 50_000
    assert 0 < made.deviation <= MOST_DEVIATION
    assert 0 < made.volatility < 10
