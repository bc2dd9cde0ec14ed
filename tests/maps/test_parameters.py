from collections import Counter
from typing import Any

import pytest

from tests.maps.reading import BOARDS, ROOT, Row, map_of, ticket_parameters

CORE = ["turns", "routes", "cards", "tickets"]
TICKET_DECK_VARIANTS = {
    "usa": {"new_edition", "usa_1910", "usa_1910_mega", "usa_1910_big_cities"},
    "europe": {"europa_1912", "europa_1912_mega", "europa_1912_big_cities"},
    "uk": set(),
    "nordic": set(),
    "switzerland": set(),
}
LOCOMOTIVES = ["open_locomotives", "locomotive_routes"]


def _technologies(set_: str) -> list[Row]:
    rows: list[Row] = map_of("uk")["technologies"]
    return [row for row in rows if row.get("set", "basic") == set_]


@pytest.mark.parametrize(
    ("board", "modules"),
    [
        ("usa", [*CORE, "longest_trail"]),
        ("europe", [*CORE, "ferries", "tunnels", "stations", "longest_trail"]),
        ("uk", [*CORE, "ferries", "technologies"]),
        ("switzerland", [*CORE, "tunnels", "longest_trail", *LOCOMOTIVES, "country_tickets"]),
        ("nordic", [*CORE, "ferries", "tunnels", "globetrotter", *LOCOMOTIVES, "any_cards"]),
    ],
)
def test_modules(board: str, modules: list[str]) -> None:
    """Each board has its rule modules; UK has no longest-trail bonus (R-UK-10)."""
    assert modules == map_of(board)["modules"]


@pytest.mark.parametrize("board", BOARDS)
def test_every_parameter_has_its_module(board: str) -> None:
    """Parameters exist only for modules that are in play."""
    content = map_of(board)

    assert set() == set(content["parameters"]) - set(content["modules"])


@pytest.mark.parametrize(
    ("board", "seats", "trains", "both_tracks_from"),
    [("usa", [2, 5], 45, 4), ("europe", [2, 5], 45, 4), ("uk", [2, 4], 35, 3),
     ("nordic", [2, 3], 40, 3), ("switzerland", [2, 3], 40, 3)],
)  # fmt: skip
def test_seats_and_trains(board: str, seats: list[int], trains: int, both_tracks_from: int) -> None:
    """R-SETUP-1, R-SETUP-2, R-DBL-2: seats, trains, and when both routes of a pair are open."""
    content = map_of(board)
    routes = content["parameters"]["routes"]

    assert seats == content["seats"]
    assert (trains, both_tracks_from) == (routes["trains"], routes["both_tracks_from"])


@pytest.mark.parametrize(
    ("board", "locomotives", "opening_locomotives", "sweep_at", "substitute"),
    [("usa", 14, 0, 3, 0), ("europe", 14, 0, 3, 0), ("uk", 20, 1, 0, 4),
     ("nordic", 14, 0, 0, 0), ("switzerland", 14, 0, 3, 0)],
)  # fmt: skip
def test_cards(
    board: str, locomotives: int, opening_locomotives: int, sweep_at: int, substitute: int
) -> None:
    """R-SETUP-3, R-SETUP-4, R-UK-3 to R-UK-5: the deck, the hand, the sweep, the substitutes."""
    expected = {
        "each_colour": 12,
        "locomotives": locomotives,
        "hand": 4,
        "opening_locomotives": opening_locomotives,
        "sweep_at": sweep_at,
        "substitute": substitute,
    }

    assert expected == map_of(board)["parameters"]["cards"]


@pytest.mark.parametrize(
    ("board", "variant", "dealt", "keep", "drawn", "returned"),
    [
        ("usa", "", (0, 3), 2, 3, "under"),
        ("usa", "new_edition", (0, 4), 2, 3, "under"),
        ("usa", "usa_1910", (0, 3), 2, 3, "under"),
        ("usa", "usa_1910_mega", (0, 5), 3, 4, "under"),
        ("usa", "usa_1910_big_cities", (0, 4), 2, 4, "under"),
        ("europe", "", (1, 3), 2, 3, "removed"),
        ("europe", "europa_1912", (1, 3), 2, 3, "removed"),
        ("europe", "europa_1912_mega", (2, 5), 3, 3, "removed"),
        ("europe", "europa_1912_big_cities", (0, 5), 2, 4, "removed"),
        ("uk", "", (0, 5), 3, 3, "under"),
        ("nordic", "", (0, 5), 2, 3, "removed"),
        ("switzerland", "", (0, 5), 2, 3, "removed"),
    ],
)
def test_deals(
    board: str, variant: str, dealt: tuple[int, int], keep: int, drawn: int, returned: str
) -> None:
    """R-USC-1, R-USN-1, R-EUR-1 to R-EUR-4, R-UK-8 and the expansions: what is dealt and kept."""
    content = ticket_parameters(board, variant)

    assert dealt == (content["long_dealt"], content["dealt"])
    assert (keep, drawn, 1) == (content["keep_at_least"], content["drawn"], content["keep_later"])
    assert returned == content["returned_at_start"]


@pytest.mark.parametrize(
    ("board", "ties"),
    [
        ("usa", ["completed_tickets", "trail_bonus"]),
        ("europe", ["completed_tickets", "fewest_stations", "longest_trail"]),
        ("uk", ["completed_tickets"]),
        ("nordic", ["completed_tickets"]),
        ("switzerland", ["completed_tickets", "trail_bonus"]),
    ],
)
def test_ties(board: str, ties: list[str]) -> None:
    """R-TIE-2 to R-TIE-4: each board's tie-breakers, in order."""
    assert ties == map_of(board)["parameters"]["turns"]["ties"]


@pytest.mark.parametrize(
    ("variant", "bonuses"),
    [
        ("usa_1910", {"globetrotter": 15}),
        ("usa_1910_mega", {"longest_trail": 10, "globetrotter": 15}),
        ("usa_1910_big_cities", {}),
    ],
)
def test_bonuses_of_1910(variant: str, bonuses: dict[str, int]) -> None:
    """The 1910 variants award the globetrotter bonus, both bonuses, or none."""
    content, edit = map_of("usa"), map_of("usa")["variants"][variant]
    modules = {*content["modules"], *edit.get("add", [])} - {*edit.get("drop", [])}
    parameters: dict[str, Any] = content["parameters"] | edit["set"]
    offered = ("longest_trail", "globetrotter")

    assert bonuses == {name: parameters[name]["points"] for name in offered if name in modules}


@pytest.mark.parametrize("board", BOARDS)
def test_ticket_decks_exclude_each_other(board: str) -> None:
    """Variants that choose a ticket deck exclude each other; all others can be combined."""
    excluded = {
        id_: set(body.get("excludes", [])) for id_, body in map_of(board)["variants"].items()
    }
    choices = TICKET_DECK_VARIANTS[board]

    assert {id_: choices - {id_} if id_ in choices else set() for id_ in excluded} == excluded


@pytest.mark.parametrize("board", BOARDS)
def test_dice_take_the_place_of_cards(board: str) -> None:
    """R-DICE-1: with dice there are no train cards, on any board."""
    assert {"cards": "dice"} == map_of(board)["variants"]["dice"]["swap"]


@pytest.mark.parametrize("board", BOARDS)
def test_provenance_page(board: str) -> None:
    """Each map names a page about its provenance, and the page exists."""
    assert (ROOT / map_of(board)["provenance"]).is_file()


def test_nordic_locomotives() -> None:
    """R-NOR-6, R-NOR-8, R-NOR-10, R-NOR-14: where locomotives count, what replaces them, bonus."""
    content = map_of("nordic")["parameters"]

    assert ["ferry", "tunnel"] == content["locomotive_routes"]["kinds"]
    assert 3 == content["ferries"]["substitute"]
    assert {"routes": ["lieksa-murmansk"], "number": 4} == content["any_cards"]
    assert 10 == content["globetrotter"]["points"]
    assert "removed" == content["tickets"]["returned_later"]


def test_uk_regions() -> None:
    """R-TECH-4: five Welsh, ten Scottish and ten Irish cities, two French termini, New York."""
    expected = {"england": 21, "scotland": 10, "ireland": 10, "wales": 5, "france": 2, "america": 1}

    assert expected == Counter(city["region"] for city in map_of("uk")["cities"])


def test_france() -> None:
    """R-UK-12: France is one place with two termini, and three tickets go there."""
    (place,) = map_of("uk")["places"]
    tickets = [row["id"] for row in map_of("uk")["tickets"] if "france" in row["cities"]]

    assert ("france", {"france_west", "france_east"}) == (place["id"], set(place["cities"]))
    assert ["glasgow-france", "leeds-france", "london-france"] == tickets


def test_open_to_all() -> None:
    """R-TECH-2: only Southampton–New York is open without any technology."""
    rows = [row["id"] for row in map_of("uk")["routes"] if row.get("open_to_all")]

    assert ["new_york-southampton"] == rows


@pytest.mark.parametrize(("set_", "kinds", "cards"), [("basic", 11, 41), ("advanced", 5, 6)])
def test_technology_sets(set_: str, kinds: int, cards: int) -> None:
    """R-TECH-8: 41 cards of eleven basic technologies, six of five advanced ones."""
    rows = _technologies(set_)

    assert (kinds, cards) == (len(rows), sum(row["copies"] for row in rows))


def test_technology_prices() -> None:
    """R-TECH-8: each technology has its known price and grants."""
    expected = {
        "wales_concession": (1, {"region": ["wales"]}),
        "ireland_france_concession": (1, {"region": ["ireland", "france"]}),
        "scotland_concession": (1, {"region": ["scotland"]}),
        "mechanical_stoker": (1, {"lengths": [3]}),
        "superheated_boiler": (2, {"lengths": [4, 5, 6]}),
        "propellers": (2, {"ferries": True}),
        "booster": (2, {"substitute": 3}),
        "boiler_lagging": (2, {"route_points": 1}),
        "steam_turbines": (2, {"ferry_points": 2}),
        "double_heading": (4, {"ticket_points": 2}),
        "right_of_way": (4, {"claims": "taken"}),
        "thermocompressor": (1, {"claims": "two"}),
        "water_tender": (2, {"blind_cards": 3}),
        "risky_contracts": (2, {"most_tickets": 20}),
        "equalising_beam": (2, {"longest_trail": 15}),
        "diesel_power": (3, {"spare_units": 1}),
    }

    assert expected == {
        row["id"]: (row["cost"], row["grants"]) for row in map_of("uk")["technologies"]
    }


def test_water_tender_needs_cards() -> None:
    """R-DICE-32: only Water Tender needs a module, the train cards."""
    needs = {row["id"]: row["needs"] for row in map_of("uk")["technologies"] if "needs" in row}

    assert {"water_tender": ["cards"]} == needs


def test_advanced_technologies() -> None:
    """R-ADV: the advanced set is sold in its variant only, together with the basic one."""
    content = map_of("uk")

    assert ["basic"] == content["parameters"]["technologies"]["sets"]
    edit = content["variants"]["advanced_technologies"]["set"]
    assert {"technologies": {"sets": ["basic", "advanced"]}} == edit
