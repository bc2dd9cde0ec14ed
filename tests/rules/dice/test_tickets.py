import pytest

from engine import question
from engine.rules.dice import DiceSpent
from engine.rules.tickets import DrawTickets, TicketsOffered
from engine.values import DicePayment
from tests.scenes import ADA, scene

BOOK = "single single double station joker"
"""The roll of the rulebook's own example."""


def test_one_ticket_for_each_die() -> None:
    """R-DICE-11: two dice draw two tickets, and any of them may be kept."""
    play = scene(f"""
        usa dice · ada ben · turn ada
        ada rolled {BOOK}
        next tickets: boston-miami denver-el_paso
    """).do("ada: tickets with dice 4 5")

    spent, offered = play.events
    assert DiceSpent(ADA, DicePayment((4, 5))) == spent
    assert isinstance(offered, TicketsOffered)
    assert ("boston-miami", "denver-el_paso") == offered.tickets
    assert 4 == len(play.texts(ADA, "keep"))


def test_the_question_demands_no_ticket() -> None:
    """R-DICE-11: the question allows a seat to keep any of the tickets drawn for dice."""
    play = scene(f"""
        usa dice · ada ben · turn ada
        ada rolled {BOOK}
        next tickets: boston-miami
    """).do("ada: tickets with die 4")
    (decision,) = play.state.awaiting

    sentence = "Keep any of these tickets: Boston–Miami (12)."
    assert sentence == question(play.rules, play.state, decision)


def test_no_ticket_need_be_kept() -> None:
    """R-DICE-11: all tickets may be returned, and go under the deck."""
    play = scene(f"""
        usa dice · ada ben · turn ada
        ada rolled {BOOK}
        next tickets: boston-miami denver-el_paso
    """).do("ada: tickets with dice 4 5", "ada: keep none")

    assert () == play.tickets.held[ADA]
    assert ("boston-miami", "denver-el_paso") == play.tickets.under


def test_a_short_deck_gives_fewer_tickets() -> None:
    """R-DICE-11: two dice draw one ticket if only one is left."""
    play = scene(f"""
        usa dice · ada ben · turn ada
        ada rolled {BOOK}
        ticket top boston-miami
        ben has tickets the rest
    """).do("ada: tickets with dice 4 5")

    assert ("boston-miami",) == play.tickets.offers[ADA]


def test_an_empty_deck_gives_none() -> None:
    """R-DICE-11, R-TKT-2: from an empty deck no tickets can be drawn."""
    play = scene(f"""
        usa dice · ada ben · turn ada
        ada rolled {BOOK}
        ticket top nothing
        ben has tickets the rest
    """)

    assert [] == play.texts(ADA, "tickets")
    assert "R-TKT-2" == play.refused("ada: tickets with die 4").rule


@pytest.mark.parametrize(
    ("dice", "rule"), [("1", "R-DICE-11"), ("4 5 1", "R-DICE-11"), ("4 4", "R-DICE-9")]
)
def test_only_stations_and_jokers_draw_tickets(dice: str, rule: str) -> None:
    """R-DICE-11: only station and joker dice draw tickets, and no die draws two."""
    play = scene(f"""
        usa dice · ada ben · turn ada
        ada rolled {BOOK}
    """)

    assert rule == play.refused(f"ada: tickets with dice {dice}").rule


def test_tickets_are_not_drawn_for_nothing() -> None:
    """R-DICE-11: the card game's action to draw tickets is refused in a dice game."""
    play = scene(f"""
        usa dice · ada ben · turn ada
        ada rolled {BOOK}
    """)

    assert "illegal" == play.refused((ADA, DrawTickets())).code
