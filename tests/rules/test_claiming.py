"""Turns, claiming a route and route points (rules 1.2, 1.6, 1.8)."""

import pytest

from engine.rules.cards import DrawSecondCard
from engine.rules.routes import ClaimRoute, RouteClaimed
from engine.rules.tickets import ChooseTickets
from engine.rules.turns import TakeTurn, TurnBegan
from engine.values import CardPayment, DicePayment
from tests.scenes import ADA, BEN, counted, scene

TABLE = "usa · ada ben cem · turn ada\n"


def cards(*some: str) -> CardPayment:
    """A payment of these cards."""
    return CardPayment(counted(some))


def test_four_kinds_of_action() -> None:
    """R-TURN-1: a turn offers cards, tickets and claims, and nothing else on this board."""
    play = scene(TABLE + "ada holds 3 red")

    verbs = {text.split()[0] for text in play.texts(ADA)}
    assert {"draw", "take", "tickets", "claim"} == verbs


@pytest.mark.parametrize(
    "moves",
    [
        ["claim chicago-duluth with 3 red"],
        ["draw", "draw"],
        ["take 1", "take 2"],
        ["tickets", "keep 1"],
    ],
)
def test_one_action_a_turn(moves: list[str]) -> None:
    """R-TURN-1: after one action, whichever it is, the turn is over."""
    play = scene(TABLE + "ada holds 12 red").do(*(f"ada: {move}" for move in moves))

    assert None is play.decision_of(ADA)
    assert (TakeTurn(BEN),) == play.state.awaiting
    assert "not_awaited" == play.refused("ada: draw").code


@pytest.mark.parametrize("first", ["draw", "take 1", "tickets"])
@pytest.mark.parametrize("second", ["tickets", "claim chicago-duluth with 3 red", "pass"])
def test_actions_are_not_mixed(first: str, second: str) -> None:
    """R-TURN-1: an action that has begun cannot be exchanged for another."""
    play = scene(TABLE + "ada holds 3 red").do(f"ada: {first}")

    assert isinstance(play.decision_of(ADA), DrawSecondCard | ChooseTickets)
    assert "illegal" == play.refused(f"ada: {second}").code


@pytest.mark.parametrize("first", ["draw", "tickets"])
def test_refused_claim_names_the_true_reason(first: str) -> None:
    """R-TURN-1: a claim after another action has begun is refused for that, not its payment."""
    play = scene(TABLE + "ada holds 3 red").do(f"ada: {first}")

    assert "R-TURN-1" == play.refused("ada: claim chicago-duluth with 3 red").rule


def test_no_voluntary_pass() -> None:
    """R-TURN-2: a seat with another move cannot pass."""
    play = scene(TABLE)

    refusal = play.refused("ada: pass")
    assert ("illegal", "R-ACT-PASS") == (refusal.code, refusal.rule)
    assert "You cannot pass while you have another move." == refusal.sentence
    assert "pass" not in play.texts(ADA)


def test_one_route_a_turn() -> None:
    """R-TURN-3: a second claim in the same turn is refused."""
    play = scene(TABLE + "ada holds 6 red").do("ada: claim chicago-duluth with 3 red")

    refusal = play.refused((ADA, ClaimRoute("dallas-houston-1", cards("red"))))
    assert ("not_awaited", None) == (refusal.code, refusal.rule)


def test_route_is_claimed_whole() -> None:
    """R-TURN-3: a route cannot be claimed in part."""
    refusal = scene(TABLE + "ada holds 6 red").refused("ada: claim chicago-duluth with 2 red")

    assert ("illegal", "R-CLAIM-6") == (refusal.code, refusal.rule)


@pytest.mark.parametrize(("turn", "after"), [("ada", BEN), ("cem", ADA)])
def test_turn_goes_to_the_next_seat(turn: str, after: int) -> None:
    """R-TURN-4: the turn goes to the next seat, and from the last one to the first."""
    play = scene(f"usa · ada ben cem · turn {turn}").do(f"{turn}: draw", f"{turn}: draw")

    assert TurnBegan(after) == play.events[-1]
    assert (TakeTurn(after),) == play.state.awaiting


def test_another_seat_may_not_act() -> None:
    """R-TURN-4: a seat whose turn it is not is refused, also with an action of its own."""
    play = scene(TABLE + "ben holds 3 red")

    for move in ("ben: draw", (BEN, ClaimRoute("chicago-duluth", cards(*["red"] * 3)))):
        refusal = play.refused(move)
        assert ("not_awaited", None) == (refusal.code, refusal.rule)
        assert "There is nothing for this seat to do right now." == refusal.sentence


def test_claim_need_not_touch_own_routes() -> None:
    """R-CLAIM-1: any unclaimed route may be claimed, wherever one's other routes are."""
    play = scene(TABLE + "ada holds 3 red\nada owns miami-new_orleans")

    play.do("ada: claim chicago-duluth with 3 red")
    assert (ADA,) == play.network.owners["chicago-duluth"]


@pytest.mark.parametrize(
    ("owner", "sentence"),
    [
        ("ada", "Chicago–Duluth is already yours."),
        ("ben", "Chicago–Duluth belongs to another player."),
    ],
)
def test_claimed_route_is_taken(owner: str, sentence: str) -> None:
    """R-CLAIM-1: a claimed route cannot be claimed again, whoever owns it."""
    play = scene(TABLE + f"ada holds 3 red\n{owner} owns chicago-duluth")

    refusal = play.refused("ada: claim chicago-duluth with 3 red")
    assert ("illegal", "R-CLAIM-1", sentence) == (refusal.code, refusal.rule, refusal.sentence)
    assert [] == play.texts(ADA, "claim chicago-duluth")


def test_route_that_is_not_on_the_board() -> None:
    """R-CLAIM-1: a route that does not exist is refused, in words and as an action."""
    play = scene(TABLE + "ada holds 3 red")

    refusal = play.refused((ADA, ClaimRoute("berlin-wien", cards("red"))))
    assert ("illegal", "R-CLAIM-1") == (refusal.code, refusal.rule)
    assert "unreadable" == play.refused("ada: claim berlin-wien with 3 red").code


def test_too_few_trains() -> None:
    """R-CLAIM-2: a route longer than the trains that are left cannot be claimed."""
    play = scene(TABLE + "ada holds 6 red\nada has 5 trains")

    refusal = play.refused("ada: claim miami-new_orleans with 6 red")
    assert ("illegal", "R-CLAIM-2") == (refusal.code, refusal.rule)
    assert "You do not have enough trains for Miami–New Orleans." == refusal.sentence
    assert [] == play.texts(ADA, "claim miami-new_orleans")


def test_just_enough_trains() -> None:
    """R-CLAIM-2: as many trains as spaces are enough, one for each space."""
    play = scene(TABLE + "ada holds 6 red\nada has 6 trains")

    play.do("ada: claim miami-new_orleans with 6 red")
    assert (0, 45, 45) == play.network.trains


def test_locomotives_stand_for_the_colour() -> None:
    """R-CLAIM-3: any of the cards may be a locomotive."""
    play = scene(TABLE + "ada holds 3 red 3 locomotive")

    assert [
        "claim chicago-duluth with 3 red",
        "claim chicago-duluth with 2 red 1 locomotive",
        "claim chicago-duluth with 1 red 2 locomotive",
        "claim chicago-duluth with 3 locomotive",
    ] == play.texts(ADA, "claim chicago-duluth")


@pytest.mark.parametrize("payment", ["2 red 1 blue", "1 red 1 blue 1 locomotive"])
@pytest.mark.parametrize("route", ["chicago-duluth", "los_angeles-phoenix"])
def test_two_colours_do_not_mix(route: str, payment: str) -> None:
    """R-CLAIM-3: a payment is of one colour, on coloured and on gray routes."""
    play = scene(TABLE + "ada holds 2 red 2 blue 1 locomotive")

    refusal = play.refused(f"ada: claim {route} with {payment}")
    assert ("illegal", "R-CLAIM-6") == (refusal.code, refusal.rule)


@pytest.mark.parametrize(
    ("route", "payment", "reason"),
    [
        ("chicago-duluth", "4 red", "You have only 2 red."),
        ("chicago-duluth", "3 green", "You do not have a green card."),
        ("chicago-duluth", "2 red", "It costs 3 red."),
        ("los_angeles-phoenix", "2 red", "It costs 3 of one colour."),
        (
            "los_angeles-phoenix",
            "2 red 1 blue",
            "All cards must have the same colour, apart from locomotives.",
        ),
        ("chicago-duluth", "0 red", "Name the cards that you pay with."),
    ],
)
def test_refused_payment_says_what_is_wrong(route: str, payment: str, reason: str) -> None:
    """R-CLAIM-6: a refused payment says whether hand, colour or number is wrong."""
    play = scene(TABLE + "ada holds 2 red 2 blue 1 locomotive")

    assert play.refused(f"ada: claim {route} with {payment}").sentence.endswith(f". {reason}")


def test_coloured_route_wants_its_colour() -> None:
    """R-CLAIM-4: another colour does not pay for a coloured route."""
    play = scene(TABLE + "ada holds 3 blue")

    refusal = play.refused("ada: claim chicago-duluth with 3 blue")
    assert ("illegal", "R-CLAIM-6") == (refusal.code, refusal.rule)
    assert (
        "You cannot pay for Chicago–Duluth with 3 blue. It takes red cards and locomotives."
        == refusal.sentence
    )
    assert [] == play.texts(ADA, "claim chicago-duluth")


def test_gray_route_takes_any_single_colour() -> None:
    """R-CLAIM-4: on a gray route every colour that is held in sufficient number will do."""
    play = scene(TABLE + "ada holds 3 purple 3 red 2 blue")

    assert [
        "claim los_angeles-phoenix with 3 purple",
        "claim los_angeles-phoenix with 3 red",
    ] == play.texts(ADA, "claim los_angeles-phoenix")


@pytest.mark.parametrize(
    "route", ["chicago-duluth", "los_angeles-phoenix", "helena-salt_lake_city"]
)
def test_locomotives_alone_pay_for_every_route(route: str) -> None:
    """R-CLAIM-5: locomotives alone pay, whatever the route's colour."""
    play = scene(TABLE + "ada holds 3 locomotive")

    assert [f"claim {route} with 3 locomotive"] == play.texts(ADA, f"claim {route}")
    assert (ADA,) == play.do(f"ada: claim {route}").network.owners[route]


@pytest.mark.parametrize("payment", ["2 red", "4 red", "3 red 1 locomotive", "nothing"])
def test_count_is_exact(payment: str) -> None:
    """R-CLAIM-6: neither more nor fewer cards than spaces are accepted."""
    play = scene(TABLE + "ada holds 6 red 2 locomotive")
    some = {"nothing": cards()}.get(payment)

    move = (
        (ADA, ClaimRoute("chicago-duluth", some))
        if some
        else f"ada: claim chicago-duluth with {payment}"
    )
    refusal = play.refused(move)
    assert ("illegal", "R-CLAIM-6") == (refusal.code, refusal.rule)


def test_cards_that_are_not_held() -> None:
    """R-CLAIM-6: cards that the seat does not hold pay for nothing."""
    play = scene(TABLE + "ada holds 2 red\nben holds 3 red")

    refusal = play.refused("ada: claim chicago-duluth with 3 red")
    assert ("illegal", "R-CLAIM-6") == (refusal.code, refusal.rule)


@pytest.mark.parametrize(("more", "fewer"), [("red", "locomotive"), ("red", "blue")])
def test_fewer_cards_than_none_are_no_payment(more: str, fewer: str) -> None:
    """R-CLAIM-6: a payment cannot take a card back to make up for one too many."""
    counts = list(counted([more] * 4))
    counts[counted([fewer]).index(1)] = -1
    play = scene(TABLE + "ada holds 4 red")

    refusal = play.refused((ADA, ClaimRoute("chicago-duluth", CardPayment(tuple(counts)))))
    assert ("illegal", "R-CLAIM-6") == (refusal.code, refusal.rule)


def test_dice_do_not_pay_in_a_card_game() -> None:
    """R-CLAIM-6: dice are no cards."""
    refusal = scene(TABLE).refused((ADA, ClaimRoute("chicago-duluth", DicePayment((1, 2, 3)))))

    assert ("illegal", "R-CLAIM-6") == (refusal.code, refusal.rule)


def test_locomotives_may_be_spent_beside_enough_colour() -> None:
    """R-CLAIM-6: the player chooses the cards, also locomotives while the colour would suffice."""
    play = scene(TABLE + "ada holds 3 red 1 locomotive")

    play.do("ada: claim chicago-duluth with 2 red 1 locomotive")
    assert ["red"] == play.hand(ADA)


def test_effects_of_a_claim() -> None:
    """R-CLAIM-7: cards are discarded, trains laid, points scored, and then the turn goes on."""
    play = scene(TABLE + "ada holds 3 red 1 blue 1 locomotive")

    play.do("ada: claim chicago-duluth with 2 red 1 locomotive")
    paid = cards("red", "red", "locomotive")
    assert (RouteClaimed(ADA, "chicago-duluth", paid, 3, 4, None), TurnBegan(BEN)) == play.events
    assert ["Ada claims Chicago–Duluth with 2 red and 1 locomotive for 4 points."] == play.sentences
    assert ["blue", "red"] == play.hand(ADA)
    assert paid.counts == play.cards.discards
    assert (42, 45, 45) == play.network.trains
    assert (4, 0, 0) == play.network.points


@pytest.mark.parametrize(
    ("route", "length", "points"),
    [
        ("atlanta-nashville", 1, 1),
        ("denver-santa_fe", 2, 2),
        ("chicago-duluth", 3, 4),
        ("dallas-el_paso", 4, 7),
        ("helena-omaha", 5, 10),
        ("miami-new_orleans", 6, 15),
    ],
)
def test_points_by_length(route: str, length: int, points: int) -> None:
    """R-SCORE-1: 1, 2, 4, 7, 10 and 15 points for one to six spaces."""
    play = scene(TABLE + "ada holds 6 red").do(f"ada: claim {route} with {length} red")

    assert points == play.network.points[ADA]
    assert 45 - length == play.network.trains[ADA]


def test_route_points_are_immediate_and_alone() -> None:
    """R-SCORE-2: a claim scores its route at once, and a ticket that it completes not yet."""
    play = scene(
        TABLE + "ada holds 2 red\nada has tickets denver-el_paso\nada owns el_paso-santa_fe"
    )

    play.do("ada: claim denver-santa_fe with 2 red")
    assert 4 == play.network.points[ADA]
