import json
import re
import tomllib
from copy import deepcopy
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from tests.maps.reading import MAPS, ROOT, Row, map_of

SCHEMA: Row = json.loads((ROOT / "maps" / "schema.json").read_text(encoding="utf-8"))
EXAMPLE = re.compile(r"```toml\n(id = .*?)```", re.DOTALL)


def _complaints(content: Row) -> list[str]:
    validator = Draft202012Validator(SCHEMA)
    return [f"{error.json_path}: {error.message}" for error in validator.iter_errors(content)]


def _tables(schema: object) -> list[Row]:
    """Every table of the schema that lists its keys."""
    if isinstance(schema, list):
        return [table for item in schema for table in _tables(item)]
    if not isinstance(schema, dict):
        return []
    inner = [table for item in schema.values() for table in _tables(item)]
    return [schema, *inner] if isinstance(schema.get("properties"), dict) else inner


def test_schema_is_a_schema() -> None:
    """schema.json is itself valid JSON Schema of the 2020-12 draft."""
    Draft202012Validator.check_schema(SCHEMA)


def test_schema_is_strict() -> None:
    """Every table of the schema that lists its keys allows no others."""
    tables = [table for table in _tables(SCHEMA) if "type" in table]

    assert [False] * 9 == [table.get("additionalProperties") for table in tables]


@pytest.mark.parametrize("board", MAPS)
def test_maps_are_valid(board: str) -> None:
    """Each map file is valid against the schema, and its id is its folder's name."""
    assert [] == _complaints(map_of(board))
    assert board == map_of(board)["id"]


def test_example_is_valid() -> None:
    """The small map shown in docs/maps.md is valid against the schema."""
    (example,) = EXAMPLE.findall((ROOT / "docs" / "maps.md").read_text(encoding="utf-8"))

    assert [] == _complaints(tomllib.loads(example))


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("motto",), "unknown key"),
        (("seats",), [2]),
        (("cities", 0, "id"), "El Paso"),
        (("routes", 0, "length"), 0),
        (("routes", 0, "colour"), "pink"),
        (("routes", 0, "kind"), "ferry"),
        (("routes", 0, "locomotives"), 1),
        (("routes", 0, "cities"), ["atlanta", "atlanta"]),
        (("tickets", 0, "decks"), []),
        (("tickets", 0, "provenance"), "guess"),
        (("parameters", "routes"), 45),
        (("variants", "dice", "remove"), ["cards"]),
        (("variants", "dice"), {"name": "Nothing", "summary": "Changes nothing."}),
    ],
    ids=str,
)
def test_mistakes_are_found(path: tuple[str | int, ...], value: object) -> None:
    """A misspelt key, a wrong type or an impossible value is not valid."""
    content: Any = deepcopy(map_of("usa"))
    table = content
    for step in path[:-1]:
        table = table[step]
    table[path[-1]] = value

    assert _complaints(content)
