"""What a route still needs, in words, where the hand cannot pay for it."""

import pytest

from engine.display import end_in_sight, uncovered, why_shut
from engine.rules.card_payments import pays
from engine.rules.card_ways import shortfall
from engine.state import decision_of
from engine.values import CARDS, NO_CARDS, SLOT, Cost, Counts, Terms
from tests.scenes import ADA, scene


def _hand(words: str) -> Counts:
    counts = list(NO_CARDS)
    numbers = words.split()
    for number, card in zip(numbers[::2], numbers[1::2], strict=True):
        counts[SLOT[card.removesuffix("s")]] += int(number)
    return tuple(counts)


@pytest.mark.parametrize(
    ("hand", "cost", "missing", "enough"),
    [
        ("1 green", Cost(3, "green"), "2 green or locomotives", "2 green"),
        ("1 green", Cost(3, "green"), "2 green or locomotives", "2 locomotive"),
        ("1 green 1 locomotive", Cost(3, "green"), "1 green or locomotives", "1 locomotive"),
        ("2 red 1 blue", Cost(4), "2 red or locomotives", "2 red"),
        ("1 red 1 blue", Cost(3), "2 of one colour or locomotives", "2 blue"),
        ("", Cost(2, "red"), "2 red or locomotives", "1 red 1 locomotive"),
        ("4 red", Cost(4, "gray", 2), "2 locomotives", "2 locomotive"),
        (
            "1 red",
            Cost(4, "gray", 1),
            "1 locomotive and 2 red or more locomotives",
            "1 locomotive 2 red",
        ),
    ],
)
def test_what_is_missing_is_enough_and_not_too_much(
    hand: str, cost: Cost, missing: str, enough: str
) -> None:
    """With the cards that are named the cost can be paid, and with one less it cannot."""
    held, more = _hand(hand), _hand(enough)

    assert missing == shortfall(held, cost).words
    assert _can_pay(_sum(held, more), cost)
    for slot in range(len(CARDS)):
        if more[slot]:
            less = tuple(n - (place == slot) for place, n in enumerate(more))
            assert not _can_pay(_sum(held, less), cost)


def _sum(first: Counts, second: Counts) -> Counts:
    return tuple(a + b for a, b in zip(first, second, strict=True))


def _can_pay(hand: Counts, cost: Cost) -> bool:
    """Whether some cards of this hand pay the cost."""
    wild = SLOT["locomotive"]
    return any(
        pays(tuple(_part(slot, cost.units - n, n, wild)), cost, Terms())
        for slot in range(wild)
        for n in range(cost.units + 1)
        if hand[wild] >= n and hand[slot] >= cost.units - n
    )


def _part(slot: int, coloured: int, locomotives: int, wild: int) -> list[int]:
    counts = list(NO_CARDS)
    counts[slot], counts[wild] = coloured, locomotives
    return counts


def test_a_route_that_is_too_dear_says_what_is_missing() -> None:
    """The reason names the missing cards, and not only that there are too few."""
    here = scene("usa · ada ben · turn ada\nada holds 1 green")
    decision = decision_of(here.state.awaiting, ADA)
    assert decision is not None
    reason = why_shut(here.rules, here.state, decision, "el_paso-houston")

    assert "You still need 5 green or locomotives for El Paso–Houston." == reason


def test_the_end_comes_nearer_with_the_fewest_trains() -> None:
    """The page names who has the fewest trains, until the last round begins."""
    here = scene("usa · ada ben · turn ada\nada has 7 trains")
    names = ["Ada", "Ben"]

    assert end_in_sight(here.rules, here.state, names).startswith("Fewest trains left: 7 (Ada).")
    here = scene("usa · ada ben · turn ada")
    assert end_in_sight(here.rules, here.state, names).startswith("Everybody has 45 trains left.")
    here = scene("usa · ada ben · turn ada\nada has 2 trains")
    assert "" == end_in_sight(here.rules, here.state, names)


def test_the_cards_that_a_tunnel_turned_are_shown() -> None:
    """What was revealed for a tunnel is known with its route; other moves reveal nothing."""
    here = scene("europe · ada ben · turn ada\nada holds 3 green\nnext cards: green blue white").do(
        "ada: claim venezia-zurich with 2 green"
    )
    shown = uncovered(here.rules, here.events)

    assert shown is not None
    assert ("venezia-zurich", ("green", "blue", "white")) == (shown.place, shown.cards)
    here.do("ada: pay 1 green")
    assert uncovered(here.rules, here.events) is None
