"""Märklin: its cards, passengers and merchandise (rules 9.4)."""

from collections import Counter

import pytest

from engine import options
from engine.choosing import chosen
from engine.menu import Chosen, menu
from engine.rules.passengers import RidePassenger, passengers
from engine.rules.routes import ClaimRoute
from engine.values import SLOT, card_payment
from service.boards.atlas import board, ruleset
from tests.scenes import ADA, BEN, Scene, counted, scene


def test_the_deck() -> None:
    """R-MAR-1: 118 cards, among them 14 locomotives, 6 “+4” locomotives, 10 passenger cards."""
    deck = ruleset("marklin").initial.parts["cards"].deck

    assert (*[11] * 8, 14, 6, 10, 0) == deck
    assert 118 == sum(deck)


def test_the_tickets_are_stand_ins() -> None:
    """R-MAR-2: 23 short and 23 long tickets in the range of the box, all marked."""
    marklin, germany = board("marklin"), board("germany")
    values: dict[str, list[int]] = {}
    for ticket in marklin.tickets.values():
        values.setdefault(ticket.decks[0], []).append(ticket.points)

    assert {"stand_in_short": 23, "stand_in_long": 23} == {k: len(v) for k, v in values.items()}
    assert (5, 11) == (min(values["stand_in_short"]), max(values["stand_in_short"]))
    assert (12, 22) == (min(values["stand_in_long"]), max(values["stand_in_long"]))
    assert {"stand-in"} == {ticket.provenance for ticket in marklin.tickets.values()}
    assert all(
        (ticket.cities, ticket.points) == (real.cities, real.points)
        for id, ticket in marklin.tickets.items()
        for real in [germany.tickets[id]]
    )
    assert marklin.stand_in
    assert 2 == len(marklin.stand_in.notes)


def test_the_merchandise() -> None:
    """R-MAR-3: 1, 6, 12 and 16 stacks, 74 tokens; yellow are those with the most tracks."""
    settings = passengers.parameters(ruleset("marklin"))
    stacks = passengers.part(ruleset("marklin").initial).stacks
    tracks = Counter(city for route in board("marklin").routes.values() for city in route.cities)
    colours = settings.cities

    assert {"black": 1, "red": 6, "yellow": 12, "white": 16} == Counter(colours.values())
    assert 74 == sum(map(len, stacks.values()))
    assert all(list(stack) == sorted(stack, reverse=True) for stack in stacks.values())
    termini = {city for place in board("marklin").places.values() for city in place.cities}
    assert set(board("marklin").cities) - termini == set(stacks)
    unknown = [city for city in stacks if colours[city] in ("yellow", "white")]
    by_tracks = sorted(unknown, key=lambda city: (-tracks[city], city))
    assert ["yellow"] * 12 + ["white"] * 16 == [colours[city] for city in by_tracks]


def test_an_ordinary_locomotive() -> None:
    """R-MAR-10: a face-up locomotive is the whole draw, and stands for any colour."""
    play = scene("""
        marklin · ada ben · turn ada
        ada holds 1 locomotive
        market locomotive red red red red
    """)
    assert "claim koblenz-koln-1 with 1 locomotive" in play.texts(ADA)
    play.do("ada: take 1")

    assert BEN == play.state.awaiting[0].seat


LONG, THREE, SHORT = "hamburg-hannover-1", "bremerhaven-hamburg", "hamburg-kiel-1"


@pytest.mark.parametrize(
    ("route", "payment", "good"),
    [
        (LONG, "4 plus4", True),
        (LONG, "3 red 1 plus4", True),
        (LONG, "1 red 1 locomotive 2 plus4", True),
        (LONG, "3 red 1 locomotive", True),
        (LONG, "3 red 1 passenger", False),
        (THREE, "2 red 1 locomotive", True),
        (THREE, "2 red 1 plus4", False),
        (THREE, "3 plus4", False),
        (SHORT, "2 black", True),
        (SHORT, "1 black 1 locomotive", True),
        (SHORT, "1 black 1 plus4", False),
        (SHORT, "2 plus4", False),
        (SHORT, "1 black 1 passenger", False),
        (SHORT, "2 black 1 passenger", False),
    ],
)
def test_plus4(route: str, payment: str, good: bool) -> None:  # noqa: FBT001
    """R-MAR-11, R-MAR-13: “+4” locomotives count from four spaces, passenger cards never."""
    play = scene("""
        marklin · ada ben · turn ada
        ada holds 3 red 2 black 2 locomotive 4 plus4 2 passenger
    """)
    words = payment.split()
    cards = counted(
        card for n, card in zip(words[::2], words[1::2], strict=True) for _ in range(int(n))
    )
    move = ADA, ClaimRoute(route, card_payment(cards))
    if good:
        assert cards == play.do(move).events[0].payment.counts  # type: ignore[attr-defined]  # paid
    else:
        assert "R-CLAIM-6" == play.refused(move).rule


def test_plus4_come_first() -> None:
    """R-MAR-11: a number of locomotives means “+4” locomotives first, where they count."""
    play = scene("""
        marklin · ada ben · turn ada
        ada holds 2 red 3 locomotive 1 plus4
    """)
    entries = menu(play.rules, play.state, ADA)
    at = next(n for n, entry in enumerate(entries, 1) if entry.about == LONG)
    (way,) = entries[at - 1].ways
    assert ("2 red 1 locomotive 1 plus4", 2, 4) == (way.text, way.locomotives, way.most_locomotives)
    action = chosen(play.rules, play.state, ADA, Chosen(at, locomotives=4))
    assert "claim hamburg-hannover-1 with 3 locomotive 1 plus4" == play.rules.word(
        "writes", ClaimRoute
    )(play.rules, action)
    assert "R-CLAIM-6" == play.refused(f"ada: claim {SHORT} with 1 plus4").rule


def test_drawing_plus4() -> None:
    """R-MAR-12, R-MAR-13: face-up “+4” locomotives and passenger cards are ordinary draws."""
    play = scene("""
        marklin · ada ben · turn ada
        market plus4 passenger plus4 red red
        next cards: plus4 blue
    """).do("ada: take 1", "ada: take 2")

    assert ["plus4", "passenger"] == play.hand(ADA)
    assert ("plus4", "blue", "plus4", "red", "red") == play.cards.market
    assert BEN == play.state.awaiting[0].seat


def test_only_ordinary_locomotives_sweep() -> None:
    """R-MAR-12: “+4” locomotives do not count towards the sweep."""
    play = scene("""
        marklin · ada ben · turn ada
        market locomotive plus4 plus4 locomotive red
        next cards: plus4
    """).do("ada: take 5")
    assert 5 == len([card for card in play.cards.market if "loco" in str(card) or card == "plus4"])
    swept = scene("""
        marklin · ada ben · turn ada
        market locomotive plus4 plus4 locomotive red
        next cards: locomotive red red red red red
    """).do("ada: take 5")
    assert ("red",) * 5 == swept.cards.market


def test_placing_a_passenger() -> None:
    """R-MAR-20: after a claim a passenger may be put on either city, or none."""
    play = scene("""
        marklin · ada ben · turn ada
        ada holds 2 red
    """).do("ada: claim danemark_2-kiel with 2 red")
    assert ["place none", "place danemark_2", "place kiel"] == play.texts(ADA)
    assert "R-MAR-20" == play.refused("ada: place berlin").rule
    play.do("ada: place Dänemark")

    part = passengers.part(play.state)
    assert ((2, 3), ("danemark_2",)) == (part.reserve, part.standing[ADA])
    assert "R-MAR-20" == play.refused("ben: place kiel").rule
    assert ["Ada puts a passenger on Dänemark."] == play.sentences


def test_no_passenger_left() -> None:
    """R-MAR-20: each seat has three passengers; without one it is not asked."""
    play = scene("""
        marklin · ada ben · turn ada
        ada holds 1 red
        ada has passengers in koln koln kiel
    """).do("ada: claim koblenz-koln with 1 red")

    assert BEN == play.state.awaiting[0].seat


def test_a_city_holds_several() -> None:
    """R-MAR-21: passengers of any seats may stand in the same city."""
    play = scene("""
        marklin · ada ben · turn ada
        ada holds 1 red
        ada has passengers in koln
        ben has passengers in koln
    """).do("ada: claim koblenz-koln with 1 red", "ada: place koln")

    assert (("koln", "koln"), ("koln",)) == passengers.part(play.state).standing


RHINE = """
        marklin · ada ben · turn ada
        ada owns koblenz-koln-1 koblenz-mainz-1 mainz-mannheim-1
        ada has passengers in koln
"""


def test_a_ride() -> None:
    """R-MAR-22, R-MAR-23, R-MAR-26: a ride takes the top tokens, both ends included, and ends."""
    play = scene(RHINE)
    assert ["ride koln koblenz mainz mannheim"] == play.texts(ADA, "ride")
    play.do("ada: ride koln koblenz mainz mannheim")

    part = passengers.part(play.state)
    assert (4 + 2 + 3 + 3, ()) == (part.points[ADA], part.standing[ADA])
    assert (2, (3, 2)) == (part.reserve[ADA] + 0, part.stacks["koln"])
    assert BEN == play.state.awaiting[0].seat
    assert play.sentences[0].endswith(
        "takes 4 in Köln, 2 in Koblenz, 3 in Mainz and 3 in Mannheim, for 12 points."
    )


def test_the_next_token() -> None:
    """R-MAR-23: the next passenger finds what the first one has left."""
    play = scene(f"""
        {RHINE.strip()}
        merchandise in koln: 2
        merchandise in koblenz: nothing
        merchandise in mainz: 2 1
    """)
    before = passengers.part(play.state).points[ADA]
    play.do("ada: ride koln koblenz mainz mannheim")

    assert before + 2 + 2 + 3 == passengers.part(play.state).points[ADA]
    assert () == passengers.part(play.state).stacks["koln"]


def test_a_shorter_ride_by_its_cities() -> None:
    """R-MAR-22, R-MAR-28: any legal ride can be named, in many words; others are refused."""
    for text in ("ride köln koblenz", "ride from Köln to Koblenz", "ride koln-koblenz"):
        play = scene(RHINE).do(f"ada: {text}")
        assert 6 == passengers.part(play.state).points[ADA]
    play = scene(RHINE)
    for cities in (("mainz", "koblenz"), ("koln", "mainz"), ("koln",), ("koln", "nowhere"), ()):
        assert "R-MAR-22" == play.refused((ADA, RidePassenger(cities))).rule
    assert "unreadable" == play.refused("ada: ride").code
    assert "unreadable" == play.refused("ada: ride koln atlantis").code


def test_not_during_another_decision() -> None:
    """R-MAR-22: a ride is the action of a turn."""
    play = scene("""
        marklin · ada ben · turn ada
        ada owns koblenz-koln-1
        ada has passengers in koln
        market red red blue green white
    """).do("ada: take 1")

    assert "R-TURN-1" == play.refused("ada: ride koln koblenz").rule


FOREIGN = """
        marklin · ada ben · turn ada
        ada holds {cards}
        ada owns koblenz-koln-1
        ben owns koblenz-mainz-1 mainz-mannheim-1
        ada has passengers in koln
"""


def test_passenger_cards() -> None:
    """R-MAR-24: each route of another seat costs a passenger card, which is discarded."""
    assert ["ride koln koblenz"] == scene(FOREIGN.format(cards="1 red")).texts(ADA, "ride")
    play = scene(FOREIGN.format(cards="1 red 2 passenger"))
    assert [
        "ride koln koblenz",
        "ride koln koblenz mainz",
        "ride koln koblenz mainz mannheim",
    ] == play.texts(ADA, "ride")
    (entry,) = [entry for entry in menu(play.rules, play.state, ADA) if entry.group == "ride"]
    assert [
        "Koblenz: 6 points",
        "Koblenz – Mainz: 9 points, for 1 passenger card",
        "Koblenz – Mainz – Mannheim: 12 points, for 2 passenger cards",
    ] == [way.label for way in entry.ways]
    play.do("ada: ride koln koblenz mainz")

    assert ["red", "passenger"] == play.hand(ADA)
    assert 1 == play.cards.discards[SLOT["passenger"]]
    with_one_card = scene(FOREIGN.format(cards="1 passenger"))
    assert "R-MAR-22" == with_one_card.refused("ada: ride koln koblenz mainz mannheim").rule


def test_the_own_track_is_used() -> None:
    """R-MAR-24: where both have a track, the own one is used, and costs nothing."""
    play = scene("""
        marklin · ada ben cem dora · turn ada
        ada holds 1 passenger
        ada owns koblenz-koln-2
        ben owns koblenz-koln-1
        ada has passengers in koln
    """).do("ada: ride koln koblenz")

    assert ("koblenz-koln-2",) == play.events[0].routes  # type: ignore[attr-defined]  # a ride
    assert ["passenger"] == play.hand(ADA)


def test_no_route_twice() -> None:
    """R-MAR-25: a route is used once; a city may be visited again, and pays once."""
    play = scene("""
        marklin · ada ben · turn ada
        ada owns frankfurt-mainz-1 mainz-mannheim-1 frankfurt-mannheim-1 koblenz-mainz-1
        ada has passengers in koblenz
    """)
    around = "koblenz mainz frankfurt mannheim mainz"
    assert "R-MAR-22" == play.refused("ada: ride koblenz mainz koblenz").rule
    play.do(f"ada: ride {around}")

    assert 2 + 3 + 4 + 3 == passengers.part(play.state).points[ADA]
    assert (2, 3, 4, 3, 0) == play.events[0].tokens  # type: ignore[attr-defined]  # a ride


def test_a_ride_takes_something() -> None:
    """R-MAR-27: a ride that takes nothing is no option, proposed or named."""
    play = scene("""
        marklin · ada ben · turn ada
        ada owns danemark_2-kiel
        ada has passengers in danemark_2
        merchandise in kiel: nothing
    """)

    assert [] == play.texts(ADA, "ride")
    assert "R-MAR-22" == play.refused("ada: ride danemark_2 kiel").rule


def test_the_proposal_is_the_best() -> None:
    """R-MAR-28: of all rides over own routes, the one that takes most is proposed."""
    play = scene("""
        marklin · ada ben · turn ada
        ada owns koblenz-koln-1 koblenz-mainz-1 mainz-mannheim-1 frankfurt-mainz-1
        ada owns frankfurt-mannheim-1 koblenz-saarbrucken mannheim-stuttgart-1
        ada has passengers in koblenz
    """)
    (text,) = play.texts(ADA, "ride")
    assert _best(play, ("koblenz",), ()) == _points(play, text)


def _best(play: Scene, cities: tuple[str, ...], used: tuple[str, ...]) -> int:
    """The most that any trail takes, by trying all of them."""
    tops = {city: stack[0] for city, stack in passengers.part(play.state).stacks.items() if stack}
    best = sum(tops.get(city, 0) for city in set(cities))
    for id, owners in play.network.owners.items():
        ends = play.rules.board.routes[id].cities
        if ADA in owners and id not in used and cities[-1] in ends:
            there = ends[1 - ends.index(cities[-1])]
            best = max(best, _best(play, (*cities, there), (*used, id)))
    return best


def _points(play: Scene, text: str) -> int:
    done = play.do(f"ada: {text}")
    return passengers.part(done.state).points[ADA]


def test_no_passenger_in_the_last_turn() -> None:
    """R-MAR-29: in the last turn nobody is asked for a passenger that could not ride."""
    play = scene("""
        marklin · ada ben · last turn ada
        ada holds 1 red
    """).do("ada: claim koblenz-koln with 1 red")

    assert play.end.results


def test_everybodys_last_turn_is_in_the_last_round() -> None:
    """R-MAR-29: in the last round nobody is asked either, since each seat has one turn in it."""
    play = scene("""
        marklin · ada ben · turn ada
        ada holds 1 red
        ada has 3 trains
        ben holds 1 white
    """)
    play.do("ada: claim koblenz-koln with 1 red")
    assert ["place none", "place koblenz", "place koln"] == play.texts(ADA)
    play.do("ada: place none", "ben: claim bremen-bremerhaven with 1 white")

    assert play.decision_of(BEN) is None


def test_bonus() -> None:
    """R-MAR-30: 10 points for the most tickets, none for the longest trail; merchandise counts."""
    play = scene("""
        marklin · ada ben · last turn ada
        ada owns koblenz-koln-1
        ada has passengers in koln
        ada has tickets leipzig-ulm
        ben owns berlin-leipzig chemnitz-leipzig
        ben has tickets berlin-chemnitz
    """).do("ada: ride koln koblenz")
    lines = [
        {line.kind: line.points for line in result.lines if line.points}
        for result in play.end.results
    ]

    assert {"routes": 1, "tickets_failed": -12, "merchandise": 6} == lines[ADA]
    assert 10 == lines[BEN]["globetrotter"]
    assert "longest_trail" not in play.rules.parameters


def dice(rolled: str) -> Scene:
    """A turn with these dice, and a passenger that could ride on routes of both seats."""
    return scene(f"""
        marklin dice · ada ben · turn ada
        ada rolled {rolled}
        ada owns koblenz-koln-1
        ben owns koblenz-mainz-1 mainz-mannheim-1
        ada has passengers in koln
        next tickets: kiel-schweiz berlin-chemnitz
    """)


def test_riding_with_dice() -> None:
    """R-DICE-26: a joker for each route of another seat; own routes cost no die."""
    plain = dice("single single double double station").do("ada: ride koln koblenz")
    assert (frozenset(), 6) == (plain.dice.used, passengers.part(plain.state).points[ADA])
    assert "finish_turn" == plain.state.awaiting[0].kind
    play = dice("single joker double station joker")
    assert 3 == len(play.texts(ADA, "ride"))
    play.do("ada: ride koln koblenz mainz mannheim")
    assert frozenset({2, 5}) == play.dice.used
    few = dice("single joker double double station")
    assert "R-MAR-22" == few.refused("ada: ride koln koblenz mainz mannheim").rule


def test_a_passenger_after_a_claim_with_dice() -> None:
    """R-MAR-20: with dice the passenger is placed before the turn is finished."""
    play = dice("double double joker joker station").do(
        "ada: claim danemark_2-kiel with dice 3 4", "ada: place kiel"
    )

    assert "finish_turn" == play.state.awaiting[0].kind


def test_tickets_with_dice() -> None:
    """R-DICE-28: first the dice are used, then the mix is announced; none has to be kept."""
    play = dice("station joker double double single").do("ada: tickets with dice 1 2")
    decision = play.state.awaiting[0]
    assert ("choose_mix", 3) == (decision.kind, len(options(play.rules, play.state, ADA)))
    play.do("ada: tickets with 1 short 1 long", "ada: keep none")

    assert "finish_turn" == play.state.awaiting[0].kind


def test_long_tickets_alone_with_dice() -> None:
    """R-DICE-28: with dice, tickets can be drawn as long as either deck has some."""
    short = [id for id, each in board("marklin").tickets.items() if "short" in each.decks[0]]
    play = scene(f"""
        marklin dice · ada ben · turn ada
        ada rolled station station double double single
        ben has tickets {" ".join(short)}
    """).do("ada: tickets with die 1")

    assert ["tickets with 1 long"] == play.texts(ADA)


def test_triple_routes_are_double() -> None:
    """R-DICE-29: each track of a triple route is paid with double dice."""
    costs = ruleset("marklin", ["dice"], 2).costs

    assert costs["dusseldorf-koln-3"].double
    assert not costs["emden-niederlande_1"].double
