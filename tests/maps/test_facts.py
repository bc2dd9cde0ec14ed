from collections import Counter

import pytest

from tests.maps.reading import (
    BOARDS,
    Row,
    distances,
    map_of,
    ticket_distance,
    ticket_parameters,
    tickets_of,
)

COLOURS = ["purple", "blue", "orange", "white", "green", "yellow", "black", "red"]


def _routes(board: str, **having: object) -> list[Row]:
    rows: list[Row] = map_of(board)["routes"]
    return [row for row in rows if having.items() <= row.items()]


def _points(tickets: list[Row]) -> int:
    return sum(row["points"] for row in tickets)


def _outliers(board: str, tickets: list[Row]) -> dict[str, int]:
    """Differences between a ticket's value and its shortest path, where there are any."""
    surplus = {row["id"]: row["points"] - ticket_distance(board, row) for row in tickets}
    return {id_: more for id_, more in surplus.items() if more}


@pytest.mark.parametrize(
    ("board", "cities", "routes", "twins", "spaces", "tickets"),
    [
        ("usa", 36, 100, 22, 309, 30 + 1 + 69),
        ("europe", 47, 101, 11, 300, 46 + 55),
        ("uk", 49, 125, 18, 274, 57),
        ("nordic", 39, 81, 14, 207, 46),
        ("switzerland", 51, 88, 12, 205, 46),
    ],
)
def test_size(board: str, cities: int, routes: int, twins: int, spaces: int, tickets: int) -> None:
    """Each board has its known number of cities, routes, double routes, spaces and tickets."""
    content = map_of(board)

    assert cities == len(content["cities"])
    assert routes == len(content["routes"])
    assert 2 * twins == sum("twin" in row for row in content["routes"])
    assert spaces == sum(row["length"] for row in content["routes"])
    assert tickets == len(content["tickets"])


@pytest.mark.parametrize(
    ("board", "lengths"),
    [
        ("usa", {1: 9, 2: 36, 3: 20, 4: 16, 5: 10, 6: 9}),
        ("europe", {1: 4, 2: 35, 3: 30, 4: 29, 6: 2, 8: 1}),
        ("uk", {1: 47, 2: 38, 3: 25, 4: 6, 5: 6, 6: 2, 10: 1}),
        ("nordic", {1: 17, 2: 28, 3: 20, 4: 11, 5: 3, 6: 1, 9: 1}),
        ("switzerland", {1: 31, 2: 21, 3: 18, 4: 14, 5: 2, 6: 2}),
    ],
)
def test_lengths(board: str, lengths: dict[int, int]) -> None:
    """R-SCORE-1, R-NOR-3: the routes have these lengths, and the points table has just these."""
    points = map_of(board)["parameters"]["routes"]["points"]
    table = {1: 1, 2: 2, 3: 4, 4: 7, 5: 10, 6: 15, 8: 21, 9: 27, 10: 40}

    assert lengths == Counter(row["length"] for row in _routes(board))
    assert {str(length): table[length] for length in lengths} == points


@pytest.mark.parametrize("colour", COLOURS)
def test_usa_colours(colour: str) -> None:
    """On the USA board each colour has seven routes and twenty-seven spaces."""
    rows = _routes("usa", colour=colour)

    assert (7, 27) == (len(rows), sum(row["length"] for row in rows))


@pytest.mark.parametrize("colour", COLOURS)
def test_europe_colours(colour: str) -> None:
    """On the Europe board each colour has eight routes."""
    assert 8 == len(_routes("europe", colour=colour))


@pytest.mark.parametrize(
    ("board", "ferries", "symbols", "tunnels"),
    [
        ("usa", 0, 0, 0),
        ("europe", 13, 17, 18),
        ("uk", 30, 34, 0),
        ("nordic", 24, 30, 10),
        ("switzerland", 0, 0, 42),
    ],
)
def test_kinds(board: str, ferries: int, symbols: int, tunnels: int) -> None:
    """R-FERRY-1: ferries alone have locomotive symbols; only on some boards they have colours."""
    rows, coloured = _routes(board, kind="ferry"), {"nordic": 20}

    assert ferries == len(rows)
    assert coloured.get(board, 0) == sum(row["colour"] != "gray" for row in rows)
    assert symbols == sum(row["locomotives"] for row in rows)
    assert symbols == sum(row.get("locomotives", 0) for row in _routes(board))
    assert tunnels == len(_routes(board, kind="tunnel"))


@pytest.mark.parametrize("board", BOARDS)
def test_twins(board: str) -> None:
    """R-DBL-0, R-NOR-13: twins name each other, with the same cities and mostly equal lengths."""
    routes = {row["id"]: row for row in _routes(board)}
    unequal = set()
    for row in routes.values():
        if "twin" in row:
            twin = routes[row["twin"]]
            assert row["id"] == twin["twin"] != row["twin"]
            assert row["cities"] == twin["cities"]
            if row["length"] != twin["length"]:
                unequal.add(row["id"].rpartition("-")[0])
    pairs = {"kristiansand-stavanger", "mo_i_rana-trondheim"} if board == "nordic" else set()
    assert pairs == unequal


@pytest.mark.parametrize("board", BOARDS)
def test_untwinned_pairs(board: str) -> None:
    """R-DBL-0: only Penzance–Plymouth has two routes that are not twins."""
    pairs = Counter(tuple(sorted(row["cities"])) for row in _routes(board) if "twin" not in row)
    expected = {("penzance", "plymouth"): 2} if board == "uk" else {}

    assert expected == {pair: count for pair, count in pairs.items() if count > 1}


@pytest.mark.parametrize("board", BOARDS)
def test_ids(board: str) -> None:
    """Ids are unique, and routes and tickets name only cities (or places) that exist."""
    content = map_of(board)
    cities = [row["id"] for row in content["cities"]]
    places = [row["id"] for row in content.get("places", [])]
    for key in ("routes", "tickets"):
        assert [] == [id_ for id_, n in Counter(row["id"] for row in content[key]).items() if n > 1]

    assert len(cities + places) == len({*cities, *places})
    assert {*cities} == {end for row in content["routes"] for end in row["cities"]}
    assert {*cities, *places} >= {end for row in content["tickets"] for end in row["cities"]}
    assert {*cities} >= {end for row in content.get("places", []) for end in row["cities"]}


@pytest.mark.parametrize("board", BOARDS)
def test_connected(board: str) -> None:
    """Every city can be reached from every other."""
    assert max(distances(board).values()) < 999


@pytest.mark.parametrize(
    ("board", "deck", "count", "points"),
    [
        ("usa", "classic", 30, 349),
        ("usa", "new_edition", 3, 4 + 10 + 8),
        ("usa", "1910", 35, 391),
        ("usa", "original_reprint", 30, 349 - 1 - 1 - 1 - 2),
        ("usa", "mystery_train", 4, 19),
        ("europe", "long", 6, 123),
        ("europe", "regular", 40, 321),
        ("europe", "long_1912", 6, 107),
        ("europe", "regular_1912", 19, 163),
        ("europe", "big_cities_1912", 30, 373),
        ("uk", "regular", 57, 382),
        ("nordic", "regular", 46, 460),
        ("switzerland", "regular", 46, 313),
    ],
)
def test_ticket_decks(board: str, deck: str, count: int, points: int) -> None:
    """Each ticket deck has its known number of tickets and its known total."""
    rows = tickets_of(board, [deck])

    assert (count, points) == (len(rows), _points(rows))


@pytest.mark.parametrize(
    ("board", "variant", "deck", "long"),
    [
        ("usa", "", 30, 0),
        ("usa", "new_edition", 33, 0),
        ("usa", "usa_1910", 35, 0),
        ("usa", "usa_1910_mega", 69, 0),
        ("usa", "usa_1910_big_cities", 35, 0),
        ("usa", "dice", 30, 0),
        ("europe", "", 40, 6),
        ("europe", "europa_1912", 59, 6),
        ("europe", "europa_1912_mega", 89, 12),
        ("europe", "europa_1912_big_cities", 45, 0),
        ("europe", "dice", 40, 6),
        ("uk", "", 57, 0),
        ("uk", "advanced_technologies", 57, 0),
        ("uk", "dice", 57, 0),
        ("nordic", "", 46, 0),
        ("nordic", "dice", 46, 0),
        ("switzerland", "", 46, 0),
        ("switzerland", "dice", 46, 0),
    ],
)
def test_variant_decks(board: str, variant: str, deck: int, long: int) -> None:
    """Each variant has its known number of tickets, four of Switzerland's twice (R-SWI-2)."""
    content = ticket_parameters(board, variant)
    tickets, long_tickets = tickets_of(board, content["deck"]), tickets_of(board, content["long"])
    pairs = Counter(tuple(sorted(row["cities"])) for row in tickets + long_tickets)

    assert (deck, long) == (len(tickets), len(long_tickets))
    assert deck + long - (4 if board == "switzerland" else 0) == len(pairs)


@pytest.mark.parametrize(
    ("board", "tickets", "expected"),
    [
        (
            "usa",
            ["classic", "new_edition"],
            {
                "seattle-new_york": 2,
                "los_angeles-new_york": 1,
                "los_angeles-miami": 1,
                "los_angeles-chicago": 1,
                "sault_st_marie-oklahoma_city": 1,
            },
        ),
        (
            "usa",
            ["1910", "original_reprint", "mystery_train"],
            {"usa1910-los_angeles-chicago": 1, "usa1910-las_vegas-miami": 1},
        ),
        ("europe", ["long", "regular"], {"london-wien": 1, "edinburgh-athina": 1}),
        ("nordic", ["regular"], {}),
        ("switzerland", ["regular"], {}),
        (
            "europe",
            ["long_1912", "regular_1912", "big_cities_1912"],
            {
                "europe1912-essen-angora": 1,
                "europe1912-bucuresti-erzurum": -1,
                "europe1912-sochi-smyrna": 1,
                "europe1912-london-angora": 1,
                "europe1912-paris-berlin": 1,
                "europe1912-paris-roma": 3,
            },
        ),
    ],
)
def test_values_follow_the_network(
    board: str, tickets: list[str], expected: dict[str, int]
) -> None:
    """A ticket is worth its shortest path, with these printed exceptions."""
    assert expected == _outliers(board, tickets_of(board, tickets))


def test_uk_values_follow_the_network() -> None:
    """On UK 37 tickets are worth more than their shortest path, and none is worth less."""
    surplus = _outliers("uk", map_of("uk")["tickets"]).values()

    assert 37 == len(surplus)
    assert min(surplus) > 0


def test_stand_ins() -> None:
    """R-USN-5: two tickets marked as stand-ins complete the deck of the new edition."""
    added = tickets_of("usa", ["new_edition"])
    marked = [row for row in map_of("usa")["tickets"] if "provenance" in row]

    assert 2 == len(marked) == len([row for row in added if row in marked])
    assert [4] == [row["points"] for row in added if row not in marked]
