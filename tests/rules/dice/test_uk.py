import pytest

from engine import State, options
from engine.options import default_for
from engine.rules.dice_purse import SpendDice
from engine.rules.dice_tokens import TakeToken
from engine.rules.dice_turn import ActionDone, FinishTurn
from engine.rules.routes import ClaimRoute, RouteClaimed, routes
from engine.rules.technologies import TechnologyBought
from engine.rules.technology_claims import ClaimFirst, ClaimSecond, ClaimTaken
from engine.rules.turn_end import TurnEnded
from engine.values import DicePayment, Tokens
from service.boards.atlas import ruleset
from tests.scenes import ADA, Scene, scene


def buying(rolled: str, *facts: str) -> Scene:
    """A scene in which Ada has rolled this and may buy technologies."""
    lines = "\n".join((f"ada rolled {rolled}", *facts))
    return scene(f"uk dice advanced_technologies · ada ben · turn ada\n{lines}")


def ways(play: Scene, technology: str) -> list[str]:
    """How Ada can pay for a technology."""
    return [text.partition(" with ")[2] for text in play.texts(ADA, f"buy {technology}")]


def test_a_locomotive_is_a_joker_die() -> None:
    """R-DICE-30: a technology that costs one locomotive can be paid with one joker."""
    assert ["die 4"] == ways(buying("3 single joker joker"), "wales")[:1]


def test_any_four_dice_are_a_joker() -> None:
    """R-DICE-30: any four dice count as a joker, whatever they show."""
    assert ["dice 1 2 3 4"] == ways(buying("5 single"), "wales")
    assert ["dice 1 2 3 4", "dice 1 2 3 5"] == ways(buying("3 single double single"), "wales")


def test_three_dice_are_not_enough() -> None:
    """R-DICE-30: without Booster three dice do not count as a joker."""
    refusal = buying("5 single").refused("ada: buy wales concession with dice 1 2 3")

    assert ("illegal", "R-TECH-6") == (refusal.code, refusal.rule)


def test_with_booster_three_dice_are_a_joker() -> None:
    """R-DICE-30: with Booster any three dice count as a joker."""
    assert ["dice 1 2 3"] == ways(buying("5 single", "ada has technologies booster"), "wales")


@pytest.mark.parametrize(
    ("rolled", "owned", "expected"),
    [
        ("2 joker 3 single", "wales_concession", ["dice 1 2", "dice 1 2 3 4 5"]),
        ("joker 4 single", "wales_concession", ["dice 1 2 3 4 5"]),
        ("joker 4 single", "booster", ["dice 1 2 3 4"]),
        ("5 single", "booster", []),
    ],
)
def test_a_price_of_two(rolled: str, owned: str, expected: list[str]) -> None:
    """R-DICE-30: jokers and sets add up to exactly the price."""
    assert expected == ways(buying(rolled, f"ada has technologies {owned}"), "propellers")


def test_tokens_buy_no_technology() -> None:
    """R-DICE-18: tokens cannot pay for a technology."""
    play = buying("3 single 2 double", "ada has tokens 1 single")

    assert "R-TECH-6" == play.refused("ada: buy wales concession with dice 1 2 3 1 token").rule


def test_ferry_symbols_take_jokers_only() -> None:
    """R-DICE-30: a set of dice does not pay for a ferry's symbol, even with Booster."""
    owned = "ada has technologies propellers booster"
    assert [] == buying("5 single", owned).texts(ADA, "claim barrow-liverpool")
    paid = ["claim barrow-liverpool with die 5"]
    assert paid == buying("4 single joker", owned).texts(ADA, "claim barrow-liverpool")


def test_there_is_no_starting_locomotive() -> None:
    """R-DICE-30: everybody begins without tokens and without dice."""
    part = ruleset("uk", ("dice",), 3).initial.parts["dice"]

    assert ((), (Tokens(),) * 3) == (part.faces, part.tokens)


def test_dice_that_bought_are_used_up() -> None:
    """R-DICE-31: dice that paid for a technology are used up; the others pay for the action."""
    play = buying("joker 4 single").do("ada: buy wales concession with die 1")
    bought = TechnologyBought(ADA, "wales_concession", DicePayment((1,)), "")

    assert (bought,) == play.events
    assert SpendDice(ADA) == play.decision_of(ADA)
    assert "R-CLAIM-6" == play.refused("ada: claim barrow-carlisle with die 1").rule
    play.do("ada: claim aberystwyth-carmarthen with die 2")
    assert (ADA,) == play.network.owners["aberystwyth-carmarthen"]


def test_buying_waives_the_reroll() -> None:
    """R-ACT-6: an ordinary purchase stays in spend_dice with the reroll closed."""
    play = buying("joker 4 single").do("ada: buy wales concession with die 1")

    assert [] == play.texts(ADA, "reroll")
    assert "R-DICE-6" == play.refused("ada: reroll 2").rule


def test_one_technology_in_a_turn() -> None:
    """R-DICE-31, R-TECH-5: a second technology in the same turn is refused."""
    play = buying("3 joker 2 single").do("ada: buy wales concession with die 1")

    assert "R-TECH-5" == play.refused("ada: buy scotland concession with die 2").rule


def test_buying_comes_before_the_action() -> None:
    """R-DICE-31: buying after the action is refused."""
    play = buying("2 joker 3 single").do("ada: claim barrow-carlisle with die 3")

    assert "R-TECH-5" == play.refused("ada: buy wales concession with die 1").rule


def test_technologies_are_needed_as_with_cards() -> None:
    """R-DICE-32, R-TECH-3: a route of three spaces needs the Mechanical Stoker, with dice too."""
    play = buying("5 single")

    assert "R-TECH-3" == play.refused("ada: claim bristol-plymouth with dice 1 2 3").rule


def test_technologies_score_as_with_cards() -> None:
    """R-DICE-32, R-TECH-9: Boiler Lagging adds a point to a route, with dice too."""
    play = buying("5 single", "ada has technologies boiler_lagging")
    play.do("ada: claim barrow-carlisle with die 1")

    assert 2 == play.network.points[ADA]


def test_diesel_power_spares_a_die() -> None:
    """R-DICE-32, R-ADV-5: Diesel Power saves one die, but no trains and no points."""
    play = buying("single 4 station", "ada has technologies diesel_power")
    assert ["claim brighton-dover with die 1"] == play.texts(ADA, "claim brighton-dover")

    play.do("ada: claim brighton-dover with die 1")

    assert (2, 33) == (play.network.points[ADA], play.network.trains[ADA])


def test_right_of_way_is_paid_and_used_with_dice() -> None:
    """R-DICE-32, R-TECH-12: four jokers buy Right of Way, and the fifth die claims Ben's route."""
    play = buying("4 joker single", "ben owns brighton-london")
    play.do("ada: buy right of way with dice 1 2 3 4")
    assert ClaimTaken(ADA) == play.decision_of(ADA)
    assert ["claim brighton-london with die 5"] == play.texts(ADA)

    play.do("ada: claim brighton-london with die 5")

    assert (1, 0) == play.network.owners["brighton-london"]
    assert FinishTurn(ADA) == play.decision_of(ADA)


def test_right_of_way_needs_dice_for_its_claim() -> None:
    """R-DICE-32, R-TECH-14: Right of Way cannot be bought without dice for its claim."""
    play = buying("4 joker station", "ben owns brighton-london")

    assert "R-TECH-14" == play.refused("ada: buy right of way with dice 1 2 3 4").rule


def test_thermocompressor_claims_two_routes() -> None:
    """R-DICE-32, R-ADV-1, 7.3: two claims in one turn, which end in finish_turn."""
    play = buying("joker 4 single").do("ada: buy thermocompressor with die 1")
    assert ClaimFirst(ADA) == play.decision_of(ADA)

    play.do("ada: claim barrow-carlisle with die 2")
    assert ClaimSecond(ADA) == play.decision_of(ADA)
    assert ActionDone(ADA) not in play.events

    play.do("ada: claim brighton-london with die 3")
    assert FinishTurn(ADA) == play.decision_of(ADA)
    assert 2 == sum(isinstance(event, RouteClaimed | ActionDone) for event in play.events)


def test_the_second_claim_may_be_left() -> None:
    """7.3: end_turn in claim_second leads to finish_turn, where tokens can be taken."""
    play = buying("joker 4 single").do(
        "ada: buy thermocompressor with die 1", "ada: claim barrow-carlisle with die 2", "ada: end"
    )

    assert TurnEnded(ADA) in play.events
    assert FinishTurn(ADA) == play.decision_of(ADA)
    assert play.texts(ADA, "token")


def test_a_token_may_be_taken_while_a_claim_is_owed() -> None:
    """7.3: in claim_first a token can be taken and used."""
    play = buying("joker single single station station").do(
        "ada: buy thermocompressor with die 1",
        "ada: token single with dice 4 5",
        "ada: claim brighton-dover with die 2 1 token",
    )

    assert (ADA,) == play.network.owners["brighton-dover"]


def test_whoever_is_absent_takes_tokens_if_only_they_pay_for_a_claim() -> None:
    """R-TECH-12, 7.3: the default of claim_first leads to a claim, if need be by tokens."""
    play = buying("joker single station station station")
    play.do("ada: buy thermocompressor with die 1")
    _leave_open(play, "brighton-dover")

    defaults = [default_for(play.rules, play.state, ADA)]
    while isinstance(defaults[-1], TakeToken):
        play.do((ADA, defaults[-1]))
        defaults.append(default_for(play.rules, play.state, ADA))

    assert len(defaults) > 1
    assert isinstance(defaults[-1], ClaimRoute)
    assert "brighton-dover" == defaults[-1].route


def _leave_open(play: Scene, only: str) -> None:
    """Close all routes but one."""
    shut: dict[str, tuple[int, ...]] = {id: () for id in play.rules.board.routes if id != only}
    network = routes.part(play.state)._replace(owners=shut)
    play.state = State(play.state.awaiting, {**play.state.parts, "routes": network})


def test_a_token_must_leave_the_claim_possible() -> None:
    """7.3: in claim_first a token is refused if no payment for an open route would be left."""
    play = buying("joker single single station station")
    play.do("ada: buy thermocompressor with die 1")
    _leave_open(play, "brighton-dover")

    actions = options(play.rules, play.state, ADA).actions

    tokens = [action for action in actions if isinstance(action, TakeToken)]
    singles = [("single", (2, 3)), ("single", (2, 4)), ("single", (4, 5))]
    assert [*singles, ("double", (4, 5))] == [(action.kind_, action.dice) for action in tokens]
    assert "R-ACT-6" == play.refused("ada: token double with dice 2 3").rule


def test_a_token_that_can_be_had_makes_a_claim_possible() -> None:
    """R-TECH-14, R-DICE-14: leftover dice buy a token, and the token claims a route."""
    play = buying("joker 4 station")

    assert "die 1" in ways(play, "thermocompressor")
    play.do("ada: buy thermocompressor with die 1", "ada: token single with dice 2 3")
    assert play.texts(ADA, "claim")


def test_water_tender_is_not_offered() -> None:
    """R-DICE-32: Water Tender is not sold with dice, because there are no cards to draw."""
    play = buying("5 joker")

    assert [] == play.texts(ADA, "buy water")
    assert play.texts(ADA, "buy diesel")
