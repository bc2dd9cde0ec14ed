import pytest

from engine import MapError, Ruleset
from engine.rules import MODULES
from engine.rules.dice_purse import SpendDice
from engine.rules.dice_tokens import TakeToken, TokenTaken
from engine.rules.dice_turn import FinishTurn
from engine.rules.turn_end import EndTurn
from engine.values import DicePayment, Tokens
from service.boards.atlas import board
from tests.scenes import ADA, BEN, scene

MIXED = "single single double station joker"


def test_single_routes_take_single_dice_jokers_and_single_tokens() -> None:
    """R-DICE-10: single dice, jokers and single tokens mix freely; dice alone come first."""
    play = scene("""
        usa dice · ada ben · turn ada
        ada rolled single double double joker station
        ada has tokens 2 single 1 double
    """)
    payments = ["dice 1 4", "die 1 1 token", "die 4 1 token", "2 tokens"]

    assert [f"claim denver-santa_fe with {payment}" for payment in payments] == play.texts(
        ADA, "claim denver-santa_fe"
    )


def test_double_routes_take_double_dice_jokers_and_double_tokens() -> None:
    """R-DICE-10: on a double route double dice, jokers and double tokens mix freely."""
    play = scene("""
        usa dice · ada ben · turn ada
        ada rolled double single single joker station
        ada has tokens 2 single 1 double
    """)
    payments = ["dice 1 4", "die 1 1 token", "die 4 1 token"]

    assert [f"claim boston-montreal-1 with {payment}" for payment in payments] == play.texts(
        ADA, "claim boston-montreal-1"
    )


@pytest.mark.parametrize(
    "payment",
    [
        "die 1",  # too few
        "dice 1 2 5",  # too many
        "dice 1 3",  # a double
        "dice 1 4",  # a station
        "dice 1 6",  # no such die
        "die 1 2 tokens",  # too many tokens
        "3 tokens",
    ],
)
def test_a_payment_is_exact(payment: str) -> None:
    """R-DICE-10: a payment with the wrong number or kind of dice or tokens is refused."""
    play = scene(f"""
        usa dice · ada ben · turn ada
        ada rolled {MIXED}
        ada has tokens 2 single
    """)

    refusal = play.refused(f"ada: claim denver-santa_fe with {payment}")

    assert ("illegal", "R-CLAIM-6") == (refusal.code, refusal.rule)


def test_a_claim_needs_trains() -> None:
    """R-DICE-10, R-CLAIM-2: a seat with too few trains cannot claim with dice either."""
    play = scene("""
        usa dice · ada ben · turn ada
        ada rolled 5 single
        ada has 1 train
    """)

    assert "R-CLAIM-2" == play.refused("ada: claim denver-santa_fe with dice 1 2").rule


def test_a_claim_scores_as_usual() -> None:
    """R-DICE-10: a route of six spaces scores fifteen points and takes six trains."""
    play = scene("""
        usa dice · ada ben · turn ada
        ada rolled 4 single joker
        ada has tokens 1 single
    """).do("ada: claim calgary-winnipeg with dice 1 2 3 4 5 1 token")

    assert (15, 39) == (play.network.points[ADA], play.network.trains[ADA])


def test_equal_dice_may_be_named_otherwise() -> None:
    """Only one of several equal payments is listed, but the others are accepted."""
    play = scene("""
        usa dice · ada ben · turn ada
        ada rolled 4 single joker
    """)
    first, *_ = play.texts(ADA, "claim denver-santa_fe")
    assert "claim denver-santa_fe with dice 1 2" == first

    play.do("ada: claim denver-santa_fe with dice 3 4")

    assert frozenset({3, 4}) == play.dice.used


def test_five_dice_and_three_tokens_reach_eight_spaces() -> None:
    """R-DICE-12: five dice and three tokens claim a route of eight spaces, the longest possible."""
    play = scene("""
        europe dice · ada ben · turn ada
        ada rolled 5 single
        ada has tokens 3 single
        next dice: blank blank blank
    """).do("ada: claim petrograd-stockholm with dice 1 2 3 4 5 3 tokens")

    assert (ADA,) == play.network.owners["petrograd-stockholm"]
    assert Tokens() == play.dice.tokens[ADA]


def test_longer_routes_cannot_be_claimed() -> None:
    """R-DICE-12, R-DICE-32: Southampton–New York has ten spaces and cannot be claimed."""
    play = scene("""
        uk dice · ada ben · turn ada
        ada rolled 5 joker
        ada has tokens 3 single
    """)

    refusal = play.refused("ada: claim new_york-southampton with dice 1 2 3 4 5 3 tokens")

    assert ("illegal", "R-DICE-12") == (refusal.code, refusal.rule)


def test_two_dice_are_a_token() -> None:
    """R-DICE-13: two dice with any faces can be given for a token of either kind."""
    play = scene(f"""
        usa dice · ada ben · turn ada
        ada rolled {MIXED}
    """).do("ada: token double with dice 1 4")

    assert (TokenTaken(ADA, "double", (1, 4)),) == play.events
    assert Tokens(0, 1) == play.dice.tokens[ADA]
    assert ["Ada takes a double token for dice 1 and 4."] == play.sentences


def test_four_dice_are_two_tokens() -> None:
    """R-DICE-13: four dice can be given for two tokens, the most in a turn."""
    play = scene(f"""
        usa dice · ada ben · turn ada
        ada rolled {MIXED}
    """).do("ada: token double with dice 1 4", "ada: token single with dice 2 3")

    assert Tokens(1, 1) == play.dice.tokens[ADA]
    assert [] == play.texts(ADA, "token")


@pytest.mark.parametrize("dice", [(1,), (1, 2, 3), (1, 1), (1, 6), ()])
def test_a_token_costs_two_dice(dice: tuple[int, ...]) -> None:
    """R-DICE-13: a token costs exactly two different dice of the five."""
    play = scene(f"""
        usa dice · ada ben · turn ada
        ada rolled {MIXED}
    """)

    assert "R-DICE-13" == play.refused((ADA, TakeToken("single", dice))).rule


def test_a_token_is_single_or_double() -> None:
    """R-DICE-5: tokens are single or double, so another kind is refused."""
    play = scene(f"""
        usa dice · ada ben · turn ada
        ada rolled {MIXED}
    """)

    assert "R-DICE-5" == play.refused((ADA, TakeToken("joker", (1, 2)))).rule


def test_a_token_may_be_used_at_once() -> None:
    """R-DICE-14: a token taken before the claim can pay for it."""
    play = scene("""
        usa dice · ada ben · turn ada
        ada rolled single single double double station
    """).do("ada: token single with dice 3 4", "ada: claim calgary-vancouver with dice 1 2 1 token")

    assert (ADA,) == play.network.owners["calgary-vancouver"]
    assert Tokens() == play.dice.tokens[ADA]


def test_a_token_may_be_taken_after_the_action() -> None:
    """R-DICE-14: dice that the action left over can be given for a token."""
    play = scene("""
        usa dice · ada ben · turn ada
        ada rolled single single double double station
    """).do("ada: claim denver-santa_fe with dice 1 2", "ada: token single with dice 4 5")

    assert FinishTurn(ADA) == play.decision_of(ADA)
    assert Tokens(1, 0) == play.dice.tokens[ADA]


def test_tokens_and_no_action() -> None:
    """R-DICE-14: a seat may take tokens and end its turn without an action."""
    play = scene(f"""
        usa dice · ada ben · turn ada
        ada rolled {MIXED}
    """).do("ada: token single with dice 1 2", "ada: end")

    assert Tokens(1, 0) == play.dice.tokens[ADA]


def test_nobody_holds_more_than_three() -> None:
    """R-DICE-15: a seat holds at most three tokens at any moment, both kinds together."""
    play = scene(f"""
        usa dice · ada ben · turn ada
        ada rolled {MIXED}
        ada has tokens 1 single 1 double
    """).do("ada: token single with dice 1 2")

    refusal = play.refused("ada: token single with dice 3 4")

    assert ("illegal", "R-DICE-15") == (refusal.code, refusal.rule)
    assert [] == play.texts(ADA, "token")


def test_who_uses_a_token_may_take_another() -> None:
    """R-DICE-15, R-DICE-16: a seat that starts with two tokens and uses one may take two."""
    play = scene("""
        usa dice · ada ben · turn ada
        ada rolled 5 single
        ada has tokens 2 single
    """).do("ada: claim atlanta-nashville with 1 token")
    play.do("ada: token single with dice 1 2", "ada: token double with dice 3 4")

    assert Tokens(2, 1) == play.dice.tokens[ADA]


def test_who_starts_with_three_takes_none() -> None:
    """R-DICE-16: a seat that starts with three tokens takes none, not even after using one."""
    play = scene("""
        usa dice · ada ben · turn ada
        ada rolled 5 single
        ada has tokens 3 single
    """)
    assert [] == play.texts(ADA, "token")

    play.do("ada: claim atlanta-nashville with 1 token")

    refusal = play.refused("ada: token single with dice 1 2")
    assert ("illegal", "R-DICE-16") == (refusal.code, refusal.rule)


def test_used_tokens_of_the_routes_kind_go_back() -> None:
    """R-DICE-17: a double route takes double tokens and leaves single ones alone."""
    play = scene("""
        usa dice · ada ben · turn ada
        ada rolled 5 station
        ada has tokens 1 single 2 double
    """).do("ada: claim boston-montreal-1 with 2 tokens")

    assert Tokens(1, 0) == play.dice.tokens[ADA]


def test_tokens_are_returned_at_the_end_of_a_turn() -> None:
    """R-DICE-17: at the end of its turn a seat may return any number of its tokens."""
    play = scene(f"""
        usa dice · ada ben · turn ada
        ada rolled {MIXED}
        ada has tokens 2 single 1 double
    """)
    texts = [
        "end",
        "end returning 1 double",
        "end returning 1 single",
        "end returning 1 single 1 double",
        "end returning 2 single",
        "end returning 2 single 1 double",
    ]
    assert texts == play.texts(ADA, "end")

    play.do("ada: end returning 2 single")

    assert Tokens(0, 1) == play.dice.tokens[ADA]
    assert ["Ada ends their turn, returning 2 single tokens."] == play.sentences


def test_who_returned_a_token_may_take_one_next_turn() -> None:
    """R-DICE-16, R-DICE-17: a seat that returned one of three tokens may take one next turn."""
    play = scene(f"""
        usa dice · ada ben · turn ada
        ada rolled {MIXED}
        ada has tokens 3 single
        next dice: station station station station station
        next dice: single single single single single
    """).do("ada: end returning 1 single", "ben: roll", "ben: end", "ada: roll")

    assert ["token single with dice 1 2", "token double with dice 1 2"] == play.texts(ADA, "token")


@pytest.mark.parametrize("tokens", [Tokens(2, 0), Tokens(0, 1), Tokens(-1, 0)])
def test_only_tokens_that_are_held_are_returned(tokens: Tokens) -> None:
    """R-DICE-17: a seat cannot return tokens that it does not hold, or a negative number."""
    play = scene(f"""
        usa dice · ada ben · turn ada
        ada rolled {MIXED}
        ada has tokens 1 single
    """)

    refusal = play.refused((ADA, EndTurn(tokens)))

    assert ("illegal", "R-DICE-17") == (refusal.code, refusal.rule)


def test_tokens_draw_no_tickets() -> None:
    """R-DICE-18: tokens do not draw tickets."""
    play = scene("""
        usa dice · ada ben · turn ada
        ada rolled 5 single
        ada has tokens 3 single
    """)

    assert [] == play.texts(ADA, "tickets")


def test_tokens_of_others_are_out_of_reach() -> None:
    """Each seat pays with its own tokens."""
    play = scene("""
        usa dice · ada ben · turn ada
        ada rolled 5 station
        ben has tokens 3 single
    """)

    assert [] == play.texts(ADA, "claim")
    assert SpendDice(ADA) == play.decision_of(ADA)
    assert Tokens(3, 0) == play.dice.tokens[BEN]


def test_the_supply_cannot_run_out() -> None:
    """R-DICE-5: a map with too few tokens for its seats is refused on load."""
    plain = board("usa", ("dice",))
    poor = plain._replace(parameters={**plain.parameters, "dice": {"tokens": 14}})

    with pytest.raises(MapError, match=r"parameters\.dice\.tokens"):
        Ruleset(poor, 5, MODULES)


@pytest.mark.parametrize(
    "parameters", [{"faces": ["single", "gold"]}, {"faces": []}, {"tunnel_faces": 7}]
)
def test_impossible_dice_are_refused_on_load(parameters: dict[str, object]) -> None:
    """A map whose dice have no, unknown or too many faces is refused on load."""
    plain = board("usa", ("dice",))
    odd = plain._replace(parameters={**plain.parameters, "dice": parameters})

    with pytest.raises(MapError, match=r"parameters\.dice"):
        Ruleset(odd, 2, MODULES)


def test_dice_are_paid_with_dice_only() -> None:
    """A payment names its dice in order, each once, and no negative number of tokens."""
    play = scene("""
        usa dice · ada ben · turn ada
        ada rolled 5 single
    """)
    purse = play.rules.purse
    cost = play.rules.costs["denver-santa_fe"]

    assert purse.accepts(play.rules, play.state, ADA, cost, DicePayment((4, 5)))
    assert not purse.accepts(play.rules, play.state, ADA, cost, DicePayment((5, 4)))
    assert not purse.accepts(play.rules, play.state, ADA, cost, DicePayment((4, 4)))
    assert not purse.accepts(play.rules, play.state, ADA, cost, DicePayment((4, 5, 1), -1))
