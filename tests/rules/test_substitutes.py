"""Odd cards in place of locomotives: what pays, what is listed, and what is accepted (R-UK-5)."""

import random
from collections.abc import Iterator
from itertools import combinations_with_replacement, product
from types import SimpleNamespace

import pytest

from engine import options
from engine.kinds import Action
from engine.options import check
from engine.rules.card_payments import WILD, pays
from engine.rules.card_purse import CardPurse
from engine.rules.routes import UNCLAIMED, ClaimRoute, routes
from engine.rules.technologies import catalogue
from engine.rules.technology_sale import BuyTechnology
from engine.values import (
    COLOURS,
    GRAY,
    LOCOMOTIVE,
    NO_CARDS,
    SLOT,
    CardPayment,
    Cost,
    Counts,
    Terms,
)
from tests.scenes import ADA, Scene, counted, scene

FEW = ("red", "blue", "green", LOCOMOTIVE)
"""Three colours are enough to tell one colour from several."""
REFUSED = "R-CLAIM-6"
ORDINARY = (*COLOURS, LOCOMOTIVE)
"""The kinds of cards of the UK board."""


@pytest.mark.parametrize(
    ("payment", "good"),
    [
        ("1 yellow", True),
        ("1 locomotive", True),
        ("4 red", True),
        ("2 red 1 blue 1 green", True),
        ("4 yellow", True),
        ("3 yellow 1 red", True),
        ("3 red", False),
        ("5 red", False),
        ("3 red 1 locomotive", False),
        ("1 yellow 4 red", False),
    ],
)
def test_four_cards_count_as_a_locomotive(payment: str, good: bool) -> None:  # noqa: FBT001  # a column
    """R-UK-5, R-UK-6: any four coloured cards are one locomotive, in any route, exactly."""
    play = scene("""
        uk · ada ben · turn ada
        ada holds 5 red 2 blue 2 green 5 yellow 2 locomotive
    """)
    move = f"ada: claim hull-leeds with {payment}"

    if good:
        play.do(move)
        assert (ADA,) == play.network.owners["hull-leeds"]
    else:
        assert REFUSED == play.refused(move).rule


def test_booster_makes_sets_of_three() -> None:
    """R-UK-5: with Booster any three cards count as one locomotive, and four no longer do."""
    play = scene("""
        uk · ada ben · turn ada
        ada has technologies booster
        ada holds 4 red 1 blue
    """)

    assert REFUSED == play.refused("ada: claim hull-leeds with 4 red").rule
    play.do("ada: claim hull-leeds with 2 red 1 blue")
    assert 1 == play.network.points[ADA]


def test_a_set_may_stand_for_a_symbol() -> None:
    """R-UK-9: four odd cards are the locomotive that a ferry's symbol asks for."""
    play = scene("""
        uk · ada ben · turn ada
        ada has technologies propellers ireland_france_concession
        ada holds 2 red 3 blue
    """)

    assert REFUSED == play.refused("ada: claim dover-france_east with 2 red").rule
    play.do("ada: claim dover-france_east with 2 red 3 blue")
    assert 2 == play.network.points[ADA]
    assert counted(["red"] * 2 + ["blue"] * 3) == play.cards.discards


def test_a_set_may_stand_for_any_space() -> None:
    """R-UK-7: a payment is split into one colour, locomotives and whole sets."""
    play = scene("""
        uk · ada ben · turn ada
        ada holds 1 green 4 red 1 locomotive
    """)

    assert [
        "claim barrow-leeds with 1 green 1 locomotive",
        "claim barrow-leeds with 1 green 4 red",
    ] == play.texts(ADA, "claim barrow-leeds")


def test_no_substitutes_on_other_boards() -> None:
    """R-UK-5: on the USA board four odd cards do not count as a locomotive."""
    play = scene("""
        usa · ada ben · turn ada
        ada holds 4 red
    """)

    assert REFUSED == play.refused("ada: claim portland-seattle-1 with 4 red").rule


def laid_out(hand: Counts, cost: Cost, terms: Terms) -> set[Counts]:
    """Every payment from this hand, found by laying cards down one kind of unit after another."""
    payments = set()
    held = [colour for colour in COLOURS if hand[SLOT[colour]]]
    spare = terms.spare if cost.purpose == "route" else 0
    for units in range(max(1, cost.locomotives, cost.units - spare), cost.units + 1):
        for colour in COLOURS if cost.colour == GRAY else [cost.colour]:
            for own, wild in product(range(units + 1), repeat=2):
                sets = units - own - wild
                if sets < 0 or wild + sets < cost.locomotives or (sets and not terms.substitute):
                    continue
                base = counted([colour] * own + [LOCOMOTIVE] * wild)
                for odd in combinations_with_replacement(held, sets * terms.substitute):
                    paid = tuple(map(int.__add__, base, counted(odd)))
                    if all(map(int.__le__, paid, hand)):
                        payments.add(paid)
    return payments


def everything_in(hand: Counts) -> Iterator[Counts]:
    """Every handful of these cards."""
    return product(*(range(number + 1) for number in hand))


def some_cost(rng: random.Random) -> tuple[Counts, Cost, Terms]:
    """A small hand, a cost and terms."""
    hand = list(NO_CARDS)
    for card in rng.choices(FEW, k=rng.randint(0, 8)):
        hand[SLOT[card]] += 1
    units = rng.randint(1, 3)
    cost = Cost(
        units,
        rng.choice((GRAY, "red", "white")),
        rng.choice((0, 0, 1, units)),
        purpose=rng.choice(("route", "route", "station", "technology")),
    )
    if cost.purpose == "technology":
        cost = cost._replace(colour=GRAY, locomotives=units)
    return tuple(hand), cost, Terms(rng.choice((0, 2, 3, 4)), rng.choice((0, 0, 1)))


@pytest.mark.parametrize("number", range(8))
def test_pays_agrees_with_laying_the_cards_out(number: int) -> None:
    """R-UK-7, R-ADV-5: in 300 hands, exactly the payments pay that can be laid out card by card."""
    rng = random.Random(number)
    for _ in range(300):
        hand, cost, terms = some_cost(rng)
        possible = laid_out(hand, cost, terms)
        for paid in everything_in(hand):
            assert (paid in possible) == pays(paid, cost, terms), (hand, paid, cost, terms)


def listed(hand: Counts, cost: Cost, terms: Terms) -> list[Counts]:
    """What the purse proposes to a seat with this hand, on these terms."""
    state = SimpleNamespace(parts={"cards": SimpleNamespace(hands=(hand,))})
    rules = SimpleNamespace(terms=lambda *_: terms)
    ways = CardPurse().payments(rules, state, ADA, (cost,)).get(0, ())  # type: ignore[arg-type]  # as much of them as the purse looks at
    return [paid.counts for paid in ways if isinstance(paid, CardPayment)]


@pytest.mark.parametrize("number", range(8))
def test_something_is_listed_if_anything_pays(number: int) -> None:
    """Every listed payment pays and is listed once; the list is empty only if nothing pays."""
    rng = random.Random(f"listed {number}")
    for _ in range(1000):
        hand, cost, terms = some_cost(rng)
        counts = listed(hand, cost, terms)

        assert all(pays(paid, cost, terms) for paid in counts)
        assert all(all(map(int.__le__, paid, hand)) for paid in counts)
        assert len(set(counts)) == len(counts)
        assert bool(laid_out(hand, cost, terms)) == bool(counts)


def test_negative_cards_pay_for_nothing() -> None:
    """A payment that takes cards out of itself is refused."""
    play = scene("""
        uk · ada ben · turn ada
        ada holds 3 yellow 1 red
    """)
    odd = [0] * len(SLOT)
    odd[SLOT["yellow"]], odd[SLOT["red"]] = 2, -1

    assert REFUSED == play.refused((ADA, ClaimRoute("hull-leeds", CardPayment(tuple(odd))))).rule


ALL = " ".join(catalogue(scene("uk · ada ben · turn ada").rules).technologies)


def rich(number: int, technologies: str) -> Scene:
    """A seat with a big hand of all colours."""
    each, over = divmod(number, len(ORDINARY))
    hand = " ".join(f"{each + (at < over)} {card}" for at, card in enumerate(ORDINARY))
    return scene(f"""
        uk · ada ben · turn ada
        {technologies}
        ada holds {hand}
    """)


@pytest.mark.parametrize("number", [9, 18, 40, 60, 90])
@pytest.mark.parametrize("owned", ["", ALL.replace(" right_of_way", "")], ids=["poor", "rich"])
def test_the_list_stays_bounded(number: int, owned: str) -> None:
    """At most ten payments are proposed for a route, however big the hand is."""
    play = rich(number, f"ada has technologies {owned}" if owned else "ada has 35 trains")
    actions = options(play.rules, play.state, ADA).actions
    by_route: dict[str, list[Action]] = {}
    for action in actions:
        if isinstance(action, ClaimRoute):
            by_route.setdefault(action.route, []).append(action)

    assert len(actions) <= 600
    assert max(map(len, by_route.values())) <= 10
    open_ones = UNCLAIMED.keep(routes.part(play.state), ADA, play.rules.board.routes.values())
    if owned and number >= 60:
        assert len(open_ones) == len(by_route)


def test_what_is_not_listed_is_accepted() -> None:
    """R-DIG-8: every payment that pays is accepted, though the list proposes only some."""
    play = rich(40, "ada has 35 trains")
    decision = play.decision_of(ADA)
    assert decision is not None
    rng = random.Random(40)
    price = catalogue(play.rules).technologies["booster"].price
    hand, accepted = play.cards.hands[ADA], 0
    for _ in range(3000):
        paid = [0] * len(SLOT)
        for slot in rng.choices(range(WILD + 1), k=rng.choice((1, 2, 4, 5, 8))):
            paid[slot] = min(paid[slot] + 1, hand[slot])
        payment = CardPayment(tuple(paid))
        for action, cost in (
            (ClaimRoute("hull-leeds", payment), play.rules.costs["hull-leeds"]),
            (ClaimRoute("dover-london", payment), play.rules.costs["dover-london"]),
            (BuyTechnology("booster", payment), price),
        ):
            good = pays(payment.counts, cost, Terms(4))
            accepted += good
            assert good == _accepted(play, action)
    assert accepted > 500


def _accepted(play: Scene, action: Action) -> bool:
    decision = play.decision_of(ADA)
    assert decision is not None
    try:
        check(play.rules, play.state, decision, action)
    except Exception:  # noqa: BLE001  # whatever the refusal says
        return False
    return True
