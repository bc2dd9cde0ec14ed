"""What may be claimed, buying technologies, and what they do (rules 5.2 and 5.3)."""

import pytest

from engine import default_for, options
from engine.rules.routes import ClaimRoute
from engine.rules.technologies import (
    TechnologyBought,
)
from engine.rules.technology_sale import BuyTechnology
from engine.rules.turns import PassTurn, TakeTurn
from engine.values import COLOURS, LOCOMOTIVE
from tests.rules.uk.buying import bought, cards, owned
from tests.scenes import ADA, BEN, counted, scene


def test_without_technology_only_short_routes_in_england() -> None:
    """R-TECH-1: of all that the hand could pay, short English routes and one exception are open."""
    hand = " ".join(f"10 {card}" for card in (*COLOURS, LOCOMOTIVE))
    play = scene(f"""
        uk · ada ben · turn ada
        ada holds {hand}
    """)

    claimed = {play.rules.board.routes[text.split()[1]] for text in play.texts(ADA, "claim ")}
    regions = {
        play.rules.board.cities[city].region
        for route in claimed
        for city in route.cities
        if not route.open_to_all
    }

    assert 42 + 1 == len(claimed)
    assert {"england"} == regions
    assert {1, 2, 10} == {route.length for route in claimed}


def test_new_york_needs_nothing() -> None:
    """R-TECH-2: Southampton–New York is open to all, is paid like a ferry and scores 40."""
    play = scene("""
        uk · ada ben · turn ada
        ada holds 7 red 3 locomotive
    """).do("ada: claim new_york-southampton with 7 red 3 locomotive")

    assert 40 == play.network.points[ADA]
    assert 25 == play.network.trains[ADA]


@pytest.mark.parametrize(
    ("route", "name", "missing"),
    [
        (
            "londonderry-stranraer",
            "Londonderry–Stranraer",
            "Ireland/France Concession, Scotland Concession, Mechanical Stoker and Propellers",
        ),
        (
            "edinburgh-newcastle-1",
            "Edinburgh–Newcastle (green)",
            "Scotland Concession and Mechanical Stoker",
        ),
        ("hull-norwich", "Hull–Norwich", "Superheated Steam Boiler"),
    ],
)
def test_refusal_names_what_is_missing(route: str, name: str, missing: str) -> None:
    """R-TECH-3: the rulebook's examples, and a refusal that says what to buy."""
    play = scene("""
        uk · ada ben · turn ada
        ada holds 6 locomotive
    """)

    refusal = play.refused(f"ada: claim {route} with 3 locomotive")

    assert ("illegal", "R-TECH-3") == (refusal.code, refusal.rule)
    assert f"To claim {name} you need {missing}." == refusal.sentence


def test_all_that_apply_are_needed() -> None:
    """R-TECH-3: three of four technologies do not open Londonderry–Stranraer, four do."""
    four = "scotland_concession ireland_france_concession mechanical_stoker propellers"
    hand = "\n        ada holds 3 locomotive"
    three = four.removesuffix(" propellers")

    lacking = scene(f"uk · ada ben · turn ada\nada has technologies {three}{hand}")
    able = scene(f"uk · ada ben · turn ada\nada has technologies {four}{hand}")

    refusal = lacking.refused("ada: claim londonderry-stranraer with 3 locomotive")
    assert "To claim Londonderry–Stranraer you need Propellers." == refusal.sentence
    able.do("ada: claim londonderry-stranraer with 3 locomotive")
    assert 4 == able.network.points[ADA]


def test_boiler_and_stoker_do_not_replace_each_other() -> None:
    """R-TECH-3: the boiler is for lengths four to six and not for three, and the reverse."""
    play = scene("""
        uk · ada ben · turn ada
        ada has technologies superheated_boiler
        ben has technologies mechanical_stoker
        ada holds 4 yellow
        ben holds 4 white
    """)

    assert "R-TECH-3" == play.refused("ada: claim bristol-plymouth with 3 yellow").rule
    play.do("ada: draw", "ada: draw")
    assert "R-TECH-3" == play.refused("ben: claim norwich-nottingham with 4 white").rule


def test_a_purchase_comes_before_the_action() -> None:
    """R-TECH-5: the turn goes on after a purchase, and its action follows."""
    play = scene("""
        uk · ada ben · turn ada
        ada holds 1 locomotive
    """).do("ada: buy mechanical-stoker with 1 locomotive")

    assert (TakeTurn(ADA),) == play.state.awaiting
    assert ("mechanical_stoker",) == owned(play, ADA)
    assert [TechnologyBought(ADA, "mechanical_stoker", cards("locomotive"), "")] == list(
        play.events
    )


def test_one_purchase_a_turn() -> None:
    """R-TECH-5: after a purchase none is offered until the next turn of the seat."""
    play = scene("""
        uk · ada ben · turn ada
        ada holds 4 locomotive
        ben holds 1 locomotive
    """).do("ada: buy mechanical-stoker with 1 locomotive")

    refusal = play.refused("ada: buy wales-concession with 1 locomotive")

    assert set() == bought(play, ADA)
    assert ("illegal", "R-TECH-5") == (refusal.code, refusal.rule)
    assert "You can buy only one technology in a turn." == refusal.sentence
    play.do("ada: draw", "ada: draw")
    assert "wales-concession" in bought(play, BEN)


def test_no_purchase_after_the_first_card() -> None:
    """R-TECH-5: once a card is drawn the action has begun."""
    play = scene("""
        uk · ada ben · turn ada
        ada holds 1 locomotive
    """).do("ada: draw")

    refusal = play.refused("ada: buy mechanical-stoker with 1 locomotive")

    assert "R-TECH-5" == refusal.rule
    assert "You can buy a technology only before the action of your turn." == refusal.sentence


def test_the_price_is_paid_exactly() -> None:
    """R-TECH-6: neither too little nor too much buys a technology, and the cards are discarded."""
    play = scene("""
        uk · ada ben · turn ada
        ada holds 3 locomotive 5 red
    """)

    for wrong in ("1 locomotive", "3 locomotive", "1 locomotive 3 red"):
        assert "R-TECH-6" == play.refused(f"ada: buy booster with {wrong}").rule
    refusal = play.refused("ada: buy booster with 1 locomotive 5 red")
    sentence = "You cannot pay for Booster with 5 red and 1 locomotive. It costs 2 locomotives."
    assert sentence == refusal.sentence
    play.do("ada: buy booster with 1 locomotive 4 red")
    assert counted(["red"] * 4 + ["locomotive"]) == play.cards.discards


def test_it_works_at_once() -> None:
    """R-TECH-7: what was bought opens a route in the same turn."""
    play = scene("""
        uk · ada ben · turn ada
        ada holds 1 locomotive 3 yellow
    """)

    play.do(
        "ada: buy mechanical-stoker with 1 locomotive",
        "ada: claim bristol-plymouth with 3 yellow",
    )

    assert 4 == play.network.points[ADA]


def test_booster_does_not_pay_for_itself() -> None:
    """R-TECH-7: three cards stand for a locomotive only after Booster has been bought."""
    play = scene("""
        uk · ada ben · turn ada
        ada holds 1 locomotive 7 red
    """)

    assert "R-TECH-6" == play.refused("ada: buy booster with 1 locomotive 3 red").rule
    play.do("ada: buy booster with 1 locomotive 4 red", "ada: claim hull-leeds with 3 red")
    assert 1 == play.network.points[ADA]


def test_copies_are_limited() -> None:
    """R-TECH-8: Right of Way exists once; what another seat holds cannot be bought."""
    play = scene("""
        uk · ada ben · turn ada
        ben has technologies right_of_way
        ben owns hull-leeds
        ada holds 5 locomotive
    """)

    refusal = play.refused("ada: buy right-of-way with 4 locomotive")

    assert ("illegal", "R-TECH-8") == (refusal.code, refusal.rule)
    assert "Right of Way is sold out." == refusal.sentence


def test_each_technology_once() -> None:
    """R-TECH-8: a seat owns each technology once, and four seats can own the same one."""
    play = scene("""
        uk · ada ben cem dora · turn ada
        ada has technologies booster
        ben has technologies booster
        cem has technologies booster
        ada holds 2 locomotive
        dora holds 2 locomotive
    """)

    refusal = play.refused("ada: buy booster with 2 locomotive")

    assert ("R-TECH-8", "You already have Booster.") == (refusal.rule, refusal.sentence)
    play.do("ada: draw", "ada: draw", "ben: draw", "ben: draw", "cem: draw", "cem: draw")
    assert "buy booster with 2 locomotive" in play.texts(3)


def test_unknown_technology() -> None:
    """R-TECH-8: an advanced technology is not sold in the basic game."""
    play = scene("""
        uk · ada ben · turn ada
        ada holds 3 locomotive
    """)

    refusal = play.refused((ADA, BuyTechnology("diesel_power", cards("locomotive " * 3))))

    assert ("R-TECH-8", "“diesel_power” is not for sale in this game.") == (
        refusal.rule,
        refusal.sentence,
    )
    assert "unreadable" == play.refused("ada: buy diesel-power with 3 locomotive").code


@pytest.mark.parametrize(
    ("technology", "route", "points"),
    [
        ("mechanical_stoker", "hull-leeds", 1),
        ("boiler_lagging", "hull-leeds", 2),
        ("steam_turbines", "hull-leeds", 1),
        ("boiler_lagging", "barrow-liverpool", 2),
        ("steam_turbines", "barrow-liverpool", 3),
        ("boiler_lagging steam_turbines", "barrow-liverpool", 4),
        ("steam_turbines", "new_york-southampton", 42),
    ],
)
def test_points_on_claiming(technology: str, route: str, points: int) -> None:
    """R-TECH-9, R-TECH-10: one point more on each route, two more on each ferry, New York too."""
    play = scene(f"""
        uk · ada ben · turn ada
        ada has technologies {technology} propellers
        ada holds 10 locomotive
    """)
    length = play.rules.board.routes[route].length
    words = "1 point" if points == 1 else f"{points} points"
    listed = options(play.rules, play.state, ADA)
    label = next(option.label for option in listed if option.text.startswith(f"claim {route} "))

    assert label.endswith(f" ({words})")
    play.do(f"ada: claim {route} with {length} locomotive")
    assert points == play.network.points[ADA]


def test_double_heading() -> None:
    """R-TECH-11: two points at the end for each completed ticket, nothing for a failed one."""
    play = scene("""
        uk · ada ben · last turn ada
        ada has technologies double_heading
        ada owns cambridge-london-1 leeds-manchester-1
        ada has tickets cambridge-london leeds-manchester belfast-dublin
    """).do("ada: draw", "ada: draw")

    lines = {line.kind: line for line in play.end.results[ADA].lines}

    assert (4, ("double_heading",)) == (lines["technologies"].points, lines["technologies"].of)
    assert 2 + 3 + 1 - 4 + 4 == play.end.results[ADA].total


def test_passing_beside_a_purchase() -> None:
    """R-ACT-PASS: a possible purchase does not forbid passing, and is not made for the absent."""
    play = scene("""
        uk · ada ben · turn ada
        ada owns barrow-leeds
        ada has 0 trains
        ada holds 1 locomotive
        ben holds the rest
        market - - - - -
        deck nothing
        ticket top nothing
        ben has tickets the rest
    """)

    assert "pass" in play.texts(ADA)
    assert "buy wales-concession with 1 locomotive" in play.texts(ADA)
    assert PassTurn() == default_for(play.rules, play.state, ADA)
    play.do("ada: buy wales-concession with 1 locomotive")
    assert "pass" not in play.texts(ADA)


def test_words() -> None:
    """A purchase is said by id or by name, with or without its payment, and told in a sentence."""
    texts = (
        "buy boiler-lagging with 1 locomotive and 4 red",
        "Buy Boiler Lagging with 4 red, loco",
    )
    for text in texts:
        play = scene("""
            uk · ada ben · turn ada
            ada holds 1 locomotive 4 red
        """).do(f"ada: {text}")
        assert ["Ada buys Boiler Lagging with 4 red and 1 locomotive."] == play.sentences
    short = scene("""
        uk · ada ben · turn ada
        ada holds 2 locomotive 4 red
    """)
    assert "ambiguous" == short.refused("ada: buy boiler-lagging").code
    assert "unreadable" == short.refused("ada: buy time").code
    assert "ambiguous" == short.refused("ada: buy ireland/france concession").code


def test_claims_are_refused_out_of_turn() -> None:
    """R-TURN-1: a claim during another decision is refused for that reason."""
    play = scene("""
        uk · ada ben · turn ada
        ada holds 1 yellow
    """).do("ada: draw")

    refusal = play.refused((ADA, ClaimRoute("hull-leeds", cards("yellow"))))

    assert ("illegal", "R-TURN-1") == (refusal.code, refusal.rule)
