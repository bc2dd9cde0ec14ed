from bots.board_graph import Aim, cheapest, graph_of, joined, linked
from bots.hands import Want, benefits, missing
from bots.plan import plan_for
from bots.situation import situation_of
from bots.style import HARD, MEDIUM
from engine import begin
from engine.chance import Chance
from tests.bots.sitting import view_of
from tests.random_games import Table

USA = Table("usa", (), 2)
WILD, RED, BLUE = 8, 7, 1


def _hand(**cards: int) -> tuple[int, ...]:
    slots = {"red": RED, "blue": BLUE, "wild": WILD}
    hand = [0] * 10
    for card, number in cards.items():
        hand[slots[card]] = number
    return tuple(hand)


def test_cheapest_way_is_found() -> None:
    """The cheapest path from Seattle to Helena is the direct route, until that costs too much."""
    graph = graph_of(USA.rules)
    costs = [float(route.length) for route in graph.routes]
    start, end = (graph.cities[name] for name in ("seattle", "helena"))
    direct = cheapest(graph, costs, [start], [end])
    assert direct is not None
    costs[direct.routes[0]] = 99.0
    around = cheapest(graph, costs, [start], [end])
    assert around is not None

    assert 6 == direct.cost
    assert 8 == around.cost


def test_a_ticket_to_a_place_has_many_ends() -> None:
    """R-UK-12: reaching any city of a place completes the ticket."""
    graph = graph_of(Table("uk", (), 2).rules)
    dover, france = graph.cities["dover"], graph.cities["france_east"]
    aim = Aim("x", (dover,), (graph.cities["france_west"], france), 5, 5)
    ferry = graph.at["dover-france_east"]

    assert not linked(joined(graph, []), aim)
    assert linked(joined(graph, [ferry]), aim)


def test_plan_joins_every_ticket() -> None:
    """The planned routes join all tickets, and the plan counts the trains that are left."""
    rules = USA.rules
    situation = situation_of(rules, view_of(rules, begin(rules, Chance(b"", "x", 0)).events, 0), 0)
    aims = [aim for id in ("boston-miami", "dallas-new_york") for aim in situation.graph.aims[id]]
    for style in (MEDIUM, HARD):
        plan = plan_for(situation, style, aims)
        pieces = joined(situation.graph, plan.routes)

        assert all(linked(pieces, aim) for aim in aims)
        assert plan.trains == 45 - sum(situation.graph.routes[at].length for at in plan.routes)


def test_hopeless_tickets_are_given_up() -> None:
    """With three trains left, Los Angeles–Miami is given up."""
    rules = USA.rules
    situation = situation_of(rules, view_of(rules, begin(rules, Chance(b"", "x", 0)).events, 0), 0)
    poor = situation._replace(trains=3)
    (aim,) = situation.graph.aims["los_angeles-miami"]

    assert (aim,) == plan_for(poor, HARD, [aim]).lost


def test_missing_cards_are_counted() -> None:
    """Coloured cards pay for their colour or gray, and locomotives for anything."""
    wants = [Want(3, RED, 0), Want(2, -1, 0)]

    assert 5 == missing(_hand(), wants, 0)
    assert 0 == missing(_hand(red=3, blue=2), wants, 0)
    assert 1 == missing(_hand(red=2, wild=1, blue=1), wants, 0)


def test_sets_of_odd_cards_count_where_the_board_says_so() -> None:
    """R-UK-5: four other cards replace a locomotive where the board allows it."""
    wants = [Want(1, -1, 1)]

    assert 0 == missing(_hand(blue=4), wants, 4)
    assert missing(_hand(blue=3), wants, 4) > 0
    assert missing(_hand(blue=4), wants, 0) > 0


def test_needed_cards_are_worth_more() -> None:
    """A card that the plan needs is worth more than another, and a locomotive no less."""
    gains = benefits(_hand(red=2), [Want(4, RED, 0)], 0, 0.35)

    assert gains[RED] > gains[BLUE]
    assert gains[WILD] >= gains[RED]
