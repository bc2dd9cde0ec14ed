import pytest

from engine import Chance, begin
from engine.rules.dice import (
    DiceRerolled,
    DiceRolled,
    Parameters,
    RerollDice,
)
from engine.rules.dice_purse import SpendDice
from engine.rules.dice_turn import ActionDone, DiceHandedOn, FinishTurn
from engine.rules.routes import RouteClaimed
from engine.rules.tickets import ChooseTickets
from engine.rules.turns import PassTurn, TakeTurn, TurnBegan
from engine.values import DicePayment, Tokens
from service.boards.atlas import ruleset
from tests.scenes import ADA, BEN, scene

BOOK = "single single double station joker"
"""The roll of the rulebook's own example."""


def test_there_are_no_cards() -> None:
    """R-DICE-1: nobody is dealt cards; tickets are dealt and chosen as on the board."""
    rules = ruleset("usa", ("dice",), 2)
    events, state = begin(rules, Chance(b"", "", 0))

    assert "cards" not in state.parts
    assert ["game_started", "tickets_offered", "tickets_offered"] == [
        event.kind for event in events
    ]
    assert [ChooseTickets(seat, 2, opening=True) for seat in (0, 1)] == list(state.awaiting)


def test_colours_do_not_matter() -> None:
    """R-DICE-2: tracks of one length and kind cost the same, whatever their colours."""
    rules = ruleset("usa", ("dice",), 4)

    assert rules.costs["chicago-pittsburgh-black"] == rules.costs["chicago-pittsburgh-orange"]
    assert rules.costs["chicago-duluth"] == rules.costs["calgary-vancouver"]


def test_a_track_of_a_double_route_is_double_for_ever() -> None:
    """R-DICE-2: a track of a double route takes double dice, even if its twin is claimed."""
    play = scene("""
        usa dice · ada ben cem dora · turn ada
        ada rolled 2 single 2 double station
        ben owns atlanta-raleigh-1
    """)

    assert ["claim atlanta-raleigh-2 with dice 3 4"] == play.texts(ADA, "claim atlanta-raleigh-2")


def test_double_route_rules_stay_in_force() -> None:
    """R-DICE-2, R-DBL-2: with two seats a claimed track closes its twin, with dice too."""
    play = scene("""
        usa dice · ada ben · turn ada
        ada rolled 2 single 2 double station
        ben owns atlanta-raleigh-1
    """)

    refusal = play.refused("ada: claim atlanta-raleigh-2 with dice 3 4")

    assert ("illegal", "R-DBL-2") == (refusal.code, refusal.rule)


def test_dice_are_as_in_the_box() -> None:
    """R-DICE-3, R-DICE-4, R-DICE-5: five dice, three tunnel dice, fifteen tokens of each kind."""
    box = Parameters()

    assert (5, ("single", "single", "double", "double", "station", "joker")) == (
        box.dice,
        box.faces,
    )
    assert (3, 1) == (box.tunnel_dice, box.tunnel_faces)
    assert (15, 3) == (box.tokens, box.hold)


def test_a_turn_begins_with_a_roll_and_nothing_else() -> None:
    """R-DICE-6: all five dice are rolled before anything can be done."""
    play = scene("""
        usa dice · ada ben · turn ada
        next dice: single single double station joker
    """)
    assert ["roll"] == play.texts(ADA)

    play.do("ada: roll")

    assert (DiceRolled(ADA, tuple(BOOK.split())),) == play.events
    assert SpendDice(ADA) == play.decision_of(ADA)
    assert ["Ada rolls single, single, double, station, joker."] == play.sentences


def test_a_claim_before_the_roll_is_refused() -> None:
    """R-DICE-6: a claim before the roll is refused, even if tokens alone would pay for it."""
    play = scene("""
        usa dice · ada ben · turn ada
        ada has tokens 2 single
    """)

    refusal = play.refused("ada: claim denver-santa_fe with 2 tokens")

    assert ("illegal", "R-TURN-1") == (refusal.code, refusal.rule)


def test_some_dice_are_rerolled() -> None:
    """R-DICE-6: the named dice are rolled again, the others stay, and there is no second reroll."""
    play = scene(f"""
        usa dice · ada ben · turn ada
        ada rolled {BOOK}
        next dice: joker station
    """).do("ada: reroll 1 3")

    faces = ("joker", "single", "station", "station", "joker")
    assert (DiceRerolled(ADA, (1, 3), faces),) == play.events
    assert [] == play.texts(ADA, "reroll")
    assert "R-DICE-6" == play.refused("ada: reroll 1").rule


def test_all_dice_may_be_rerolled() -> None:
    """R-DICE-6: all five dice may be rerolled."""
    play = scene(f"""
        usa dice · ada ben · turn ada
        ada rolled {BOOK}
        next dice: double double double double double
    """).do("ada: reroll all")

    assert ("double",) * 5 == play.dice.faces


@pytest.mark.parametrize("dice", [(), (0,), (6,), (1, 1), (-1,)])
def test_what_is_no_set_of_dice_is_not_rerolled(dice: tuple[int, ...]) -> None:
    """R-DICE-6, 7.1: a reroll names some of dice 1 to 5, each once."""
    play = scene(f"""
        usa dice · ada ben · turn ada
        ada rolled {BOOK}
    """)

    refusal = play.refused((ADA, RerollDice(dice)))

    assert ("illegal", "R-DICE-6") == (refusal.code, refusal.rule)


def test_dice_that_show_the_same_are_listed_once() -> None:
    """Five equal dice can be rerolled in five ways, and any of them may be named."""
    play = scene("""
        usa dice · ada ben · turn ada
        ada rolled 5 single
        next dice: joker joker
    """)
    texts = ["reroll 1", "reroll 1 2", "reroll 1 2 3", "reroll 1 2 3 4", "reroll 1 2 3 4 5"]
    assert texts == play.texts(ADA, "reroll")

    play.do("ada: reroll 5 4")

    assert ("single", "single", "single", "joker", "joker") == play.dice.faces


def test_a_list_of_rerolls_is_bounded() -> None:
    """Five dice of which two are equal can be rerolled in 23 ways."""
    play = scene(f"""
        usa dice · ada ben · turn ada
        ada rolled {BOOK}
    """)

    assert 23 == len(play.texts(ADA, "reroll"))


@pytest.mark.parametrize("use", ["token single with dice 1 2", "token double with dice 3 4"])
def test_using_a_die_waives_the_reroll(use: str) -> None:
    """R-DICE-6: after taking a token the dice cannot be rerolled."""
    play = scene(f"""
        usa dice · ada ben · turn ada
        ada rolled {BOOK}
    """).do(f"ada: {use}")

    assert [] == play.texts(ADA, "reroll")
    assert "R-DICE-6" == play.refused("ada: reroll 5").rule


def test_the_rulebooks_example() -> None:
    """R-DICE-7, R-DICE-11: a single route of three, a double route of two, or two tickets."""
    play = scene(f"""
        usa dice · ada ben · turn ada
        ada rolled {BOOK}
    """)

    assert ["claim calgary-vancouver with dice 1 2 5"] == play.texts(ADA, "claim calgary-vanc")
    assert ["claim boston-montreal-1 with dice 3 5"] == play.texts(ADA, "claim boston-montreal-1")
    assert [] == play.texts(ADA, "claim chicago-pittsburgh-black")
    assert [] == play.texts(ADA, "claim calgary-helena")
    tickets = ["tickets with die 4", "tickets with die 5", "tickets with dice 4 5"]
    assert tickets == play.texts(ADA, "tickets")


def test_one_action_in_a_turn() -> None:
    """R-DICE-7: after a claim no second claim is made and no ticket drawn."""
    play = scene(f"""
        usa dice · ada ben · turn ada
        ada rolled {BOOK}
    """).do("ada: claim atlanta-nashville with die 1")

    assert FinishTurn(ADA) == play.decision_of(ADA)
    assert "R-TURN-1" == play.refused("ada: claim dallas-houston-1 with die 3").rule
    assert "R-DICE-7" == play.refused("ada: tickets with die 4").rule


def test_no_action_is_needed() -> None:
    """R-DICE-8: a turn may be ended without an action."""
    play = scene(f"""
        usa dice · ada ben · turn ada
        ada rolled {BOOK}
    """).do("ada: end")

    assert (DiceHandedOn(ADA, Tokens()), TurnBegan(BEN)) == play.events
    assert TakeTurn(BEN) == play.decision_of(BEN)
    assert () == play.dice.faces


def test_nobody_passes() -> None:
    """R-DICE-8: there is always a roll, so passing is refused."""
    play = scene("usa dice · ada ben · turn ada")

    assert "R-ACT-PASS" == play.refused((ADA, PassTurn())).rule


def test_a_turn_cannot_be_ended_before_the_roll() -> None:
    """7.3: in take_turn the only action is to roll, so ending the turn is refused."""
    play = scene("usa dice · ada ben · turn ada")

    refusal = play.refused("ada: end")

    assert ("illegal", "R-TURN-2") == (refusal.code, refusal.rule)


def test_a_second_roll_is_refused() -> None:
    """R-DICE-6: the dice are rolled once, when the turn begins."""
    play = scene(f"""
        usa dice · ada ben · turn ada
        ada rolled {BOOK}
    """)

    assert "R-DICE-6" == play.refused("ada: roll").rule


def test_a_die_is_used_once() -> None:
    """R-DICE-9: dice given for a token pay for nothing else."""
    play = scene(f"""
        usa dice · ada ben · turn ada
        ada rolled {BOOK}
    """).do("ada: token double with dice 1 4")

    assert [] == play.texts(ADA, "tickets with die 4")
    assert "R-DICE-9" == play.refused("ada: tickets with die 4").rule
    assert "R-DICE-13" == play.refused("ada: token single with dice 1 2").rule
    assert "R-CLAIM-6" == play.refused("ada: claim atlanta-nashville with die 1").rule


@pytest.mark.parametrize(
    "use",
    [
        "claim atlanta-nashville with die 1",
        "claim dallas-houston-1 with die 1",
        "tickets with die 1",
    ],
)
def test_a_joker_is_what_the_player_likes(use: str) -> None:
    """R-DICE-9: a joker serves as single, double or station."""
    play = scene("""
        usa dice · ada ben · turn ada
        ada rolled joker single single double double
    """).do(f"ada: {use}")

    assert frozenset({1}) == play.dice.used


def test_after_a_claim_the_turn_waits_to_be_ended() -> None:
    """R-ACT-6: dice_claim leads to finish_turn, end_turn to the next seat."""
    play = scene(f"""
        usa dice · ada ben · turn ada
        ada rolled {BOOK}
    """).do("ada: claim denver-santa_fe with dice 1 2")
    payment = DicePayment((1, 2))
    claimed = RouteClaimed(ADA, "denver-santa_fe", payment, 2, 2, None)

    assert (claimed, ActionDone(ADA)) == play.events
    assert {"token", "end"} == {text.split()[0] for text in play.texts(ADA)}
    play.do("ada: end")
    assert TakeTurn(BEN) == play.decision_of(BEN)


def test_after_tickets_the_turn_waits_to_be_ended() -> None:
    """R-ACT-6: dice_draw_tickets leads to choose_tickets, and that to finish_turn."""
    play = scene(f"""
        usa dice · ada ben · turn ada
        ada rolled {BOOK}
    """).do("ada: tickets with dice 4 5")
    assert ChooseTickets(ADA, 0, opening=False) == play.decision_of(ADA)

    play.do("ada: keep none")

    assert FinishTurn(ADA) == play.decision_of(ADA)


def test_a_token_leaves_the_action_open() -> None:
    """R-ACT-6: after take_token the decision is still spend_dice."""
    play = scene(f"""
        usa dice · ada ben · turn ada
        ada rolled {BOOK}
    """).do("ada: token single with dice 3 4")

    assert SpendDice(ADA) == play.decision_of(ADA)
