"""Reads the map files as plain data, without the engine, and walks their network."""

import tomllib
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
BOARDS = ("usa", "europe", "uk", "nordic", "switzerland")
"""Boards whose facts these tests know."""
MAPS = tuple(sorted(path.parent.name for path in (ROOT / "maps").glob("*/map.toml")))
"""All boards, including new ones."""

Row = dict[str, Any]


@cache
def map_of(board: str) -> Row:
    """The parsed map file of this board."""
    return tomllib.loads((ROOT / "maps" / board / "map.toml").read_text(encoding="utf-8"))


def ticket_parameters(board: str, variant: str = "") -> Row:
    """The ticket parameters in this variant."""
    content = map_of(board)
    edit: Row = content["variants"][variant].get("set", {}) if variant else {}
    return {
        "long": [],
        "long_dealt": 0,
        **content["parameters"]["tickets"],
        **edit.get("tickets", {}),
    }


def tickets_of(board: str, decks: Iterable[str]) -> list[Row]:
    """The tickets of these decks, deck by deck."""
    return [row for deck in decks for row in map_of(board)["tickets"] if deck in row["decks"]]


@cache
def distances(board: str) -> dict[tuple[str, str], int]:
    """The fewest trains that join any two cities."""
    ids = [city["id"] for city in map_of(board)["cities"]]
    far = {(a, b): 0 if a == b else 999 for a in ids for b in ids}
    for route in map_of(board)["routes"]:
        a, b = route["cities"]
        far[a, b] = far[b, a] = min(far[a, b], route["length"])
    for via in ids:
        for a in ids:
            for b in ids:
                far[a, b] = min(far[a, b], far[a, via] + far[via, b])
    return far


def ticket_distance(board: str, ticket: Row) -> int:
    """The fewest trains that complete a ticket; any city of a place will do."""
    places = {place["id"]: place["cities"] for place in map_of(board).get("places", [])}
    starts, ends = (places.get(end, [end]) for end in ticket["cities"])
    return min(distances(board)[a, b] for a in starts for b in ends)
