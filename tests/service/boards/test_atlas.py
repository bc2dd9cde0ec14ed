from pathlib import Path

import pytest

from engine import MapError
from service.boards import atlas


def test_unknown_board_names_those_that_exist() -> None:
    """The error about an unknown board lists the boards."""
    with pytest.raises(MapError, match=r"there is no board “atlantis”; there are: .*usa"):
        atlas.board("atlantis")


def test_rulesets_are_kept() -> None:
    """A ruleset is cached for its board, its variants and its number of seats."""
    assert atlas.ruleset("usa", (), 3) is atlas.ruleset("usa", [], 3)
    assert atlas.ruleset("usa", (), 3) is not atlas.ruleset("usa", (), 4)


def test_tables_leave_out_what_excludes_each_other() -> None:
    """No table has two variants that cannot be played together."""
    tables = list(atlas.tables("usa"))

    assert ("usa", (), 2) == tables[0]
    assert ("usa", ("new_edition",), 5) in tables
    assert [] == [table for table in tables if {"new_edition", "usa_1910"} <= set(table[1])]


@pytest.mark.parametrize("data", [b"\xff", b"x = 1979-05-27", b"x = [{ y = 07:32:00 }]", b"= 1"])
def test_wrong_files_are_map_errors(tmp_path: Path, data: bytes) -> None:
    """A file that is not TOML, or contains a date or a time, raises a MapError."""
    path = tmp_path / "map.toml"
    path.write_bytes(data)

    with pytest.raises(MapError):
        atlas.read_map(path)
