"""The end of the game (rules 1.10)."""

import pytest

from engine.rules.cards import DrawBlind
from engine.rules.routes import RouteClaimed
from engine.rules.turns import GameEnded, LastRoundBegan, TurnBegan, TurnPassed, turns
from tests.scenes import ADA, BEN, CEM, Scene, scene

STUCK = """
    usa · ada ben · turn ada
    with cards each_colour 2
    with cards locomotives 0
    ada holds 1 purple 1 blue 1 orange 1 white 1 green 1 yellow 1 black 1 red
    ben holds 1 purple 1 blue 1 orange 1 white 1 green 1 yellow 1 black 1 red
    ben owns atlanta-nashville dallas-houston-1 kansas_city-omaha-1 portland-seattle-1
    ada owns seattle-vancouver-1
    market - - - - -
    deck nothing
    ticket top nothing
    ada has tickets the rest
"""
"""Nobody can pay for two spaces, and all routes of one space are taken."""


def left(play: Scene) -> int | None:
    """How many turns are left to begin."""
    return turns.part(play.state).left


@pytest.mark.parametrize(
    ("trains", "ends"), [(4, False), (3, False), (2, True), (1, True), (0, True)]
)
def test_two_trains_bring_on_the_last_round(trains: int, ends: bool) -> None:  # noqa: FBT001  # a table of cases
    """R-END-1: a turn that ends with two trains or fewer starts the last round."""
    play = scene(f"""
        usa · ada ben cem · turn ada
        ada holds 3 red
        ada has {trains + 3} trains
    """).do("ada: claim chicago-duluth with 3 red")

    claimed, *rest = play.events
    assert isinstance(claimed, RouteClaimed)
    assert ([LastRoundBegan(ADA, 3)] if ends else []) + [TurnBegan(BEN)] == rest


def test_any_turn_with_few_trains_brings_it_on() -> None:
    """R-END-1: what counts is the number of trains at the end of the turn, not the action."""
    play = scene("""
        usa · ada ben · turn ada
        ada has 2 trains
    """).do("ada: draw")
    assert None is left(play)

    play.do("ada: draw")
    assert LastRoundBegan(ADA, 2) in play.events


def test_trains_of_others_do_not_bring_it_on() -> None:
    """R-END-1: only the trains of the seat whose turn ends count."""
    play = scene("""
        usa · ada ben · turn ada
        ben has 1 train
    """).do("ada: draw", "ada: draw")

    assert TurnBegan(BEN) == play.events[-1]
    assert None is left(play)


def test_everybody_has_one_more_turn_the_first_last() -> None:
    """R-END-2: each seat takes one more turn in seat order, the seat that triggered it last."""
    play = scene("""
        usa · ada ben cem · turn ben
        ben holds 3 red
        ben has 5 trains
    """).do("ben: claim chicago-duluth with 3 red")
    order = []
    while left(play) is not None and play.state.awaiting:
        (decision,) = play.state.awaiting
        order.append(decision.seat)
        name = ("ada", "ben", "cem")[decision.seat]
        play.do(f"{name}: draw", f"{name}: draw")

    assert [CEM, ADA, BEN] == order
    assert "last_round" == play.end.reason


def test_nothing_happens_after_the_end() -> None:
    """R-END-2: when the game has ended, nobody is asked and every action is refused."""
    play = scene("usa · ada ben · last turn ada").do("ada: draw", "ada: draw")

    assert () == play.state.awaiting
    for seat in (ADA, BEN):
        refusal = play.refused((seat, DrawBlind()))
        assert ("game_over", "R-END-2") == (refusal.code, refusal.rule)
        assert "The game is over." == refusal.sentence


def test_words_after_the_end_are_refused_likewise() -> None:
    """R-END-2: a move written as text after the end is refused, because the game is over."""
    play = scene("usa · ada ben · last turn ada").do("ada: draw", "ada: draw")

    assert "game_over" == play.refused("ada: draw").code


def test_last_round_begins_once() -> None:
    """R-END-3: others who run out of trains in the last round change nothing."""
    play = scene("""
        usa · ada ben · turn ada
        ada holds 3 red
        ada has 3 trains
        ben holds 3 purple
        ben has 3 trains
    """).do(
        "ada: claim chicago-duluth with 3 red",
        "ben: claim helena-salt_lake_city with 3 purple",
        "ada: draw",
        "ada: draw",
    )

    assert 1 == sum(isinstance(event, LastRoundBegan) for event in play.events)
    assert isinstance(play.events[-1], GameEnded)


def test_last_turn_is_an_ordinary_turn() -> None:
    """R-END-4: in the last turn everything is offered that trains and cards allow."""
    play = scene("""
        usa · ada ben · last turn ada
        ada holds 6 red
        ada has 2 trains
    """)

    verbs = {text.split()[0] for text in play.texts(ADA)}
    assert {"draw", "take", "tickets", "claim"} == verbs
    assert "R-CLAIM-2" == play.refused("ada: claim chicago-duluth with 3 red").rule
    assert 2 == play.do("ada: claim denver-santa_fe with 2 red").network.points[ADA]


def test_last_turn_may_have_a_second_card_and_tickets() -> None:
    """R-END-4: pauses within the last turn are waited for."""
    play = scene("usa · ada ben · last turn ada").do("ada: tickets")
    assert play.state.awaiting

    play.do("ada: keep 1")
    assert "last_round" == play.end.reason


def test_stalemate_when_all_pass() -> None:
    """R-END-5: if all seats pass one after the other, the game ends at once and is scored."""
    play = scene(STUCK).do("ada: pass")
    assert (TurnPassed(ADA), TurnBegan(BEN)) == play.events

    play.do("ben: pass")
    passed, ended = play.events
    assert TurnPassed(BEN) == passed
    assert isinstance(ended, GameEnded)
    assert "stalemate" == ended.reason
    assert "Nobody has a move left." in play.sentences[-1]
    assert (1, 4) == tuple(
        line.points for result in ended.results for line in result.lines if line.kind == "routes"
    )


def test_a_turn_between_passes_breaks_the_row() -> None:
    """R-END-5: a claim between passes prevents the end of the game."""
    play = scene("""
        usa · ada ben cem · turn ada
        ada has 3 trains
        cem holds 1 red
        ben has 0 trains
        market - - - - -
        deck nothing
        ben holds the rest
        ticket top nothing
        ben has tickets the rest
    """).do("ada: pass", "ben: pass", "cem: claim atlanta-nashville with 1 red")

    assert not any(isinstance(event, GameEnded) for event in play.events)
    assert [ADA] == [decision.seat for decision in play.state.awaiting]


def test_passes_may_end_the_last_round() -> None:
    """R-END-5: if all seats pass in the last round, the game ends without further turns."""
    play = scene("""
        usa · ada ben cem · turn ada
        ada has 0 trains
        ben has 0 trains
        cem has 0 trains
        market - - - - -
        deck nothing
        ben holds the rest
        ticket top nothing
        ben has tickets the rest
    """).do("ada: pass", "ben: pass", "cem: pass")

    assert LastRoundBegan(ADA, 3) in play.events
    assert "stalemate" == play.end.reason
