import pytest

from engine.codec import read_action, read_event, write
from engine.rules.stations import BuildStation, StationBuilt, Stations, price, stations
from engine.rules.turns import TakeTurn
from engine.values import CardPayment, Cost, Result, ScoreLine
from service.boards.atlas import ruleset
from tests.scenes import ADA, BEN, CEM, Scene, counted, scene


def paid(*cards: str) -> CardPayment:
    """These cards, laid down."""
    return CardPayment(counted(cards))


def ended(facts: str, names: str = "ada ben") -> Scene:
    """The game after Ada's last turn, in which she only draws."""
    play = scene(f"europe · {names} · last turn ada\n{facts.strip()}")
    return play.do("ada: draw", "ada: draw")


def line(result: Result, kind: str) -> ScoreLine | None:
    """A line of a score sheet."""
    return next((line for line in result.lines if line.kind == kind), None)


def test_building_a_station_is_the_action_of_the_turn() -> None:
    """Building a station discards the card and ends the turn (R-STA-1)."""
    play = scene("""
        europe · ada ben · turn ada
        ada holds 1 blue 1 red
    """).do("ada: station roma with 1 blue")

    assert StationBuilt(ADA, "roma", paid("blue")) == play.events[0]
    assert Stations((("roma",), ())) == stations.part(play.state)
    assert (["red"], paid("blue").counts) == (play.hand(ADA), play.cards.discards)
    assert TakeTurn(BEN) == play.decision_of(BEN)


def test_there_is_no_fourth_station() -> None:
    """A seat with three stations cannot build a fourth (R-STA-1)."""
    play = scene("""
        europe · ada ben · turn ada
        ada holds 9 blue
        ada has stations in roma paris wien
    """)

    refusal = play.refused("ada: station berlin with 4 blue")

    assert [] == play.texts(ADA, "station")
    assert ("illegal", "R-STA-1") == (refusal.code, refusal.rule)
    assert "You have no stations left." == refusal.sentence


def test_station_is_not_built_between_two_cards() -> None:
    """After drawing a first card, building a station is refused (R-STA-1)."""
    play = scene("""
        europe · ada ben · turn ada
        ada holds 1 blue
    """).do("ada: draw")

    refusal = play.refused("ada: station roma with 1 blue")

    assert ("illegal", "R-STA-1") == (refusal.code, refusal.rule)
    assert "You can build a station only as the action of your turn." == refusal.sentence


@pytest.mark.parametrize(
    ("built", "hand", "payments"),
    [
        ("", "2 blue 1 red 1 locomotive", ["1 blue", "1 red", "1 locomotive"]),
        (
            "ada has stations in paris",
            "2 blue 1 red 2 locomotive",
            ["2 blue", "1 blue 1 locomotive", "1 red 1 locomotive", "2 locomotive"],
        ),
        ("ada has stations in paris", "1 blue 1 red", []),
        (
            "ada has stations in paris wien",
            "3 blue 2 red 1 locomotive",
            ["3 blue", "2 blue 1 locomotive", "2 red 1 locomotive"],
        ),
        ("ada has stations in paris wien", "3 locomotive", ["3 locomotive"]),
    ],
)
def test_each_station_costs_one_more(built: str, hand: str, payments: list[str]) -> None:
    """Stations cost one, two and three cards of one colour or locomotives (R-STA-2)."""
    play = scene(f"europe · ada ben · turn ada\nada holds {hand}\n{built}".strip())

    assert [f"station roma with {payment}" for payment in payments] == play.texts(
        ADA, "station roma"
    )


def test_purse_learns_that_a_station_is_paid() -> None:
    """The cost of a station names its purpose, which dice payments need (R-STA-2, R-DICE-25)."""
    part = Stations((("roma", "wien"), ()))

    assert [Cost(3, purpose="station"), Cost(1, purpose="station")] == [
        price(part, seat) for seat in (ADA, BEN)
    ]


def test_price_is_ones_own() -> None:
    """Stations of other seats do not raise the price (R-STA-2)."""
    play = scene("""
        europe · ada ben · turn ada
        ada holds 1 blue
        ben has stations in paris wien
    """)

    assert ["station roma with 1 blue"] == play.texts(ADA, "station roma")


@pytest.mark.parametrize(
    ("payment", "reason"),
    [
        ("1 blue", "It costs 2 of one colour."),
        ("3 blue", "It costs 2 of one colour."),
        ("1 blue 1 red", "All cards must have the same colour, apart from locomotives."),
        ("2 green", "You do not have a green card."),
    ],
)
def test_price_is_exact(payment: str, reason: str) -> None:
    """The second station takes two cards of one colour that are held (R-STA-2)."""
    play = scene("""
        europe · ada ben · turn ada
        ada holds 3 blue 1 red
        ada has stations in paris
    """)

    refusal = play.refused(f"ada: station roma with {payment}")

    assert ("illegal", "R-STA-2") == (refusal.code, refusal.rule)
    words = payment.replace("1 blue 1", "1 blue and 1")
    assert f"You cannot pay for your next station with {words}. {reason}" == refusal.sentence


def test_any_city_without_a_station_will_do() -> None:
    """Every city without a station is offered, connected or not (R-STA-3)."""
    play = scene("""
        europe · ada ben · turn ada
        ada holds 1 blue
        ada owns brest-paris
        ben owns roma-venezia
        ben has stations in wien
    """)

    cities = [text.split()[1] for text in play.texts(ADA, "station")]

    assert sorted(set(play.rules.board.cities) - {"wien"}) == sorted(cities)


@pytest.mark.parametrize("owner", ["ada", "ben"])
def test_city_has_one_station_at_most(owner: str) -> None:
    """A second station in a city is refused, whoever built the first (R-STA-3)."""
    play = scene(f"""
        europe · ada ben · turn ada
        ada holds 5 blue
        {owner} has stations in munchen
    """)

    refusal = play.refused("ada: station munchen with 1 blue")

    assert ("illegal", "R-STA-3") == (refusal.code, refusal.rule)
    assert "There is already a station in München." == refusal.sentence


def test_station_needs_a_city_of_the_board() -> None:
    """A city that is not there is refused by the rules, and unreadable as text (R-STA-3)."""
    play = scene("""
        europe · ada ben · turn ada
        ada holds 1 blue
    """)

    refusal = play.refused((ADA, BuildStation("boston", paid("blue"))))

    assert ("illegal", "R-STA-3") == (refusal.code, refusal.rule)
    assert "There is no city “boston” on this board." == refusal.sentence
    assert "unreadable" == play.refused("ada: station boston with 1 blue").code


def test_stations_only_grow() -> None:
    """Building is the only event that changes stations, and it adds one (R-STA-4)."""
    rules = ruleset("europe")
    touching = [
        event
        for event, (_, touches) in rules.evolvers.items()
        if stations.name in [name for name, _ in touches]
    ]

    assert [StationBuilt] == touching
    grown = Stations((("roma", "paris"), ()))
    built = StationBuilt(ADA, "paris", paid("blue"))
    run = dict(rules.evolvers[StationBuilt][1])[stations.name]
    assert grown == run(Stations((("roma",), ())), built)


CHAIN = """
ada owns venezia-zurich brindisi-roma
ben owns roma-venezia
ada has tickets zurich-brindisi
"""


@pytest.mark.parametrize(
    ("city", "completed"),
    [("roma", True), ("venezia", True), ("zurich", False), ("brindisi", False), ("", False)],
)
def test_station_borrows_a_route_that_ends_in_its_city(city: str, completed: bool) -> None:  # noqa: FBT001  # a fact of the table
    """Ben's route closes Ada's gap if she has a station at one of its ends (R-STA-5)."""
    built = f"ada has stations in {city}" if city else ""

    result = ended(f"{CHAIN}{built}").end.results[ADA]

    assert ("zurich-brindisi",) * completed == result.completed
    assert ("zurich-brindisi",) * (not completed) == result.failed


def test_borrowed_route_stands_in_the_result() -> None:
    """The result lists the borrowed routes (R-STA-5, R-DIG-11)."""
    result = ended(f"{CHAIN}ada has stations in roma").end.results[ADA]

    assert ScoreLine("borrowed_routes", 0, ("roma-venezia",)) == line(result, "borrowed_routes")


def test_unclaimed_and_closed_routes_are_not_borrowed() -> None:
    """Only routes of other seats are borrowed, not unclaimed ones or closed twins (R-STA-5)."""
    play = scene("""
        europe · ada ben · turn ada
        ada owns budapest-wien-red
        ada has stations in wien budapest
        ben owns berlin-wien
    """)
    (lend,) = play.rules.all("lends")

    assert [["berlin-wien"], []] == [
        [route.id for route in some] for some in lend(play.rules, play.state, ADA)
    ]


def test_one_borrowed_route_serves_all_tickets() -> None:
    """Two tickets can use the same borrowed route (R-STA-6)."""
    result = ended("""
        ada owns venezia-zurich brindisi-roma venezia-zagrab
        ben owns roma-venezia
        ada has stations in venezia
        ada has tickets zurich-brindisi zagrab-brindisi
    """).end.results[ADA]

    assert ("zurich-brindisi", "zagrab-brindisi") == result.completed
    assert ("roma-venezia",) == (line(result, "borrowed_routes") or ScoreLine("", 0)).of


def test_one_station_borrows_one_route() -> None:
    """Two tickets that need two routes of one city are not both completed (R-STA-6)."""
    result = ended("""
        ada owns venezia-zurich brindisi-roma budapest-zagrab
        ben owns roma-venezia venezia-zagrab
        ada has stations in venezia
        ada has tickets zurich-brindisi zurich-budapest
    """).end.results[ADA]

    assert (1, 1) == (len(result.completed), len(result.failed))
    assert 1 == len((line(result, "borrowed_routes") or ScoreLine("", 0)).of)


def test_stations_combine_in_one_ticket() -> None:
    """Two stations can borrow two routes for the same ticket (R-STA-7)."""
    result = ended("""
        ada owns venezia-zurich
        ben owns roma-venezia brindisi-roma
        ada has stations in venezia brindisi
        ada has tickets zurich-brindisi
    """).end.results[ADA]

    assert ("zurich-brindisi",) == result.completed
    assert ScoreLine("borrowed_routes", 0, ("roma-venezia", "brindisi-roma")) == line(
        result, "borrowed_routes"
    )


def test_route_is_borrowed_by_several() -> None:
    """Ada and Ben both use Cem's route, and Cem uses it as well (R-STA-7)."""
    results = ended(
        """
        ada owns venezia-zurich brindisi-roma
        ben owns venezia-zagrab brindisi-palermo palermo-roma
        cem owns roma-venezia
        ada has stations in roma
        ben has stations in venezia
        ada has tickets zurich-brindisi
        ben has tickets zagrab-brindisi
        """,
        "ada ben cem",
    ).end.results

    assert (("zurich-brindisi",), ("zagrab-brindisi",)) == (
        results[ADA].completed,
        results[BEN].completed,
    )
    assert (2, ("roma-venezia",)) == (results[CEM].lines[0].points, results[CEM].lines[0].of)


def test_best_ticket_total_is_borrowed() -> None:
    """Of two tickets that one station could complete, the more valuable is completed (R-STA-8)."""
    result = ended("""
        ada owns brest-paris paris-zurich venezia-zagrab brindisi-roma
        ben owns roma-venezia venezia-zurich
        ada has stations in venezia
        ada has tickets zagrab-brindisi brest-venezia
    """).end.results[ADA]

    assert ("brest-venezia",) == result.completed
    assert ScoreLine("borrowed_routes", 0, ("venezia-zurich",)) == line(result, "borrowed_routes")


def test_among_equal_totals_most_tickets_are_completed() -> None:
    """Two tickets of six points are completed rather than one of twelve (R-STA-8)."""
    north = "amsterdam-frankfurt frankfurt-munchen budapest-zagrab budapest-kyiv kyiv-wilno"
    result = ended(f"""
        ada owns venezia-zurich venezia-zagrab brindisi-roma {north}
        ben owns munchen-venezia roma-venezia
        ada has stations in venezia
        ada has tickets amsterdam-wilno zurich-brindisi zagrab-brindisi
    """).end.results[ADA]

    assert ("zurich-brindisi", "zagrab-brindisi") == result.completed
    assert ScoreLine("borrowed_routes", 0, ("roma-venezia",)) == line(result, "borrowed_routes")


def test_borrowed_routes_do_not_lengthen_the_trail() -> None:
    """A borrowed route does not lengthen the longest trail (R-STA-9)."""
    result = ended(f"{CHAIN}ada has stations in roma").end.results[ADA]

    assert 2 == result.trail


@pytest.mark.parametrize(
    ("built", "points"), [("", 12), ("paris", 8), ("paris wien", 4), ("paris wien roma", 0)]
)
def test_stations_not_built_are_worth_four_points(built: str, points: int) -> None:
    """Each station that was not built is worth four points at the end (R-STA-10)."""
    facts = f"ada has stations in {built}" if built else ""

    result = ended(facts).end.results[ADA]

    assert ScoreLine("stations", points, tuple(built.split())) == line(result, "stations")


def test_station_alone_means_the_only_way_to_pay() -> None:
    """“Station” with a city needs no cards if there is only one payment (R-STA-2)."""
    play = scene("""
        europe · ada ben · turn ada
        ada holds 2 blue
    """).do("ada: station Roma")

    assert ["Ada builds a station in Roma with 1 blue."] == play.sentences


def test_station_alone_is_ambiguous_with_two_ways() -> None:
    """“Station” with a city alone is ambiguous if there are two payments (R-DIG-8)."""
    play = scene("""
        europe · ada ben · turn ada
        ada holds 1 blue 1 red
    """)

    assert "ambiguous" == play.refused("ada: station roma").code


def test_station_survives_the_log() -> None:
    """The action and the event of a station read back from their JSON (R-STA-1)."""
    action, event = BuildStation("roma", paid("blue")), StationBuilt(ADA, "roma", paid("blue"))

    assert {"type": "build_station", "city": "roma", "payment": {"blue": 1}} == write(action)
    assert (action, event) == (read_action(write(action)), read_event(write(event)))
