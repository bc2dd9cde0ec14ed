"""Switzerland: cards, tunnels, countries, tickets, bonus, ties and dice (rules 10)."""

from copy import deepcopy

import pytest

from engine import Chance, MapError, begin, board_of, ruleset_of
from engine.display import goals, help_for
from engine.notation import ticket_name
from engine.rules.cards import DrawSecondCard, cards
from engine.rules.market import MarketSwept
from engine.rules.open_locomotives import LocomotiveTaken
from engine.rules.tickets import ChooseTickets, TicketsRemoved, tickets
from engine.rules.tunnels import PaySurcharge
from engine.values import Cost
from service.boards import board_documents
from service.boards.atlas import board, ruleset, source
from tests.scenes import ADA, BEN, CEM, Scene, scene

LOCO = "locomotive"
CHUR = "chur-sargans sargans-vaduz"
AUSTRIA, ITALY = "osterreich_2-vaduz", "chur-davos davos-italia_1"


def turn(lines: str, variant: str = "") -> Scene:
    """Ada's turn."""
    return scene(f"switzerland {variant} · ada ben · turn ada\n{lines.strip()}")


def ended(lines: str, seats: str = "ada ben") -> Scene:
    """The scene after Ada's last turn, in which she draws two cards."""
    play = scene(f"switzerland · {seats} · last turn ada\n{lines.strip()}")
    return play.do("ada: draw", "ada: draw")


def points(play: Scene, kind: str) -> list[int]:
    """Every seat's points of this kind."""
    results = play.end.results
    return [sum(line.points for line in result.lines if line.kind == kind) for result in results]


def test_seats_trains_and_cards() -> None:
    """R-SWI-1: two or three seats with 40 trains and four cards each, and 110 train cards."""
    rules = ruleset("switzerland", (), 3)
    state = begin(rules, Chance(b"", "x", 0)).state

    assert (2, 3) == board("switzerland").seats
    assert (40, 40, 40) == state.parts["routes"].trains
    assert [4, 4, 4] == [sum(hand) for hand in cards.part(state).hands]
    assert 110 == sum(cards.part(rules.initial).deck)


def test_tickets() -> None:
    """R-SWI-2: of 46 tickets twelve lead to countries; five are dealt, and two must be kept."""
    rules = ruleset("switzerland", (), 2)
    state = begin(rules, Chance(b"", "x", 0)).state
    ways = [len(each) for each in rules.completions.values()]

    assert (46, 34, 8, 4) == (len(ways), ways.count(1), ways.count(3), ways.count(4))
    assert [5, 5] == [len(ids) for ids in tickets.part(state).offers]
    assert {ChooseTickets(seat, 2, opening=True) for seat in range(2)} == set(state.awaiting)
    drawn = turn("").do("ada: tickets")
    assert (ChooseTickets(ADA, 1, opening=False),) == drawn.state.awaiting
    assert 3 == len(drawn.tickets.offers[ADA])


def test_two_face_up_locomotives() -> None:
    """R-SWI-3: two face-up locomotives may be taken in one turn."""
    play = turn("market locomotive blue locomotive red green\nnext cards: white black")
    play.do("ada: take 1", "ada: take 3")

    assert [LOCO, LOCO] == play.hand(ADA)
    assert isinstance(play.events[0], LocomotiveTaken)


def test_the_sweep_comes_between_the_cards() -> None:
    """R-SWI-4: three face-up locomotives are swept, also between the two cards of a turn."""
    play = turn("""
        market locomotive locomotive blue red green
        next cards: locomotive red green blue white black
    """).do("ada: take 3")

    assert any(isinstance(event, MarketSwept) for event in play.events)
    assert LOCO not in play.cards.market
    assert DrawSecondCard(ADA) == play.decision_of(ADA)


def test_locomotives_count_in_tunnels_only() -> None:
    """R-SWI-5: locomotives pay for a tunnel and for what it costs on top, and for nothing else."""
    play = turn("ada holds 1 red 1 yellow 3 locomotive\nnext cards: red locomotive blue")

    assert "R-CLAIM-6" == play.refused("ada: claim baden-zurich with 1 locomotive").rule
    assert "R-CLAIM-6" == play.refused("ada: claim bern-luzern-1 with 1 red 3 locomotive").rule
    play.do("ada: claim baden-basel with 1 red 2 locomotive")
    decision = play.decision_of(ADA)
    assert isinstance(decision, PaySurcharge)
    assert Cost(2, "red", purpose="surcharge") == decision.cost
    assert ["give up"] == play.texts(ADA)


def test_a_gray_tunnel() -> None:
    """R-SWI-6: a gray tunnel takes any one colour, which its extra cards must have, too."""
    play = turn("""
        ada holds 4 blue 1 red 1 locomotive
        next cards: red blue white
    """).do("ada: claim brusio-chur with 4 blue 1 locomotive")

    assert "ferries" not in play.rules.parameters
    assert ["give up"] == play.texts(ADA)
    assert "1 more blue card or locomotive" in play.sentences[0]


@pytest.mark.parametrize(
    ("ticket", "owned", "gained"),
    [
        ("chur-countries", f"{CHUR} {AUSTRIA}", 3),
        ("chur-countries", ITALY, 5),
        ("chur-countries", f"{CHUR} {AUSTRIA} {ITALY}", 5),
        ("lugano-countries", "italia_3-lugano", 2),
        ("osterreich-countries-1", f"{CHUR} {AUSTRIA} {ITALY}", 6),
        ("italia-countries-2", f"{CHUR} {AUSTRIA} {ITALY}", 6),
        ("italia-countries-1", "davos-italia_1 davos-osterreich_3", 6),
    ],
)
def test_the_best_country_scores(ticket: str, owned: str, gained: int) -> None:
    """R-SWI-7, R-SWI-8: any terminus will do, and only the best country that is reached scores."""
    play = ended(f"ada owns {owned}\nada has tickets {ticket}")

    assert [gained, 0] == points(play, "tickets_completed")
    assert [0, 0] == points(play, "tickets_failed")
    assert (ticket,) == play.end.results[ADA].completed


@pytest.mark.parametrize(
    ("ticket", "lost"),
    [("chur-countries", -3), ("bern-countries", -5), ("italia-countries-1", -6)],
)
def test_a_failed_country_ticket(ticket: str, lost: int) -> None:
    """R-SWI-8: if no country is reached, the smallest value is lost."""
    play = ended(f"ada owns {CHUR}\nada has tickets {ticket}")

    assert [lost, 0] == points(play, "tickets_failed")


def test_termini_are_not_joined() -> None:
    """R-SWI-7: two networks that end at termini of one country are not connected by it."""
    play = ended("""
        ada owns brig-italia_5 italia_3-lugano bellinzona-lugano-1
        ada has tickets lugano-countries bern-lugano france-countries-1 italia-countries-1
    """)

    assert [2, 0] == points(play, "tickets_completed")
    assert [-12 - 5 - 6, 0] == points(play, "tickets_failed")


def test_a_country_ticket_counts_once() -> None:
    """R-SWI-9: a ticket is one completed ticket, however many countries are reached."""
    play = ended(f"ada owns {CHUR} {AUSTRIA} {ITALY}\nada has tickets chur-countries")

    assert ("chur-countries",) == play.end.results[ADA].completed


def test_returned_tickets_leave() -> None:
    """R-SWI-10: tickets that are not kept leave the game."""
    play = turn("next tickets: basel-bern basel-brig bern-chur")
    play.do("ada: tickets", "ada: keep basel-bern")

    assert TicketsRemoved(2) in play.events
    assert (43, ()) == (play.tickets.fresh, play.tickets.under)


def test_double_routes() -> None:
    """R-SWI-11: with two players one track closes the other, with three it does not."""
    lines = "ben owns luzern-zug-1\nada holds 1 yellow"
    assert "R-DBL-2" == turn(lines).refused("ada: claim luzern-zug-2 with 1 yellow").rule
    play = scene(f"switzerland · ada ben cem · turn ada\n{lines}")
    play.do("ada: claim luzern-zug-2 with 1 yellow")
    assert {"luzern-zug-1": (BEN,), "luzern-zug-2": (ADA,)} == play.network.owners


def test_the_longest_trail() -> None:
    """R-SWI-12: the longest trail brings ten points, and the most tickets bring nothing."""
    play = ended(
        "ada owns luzern-zug-1\nada has tickets luzern-zurich\nben owns geneve-yverdon",
        "ada ben cem",
    )

    assert [0, 10, 0] == points(play, "longest_trail")
    assert [0, 0, 0] == points(play, "globetrotter")
    assert 0 == play.end.results[CEM].total


def test_ties() -> None:
    """R-SWI-13: after completed tickets the longest-trail card decides, then it is shared."""
    card = ended("ada owns luzern-zug-1\nada has 10 points\nben has 20 points")
    shared = ended("ada has 20 points\nben has 20 points")
    few = ended("ada owns luzern-zug-1 zug-zurich-1\nada has tickets luzern-zurich\n"
                "ada has 8 points\nben has 20 points")  # fmt: skip

    assert [20, 20] == [result.total for result in card.end.results]
    assert (ADA,) == card.end.winners
    assert (ADA, BEN) == shared.end.winners
    assert ([20, 20], (ADA,)) == ([result.total for result in few.end.results], few.end.winners)


def test_dice() -> None:
    """R-SWI-14, R-DICE-21: jokers count everywhere, tunnels cost symbols, refused tickets leave."""
    lines = "ada rolled 1 single 1 double 2 station 1 joker\nnext dice: tunnel blank blank"
    play = turn(lines, "dice")

    assert ["claim baden-zurich with die 1", "claim baden-zurich with die 5"] == play.texts(
        ADA, "claim baden-zurich"
    )
    play.do("ada: claim chur-sargans with die 1")
    assert ["pay die 5"] == play.texts(ADA, "pay")
    refused = turn("ada rolled 5 station\nnext tickets: basel-bern", "dice")
    refused.do("ada: tickets with die 1", "ada: keep none")
    assert TicketsRemoved(1) in refused.events


def test_names_show_every_value() -> None:
    """R-SWI-8: a ticket's name shows the value of each country, in the order of the countries."""
    rules = ruleset("switzerland", (), 2)

    assert "Bern–France/Deutschland/Österreich/Italia (5/6/11/8)" == ticket_name(
        rules, "bern-countries"
    )
    assert "Basel–Bern (5)" == ticket_name(rules, "basel-bern")


def test_goals_show_what_is_reached() -> None:
    """R-SWI-8: an open goal shows all values, a completed one the best that is reached."""
    play = turn(f"ada owns {ITALY}\nada has tickets chur-countries bern-countries")
    shown = {goal.id: goal.worth for goal in goals(play.rules, play.state, ADA)}

    assert {"chur-countries": "5", "bern-countries": "5/6/11/8"} == shown


def test_the_document_lists_the_options() -> None:
    """R-SWI-8: programs read the countries and values of a ticket in the board's document."""
    rows = {row["id"]: row for row in board_documents.board_data("switzerland", [])["tickets"]}

    assert [] == rows["basel-bern"]["options"]
    assert [
        {"to": "deutschland", "points": 5},
        {"to": "osterreich", "points": 14},
        {"to": "italia", "points": 11},
    ] == rows["france-countries-1"]["options"]


def test_help() -> None:
    """R-SWI-5, R-SWI-8: country tickets and locomotives are explained where the choice is made."""
    rules = ruleset("switzerland", (), 2)

    about = {text.about for group in ("keep", "tickets") for text in help_for(rules, group)}
    assert {"ticket", "tickets_not_kept", "country_tickets", "terminus"} == about
    assert "only on tunnels" in help_for(rules, "claim baden-zurich")[-1].text


@pytest.mark.parametrize(
    ("ticket", "values", "reason"),
    [
        ("bern-nowhere", {"france": 5}, "there is no such ticket"),
        ("bern-countries", {"atlantis": 5}, "is not a place at the second end"),
        ("france-countries-1", {"france": 5}, "is not a place at the second end"),
        ("bern-countries", {"france": 6}, "must be the smallest of these"),
        ("bern-countries", {}, "must be the smallest of these"),
    ],
)
def test_mistakes_in_a_map(ticket: str, values: dict[str, int], reason: str) -> None:
    """R-SWI-8: a value for an unknown ticket or place, or a wrong smallest value, is refused."""
    raw = deepcopy(source("switzerland"))
    raw["parameters"]["country_tickets"]["points"][ticket] = values
    with pytest.raises(MapError, match=reason):
        ruleset_of(board_of(raw), 2)
