import pytest

from engine import capped, seen_by, text_of
from engine.rules.market import CardsRevealed, DeckReshuffled
from engine.rules.routes import RouteClaimed
from engine.rules.tunnels import PaySurcharge, TunnelAbandoned, TunnelDug
from engine.rules.turns import TakeTurn, TurnBegan
from engine.values import Cost
from tests.rules.europe.digging import dig, paid, surcharge
from tests.scenes import ADA, BEN, counted, laid, scene


def test_tunnel_needs_only_its_base_payment() -> None:
    """A tunnel is offered to a seat that can pay only its base price (R-TUN-1)."""
    play = scene("""
        europe · ada ben · turn ada
        ada holds 2 green
    """)

    assert ["claim venezia-zurich with 2 green"] == play.texts(ADA, "claim venezia-zurich")


@pytest.mark.parametrize(
    "claim", ["brest-dieppe with 2 orange", "athina-smyrna with 1 orange 1 loco"]
)
def test_only_tunnels_are_dug(claim: str) -> None:
    """Nothing is revealed for a plain route or a ferry (R-TUN-1)."""
    play = scene("""
        europe · ada ben · turn ada
        ada holds 2 orange 1 locomotive
    """).do(f"ada: claim {claim}")

    assert [RouteClaimed, TurnBegan] == [type(event) for event in play.events]


@pytest.mark.parametrize(
    ("facts", "rule"),
    [
        ("ada holds 1 green", "R-CLAIM-6"),
        ("ada has 1 train", "R-CLAIM-2"),
        ("ben owns venezia-zurich", "R-CLAIM-1"),
    ],
)
def test_attempt_needs_all_that_a_claim_needs(facts: str, rule: str) -> None:
    """Without the cards, the trains or a free route there is no attempt (R-TUN-1)."""
    play = scene(f"""
        europe · ada ben · turn ada
        {facts}
    """)

    refusal = play.refused("ada: claim venezia-zurich with 2 green")

    assert ("illegal", rule) == (refusal.code, refusal.rule)


def test_three_cards_are_revealed_to_everyone() -> None:
    """All seats and spectators see the same three cards (R-TUN-2)."""
    play = dig("2 green", "red blue white")

    revealed = CardsRevealed(("red", "blue", "white"))
    dug = TunnelDug(ADA, "venezia-zurich", paid("green", "green"), ("red", "blue", "white"), None)
    assert (revealed, dug) == play.events[:2]
    assert (revealed, dug) == tuple(seen_by(event, BEN) for event in play.events[:2])
    assert (revealed, dug) == tuple(seen_by(event, None) for event in play.events[:2])


def test_discards_are_shuffled_in_the_middle_of_a_reveal() -> None:
    """Base payment and revealed cards are not among the cards that are shuffled (R-TUN-2)."""
    play = scene("""
        europe · ada ben · turn ada
        ada holds 2 green
        ben holds the rest
        deck 1 red
        discards 1 blue 1 white 1 black
        next cards: red blue white
    """).do("ada: claim venezia-zurich with 2 green")

    assert (
        CardsRevealed(("red",)),
        DeckReshuffled(3),
        CardsRevealed(("blue", "white")),
    ) == play.events[:3]
    assert ["black"] == laid(play.cards.deck)
    assert ["blue", "white", "green", "green", "red"] == laid(play.cards.discards)


def test_fewer_cards_are_revealed_when_there_are_fewer() -> None:
    """Deck and discards hold two cards, so two are revealed (R-TUN-3)."""
    play = scene("""
        europe · ada ben · turn ada
        ada holds 3 green
        ben holds the rest
        deck 1 green
        discards 1 blue
    """).do("ada: claim venezia-zurich with 2 green")

    assert (CardsRevealed(("green",)), DeckReshuffled(1), CardsRevealed(("blue",))) == (
        play.events[:3]
    )
    assert Cost(1, "green", purpose="surcharge") == surcharge(play)


def test_tunnel_is_free_of_surcharge_when_there_are_no_cards() -> None:
    """With nothing to reveal the tunnel is claimed at once (R-TUN-4, R-ACT-3)."""
    play = scene("""
        europe · ada ben · turn ada
        ada holds 2 green
        ben holds the rest
        deck nothing
    """).do("ada: claim venezia-zurich with 2 green")

    dug, claimed = play.events[:2]
    assert TunnelDug(ADA, "venezia-zurich", paid("green", "green"), (), None) == dug
    assert RouteClaimed(ADA, "venezia-zurich", paid("green", "green"), 2, 2, None) == claimed
    assert TakeTurn(BEN) == play.decision_of(BEN)


def test_short_market_is_topped_up_after_a_tunnel() -> None:
    """The base payment is discarded, becomes the deck, and fills the market (R-TUN-4, R-MKT-2)."""
    play = scene("""
        europe · ada ben · turn ada
        ada holds 2 green
        ben holds the rest
        market red blue - - -
        deck nothing
    """).do("ada: claim venezia-zurich with 2 green")

    assert ("red", "blue", "green", "green", None) == play.cards.market


@pytest.mark.parametrize(
    ("base", "cards", "extra"),
    [
        ("2 green", "green blue red", 1),
        ("2 green", "locomotive blue red", 1),
        ("2 green", "green locomotive blue", 2),
        ("2 green", "green locomotive locomotive", 3),
        ("1 green 1 locomotive", "green green blue", 2),
    ],
)
def test_colour_and_locomotives_cost_extra(base: str, cards: str, extra: int) -> None:
    """Each revealed card of the colour and each locomotive costs one more (R-TUN-5)."""
    play = dig("6 green 3 locomotive", cards, f"venezia-zurich with {base}")

    assert Cost(extra, "green", purpose="surcharge") == surcharge(play)


def test_extras_are_of_the_colour_or_locomotives() -> None:
    """Green cards and locomotives pay the surcharge of a green tunnel, in any mix (R-TUN-5)."""
    play = dig("4 green 2 locomotive 5 blue", "green locomotive blue")

    assert [
        "pay 2 green",
        "pay 1 green 1 locomotive",
        "pay 2 locomotive",
        "give up",
    ] == play.texts(ADA)


def test_locomotives_alone_fear_only_locomotives() -> None:
    """Green cards cost nothing when a green tunnel was paid with locomotives (R-TUN-6)."""
    play = dig("3 green 4 locomotive", "green green blue", "venezia-zurich with 2 locomotive")

    assert {"venezia-zurich": (ADA,)} == play.network.owners


def test_extras_for_locomotives_alone_are_locomotives() -> None:
    """Each revealed locomotive costs a locomotive, also on a coloured tunnel (R-TUN-6)."""
    play = dig(
        "5 green 4 locomotive", "green locomotive locomotive", "venezia-zurich with 2 locomotive"
    )

    assert Cost(2, "gray", 2, purpose="surcharge") == surcharge(play)
    assert ["pay 2 locomotive", "give up"] == play.texts(ADA)


def test_base_payment_cannot_pay_the_extra_too() -> None:
    """The two green cards of the base payment cannot pay the surcharge as well (R-TUN-5)."""
    play = dig("3 green 1 locomotive", "green green red")

    assert ["pay 1 green 1 locomotive", "give up"] == play.texts(ADA)
    assert "R-TUN-7" == play.refused("ada: pay 2 green").rule


def test_tunnel_without_extra_is_claimed_at_once() -> None:
    """If no revealed card fits, the tunnel is claimed without a decision (R-TUN-7, R-ACT-3)."""
    play = dig("2 green", "red blue white")

    assert {"venezia-zurich": (ADA,)} == play.network.owners
    assert TakeTurn(BEN) == play.decision_of(BEN)


def test_tunnel_with_extra_waits_for_its_seat() -> None:
    """The decision names the route, the base payment and the surcharge (R-TUN-7, R-ACT-3)."""
    play = dig("3 green", "green blue white")

    decision = PaySurcharge(
        ADA, "venezia-zurich", paid("green", "green"), Cost(1, "green", purpose="surcharge")
    )
    assert decision == play.decision_of(ADA)
    assert {} == play.network.owners


@pytest.mark.parametrize(
    ("payment", "reason"),
    [
        ("1 green", "It costs 2 green."),
        ("3 green", "It costs 2 green."),
        ("2 blue", "It takes green cards and locomotives."),
        ("1 blue 1 green", "It takes green cards and locomotives."),
        ("nothing", "Name the cards that you pay with."),
    ],
)
def test_extra_is_paid_exactly(payment: str, reason: str) -> None:
    """Too few, too many or other cards do not pay the surcharge (R-TUN-7)."""
    play = dig("6 green 2 blue", "green green white")

    refusal = play.refused(f"ada: pay {payment}" if payment != "nothing" else "ada: pay 0 green")

    assert ("illegal", "R-TUN-7") == (refusal.code, refusal.rule)
    assert (
        "The tunnel costs 2 more green cards or locomotives; "
        f"you cannot pay that with {payment.replace('1 blue 1', '1 blue and 1')}. {reason}"
        == refusal.sentence
    )


def test_paid_tunnel_is_claimed() -> None:
    """Base payment and surcharge become one payment of the claim (R-TUN-7)."""
    play = dig("3 green 1 locomotive", "green blue white").do("ada: pay 1 locomotive")

    assert (
        RouteClaimed(ADA, "venezia-zurich", paid("green", "green", "locomotive"), 2, 2, None)
        == (play.events[0])
    )
    assert ["green"] == play.hand(ADA)
    assert TakeTurn(BEN) == play.decision_of(BEN)


def test_giving_up_returns_the_base_payment() -> None:
    """A seat that gives up claims nothing and spends nothing, and its turn is over (R-TUN-8)."""
    play = dig("3 green", "green blue white").do("ada: give up")

    assert TunnelAbandoned(ADA, "venezia-zurich", paid("green", "green")) == play.events[0]
    assert ["green"] * 3 == play.hand(ADA)
    assert ({}, (45, 45), (0, 0)) == (
        play.network.owners,
        play.network.trains,
        play.network.points,
    )
    assert TakeTurn(BEN) == play.decision_of(BEN)


@pytest.mark.parametrize(
    ("hand", "cards", "answer", "discards"),
    [
        ("2 green", "blue white red", (), "blue white green green red"),
        (
            "3 green",
            "blue white green",
            ("ada: pay 1 green",),
            "blue white green green green green",
        ),
        ("2 green", "blue white green", ("ada: give up",), "blue white green"),
    ],
)
def test_revealed_cards_are_discarded_in_every_case(
    hand: str, cards: str, answer: tuple[str, ...], discards: str
) -> None:
    """Revealed cards are discarded, with the payment if the tunnel was claimed (R-TUN-9)."""
    play = dig(hand, cards).do(*answer)

    assert counted(discards.split()) == play.cards.discards
    assert 0 == sum(play.cards.aside)


def test_revealed_cards_lie_aside_while_the_extra_is_due() -> None:
    """While the surcharge is due, revealed cards lie aside and nothing is spent (R-TUN-9)."""
    play = dig("3 green", "blue white green")

    assert counted(["blue", "white", "green"]) == play.cards.aside
    assert 0 == sum(play.cards.discards)
    assert ["green"] * 3 == play.hand(ADA)


def test_revealed_cards_become_the_deck_if_it_is_empty() -> None:
    """If the deck is empty, giving up makes the revealed cards the new deck (R-TUN-9, R-DECK-2)."""
    play = scene("""
        europe · ada ben · turn ada
        ada holds 2 green
        ben holds the rest
        deck 1 blue 1 white 1 green
    """).do("ada: claim venezia-zurich with 2 green")

    assert (0, 0) == (sum(play.cards.deck), sum(play.cards.discards))
    assert ["blue", "white", "green"] == laid(play.do("ada: give up").cards.deck)


def test_extras_change_neither_trains_nor_points() -> None:
    """A surcharge changes neither the trains nor the points of a tunnel (R-TUN-10)."""
    play = dig("5 green", "green locomotive locomotive").do("ada: pay 3 green")

    assert (43, 2) == (play.network.trains[ADA], play.network.points[ADA])


def test_base_payment_fixes_the_colour_of_a_gray_tunnel() -> None:
    """If red cards pay for a gray tunnel, red cards cause and pay the surcharge (R-TUN-11)."""
    play = dig("4 red 4 blue", "blue red blue", "angora-constantinople with 2 red")

    assert Cost(1, "red", purpose="surcharge") == surcharge(play)
    assert ["pay 1 red", "give up"] == play.texts(ADA)
    assert "R-TUN-7" == play.refused("ada: pay 1 blue").rule


def test_one_card_beside_locomotives_fixes_the_colour() -> None:
    """One red card beside a locomotive makes the surcharge of a gray tunnel red (R-TUN-11)."""
    play = dig("2 red 3 locomotive", "red blue blue", "angora-constantinople with 1 red 1 loco")

    assert Cost(1, "red", purpose="surcharge") == surcharge(play)


def test_revealed_cards_stay_out_of_the_market() -> None:
    """Three revealed locomotives do not sweep the market (R-TUN-12)."""
    play = dig("2 green", "locomotive locomotive locomotive")

    assert ("purple", "blue", "orange", "white", "green") == play.cards.market
    assert [CardsRevealed, TunnelDug] == [type(event) for event in play.events]


def test_surcharge_is_asked_even_when_it_cannot_be_paid() -> None:
    """The decision and the events do not show whether the seat can pay (R-DIG-9)."""
    poor, rich = (
        dig("2 green", "green blue white"),
        dig("9 green 3 locomotive", "green blue white"),
    )

    assert ["give up"] == poor.texts(ADA)
    assert poor.decision_of(ADA) == rich.decision_of(ADA)
    assert poor.events == rich.events


@pytest.mark.parametrize("text", ["draw", "take 1", "claim brest-paris", "station roma with 1 red"])
def test_nothing_else_is_possible_while_the_extra_is_due(text: str) -> None:
    """While the surcharge is due, every other action is refused (R-TUN-7, R-TURN-1)."""
    play = dig("3 green 5 black 1 red", "green blue white")

    assert "illegal" == play.refused(f"ada: {text}").code


def test_no_surcharge_is_due_without_a_tunnel() -> None:
    """Paying and giving up are refused if no tunnel was attempted (R-TUN-7, R-TUN-8)."""
    play = scene("""
        europe · ada ben · turn ada
        ada holds 2 green
    """)

    pay, up = play.refused("ada: pay 1 green"), play.refused("ada: give up")

    assert ("illegal", "R-TUN-7") == (pay.code, pay.rule)
    assert "You have no tunnel to pay for now." == pay.sentence
    assert ("illegal", "R-TUN-8") == (up.code, up.rule)
    assert "There is no tunnel to give up now." == up.sentence


@pytest.mark.parametrize(("most", "chosen"), [(2, "pay 2 green"), (1, "give up")])
def test_a_tunnel_is_paid_up_to_a_limit_or_given_up(most: int, chosen: str) -> None:
    """Up to the limit the surcharge is paid in colour; above it the seat gives up (R-TUN-7)."""
    play = dig("4 green 2 locomotive", "green green red")

    action = capped(play.rules, play.state, ADA, most)

    assert action is not None
    assert chosen == text_of(play.rules, action)
