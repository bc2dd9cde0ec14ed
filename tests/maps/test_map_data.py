"""Compares the map files with their transcriptions, if these are available."""

import json
from functools import cache

import pytest

from tests.maps.reading import ROOT, Row, map_of

SOURCE = ROOT.parent / "shared" / "map-data"
FILES = {
    "usa": ["usa", "usa_1910"],
    "europe": ["europe", "europe_1912"],
    "uk": ["united_kingdom"],
    "nordic": ["nordic"],
    "switzerland": ["switzerland"],
    "germany": ["marklin"],
}
BIG_CITIES = {"angora", "athina", "berlin", "london", "madrid", "moskva", "paris", "roma", "wien"}
RENAMED = {
    "superheated_steam_boiler": "superheated_boiler",
    "steam_turbine": "steam_turbines",
    "water_tenders": "water_tender",
}

pytestmark = pytest.mark.skipif(
    not SOURCE.is_dir(),
    reason="the transcriptions (../shared/map-data) are not beside the checkout",
)


@cache
def _source(file: str) -> Row:
    content: Row = json.loads((SOURCE / f"{file}.json").read_text(encoding="utf-8"))
    return content


def test_country_tickets() -> None:
    """R-SWI-8: the values of country tickets are the transcribed ones, in the same order."""
    rows = [row for row in _source("switzerland")["tickets"] if "b_options" in row]
    content = map_of("switzerland")
    lost = {row["id"]: (row["cities"][0], -row["points"]) for row in content["tickets"]}

    assert content["parameters"]["country_tickets"]["points"] == {
        row["id"]: {option["country"]: option["points"] for option in row["b_options"]}
        for row in rows
    }
    for row in rows:
        assert (row["a"], row["points_if_failed"]) == lost[row["id"]]


def test_countries() -> None:
    """R-SWI-7: the termini of each country are the transcribed ones."""
    places = {row["id"]: (row["name"], row["cities"]) for row in map_of("switzerland")["places"]}
    for row in _source("switzerland")["countries"]:
        assert (row["name"], row["nodes"]) == places[row["id"]]


def _decks(file: str, ticket: Row) -> set[str]:
    """The decks that a transcribed ticket must be in, stand-ins aside."""
    ends, deck = {ticket["a"], ticket["b"]}, ticket["deck"]
    if file == "usa":
        return {"classic"} if "classic" in ticket["editions"] else {"new_edition"}
    if file == "usa_1910":
        return {deck, "big_cities"} if ticket["big_cities"] else {deck}
    if file == "europe_1912":
        return {f"{deck}_1912"}
    if file == "europe" and deck == "regular" and ends & BIG_CITIES:
        return {deck, "big_cities"}
    return {deck}


def _needed(route: Row) -> set[str]:
    """The technologies that a route requires, by regions, lengths and grants."""
    regions = {row["id"]: row["region"] for row in map_of("uk")["cities"]}
    there = {regions[city] for city in route["cities"]}
    return {
        row["id"]
        for row in map_of("uk")["technologies"]
        if not route.get("open_to_all")
        and (
            there & set(row["grants"].get("region", []))
            or route["length"] in row["grants"].get("lengths", [])
            or (route.get("kind") == "ferry" and row["grants"].get("ferries"))
        )
    }


@pytest.mark.parametrize("board", FILES)
def test_cities(board: str) -> None:
    """Every city has its transcribed name, position and region, in the same order."""
    keys = ("id", "name", "lat", "lon", "region")
    rows = [row for file in FILES[board] for row in _source(file)["cities"]]

    assert [[row.get(key) for key in keys] for row in rows] == [
        [row.get(key) for key in keys] for row in map_of(board)["cities"]
    ]


@pytest.mark.parametrize("board", FILES)
def test_routes(board: str) -> None:
    """Every route has its transcribed ends, length, colour, kind and locomotives, in order."""
    rows = _source(FILES[board][0])["routes"]
    content = map_of(board)["routes"]
    expected = [
        [row["id"], [row["a"], row["b"]], row["length"], row["color"], row["kind"],
         row["locomotives"]]
        for row in rows
    ]  # fmt: skip

    assert expected == [
        [row["id"], row["cities"], row["length"], row["colour"], row.get("kind", "plain"),
         row.get("locomotives", 0)]
        for row in content
    ]  # fmt: skip


@pytest.mark.parametrize("board", FILES)
def test_twins_are_the_parallel_groups(board: str) -> None:
    """Two routes are twins exactly if the transcription has them in one parallel group."""
    groups: dict[str, set[str]] = {}
    for row in _source(FILES[board][0])["routes"]:
        groups.setdefault(row["parallel_group"] or row["id"], set()).add(row["id"])
    pairs = {frozenset(group) for group in groups.values() if len(group) > 1}

    twins = {row["id"]: row["twin"] for row in map_of(board)["routes"] if "twin" in row}
    assert pairs == {frozenset((id, twin, twins[twin])) for id, twin in twins.items()}


@pytest.mark.parametrize("board", FILES)
def test_tickets(board: str) -> None:
    """The tickets are the transcribed ones, with the same ends, values and decks."""
    expected = {
        row["id"]: ([row["a"], row["b"]], row["points"], _decks(file, row))
        for file in FILES[board]
        for row in _source(file)["tickets"]
        if "b_options" not in row
    }
    content = {}
    countries = map_of(board)["parameters"].get("country_tickets", {"points": {}})["points"]
    for row in map_of(board)["tickets"]:
        if row["id"] in countries:
            continue
        stood_in = {"new_edition"} if row.get("provenance") == "stand-in" else set()
        content[row["id"]] = (row["cities"], row["points"], set(row["decks"]) - stood_in)

    assert expected == content


def test_technologies() -> None:
    """Every technology has its transcribed price, number of copies and set."""
    expected = [
        (RENAMED.get(row["id"], row["id"]), row["cost_locomotives"], row["copies"], row["set"])
        for row in _source("united_kingdom")["technologies"]
    ]

    assert expected == [
        (row["id"], row["cost"], row["copies"], row.get("set", "basic"))
        for row in map_of("uk")["technologies"]
    ]


def test_places() -> None:
    """The places of UK are the transcribed countries with their termini."""
    expected = [(row["id"], row["nodes"]) for row in _source("united_kingdom")["countries"]]

    assert expected == [(row["id"], row["cities"]) for row in map_of("uk")["places"]]


def test_technologies_required() -> None:
    """R-TECH-3: regions, lengths and symbols require the transcribed technologies."""
    expected = {
        row["id"]: {RENAMED.get(id_, id_) for id_ in row["technologies_required"]}
        for row in _source("united_kingdom")["routes"]
    }

    assert expected == {row["id"]: _needed(row) for row in map_of("uk")["routes"]}


def test_uk_parameters() -> None:
    """Points, trains, double routes, deck and substitutes of UK are the transcribed ones."""
    source, content = _source("united_kingdom"), map_of("uk")["parameters"]

    assert source["route_points"] == content["routes"]["points"]
    assert source["trains_per_player"] == content["routes"]["trains"]
    assert (
        source["double_routes"]["both_tracks_from_players"] == content["routes"]["both_tracks_from"]
    )
    assert source["train_deck"]["total"] == (
        8 * content["cards"]["each_colour"] + content["cards"]["locomotives"]
    )
    assert source["cards_per_substitute_locomotive"]["normal"] == content["cards"]["substitute"]
