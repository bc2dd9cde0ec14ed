"""Checking a map, and what the report contains."""

from copy import deepcopy
from typing import Any

import pytest

from service.boards import atlas, map_check

RAW = dict[str, Any]


@pytest.fixture
def raw() -> RAW:
    """The content of a valid map, for tests to change."""
    return deepcopy(atlas.source("usa"))


def test_a_right_map_has_no_findings(raw: RAW) -> None:
    """A valid map has no findings, and its tables and tickets are counted."""
    report = map_check.check(raw)

    assert (True, ()) == (report.holds, report.findings)
    assert len(list(atlas.tables("usa"))) == report.tables
    assert 30 == map_check.tickets_of(atlas.board("usa"))


def test_wrong_rows_are_all_found_at_once(raw: RAW) -> None:
    """Two wrong rows are both reported with their places, and there is no board."""
    raw["routes"][0]["length"] = 0
    raw["tickets"][3]["points"] = 0
    report = map_check.check(raw)

    assert not report.holds
    assert report.board is None
    assert ["routes", "tickets"] == [row.place.partition("[")[0] for row in report.findings]


def test_a_twin_of_a_wrong_route_is_not_blamed(raw: RAW) -> None:
    """Only the wrong one of two parallel routes is reported."""
    wrong = next(route for route in raw["routes"] if "twin" in route)
    wrong["colour"] = "mauve"
    (finding,) = map_check.check(raw).findings

    assert f"routes[{wrong['id']}].colour" == finding.place


def test_no_more_errors_are_listed_than_anybody_reads(raw: RAW) -> None:
    """At most `MOST_ERRORS` errors are reported."""
    for route in raw["routes"]:
        route["length"] = 0

    assert map_check.MOST_ERRORS == len(map_check.check(raw).findings)


def test_a_city_without_routes_is_a_warning(raw: RAW) -> None:
    """A city without routes is reported as a warning, and the map is valid."""
    raw["cities"].append({"id": "yew", "name": "Yew", "lat": 1.0, "lon": 1.0})
    report = map_check.check(raw)

    assert report.holds
    assert [("cities[yew]", True)] == [(row.place, row.warning) for row in report.findings]


def test_an_error_of_a_variant_names_it(raw: RAW) -> None:
    """An error of a variant is reported once, with the first table that has it."""
    raw["variants"]["greedy"] = {
        "name": "Greedy", "summary": "More tickets.", "set": {"tickets": {"dealt": 90}},
    }  # fmt: skip
    findings = map_check.check(raw).findings

    assert findings[0].reason.endswith("(first seen with greedy)")
    places = [(row.place, row.reason.partition(" (")[0]) for row in findings]
    assert len(places) == len(set(places))
