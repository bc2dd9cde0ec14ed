"""Tunnels in words, in the log, and for an absent seat."""

import pytest

from engine import Unreadable, default_for, question, tell, waiting
from engine.codec import read_event, write
from engine.menu import menu
from engine.rules.tunnels import DeclineTunnel, TunnelDug
from engine.values import Cost
from tests.rules.europe.digging import dig, paid
from tests.scenes import ADA, scene


def test_absent_seat_gives_up() -> None:
    """The default of a tunnel's decision is to give up, even if the seat can pay (R-TUN-8)."""
    play = dig("9 green", "green blue white")

    assert DeclineTunnel() == default_for(play.rules, play.state, ADA)


def test_pay_alone_means_the_only_way_to_pay() -> None:
    """“Pay” needs no cards if there is only one payment (R-TUN-7)."""
    play = dig("3 green", "green blue white").do("ada: pay")

    assert {"venezia-zurich": (ADA,)} == play.network.owners


def test_pay_alone_spares_locomotives() -> None:
    """“Pay” without cards pays with the coloured card, not with the locomotive (R-DIG-8)."""
    play = dig("3 green 1 locomotive", "green blue white").do("ada: pay")

    assert ["locomotive"] == play.hand(ADA)


def test_give_needs_its_up() -> None:
    """“Give in” does not mean “give up”, and is unreadable (R-TUN-8)."""
    assert isinstance(dig("2 green", "green blue white").refused("ada: give in"), Unreadable)


def test_tunnel_is_told_from_the_reveal_to_the_end() -> None:
    """A sentence tells the attempt, and another how it ended (R-TUN-2, R-TUN-8)."""
    play = dig("2 green", "green locomotive blue")

    attempt = "Ada digs the tunnel Venezia–Zürich with 2 green: green, locomotive, blue. "
    assert [f"{attempt}2 more green cards or locomotives to pay."] == play.sentences
    decision = play.state.awaiting[0]
    assert (
        "Pay 2 more green cards or locomotives for the tunnel Venezia–Zürich, or give it up."
        == question(play.rules, play.state, decision)
    )
    assert "pay for a tunnel or give it up" == waiting(play.rules, decision)
    assert ["Ada gives up the tunnel Venezia–Zürich."] == play.do("ada: give up").sentences


@pytest.mark.parametrize(
    ("hand", "claim", "cards", "note"),
    [
        ("2 green", "2 green", "green green blue", "2 green or locomotives"),
        ("3 green", "2 green", "green locomotive blue", "1 green or locomotives"),
        ("2 locomotive 9 green", "2 locomotives", "locomotive green green", "1 locomotive"),
        ("3 green 1 locomotive", "2 green", "green locomotive blue", ""),
    ],
)
def test_giving_up_says_what_is_missing(hand: str, claim: str, cards: str, note: str) -> None:
    """Where the surcharge cannot be paid, the only entry says what the seat lacks (R-TUN-8)."""
    play = dig(hand, cards, f"venezia-zurich with {claim}")

    entries = menu(play.rules, play.state, ADA)
    assert ["Give up the tunnel"] == [entry.title for entry in entries][not note :]
    assert entries[-1].note == (f"to pay, you still need {note}" if note else "")


@pytest.mark.parametrize(
    ("cost", "words"),
    [
        (Cost(1, "red"), "1 more red card or locomotive to pay."),
        (Cost(1, "gray", 1), "1 more locomotive to pay."),
        (Cost(3, "gray", 3), "3 more locomotives to pay."),
        (Cost(2), "2 more to pay."),
        (None, "Nothing more to pay."),
    ],
)
def test_surcharge_in_words(cost: Cost | None, words: str) -> None:
    """A sentence names the surcharge's colour or locomotives (R-TUN-5, R-TUN-6, R-DICE-21)."""
    rules = scene("europe · ada ben · turn ada").rules
    dug = TunnelDug(ADA, "venezia-zurich", paid("green", "green"), (), cost)

    sentence = f"Ada digs the tunnel Venezia–Zürich with 2 green: nothing. {words}"
    assert sentence == tell(rules, dug, ["Ada"])


def test_tunnel_events_survive_the_log() -> None:
    """The events of a tunnel read back from their JSON (R-TUN-5)."""
    play = dig("2 green", "green locomotive blue").do("ada: give up")
    dug = TunnelDug(ADA, "venezia-zurich", paid("green"), ("green",), Cost(1, "green"))

    assert {
        "type": "tunnel_dug",
        "seat": 0,
        "route": "venezia-zurich",
        "payment": {"green": 1},
        "revealed": ["green"],
        "surcharge": {
            "units": 1,
            "colour": "green",
            "locomotives": 0,
            "double": False,
            "purpose": "route",
        },
    } == write(dug)
    assert dug == read_event(write(dug))
    assert play.events == tuple(read_event(write(event)) for event in play.events)
