"""Finds the bundled maps, and caches the boards and rulesets made from them."""

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, time
from functools import lru_cache
from importlib.resources import files
from itertools import combinations
from pathlib import Path
from typing import Any

from engine import Board, MapError, Ruleset, board_of, ruleset_of
from engine.text import shown

BOARD_KEYS = ("cities", "places", "routes")
"""What a map has in common with the map whose board it shares."""


def board_ids() -> list[str]:
    """Return the ids of the bundled boards."""
    return sorted(
        folder.name
        for folder in files("maps").iterdir()
        if folder.is_dir() and folder.joinpath("map.toml").is_file()
    )


@lru_cache(maxsize=64)
def source(board: str) -> dict[str, Any]:
    """Return the content of a board's file; cached, so callers must not change it."""
    if board not in board_ids():
        boards = ", ".join(board_ids())
        raise MapError("board", f"there is no board “{shown(board)}”; there are: {boards}")
    file = files("maps").joinpath(board).joinpath("map.toml")
    return _with_its_board(_parsed(file.read_bytes(), f"{board}/map.toml"))


def _with_its_board(content: dict[str, Any]) -> dict[str, Any]:
    """Return the content of a map with cities, places and routes of the board that it shares."""
    other = content.get("same_board_as")
    if other is None:
        return content
    if not isinstance(other, str) or other not in board_ids() or other == content.get("id"):
        raise MapError("same_board_as", "must be the id of another board")
    shared = source(other)
    if "same_board_as" in shared:
        raise MapError("same_board_as", f"“{other}” itself shares a board; name that one")
    for key in BOARD_KEYS:
        if key in content:
            raise MapError(key, f"are those of “{other}”, so they cannot be given here")
    return {**{key: shared[key] for key in BOARD_KEYS if key in shared}, **content}


@lru_cache(maxsize=256)
def _board(board: str, variants: tuple[str, ...]) -> Board:
    return board_of(source(board), variants)


def board(name: str, variants: Sequence[str] = ()) -> Board:
    """Return a board by its id, with these variants applied."""
    return _board(name, tuple(variants))


@lru_cache(maxsize=256)
def _rules(name: str, variants: tuple[str, ...], seats: int) -> Ruleset:
    return ruleset_of(_board(name, variants), seats)


def ruleset(name: str, variants: Sequence[str] = (), seats: int = 2) -> Ruleset:
    """Return the rules for a table: a board, its variants and a number of seats."""
    return _rules(name, _board(name, tuple(variants)).variants, seats)


def tables(*names: str) -> Iterator[tuple[str, tuple[str, ...], int]]:
    """Yield every board, or these, with every combination of variants and every number of seats."""
    for name in names or board_ids():
        for variants in _combinations(board(name)):
            varied = board(name, variants)
            for seats in range(varied.seats[0], varied.seats[1] + 1):
                yield name, varied.variants, seats


def _combinations(plain: Board) -> Iterator[tuple[str, ...]]:
    """Yield every set of variants of which none excludes another."""
    for number in range(len(plain.catalogue) + 1):
        for chosen in combinations(plain.catalogue, number):
            ids = tuple(variant.id for variant in chosen)
            if not any(set(ids) & set(variant.excludes) for variant in chosen):
                yield ids


def read_map(path: Path) -> dict[str, Any]:
    """Return the content of a map author's file; raises MapError if it is not TOML."""
    try:
        return _with_its_board(_parsed(path.read_bytes(), str(path)))
    except OSError as error:
        raise MapError(str(path), f"cannot be read: {error.strerror}") from None


def _parsed(data: bytes, place: str) -> dict[str, Any]:
    try:
        content = tomllib.loads(data.decode())
    except RecursionError:
        raise MapError(place, "is nested too deeply") from None
    except ValueError as error:
        raise MapError(place, f"is not a TOML file: {error}") from None
    _refuse_dates(content, "")
    return content


def _refuse_dates(value: object, place: str) -> None:
    """Refuse dates and times, which TOML has and maps do not."""
    if isinstance(value, date | time):
        raise MapError(place, "is a date or a time, and a map has none")
    if isinstance(value, Mapping):
        for key, item in value.items():
            _refuse_dates(item, f"{place}.{key}" if place else str(key))
    elif isinstance(value, list):
        for at, item in enumerate(value):
            _refuse_dates(item, f"{place}[{at}]")
