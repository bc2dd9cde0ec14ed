"""Final scoring and the longest trail (rules 1.11, 1.12)."""

import pytest

from engine.values import Result, ScoreLine
from tests.scenes import ADA, BEN, CEM, Scene, scene

SOUTH = "denver-santa_fe el_paso-santa_fe"
SQUARE = "denver-santa_fe el_paso-santa_fe dallas-el_paso denver-oklahoma_city"


def ended(paragraph: str) -> Scene:
    """The scene after Ada's last turn, in which she draws two cards."""
    return scene(paragraph).do("ada: draw", "ada: draw")


def trail(owned: str) -> int:
    """The length of the longest trail in these routes."""
    return ended(f"usa · ada ben · last turn ada\nada owns {owned}").end.results[ADA].trail


def test_every_line_of_the_score() -> None:
    """R-FINAL-1: routes, completed and failed tickets and the longest trail, in this order."""
    play = ended("""
        usa · ada ben cem · last turn ada
        ada owns denver-santa_fe el_paso-santa_fe el_paso-los_angeles
        ada has tickets denver-el_paso boston-miami dallas-new_york
        ben owns miami-new_orleans
        ben has tickets kansas_city-houston
    """)

    assert (
        Result(
            ADA,
            (
                ScoreLine(
                    "routes", 19, ("denver-santa_fe", "el_paso-santa_fe", "el_paso-los_angeles")
                ),
                ScoreLine("tickets_completed", 4, ("denver-el_paso",)),
                ScoreLine("tickets_failed", -23, ("boston-miami", "dallas-new_york")),
                ScoreLine("longest_trail", 10),
            ),
            total=10,
            completed=("denver-el_paso",),
            failed=("boston-miami", "dallas-new_york"),
            trail=10,
            rank=1,
        ),
        Result(
            BEN,
            (
                ScoreLine("routes", 15, ("miami-new_orleans",)),
                ScoreLine("tickets_completed", 0),
                ScoreLine("tickets_failed", -5, ("kansas_city-houston",)),
            ),
            total=10,
            completed=(),
            failed=("kansas_city-houston",),
            trail=6,
            rank=2,
        ),
        Result(
            CEM,
            (
                ScoreLine("routes", 0),
                ScoreLine("tickets_completed", 0),
                ScoreLine("tickets_failed", 0),
            ),
            total=0,
            completed=(),
            failed=(),
            trail=0,
            rank=3,
        ),
    ) == play.end.results


def test_route_points_are_not_counted_again() -> None:
    """R-FINAL-1: the routes line is what was scored on claiming."""
    play = scene("""
        usa · ada ben · last turn ada
        ada holds 6 red
        ada owns denver-santa_fe
    """).do("ada: claim miami-new_orleans with 6 red")

    assert 17 == play.end.results[ADA].lines[0].points


def test_total_may_be_negative() -> None:
    """R-FINAL-2: failed tickets may bring a total below nothing, and the least bad wins."""
    play = ended("""
        usa · ada ben · last turn ada
        ada has tickets boston-miami seattle-new_york
        ben has tickets los_angeles-new_york
    """)

    assert [-34, -21] == [result.total for result in play.end.results]
    assert (BEN,) == play.end.winners
    assert "The game is over: Ben wins with −21 points." == play.sentences[-1]


def test_highest_total_wins() -> None:
    """R-FINAL-3: seats are ranked by their totals."""
    play = ended("""
        usa · ada ben cem · last turn ada
        ada has 30 points
        ben has 50 points
        cem has 40 points
    """)

    assert [3, 1, 2] == [result.rank for result in play.end.results]
    assert (BEN,) == play.end.winners


def test_trail_counts_trains() -> None:
    """R-LONG-1: a trail is as long as its trains, not as its routes."""
    assert 6 == trail("miami-new_orleans")
    assert 4 == trail(SOUTH)


def test_trail_may_go_round_and_pass_a_city_again() -> None:
    """R-LONG-1: a loop counts whole, also with a tail that leaves it where it began."""
    loop = "denver-santa_fe oklahoma_city-santa_fe denver-oklahoma_city"

    assert 9 == trail(loop)
    assert 11 == trail(f"{loop} el_paso-santa_fe")
    assert 18 == trail(f"{loop} el_paso-santa_fe phoenix-santa_fe dallas-el_paso")


def test_no_route_counts_twice() -> None:
    """R-LONG-1: a trail cannot go back over the route by which it came."""
    assert 5 == trail("denver-santa_fe oklahoma_city-santa_fe")
    assert 5 == trail("denver-santa_fe oklahoma_city-santa_fe el_paso-santa_fe")


def test_only_own_trains() -> None:
    """R-LONG-1: the routes of others do not join one's own."""
    play = ended("""
        usa · ada ben · last turn ada
        ada owns denver-santa_fe dallas-el_paso
        ben owns el_paso-santa_fe
    """)

    assert [4, 2] == [result.trail for result in play.end.results]


def test_longest_anywhere_in_the_network() -> None:
    """R-LONG-2: the best trail of all pieces counts, not the biggest piece."""
    star = "denver-santa_fe el_paso-santa_fe phoenix-santa_fe oklahoma_city-santa_fe"

    assert 6 == trail(star)
    assert 10 == trail(f"{star} calgary-winnipeg helena-winnipeg")


def test_trail_is_no_simple_path() -> None:
    """R-LONG-2: a trail that crosses itself beats every path that visits a city only once."""
    eight = (
        "denver-santa_fe oklahoma_city-santa_fe denver-oklahoma_city "
        "el_paso-santa_fe phoenix-santa_fe el_paso-phoenix"
    )

    assert 17 == trail(eight)


def test_longest_trail_earns_ten() -> None:
    """R-LONG-3: the seat with the longest trail gets ten points."""
    play = ended(f"""
        usa · ada ben · last turn ada
        ada owns {SOUTH}
        ben owns chicago-duluth
    """)

    assert ScoreLine("longest_trail", 10) == play.end.results[ADA].lines[-1]
    assert [14, 4] == [result.total for result in play.end.results]


def test_tied_trails_earn_ten_each() -> None:
    """R-LONG-3: all who tie for the longest trail get ten points each."""
    play = ended(f"""
        usa · ada ben cem · last turn ada
        ada owns {SOUTH}
        ben owns chicago-omaha
        cem owns chicago-duluth
    """)

    assert [14, 17, 4] == [result.total for result in play.end.results]


def test_no_routes_no_bonus() -> None:
    """R-LONG-3: where nobody has a route, nobody gets the bonus."""
    play = ended("usa · ada ben · last turn ada")

    kinds = {line.kind for result in play.end.results for line in result.lines}
    assert {"routes", "tickets_completed", "tickets_failed"} == kinds


@pytest.mark.parametrize("owned", [SQUARE, f"{SQUARE} dallas-oklahoma_city-1"])
def test_closed_loop_counts_every_train(owned: str) -> None:
    """R-LONG-1: a trail that comes back to its start has used every train of the loop."""
    assert (12 if owned == SQUARE else 14) == trail(owned)
