"""What may be claimed, buying technologies, and what they do (rules 5.2 and 5.3)."""

import pytest

from engine import MapError, default_for, options, ruleset_of
from engine.rules.routes import ClaimRoute
from engine.rules.technologies import (
    TechnologyBought,
    TechnologyReturned,
    catalogue,
    technologies,
)
from engine.rules.technology_claims import ClaimTaken
from engine.rules.technology_sale import BuyTechnology
from engine.rules.turns import PassTurn, TakeTurn
from engine.values import CARDS, CardPayment
from service.atlas import board, ruleset
from tests.scenes import ADA, BEN, CEM, Scene, counted, scene


def cards(said: str) -> CardPayment:
    """A payment that need not be a good one: `red red locomotive`."""
    return CardPayment(counted(said.split()))


def owned(play: Scene, seat: int) -> tuple[str, ...]:
    """The technologies of a seat."""
    return technologies.part(play.state).owned[seat]


def bought(play: Scene, seat: int) -> set[str]:
    """The technologies that this seat could buy now."""
    return {text.split()[1] for text in play.texts(seat, "buy ")}


def test_without_technology_only_short_routes_in_england() -> None:
    """R-TECH-1: of all that the hand could pay, short English routes and one exception are open."""
    hand = " ".join(f"10 {card}" for card in CARDS)
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
    ("route", "said", "missing"),
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
def test_refusal_names_what_is_missing(route: str, said: str, missing: str) -> None:
    """R-TECH-3: the rulebook's examples, and a refusal that says what to buy."""
    play = scene("""
        uk · ada ben · turn ada
        ada holds 6 locomotive
    """)

    refusal = play.refused(f"ada: claim {route} with 3 locomotive")

    assert ("illegal", "R-TECH-3") == (refusal.code, refusal.rule)
    assert f"For {said} you lack {missing}." == refusal.sentence


def test_all_that_apply_are_needed() -> None:
    """R-TECH-3: three of four technologies do not open Londonderry–Stranraer, four do."""
    four = "scotland_concession ireland_france_concession mechanical_stoker propellers"
    hand = "\n        ada holds 3 locomotive"
    three = four.removesuffix(" propellers")

    lacking = scene(f"uk · ada ben · turn ada\nada has technologies {three}{hand}")
    able = scene(f"uk · ada ben · turn ada\nada has technologies {four}{hand}")

    refusal = lacking.refused("ada: claim londonderry-stranraer with 3 locomotive")
    assert "For Londonderry–Stranraer you lack Propellers." == refusal.sentence
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
    assert "Only one technology can be bought in a turn." == refusal.sentence
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
    assert "A technology is bought before the action of a turn." == refusal.sentence


def test_the_price_is_paid_exactly() -> None:
    """R-TECH-6: neither too little nor too much buys a technology, and the cards are discarded."""
    play = scene("""
        uk · ada ben · turn ada
        ada holds 3 locomotive 5 red
    """)

    for wrong in ("1 locomotive", "3 locomotive", "1 locomotive 3 red"):
        assert "R-TECH-6" == play.refused(f"ada: buy booster with {wrong}").rule
    refusal = play.refused("ada: buy booster with 1 locomotive 5 red")
    said = "Booster costs 2 locomotives; you cannot pay it with 5 red and 1 locomotive."
    assert said == refusal.sentence
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
    assert "No copy of Right of Way is left." == refusal.sentence


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

    assert ("R-TECH-8", "Booster is yours already.") == (refusal.rule, refusal.sentence)
    play.do("ada: draw", "ada: draw", "ben: draw", "ben: draw", "cem: draw", "cem: draw")
    assert "buy booster with 2 locomotive" in play.texts(3)


def test_unknown_technology() -> None:
    """R-TECH-8: an advanced technology is not sold in the basic game."""
    play = scene("""
        uk · ada ben · turn ada
        ada holds 3 locomotive
    """)

    refusal = play.refused((ADA, BuyTechnology("diesel_power", cards("locomotive " * 3))))

    assert ("R-TECH-8", "“diesel_power” is not sold in this game.") == (
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
    said = "1 point" if points == 1 else f"{points} points"
    listed = options(play.rules, play.state, ADA)
    label = next(option.label for option in listed if option.text.startswith(f"claim {route} "))

    assert label.endswith(f" ({said})")
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


def test_right_of_way() -> None:
    """R-TECH-12: the buyer claims a route of another seat at once, and the card goes back."""
    play = scene("""
        uk · ada ben · turn ada
        ben owns hull-leeds
        ada holds 4 locomotive 2 yellow
    """).do("ada: buy right-of-way with 4 locomotive")

    assert ClaimTaken(ADA) == play.asked(ADA)
    assert ["claim hull-leeds with 1 yellow"] == play.texts(ADA)
    play.do("ada: claim hull-leeds with 1 yellow")
    assert (BEN, ADA) == play.network.owners["hull-leeds"]
    assert (1, 34) == (play.network.points[ADA], play.network.trains[ADA])
    assert TechnologyReturned(ADA, "right_of_way") in play.events
    assert ((), ()) == technologies.part(play.state).owned
    assert TakeTurn(BEN) == play.asked(BEN)


def test_right_of_way_is_the_action() -> None:
    """R-ACT-2: while a claim is due by Right of Way nothing else can be done."""
    play = scene("""
        uk · ada ben · turn ada
        ben owns hull-leeds
        ada holds 4 locomotive 2 yellow 1 red
    """).do("ada: buy right-of-way with 4 locomotive")

    assert "R-TURN-1" == play.refused("ada: draw").rule
    assert "R-TURN-1" == play.refused("ada: tickets").rule
    assert "R-TECH-5" == play.refused("ada: buy booster with 2 locomotive").rule
    assert "R-TURN-2" == play.refused("ada: end").rule
    refusal = play.refused("ada: claim barrow-carlisle with 1 red")
    assert ("R-TECH-13", "Barrow–Carlisle is nobody's; claim a route that another seat holds.") == (
        refusal.rule,
        refusal.sentence,
    )
    due = ClaimRoute("hull-leeds", cards("yellow"))
    assert due == default_for(play.rules, play.state, ADA)


def test_right_of_way_lifts_one_obstacle_only() -> None:
    """R-TECH-13: own routes, twins of own routes, closed tracks and missing rights stay barred."""
    play = scene("""
        uk · ada ben cem · turn ada
        ada owns leeds-manchester-1 barrow-carlisle
        ben owns leeds-manchester-2 edinburgh-glasgow-1 hull-leeds
        ada holds 4 locomotive 2 yellow 2 red 2 black
    """).do("ada: buy right-of-way with 4 locomotive")

    assert ["claim hull-leeds with 1 yellow"] == play.texts(ADA)
    assert "R-TECH-13" == play.refused("ada: claim barrow-carlisle with 1 red").rule
    assert "R-DBL-1" == play.refused("ada: claim leeds-manchester-2 with 1 red").rule
    assert "R-TECH-3" == play.refused("ada: claim edinburgh-glasgow-1 with 1 black").rule
    closed = scene("""
        uk · ada ben · turn ada
        ben owns leeds-manchester-1
        ada holds 4 locomotive 1 blue 1 red
    """).do("ada: buy right-of-way with 4 locomotive")
    assert ["claim leeds-manchester-1 with 1 blue"] == closed.texts(ADA)
    assert "R-TECH-13" == closed.refused("ada: claim leeds-manchester-2 with 1 red").rule


def test_right_of_way_adds_further_owners() -> None:
    """R-TECH-13: a route belongs fully to each of its owners, and rewards count as usual."""
    play = scene("""
        uk · ada ben cem · turn ada
        ben owns cambridge-london-1
        ada has technologies boiler_lagging
        ada has tickets cambridge-london
        ada holds 4 locomotive 1 orange
        cem holds 4 locomotive 1 orange
    """).do(
        "ada: buy right-of-way with 4 locomotive",
        "ada: claim cambridge-london-1 with 1 orange",
        "ben: draw",
        "ben: draw",
        "cem: buy right of way with 4 locomotive",
        "cem: claim cambridge-london with 1 orange",
    )

    assert (BEN, ADA, CEM) == play.network.owners["cambridge-london-1"]
    assert (2, 1, 1) == play.network.points


@pytest.mark.parametrize(
    "hand",
    [
        "4 locomotive",
        "4 locomotive 3 green",
        "3 locomotive 4 yellow",
    ],
)
def test_right_of_way_must_be_usable(hand: str) -> None:
    """R-TECH-14: whoever could not claim after paying cannot buy, and is told so."""
    play = scene(f"""
        uk · ada ben · turn ada
        ben owns hull-leeds
        ada holds {hand}
    """)
    payment = hand.removesuffix(" 3 green")

    refusal = play.refused(f"ada: buy right-of-way with {payment}")

    assert [] == play.texts(ADA, "buy right-of-way")
    assert ("illegal", "R-TECH-14") == (refusal.code, refusal.rule)
    assert f"After paying {_spoken(payment)} you could not use Right of Way in this turn." == (
        refusal.sentence
    )


def _spoken(payment: str) -> str:
    """Colours are named before locomotives."""
    return "4 yellow and 3 locomotives" if "yellow" in payment else f"{payment}s"


def test_a_usable_payment_is_found() -> None:
    """R-TECH-14: the one yellow card is kept for the claim, though odd cards are proposed first."""
    play = scene("""
        uk · ada ben · turn ada
        ben owns hull-leeds
        ada holds 3 locomotive 1 yellow 4 red
    """)

    assert ["buy right-of-way with 4 red 3 locomotive"] == play.texts(ADA, "buy right-of-way")
    assert (
        "R-TECH-14" == play.refused("ada: buy right-of-way with 1 yellow 3 red 3 locomotive").rule
    )


def test_nothing_to_aim_at() -> None:
    """R-TECH-14: without a route of another seat Right of Way is not for sale."""
    play = scene("""
        uk · ada ben · turn ada
        ada owns hull-leeds
        ada holds 8 locomotive
    """)

    assert "right-of-way" not in bought(play, ADA)


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
    said = ("buy boiler-lagging with 1 locomotive and 4 red", "Buy Boiler Lagging with 4 red, loco")
    for text in said:
        play = scene("""
            uk · ada ben · turn ada
            ada holds 1 locomotive 4 red
        """).do(f"ada: {text}")
        assert ["Ada buys Boiler Lagging with 4 red and 1 locomotive."] == play.told
    short = scene("""
        uk · ada ben · turn ada
        ada holds 2 locomotive 4 red
    """)
    assert "ambiguous" == short.refused("ada: buy boiler-lagging").code
    assert "unreadable" == short.refused("ada: buy time").code
    assert "ambiguous" == short.refused("ada: buy ireland/france concession").code


def test_advanced_set_and_modules() -> None:
    """R-TECH-8, R-DICE-32: the variant sells five more; Water Tender is not sold with dice."""
    basic = set(catalogue(ruleset("uk", (), 2)).technologies)
    advanced = set(catalogue(ruleset("uk", ("advanced_technologies",), 2)).technologies)
    dice = set(catalogue(ruleset("uk", ("advanced_technologies", "dice"), 2)).technologies)

    assert (11, 16) == (len(basic), len(advanced))
    assert {"water_tender"} == advanced - dice


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"grants": {"wings": True}}, r"technologies\[x\].grants.wings: is not known here"),
        ({"grants": {"lengths": 3}}, r"technologies\[x\].grants.lengths: must be a list"),
        ({"grants": {"claims": "three"}}, "“three” is not known here"),
        ({"cost": 0}, "at least 1"),
        ({"price": 2}, "price: is not known here"),
        ({"id": "booster"}, "stands here twice"),
    ],
)
def test_bad_rows_are_refused_on_load(change: dict[str, object], reason: str) -> None:
    """A technology that the rules cannot make sense of is named before anybody sits down."""
    plain = board("uk")
    row = {"id": "x", "name": "X", "cost": 1, "copies": 1, "grants": {}, **change}
    edited = plain._replace(technologies=(*plain.technologies, row))

    with pytest.raises(MapError, match=reason):
        ruleset_of(edited, 2)


def test_unknown_sets_are_refused_on_load() -> None:
    """A set that no technology is in is a slip of the pen."""
    plain = board("uk")
    edited = plain._replace(parameters=plain.parameters | {"technologies": {"sets": ["bsaic"]}})

    with pytest.raises(MapError, match="no technology is in “bsaic”"):
        ruleset_of(edited, 2)


def test_any_of_several_technologies_opens_a_route() -> None:
    """A route needs one technology for each thing that some technology opens, whichever it is."""
    plain = board("uk")
    row = {"id": "oil", "name": "Oil", "cost": 1, "copies": 1, "grants": {"lengths": [3, 4]}}
    rules = ruleset_of(plain._replace(technologies=(*plain.technologies, row)), 2)

    assert (frozenset({"mechanical_stoker", "oil"}),) == catalogue(rules).needs["bristol-plymouth"]


def test_claims_are_refused_out_of_turn() -> None:
    """R-TURN-1: a claim during another decision is refused for that reason."""
    play = scene("""
        uk · ada ben · turn ada
        ada holds 1 yellow
    """).do("ada: draw")

    refusal = play.refused((ADA, ClaimRoute("hull-leeds", cards("yellow"))))

    assert ("illegal", "R-TURN-1") == (refusal.code, refusal.rule)
