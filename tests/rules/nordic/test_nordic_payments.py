"""The Nordic Countries: what pays for plain routes, ferries, tunnels and Murmansk–Lieksa."""

import random
from collections.abc import Iterator
from itertools import combinations_with_replacement, product

import pytest

from engine.display import help_for, note_on
from engine.menu import menu
from engine.rules.card_payments import listed_payments, pays
from engine.rules.card_ways import shortfall
from engine.rules.tunnels import PaySurcharge
from engine.values import (
    CARDS,
    COLOURS,
    GRAY,
    LOCOMOTIVE,
    NO_CARDS,
    SLOT,
    CardPayment,
    Cost,
    Counts,
    Means,
    Terms,
)
from service.boards.atlas import ruleset
from tests.scenes import ADA, Scene, counted, scene

LONG = "lieksa-murmansk"


def holding(cards: str) -> Scene:
    """Ada's turn with these cards."""
    return scene(f"nordic · ada ben · turn ada\nada holds {cards}")


def refusal_of(route: str, payment: str, hand: str) -> str:
    """The sentence with which this payment is refused."""
    refusal = holding(hand).refused(f"ada: claim {route} with {payment}")
    assert "R-CLAIM-6" == refusal.rule
    return refusal.sentence


def points_for(route: str, payment: str, hand: str) -> int:
    """The points that this payment brings."""
    play = holding(hand).do(f"ada: claim {route} with {payment}")
    assert play.network.owners[route] == (ADA,)
    return play.network.points[ADA]


@pytest.mark.parametrize(
    ("route", "payment", "reason"),
    [
        ("alborg-arhus", "1 locomotive", "Locomotives do not count here."),
        ("goteborg-orebro", "1 blue 1 locomotive", "Locomotives do not count here."),
        ("goteborg-orebro", "2 red", "It takes blue cards only."),
        ("goteborg-norrkoping", "2 red 1 locomotive", "Locomotives do not count here."),
        ("goteborg-norrkoping", "3 locomotive", "Locomotives do not count here."),
        ("goteborg-norrkoping", "2 red 1 blue", "All cards must have the same colour"),
    ],
)
def test_locomotives_do_not_count_on_plain_routes(route: str, payment: str, reason: str) -> None:
    """R-NOR-6: a plain route takes cards of one colour only, and no locomotive at all."""
    assert reason in refusal_of(route, payment, "3 red 3 blue 3 locomotive")


def test_plain_routes() -> None:
    """R-NOR-6: only cards of the colour are listed, and for a gray route of any one colour."""
    play = holding("3 red 2 blue 4 locomotive")

    assert 2 == points_for("goteborg-orebro", "2 blue", "2 blue 4 locomotive")
    assert ["claim goteborg-orebro with 2 blue"] == play.texts(ADA, "claim goteborg-orebro")
    assert ["claim goteborg-norrkoping with 3 red"] == play.texts(ADA, "claim goteborg-norrkoping")


@pytest.mark.parametrize(
    "payment", ["2 white 1 locomotive", "1 white 2 locomotive", "3 locomotive"]
)
def test_a_coloured_ferry(payment: str) -> None:
    """R-NOR-7: a symbol takes a locomotive, other spaces the ferry's colour or locomotives."""
    assert 4 == points_for("alborg-oslo", payment, "3 white 3 red 3 locomotive")


@pytest.mark.parametrize("payment", ["3 white", "2 red 1 locomotive", "1 white 1 red 1 locomotive"])
def test_what_does_not_pay_for_a_coloured_ferry(payment: str) -> None:
    """R-NOR-7: without the locomotive, or with another colour, a ferry is not paid for."""
    sentence = refusal_of("alborg-oslo", payment, "3 white 3 red 3 locomotive")

    assert "It costs 3 white, 1 of them a locomotive." in sentence


def test_a_gray_ferry() -> None:
    """R-NOR-7: the other spaces of a gray ferry take cards of any one colour."""
    assert 2 == points_for("alborg-goteborg", "1 red 1 locomotive", "1 red 1 locomotive")


@pytest.mark.parametrize(
    ("route", "payment"),
    [
        ("alborg-oslo", "2 white 1 red 1 blue 1 green"),
        ("alborg-oslo", "2 white 3 red"),
        ("alborg-oslo", "5 white"),
        ("alborg-oslo", "1 white 1 locomotive 3 red"),
        ("andalsnes-bergen", "3 black 3 white 2 red 1 green"),
        ("andalsnes-bergen", "3 black 1 locomotive 3 white"),
        ("arhus-kobenhavn", "2 red 1 blue"),
    ],
)
def test_three_cards_for_a_symbol(route: str, payment: str) -> None:
    """R-NOR-8: any three coloured cards count as the locomotive of a symbol."""
    length = ruleset("nordic", (), 2).board.routes[route].length
    hand = "5 white 5 black 4 red 2 blue 2 green 1 locomotive"

    assert {1: 1, 3: 4, 5: 10}[length] == points_for(route, payment, hand)


@pytest.mark.parametrize(
    ("route", "payment"),
    [
        ("alborg-oslo", "1 white 1 locomotive 2 red"),
        ("alborg-oslo", "1 white 6 red"),
        ("alborg-oslo", "2 white 1 red 1 locomotive"),
        ("arhus-kobenhavn", "2 red 1 locomotive"),
        ("arhus-kobenhavn", "6 red"),
        ("alborg-arhus", "3 red"),
        ("bergen-oslo-1", "3 blue 3 red"),
    ],
)
def test_sets_count_for_symbols_only(route: str, payment: str) -> None:
    """R-NOR-8, R-NOR-9: no set for other spaces, other routes or tunnels, nor with locomotives."""
    assert refusal_of(route, payment, "5 white 6 red 4 blue 1 locomotive")


def test_a_tunnel_takes_locomotives() -> None:
    """R-NOR-9: locomotives count in a tunnel, for its length and for what it costs on top."""
    play = scene("""
        nordic · ada ben · turn ada
        ada holds 3 blue 2 locomotive 4 red
        next cards: blue red white
    """).do("ada: claim bergen-oslo-1 with 3 blue 1 locomotive")
    decision = play.decision_of(ADA)

    assert isinstance(decision, PaySurcharge)
    assert Cost(1, "blue", purpose="surcharge") == decision.cost
    assert "R-TUN-7" == play.refused("ada: pay 3 red").rule
    play.do("ada: pay 1 locomotive")
    assert 7 == play.network.points[ADA]


@pytest.mark.parametrize(
    ("payment", "hand"),
    [
        ("9 red", "9 red 2 locomotive"),
        ("8 red 4 blue", "8 red 4 blue"),
        ("8 red 3 blue 1 locomotive", "8 red 3 blue 1 locomotive"),
        ("8 red 4 locomotive", "8 red 4 locomotive"),
        ("6 red 6 blue 6 green", "6 red 6 blue 6 green"),
        ("12 red", "12 red"),
    ],
)
def test_murmansk_lieksa(payment: str, hand: str) -> None:
    """R-NOR-3, R-NOR-10, R-NOR-11: any four cards for each missing one; 27 points."""
    assert 27 == points_for(LONG, payment, hand)


@pytest.mark.parametrize(
    "payment",
    ["8 red 1 locomotive", "8 red 1 blue", "8 red 3 blue", "8 red 5 blue", "7 red 4 blue",
     "5 red 4 blue 4 green 4 white 1 locomotive"],
)  # fmt: skip
def test_what_does_not_pay_for_murmansk_lieksa(payment: str) -> None:
    """R-NOR-10, R-NOR-11: a locomotive is no joker there, and sets have exactly four cards."""
    sentence = refusal_of(LONG, payment, "8 red 8 blue 4 green 4 white 1 locomotive")

    assert "It costs 9 of one colour, or any 4 cards for each one that is missing." in sentence


def test_the_long_route_is_listed_for_each_colour() -> None:
    """R-NOR-11: odd cards come from the smallest piles, and locomotives last."""
    play = holding("7 red 8 blue 2 green 1 locomotive")

    assert [
        "claim lieksa-murmansk with 8 blue 2 green 2 red",
        "claim lieksa-murmansk with 6 blue 2 green 7 red",
    ] == play.texts(ADA, "claim lieksa-murmansk")


def test_nobody_claims_it_with_too_few_cards() -> None:
    """R-NOR-10: what is missing is named, as cards of the colour that the hand has most of."""
    cost = ruleset("nordic", (), 2).costs[LONG]
    hand = counted(["red"] * 6 + ["blue"] * 4 + ["locomotive"])

    assert "2 red, or any 4 cards for each one that is missing" == shortfall(hand, cost).words


@pytest.mark.parametrize(
    ("hand", "cost", "missing"),
    [
        (["red"], Cost(3, "green", means=Means(jokers=False)), "3 green"),
        (["green", LOCOMOTIVE], Cost(3, "green", means=Means(jokers=False)), "2 green"),
        (["green"] * 2, Cost(3, "green", 1, means=Means(symbol_set=3)), "1 locomotive"),
        (["green"] + ["red"] * 3, Cost(3, "green", 1, means=Means(symbol_set=3)),
         "1 green or locomotives"),
    ],
)  # fmt: skip
def test_what_is_missing_depends_on_the_means(hand: list[str], cost: Cost, missing: str) -> None:
    """R-NOR-6, R-NOR-8: locomotives are named only where they count, and sets are considered."""
    assert missing == shortfall(counted(hand), cost).words


def test_help_and_notes() -> None:
    """R-NOR-4 to R-NOR-12: each special rule is explained where the choice is made."""
    rules = ruleset("nordic", (), 3)
    about = {
        group: {text.about for text in help_for(rules, group)}
        for group in (
            "draw",
            "tickets",
            f"claim {LONG}",
            "claim alborg-oslo",
            "claim bergen-oslo-1",
        )
    }

    assert {"locomotive", "locomotive_routes"} == about["draw"]
    assert {"ticket", "tickets_not_kept"} == about["tickets"]
    assert {"any_cards", "locomotive_routes"} == about[f"claim {LONG}"]
    assert {"ferry", "cards_for_a_symbol"} == about["claim alborg-oslo"]
    assert {"tunnel", "double_route"} == about["claim bergen-oslo-1"]
    assert "any 4 cards for one" == note_on(rules, f"claim {LONG}")


def test_the_menu_offers_no_more_locomotives_on_a_plain_route() -> None:
    """R-NOR-6: a way to pay for a plain route cannot be changed into one with locomotives."""
    play = holding("2 blue 4 locomotive 1 white 2 red")
    entries = {entry.about: entry for entry in menu(play.rules, play.state, ADA)}

    assert [1] == [len(way.actions) for way in entries["goteborg-orebro"].ways]
    assert 2 == len(entries["alborg-oslo"].ways[0].actions)


FEW = ("red", "blue", "green", LOCOMOTIVE)


def some_cost(rng: random.Random) -> tuple[Counts, Cost]:
    """A small hand, and a cost with means of its own."""
    hand = counted(rng.choices(FEW, k=rng.randint(0, 9)))
    means = rng.choice((Means(jokers=False), Means(symbol_set=2), Means(jokers=False, symbol_set=3),
                        Means(jokers=False, card_set=2), Means(card_set=2)))  # fmt: skip
    units = rng.randint(1, 3)
    symbols = 0 if means.card_set else rng.choice((0, 0, 1, units))
    return hand, Cost(units, rng.choice((GRAY, "red", "white")), symbols, means=means)


def laid_out(hand: Counts, cost: Cost) -> set[Counts]:
    """Every payment from this hand, found by laying cards down one kind of unit after another."""
    payments = set()
    means = cost.means
    size, pool = (means.card_set, CARDS) if means.card_set else (means.symbol_set, COLOURS)
    held = [card for card in pool if hand[SLOT[card]]]
    for colour in COLOURS if cost.colour == GRAY else [cost.colour]:
        for own, wild in product(range(cost.units + 1), repeat=2):
            sets = cost.units - own - wild
            if sets < 0 or (sets and not size) or not _allowed(cost, wild, sets):
                continue
            for odd in combinations_with_replacement(held, sets * size):
                paid = counted([*[colour] * own, *[LOCOMOTIVE] * wild, *odd])
                if all(map(int.__le__, paid, hand)):
                    payments.add(paid)
    return payments


def _allowed(cost: Cost, wild: int, sets: int) -> bool:
    if cost.means.card_set:
        return cost.means.jokers or not wild
    enough = sets <= cost.locomotives <= wild + sets
    return enough and (cost.means.jokers or wild + sets == cost.locomotives)


def everything_in(hand: Counts) -> Iterator[Counts]:
    """Every handful of these cards."""
    return product(*(range(number + 1) for number in hand))


@pytest.mark.parametrize("number", range(6))
def test_what_pays_and_what_is_listed(number: int) -> None:
    """R-NOR-6 to R-NOR-11: what pays can be laid out, and if anything pays, something is listed."""
    rng = random.Random(f"means {number}")
    for _ in range(250):
        hand, cost = some_cost(rng)
        possible = laid_out(hand, cost) - {NO_CARDS}
        ways = listed_payments(hand, (cost,), Terms()).get(0, ())
        listed = [way.counts for way in ways if isinstance(way, CardPayment)]

        assert possible == {paid for paid in everything_in(hand) if pays(paid, cost, Terms())}
        assert possible.issuperset(listed)
        assert bool(possible) == bool(listed)
        assert len(set(listed)) == len(listed)
