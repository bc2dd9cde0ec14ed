"""The German board in numbers, and the map that shares it."""

from collections import Counter
from copy import deepcopy
from pathlib import Path

import pytest

from engine import MapError, board_of
from service.boards import atlas
from tests.maps.reading import map_of

GERMANY = map_of("germany")


def test_size() -> None:
    """49 nodes, 110 tracks with 313 spaces, 21 double and 2 triple routes, 89 tickets."""
    pairs = Counter(frozenset(row["cities"]) for row in GERMANY["routes"])

    assert (49, 110, 313, 89) == (
        len(GERMANY["cities"]),
        len(GERMANY["routes"]),
        sum(row["length"] for row in GERMANY["routes"]),
        len(GERMANY["tickets"]),
    )
    assert {1: 62, 2: 21, 3: 2} == Counter(pairs.values())
    assert {1: 23, 2: 30, 3: 25, 4: 17, 5: 8, 6: 2, 7: 5} == Counter(
        row["length"] for row in GERMANY["routes"]
    )


@pytest.mark.parametrize(
    ("deck", "count", "points", "values"),
    [("short", 55, 415, (2, 11)), ("long", 34, 526, (12, 22))],
)
def test_tickets(deck: str, count: int, points: int, values: tuple[int, int]) -> None:
    """R-GER-10: the decks by number and value."""
    worth = [row["points"] for row in GERMANY["tickets"] if row["decks"] == [deck]]

    assert (count, points, values) == (len(worth), sum(worth), (min(worth), max(worth)))


def test_one_board() -> None:
    """Both games have the same cities, countries, routes and picture."""
    germany, marklin = atlas.board("germany"), atlas.board("marklin")

    assert (germany.cities, germany.places, germany.routes) == (
        marklin.cities,
        marklin.places,
        marklin.routes,
    )
    assert "germany" == germany.pictured == marklin.pictured
    assert not {"cities", "places", "routes"} & set(map_of("marklin"))


def test_the_edition_is_kept() -> None:
    """R-MAR-2, R-MAR-3: the stand-ins of this edition never change, as stored games name them."""
    marklin = atlas.board("marklin")

    assert marklin.stand_in
    assert "2026" == marklin.stand_in.edition
    assert "887e0e07d1c6e359" == marklin.digest
    assert atlas.board("germany").stand_in is None


def test_notes_do_not_matter_to_the_digest() -> None:
    """The sentences about stand-ins may be corrected without harm to running games."""
    content = deepcopy(atlas.source("marklin"))
    content["stand_in"]["notes"] = ["Something else."]

    assert atlas.board("marklin").digest == board_of(content).digest


@pytest.mark.parametrize(
    ("lines", "place", "reason"),
    [
        ('same_board_as = "atlantis"', "same_board_as", "another board"),
        ('same_board_as = "new"', "same_board_as", "another board"),
        ('same_board_as = "marklin"', "same_board_as", "itself shares"),
        ('same_board_as = "germany"\ncities = []', "cities", "cannot be given"),
    ],
)
def test_wrong_sharing(tmp_path: Path, lines: str, place: str, reason: str) -> None:
    """A map can share the board of a bundled map that has one of its own, and nothing else."""
    file = tmp_path / "map.toml"
    file.write_text(f'id = "new"\n{lines}\n', encoding="utf-8")
    with pytest.raises(MapError, match=reason) as caught:
        atlas.read_map(file)
    assert place == caught.value.place
