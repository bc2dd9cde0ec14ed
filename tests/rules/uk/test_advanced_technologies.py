"""The advanced technologies (rules 5.4)."""

import pytest

from engine import default_for
from engine.rules.routes import ClaimRoute, RouteClaimed
from engine.rules.technologies import TechnologyReturned, technologies
from engine.rules.technology_claims import ClaimFirst, ClaimSecond, SecondClaimAllowed
from engine.rules.technology_draw import CardsDrawn
from engine.rules.turn_end import EndTurn
from engine.rules.turns import LastRoundBegan, TakeTurn
from engine.values import CardPayment
from tests.scenes import ADA, BEN, Scene, counted, scene


def advanced(*lines: str, turn: str = "turn") -> Scene:
    """A position of the variant, with ada to move."""
    return scene("\n".join([f"uk advanced_technologies · ada ben · {turn} ada", *lines]))


def with_two_claims(hand: str, *lines: str) -> Scene:
    """A scene in which Ada has bought Thermocompressor and holds these cards."""
    play = advanced(f"ada holds 1 locomotive {hand}", *lines)
    return play.do("ada: buy thermocompressor with 1 locomotive")


def test_thermocompressor_claims_two() -> None:
    """R-ADV-1: two routes are claimed in the turn of purchase, and the card goes back."""
    play = with_two_claims("1 yellow 1 red")

    assert ClaimFirst(ADA) == play.decision_of(ADA)
    play.do("ada: claim hull-leeds with 1 yellow")
    assert SecondClaimAllowed(ADA) in play.events
    assert ClaimSecond(ADA) == play.decision_of(ADA)
    play.do("ada: claim barrow-carlisle with 1 red")
    assert 2 == play.network.points[ADA]
    assert TechnologyReturned(ADA, "thermocompressor") in play.events
    assert ((), ()) == technologies.part(play.state).owned
    assert TakeTurn(BEN) == play.decision_of(BEN)


def test_the_first_claim_is_due() -> None:
    """R-ADV-1, R-ACT-2: after buying Thermocompressor only claims are possible."""
    play = with_two_claims("1 yellow")

    assert {"claim"} == {text.split()[0] for text in play.texts(ADA)}
    assert "R-TURN-2" == play.refused("ada: end").rule
    assert "R-TURN-1" == play.refused("ada: draw").rule
    assert "claim hull-leeds with 1 yellow" in play.texts(ADA)


def test_the_second_claim_is_optional() -> None:
    """R-ADV-1: a seat may end its turn after the first claim, which is also the default."""
    play = with_two_claims("1 yellow 1 red").do("ada: claim hull-leeds with 1 yellow")

    assert "end" in play.texts(ADA)
    assert EndTurn() == default_for(play.rules, play.state, ADA)
    play.do("ada: end")
    assert TechnologyReturned(ADA, "thermocompressor") in play.events
    assert TakeTurn(BEN) == play.decision_of(BEN)


def test_the_second_claim_is_asked_for_whatever_is_held() -> None:
    """R-ADV-1: the second claim is offered even to a seat that can only end its turn."""
    play = with_two_claims("1 yellow").do("ada: claim hull-leeds with 1 yellow")

    assert SecondClaimAllowed(ADA) in play.events
    assert ["end"] == play.texts(ADA)


def test_the_end_is_looked_for_once() -> None:
    """R-ADV-1: the last round begins after the turn, not between its two claims."""
    play = with_two_claims("1 yellow 1 red", "ada has 3 trains")

    play.do("ada: claim hull-leeds with 1 yellow")
    assert not any(isinstance(event, LastRoundBegan) for event in play.events)
    play.do("ada: claim barrow-carlisle with 1 red")
    assert LastRoundBegan(ADA, 2) in play.events


def test_thermocompressor_must_be_usable() -> None:
    """R-TECH-14: Thermocompressor is refused if no route could be claimed after paying for it."""
    play = advanced("ada holds 1 locomotive")

    refusal = play.refused("ada: buy thermocompressor with 1 locomotive")

    assert [] == play.texts(ADA, "buy thermocompressor")
    assert ("illegal", "R-TECH-14") == (refusal.code, refusal.rule)


def test_water_tender_draws_three() -> None:
    """R-ADV-2: Water Tender draws three cards from the deck and ends the turn."""
    play = advanced("ada has technologies water_tender", "next cards: red locomotive blue")

    play.do("ada: draw three")

    assert CardsDrawn(ADA, ("red", "locomotive", "blue")) == play.events[0]
    assert ["blue", "red", "locomotive"] == play.hand(ADA)
    assert TakeTurn(BEN) == play.decision_of(BEN)
    assert "Ada draws red, locomotive and blue from the deck." == play.sentences[0]


def test_water_tender_is_declared_at_the_start() -> None:
    """R-ADV-2: after a first card it is too late to draw three."""
    play = advanced("ada has technologies water_tender").do("ada: draw")

    refusal = play.refused("ada: draw three")

    assert ("illegal", "R-ADV-2") == (refusal.code, refusal.rule)
    assert "You can draw three cards only as the action of your turn." == refusal.sentence


def test_no_three_cards_without_water_tender() -> None:
    """R-ADV-2: drawing three cards is refused without the technology."""
    refusal = advanced("ada holds 1 red").refused("ada: draw three")

    assert ("illegal", "R-ADV-2") == (refusal.code, refusal.rule)
    assert "You have no technology that lets you draw three cards." == refusal.sentence


@pytest.mark.parametrize(
    ("deck", "discards", "drawn"),
    [("2 red", "nothing", 2), ("1 red", "1 blue", 2), ("2 red", "5 blue", 3)],
)
def test_three_cards_as_far_as_there_are_any(deck: str, discards: str, drawn: int) -> None:
    """R-ADV-2: with fewer than three cards in deck and discards, all of them are drawn."""
    play = advanced(
        "ada has technologies water_tender",
        "ben holds the rest",
        f"deck {deck}",
        f"discards {discards}",
    ).do("ada: draw three")

    assert drawn == len(play.hand(ADA))


def _owner_and_rival(technology: str, *lines: str) -> int:
    play = advanced(f"ada has technologies {technology}", *lines, turn="last turn")
    result = play.do("ada: draw", "ada: draw").end.results[ADA]
    return next(line.points for line in result.lines if line.kind == "technologies")


@pytest.mark.parametrize(
    ("rival", "points"),
    [("belfast-dublin", 20), ("cambridge-london", 20), ("cambridge-london birmingham-london", -20)],
)
def test_risky_contracts(rival: str, points: int) -> None:
    """R-ADV-3: the owner wins 20 points with the most tickets, tied or not, or loses 20."""
    score = _owner_and_rival(
        "risky_contracts",
        "ada owns leeds-manchester-1",
        "ada has tickets leeds-manchester",
        "ben owns cambridge-london-1 birmingham-northampton-1 london-northampton-1",
        f"ben has tickets {rival}",
    )

    assert points == score


def test_risky_contracts_without_tickets() -> None:
    """R-ADV-3: if no seat has completed a ticket, the owner loses 20 points."""
    assert -20 == _owner_and_rival("risky_contracts", "ada owns hull-leeds")


@pytest.mark.parametrize(
    ("rival", "points"),
    [("hull-leeds", 15), ("barrow-leeds", 15), ("barrow-leeds hull-leeds", -15)],
)
def test_equalising_beam(rival: str, points: int) -> None:
    """R-ADV-4: the owner wins 15 points with the longest trail, tied or not, or loses 15."""
    score = _owner_and_rival("equalising_beam", "ada owns bristol-reading", f"ben owns {rival}")

    assert points == score


def test_equalising_beam_without_routes() -> None:
    """R-ADV-4: if no seat has a route, the owner loses 15 points."""
    assert -15 == _owner_and_rival("equalising_beam", "ben has 35 trains")


DIESEL = "ada has technologies diesel_power mechanical_stoker propellers"


def test_diesel_power_spares_a_unit() -> None:
    """R-ADV-5: Diesel Power saves one unit; trains and points follow the full length."""
    play = advanced(DIESEL, "ada holds 2 yellow").do("ada: claim bristol-plymouth with 2 yellow")

    assert (4, 32) == (play.network.points[ADA], play.network.trains[ADA])


def test_diesel_power_is_a_permission() -> None:
    """R-ADV-5: with Diesel Power the full payment is accepted, too; two units less are not."""
    play = advanced(DIESEL, "ada holds 3 yellow")

    assert "R-CLAIM-6" == play.refused("ada: claim bristol-plymouth with 1 yellow").rule
    play.do("ada: claim bristol-plymouth with 3 yellow")
    assert [RouteClaimed] == [type(event) for event in play.events[:1]]


@pytest.mark.parametrize(
    ("route", "payment"),
    [("hull-leeds", ""), ("barrow-liverpool", "red"), ("penzance-plymouth-2", "red red")],
)
def test_diesel_power_has_limits(route: str, payment: str) -> None:
    """R-ADV-5: a claim costs at least one unit, and a locomotive for each symbol."""
    play = advanced(DIESEL, "ada holds 3 red 1 yellow")

    refusal = play.refused((ADA, ClaimRoute(route, CardPayment(counted(payment.split())))))

    assert "R-CLAIM-6" == refusal.rule


def test_diesel_power_spares_no_card_of_a_set() -> None:
    """R-ADV-5: Diesel Power saves a whole unit, and not one card of a substitute set."""
    play = advanced(DIESEL, "ada holds 1 yellow 7 red")

    assert "R-CLAIM-6" == play.refused("ada: claim bristol-plymouth with 7 red").rule
    play.do("ada: claim bristol-plymouth with 1 yellow 4 red")
    assert 4 == play.network.points[ADA]


def test_diesel_power_does_not_touch_prices() -> None:
    """R-ADV-5: Diesel Power does not lower the price of a technology."""
    play = advanced(DIESEL, "ada holds 1 locomotive 1 red")

    assert "R-TECH-6" == play.refused("ada: buy booster with 1 locomotive").rule


def test_contracts_are_sold_after_a_reshuffle() -> None:
    """R-ADV-6: both bets are still sold after a reshuffle, unlike on some printed cards."""
    play = advanced("ada holds 2 locomotive", "deck 1 red", "discards 5 blue", "ben holds the rest")
    play.do("ada: draw", "ada: draw", "ben: draw", "ben: draw")

    assert "buy risky-contracts with 2 locomotive" in play.texts(ADA)
    assert "buy equalising-beam with 2 locomotive" in play.texts(ADA)
