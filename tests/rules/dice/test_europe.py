import pytest

from engine import capped, text_of
from engine.rules.dice_turn import (
    ActionFailed,
    DiceHandedOn,
    FinishTurn,
    LeaveTunnel,
    TunnelDiceRolled,
)
from engine.rules.routes import RouteClaimed
from engine.rules.stations import StationBuilt
from engine.rules.tunnels import PaySurcharge, TunnelAbandoned
from engine.rules.turns import TakeTurn
from engine.values import Cost, DicePayment, Tokens
from tests.scenes import ADA, BEN, Scene, scene


def dig(rolled: str, tunnel: str, claim: str, tokens: str = "0 single") -> Scene:
    """Ada digs with these dice and tokens, and the tunnel dice show this."""
    return scene(f"""
        europe dice · ada ben · turn ada
        ada rolled {rolled}
        ada has tokens {tokens}
        next dice: {tunnel}
    """).do(f"ada: claim {claim}")


def ferry(rolled: str, route: str, tokens: str = "0 single") -> list[str]:
    """How Ada can pay for a ferry with these dice and tokens."""
    play = scene(f"""
        europe dice · ada ben · turn ada
        ada rolled {rolled}
        ada has tokens {tokens}
    """)
    return [text.partition(" with ")[2] for text in play.texts(ADA, f"claim {route} ")]


def test_a_ferry_symbol_is_a_joker_die() -> None:
    """R-DICE-20: a ferry takes a joker for its symbol, and single dice or jokers for the rest."""
    assert ["dice 1 3", "dice 3 4"] == ferry("single single joker joker station", "athina-smyrna")


def test_a_joker_for_each_symbol() -> None:
    """R-DICE-20: a ferry with two symbols takes two jokers."""
    assert [] == ferry("4 single joker", "amsterdam-london")
    assert ["dice 4 5"] == ferry("3 single 2 joker", "amsterdam-london")


def test_a_double_ferry_takes_double_dice() -> None:
    """R-DICE-2, R-DICE-20: a ferry on a double route takes a joker and double dice."""
    assert ["dice 3 5"] == ferry("single single double station joker", "dieppe-london-1")


def test_tokens_are_no_ferry_symbols() -> None:
    """R-DICE-18: a token fills a ferry's other spaces, but does not replace the joker."""
    assert [] == ferry("5 single", "athina-smyrna", "3 single")
    payments = ferry("2 station 2 double joker", "athina-smyrna", "3 single")
    assert ["die 5 1 token"] == payments


def test_tunnel_dice_are_rolled_after_the_payment_is_committed() -> None:
    """R-DICE-21: if no tunnel die shows a symbol, the committed payment claims the tunnel."""
    play = dig("5 single", "blank blank blank", "angora-smyrna with dice 1 2 3")
    payment = DicePayment((1, 2, 3))

    rolled = TunnelDiceRolled(ADA, payment, ("blank",) * 3)
    claimed = RouteClaimed(ADA, "angora-smyrna", payment, 3, 4, None)
    assert {rolled, claimed} <= set(play.events)
    assert FinishTurn(ADA) == play.decision_of(ADA)
    assert frozenset({1, 2, 3}) == play.dice.used


@pytest.mark.parametrize(
    ("tunnel", "due"),
    [("tunnel blank blank", 1), ("blank tunnel tunnel", 2), ("tunnel tunnel tunnel", 3)],
)
def test_each_symbol_costs_one_more(tunnel: str, due: int) -> None:
    """R-DICE-21: each symbol on the tunnel dice costs one more of the route's kind."""
    play = dig("5 single", tunnel, "angora-smyrna with dice 1 2 3")

    cost = Cost(due, purpose="surcharge")
    assert PaySurcharge(ADA, "angora-smyrna", DicePayment((1, 2, 3)), cost) == play.decision_of(ADA)


@pytest.mark.parametrize("more", ["die 4", "die 5", "1 token"])
def test_the_extra_is_a_die_a_joker_or_a_token(more: str) -> None:
    """R-DICE-21: a die of the route's kind, a joker or a token each pay the extra."""
    play = dig(
        "4 single joker", "tunnel blank blank", "angora-smyrna with dice 1 2 3", "1 single 1 double"
    )
    assert ["pay die 4", "pay die 5", "pay 1 token"] == play.texts(ADA, "pay")

    play.do(f"ada: pay {more}")

    assert (ADA,) == play.network.owners["angora-smyrna"]
    assert FinishTurn(ADA) == play.decision_of(ADA)


def test_a_double_tunnel_takes_double_dice() -> None:
    """R-DICE-2, R-DICE-21: only a double die pays the extra of a double tunnel."""
    play = dig(
        "3 double single double", "tunnel blank blank", "madrid-pamplona-black with dice 1 2 3"
    )

    assert ["pay die 5"] == play.texts(ADA, "pay")


def test_trains_and_points_follow_the_length() -> None:
    """R-DICE-21, R-TUN-10: the extra changes neither trains nor points."""
    play = dig("5 single", "tunnel tunnel blank", "angora-smyrna with dice 1 2 3")
    play.do("ada: pay dice 4 5")

    assert (4, 42) == (play.network.points[ADA], play.network.trains[ADA])


def test_a_tunnel_that_is_not_paid_for_fails() -> None:
    """R-DICE-22: a seat that gives up a tunnel claims nothing, and can only end its turn."""
    play = dig("3 single 2 station", "tunnel blank blank", "angora-smyrna with dice 1 2 3")
    assert "give up" in play.texts(ADA)

    play.do("ada: give up")

    abandoned = TunnelAbandoned(ADA, "angora-smyrna", DicePayment((1, 2, 3)))
    assert (abandoned, ActionFailed(ADA)) == play.events
    assert LeaveTunnel(ADA) == play.decision_of(ADA)
    assert ["end"] == play.texts(ADA)
    assert {} == play.network.owners


@pytest.mark.parametrize(
    ("move", "rule"),
    [
        ("claim berlin-essen with dice 4 5", "R-TURN-1"),
        ("tickets with die 4", "R-DICE-7"),
        ("station roma with die 4", "R-STA-1"),
        ("token single with dice 4 5", "R-DICE-22"),
        ("reroll 4", "R-DICE-6"),
    ],
)
def test_no_other_action_after_a_failed_tunnel(move: str, rule: str) -> None:
    """R-DICE-22: after a failed tunnel every other action, tokens included, is refused."""
    play = dig("3 single 2 station", "tunnel blank blank", "angora-smyrna with dice 1 2 3")
    play.do("ada: give up")

    refusal = play.refused(f"ada: {move}")

    assert ("illegal", rule) == (refusal.code, refusal.rule)


def test_committed_tokens_return() -> None:
    """R-DICE-22: after a failed tunnel the seat has its tokens again, and may give them back."""
    claim = "angora-smyrna with die 1 2 tokens"
    play = dig("single 4 station", "tunnel blank blank", claim, "2 single")
    play.do("ada: give up")
    assert Tokens(2, 0) == play.dice.tokens[ADA]

    play.do("ada: end returning 2 single")

    assert Tokens(0, 0) == play.dice.tokens[ADA]
    assert TakeTurn(BEN) == play.decision_of(BEN)


def test_tokens_alone_may_be_committed() -> None:
    """R-DICE-22: an attempt with tokens alone can fail, too, and the tokens return."""
    play = dig("5 station", "tunnel blank blank", "bucuresti-sofia with 2 tokens", "2 single")
    play.do("ada: give up")

    assert LeaveTunnel(ADA) == play.decision_of(ADA)
    assert Tokens(2, 0) == play.dice.tokens[ADA]


def test_committed_tokens_do_not_pay_the_extra() -> None:
    """R-DICE-21: tokens committed to the tunnel cannot pay the extra as well."""
    play = dig("5 station", "tunnel blank blank", "bucuresti-sofia with 2 tokens", "2 single")

    assert [] == play.texts(ADA, "pay")
    assert "R-TUN-7" == play.refused("ada: pay 1 token").rule


def test_committed_dice_buy_no_token() -> None:
    """R-DICE-9, R-DICE-24: dice committed to the tunnel cannot be given for a token."""
    play = dig("4 single station", "tunnel blank blank", "bucuresti-sofia with dice 1 2")

    assert "R-DICE-13" == play.refused("ada: token single with dice 1 2").rule


def test_no_reroll_after_the_tunnel_dice() -> None:
    """R-DICE-23: after the tunnel dice no reroll is allowed, even after a single roll."""
    play = dig("3 single 2 station", "tunnel blank blank", "angora-smyrna with dice 1 2 3")

    refusal = play.refused("ada: reroll 4")

    assert [] == play.texts(ADA, "reroll")
    assert ("illegal", "R-DICE-23") == (refusal.code, refusal.rule)


def test_a_token_may_be_taken_for_the_extra() -> None:
    """R-DICE-24: two unused dice can be given for a token, which pays the extra at once."""
    play = dig("3 single 2 station", "tunnel blank blank", "angora-smyrna with dice 1 2 3")
    play.do("ada: token single with dice 4 5")
    assert ["pay 1 token"] == play.texts(ADA, "pay")

    play.do("ada: pay 1 token")

    assert (ADA,) == play.network.owners["angora-smyrna"]
    assert Tokens() == play.dice.tokens[ADA]


def test_the_refusal_ends_the_taking_of_tokens() -> None:
    """R-DICE-27: a token can be taken until the seat gives up, is then kept, and no more follow."""
    play = dig("3 single 2 station", "tunnel blank blank", "angora-smyrna with dice 1 2 3")
    play.do("ada: token double with dice 4 5")
    assert [] == play.texts(ADA, "pay")
    play.do("ada: give up")

    assert Tokens(0, 1) == play.dice.tokens[ADA]
    refusal = play.refused("ada: token single with dice 1 2")
    assert "R-DICE-22" == refusal.rule
    assert "after giving up a tunnel" in refusal.sentence


def test_who_started_with_three_takes_none_for_the_extra() -> None:
    """R-DICE-16, R-DICE-24: a seat that started with three tokens takes none for the extra."""
    play = dig(
        "2 single 3 station", "tunnel blank blank", "bucuresti-sofia with dice 1 2", "3 double"
    )

    assert [] == play.texts(ADA, "token")
    assert "R-DICE-16" == play.refused("ada: token single with dice 3 4").rule


def test_committed_tokens_are_held() -> None:
    """R-DICE-15, R-DICE-24: tokens committed to a tunnel count towards the limit of three."""
    play = dig("5 station", "tunnel blank blank", "bucuresti-sofia with 2 tokens", "2 single")
    play.do("ada: token single with dice 1 2")

    assert "R-DICE-15" == play.refused("ada: token single with dice 3 4").rule
    play.do("ada: give up")
    assert Tokens(3, 0) == play.dice.tokens[ADA]


@pytest.mark.parametrize(
    ("built", "dice"),
    [
        ("ben has stations in wien paris", "die 1"),
        ("ada has stations in wien", "dice 1 2"),
        ("ada has stations in wien paris", "dice 1 2 5"),
    ],
)
def test_stations_cost_station_dice_or_jokers(built: str, dice: str) -> None:
    """R-DICE-25: stations cost one, two and three station or joker dice, and are the action."""
    play = scene(f"""
        europe dice · ada ben · turn ada
        ada rolled station station single double joker
        {built}
    """).do(f"ada: station roma with {dice}")

    assert isinstance(play.events[0], StationBuilt)
    assert FinishTurn(ADA) == play.decision_of(ADA)


@pytest.mark.parametrize("dice", ["die 3", "dice 1 2", "1 token"])
def test_nothing_else_builds_a_station(dice: str) -> None:
    """R-DICE-18, R-DICE-25: another face, too many dice or a token build no station."""
    play = scene("""
        europe dice · ada ben · turn ada
        ada rolled station station single double joker
        ada has tokens 1 single
    """)

    assert "R-STA-2" == play.refused(f"ada: station roma with {dice}").rule


def test_dice_left_by_a_station_are_good_for_tokens() -> None:
    """R-DICE-14, R-DICE-25: after building a station, unused dice can be given for a token."""
    play = scene("""
        europe dice · ada ben · turn ada
        ada rolled station station single double joker
    """).do("ada: station roma with die 1", "ada: token single with dice 3 4", "ada: end")

    assert Tokens(1, 0) == play.dice.tokens[ADA]
    assert isinstance(play.events[-2], DiceHandedOn)


@pytest.mark.parametrize(("most", "chosen"), [(1, "pay 1 token"), (0, "give up")])
def test_a_token_counts_towards_a_limit(most: int, chosen: str) -> None:
    """R-DICE-21: a token counts like a die towards the limit that a seat would pay."""
    claim = "angora-smyrna with dice 1 2 3"
    play = dig("3 single 2 station", "tunnel blank blank", claim, "1 single")

    action = capped(play.rules, play.state, ADA, most)

    assert action is not None
    assert chosen == text_of(play.rules, action)
