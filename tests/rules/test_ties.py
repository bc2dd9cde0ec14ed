"""Tie-breakers (rules 1.13)."""

from tests.scenes import ADA, BEN, CEM, Scene, scene


def ended(paragraph: str) -> Scene:
    """The scene after Ada's last turn, in which she draws two cards."""
    return scene(paragraph).do("ada: draw", "ada: draw")


def totals(play: Scene) -> list[int]:
    """Every seat's total."""
    return [result.total for result in play.end.results]


def ranks(play: Scene) -> list[int]:
    """Every seat's rank."""
    return [result.rank for result in play.end.results]


def test_criteria_come_in_order() -> None:
    """R-TIE-0: completed tickets are looked at before the longest-trail card."""
    play = ended("""
        usa · ada ben · last turn ada
        ada owns denver-santa_fe el_paso-santa_fe
        ada has tickets denver-el_paso
        ada has 16 points
        ben owns chicago-toronto chicago-duluth
        ben has 10 points
    """)

    assert [20, 20] == totals(play)
    assert (ADA,) == play.end.winners
    assert [1, 2] == ranks(play)


def test_each_criterion_narrows_the_group() -> None:
    """R-TIE-0: a seat that is eliminated at the first criterion does not return at the second."""
    play = ended("""
        usa · ada ben cem · last turn ada
        ada owns denver-santa_fe el_paso-santa_fe
        ada has tickets denver-el_paso
        ada has 16 points
        ben owns kansas_city-oklahoma_city-1 dallas-oklahoma_city-1
        ben owns dallas-houston-1 houston-new_orleans
        ben has tickets kansas_city-houston
        ben has 5 points
        cem owns chicago-toronto chicago-duluth
        cem has 10 points
    """)

    assert [20, 20, 20] == totals(play)
    assert [4, 7, 7] == [result.trail for result in play.end.results]
    assert (BEN,) == play.end.winners
    assert [2, 1, 3] == ranks(play)


def test_criterion_that_nobody_meets_changes_nothing() -> None:
    """R-TIE-0: without a completed ticket and without the card among them, the tie stays."""
    play = ended("""
        usa · ada ben cem · last turn ada
        ada has 20 points
        ben has 20 points
        cem owns denver-santa_fe
    """)

    assert [20, 20, 12] == totals(play)
    assert (ADA, BEN) == play.end.winners
    assert [1, 1, 3] == ranks(play)


def test_tickets_count_not_their_points() -> None:
    """R-TIE-1: two small completed tickets beat one that is worth more than both."""
    play = ended("""
        usa · ada ben · last turn ada
        ada owns denver-santa_fe el_paso-santa_fe
        ada owns kansas_city-oklahoma_city-1 dallas-oklahoma_city-1 dallas-houston-1
        ada has tickets denver-el_paso kansas_city-houston
        ada has 33 points
        ben owns boston-new_york-red new_york-washington-black raleigh-washington-1
        ben owns charleston-raleigh charleston-miami
        ben has tickets boston-miami
        ben has 20 points
    """)

    assert [42, 42] == totals(play)
    assert [2, 1] == [len(result.completed) for result in play.end.results]
    assert (ADA,) == play.end.winners


def test_card_decides_between_equals() -> None:
    """R-TIE-2: of two who tie, the one with the longest-trail card wins."""
    play = ended("""
        usa · ada ben · last turn ada
        ada has 14 points
        ben owns denver-santa_fe el_paso-santa_fe
    """)

    assert [14, 14] == totals(play)
    assert (BEN,) == play.end.winners
    assert [2, 1] == ranks(play)


def test_both_have_the_card() -> None:
    """R-TIE-2: if both have the card, the victory is shared."""
    play = ended("""
        usa · ada ben · last turn ada
        ada owns chicago-omaha
        ben owns dallas-el_paso
    """)

    assert [17, 17] == totals(play)
    assert (ADA, BEN) == play.end.winners
    assert "The game is over: Ada and Ben share the victory with 17 points." == play.sentences[-1]


def test_neither_has_the_card() -> None:
    """R-TIE-2: if neither has the card, a longer trail of one of them decides nothing."""
    play = ended("""
        usa · ada ben cem · last turn ada
        ada owns chicago-duluth
        ada has 30 points
        ben owns denver-santa_fe
        ben has 30 points
        cem owns dallas-el_paso
    """)

    assert [30, 30, 17] == totals(play)
    assert (ADA, BEN) == play.end.winners
    assert [1, 1, 3] == ranks(play)


def test_card_of_a_third_seat_decides_among_those_who_tie() -> None:
    """R-TIE-2: a shared card helps the one of the tied seats that has it."""
    play = ended("""
        usa · ada ben cem · last turn ada
        ada has 27 points
        ben owns chicago-omaha
        ben has 17 points
        cem owns dallas-el_paso
    """)

    assert [27, 27, 17] == totals(play)
    assert (BEN,) == play.end.winners


def test_all_share_when_the_criteria_run_out() -> None:
    """R-TIE-5: seats that are equal in everything share the victory."""
    play = ended("usa · ada ben cem · last turn ada")

    assert (ADA, BEN, CEM) == play.end.winners
    assert [1, 1, 1] == ranks(play)
