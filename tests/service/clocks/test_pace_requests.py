"""Parsing the pace in a request."""

from typing import Any

import pytest

from service.clocks import pace_requests, paces
from service.refusals import Refused


@pytest.mark.parametrize(
    ("requested", "place"),
    [
        ("never", "pace"),
        (7, "pace"),
        (None, "pace"),
        ({}, "pace.per_decision"),
        ({"per_decision": 59}, "pace.per_decision"),
        ({"per_decision": 3600.0}, "pace.per_decision"),
        ({"per_decision": True}, "pace.per_decision"),
        ({"per_decision": "1 day"}, "pace.per_decision"),
        ({"per_decision": 31 * 86400}, "pace.per_decision"),
        ({"per_decision": 3600, "speed": 1}, "pace"),
        ({"per_decision": 3600, "bank": -1}, "pace.bank"),
        ({"per_decision": 3600, "bank": None}, "pace.bank"),
        ({"per_decision": 3600, "reminders": [0.9, 0.5]}, "pace.reminders"),
        ({"per_decision": 3600, "reminders": [0.5, 0.5]}, "pace.reminders"),
        ({"per_decision": 3600, "reminders": [1.0]}, "pace.reminders"),
        ({"per_decision": 3600, "reminders": [0]}, "pace.reminders"),
        ({"per_decision": 3600, "reminders": 0.5}, "pace.reminders"),
        ({"per_decision": 3600, "reminders": ["0.5"]}, "pace.reminders"),
        ({"per_decision": 3600, "window": {"from": "08:00"}}, "pace.window"),
        ({"per_decision": 3600, "window": {"from": "08:00", "to": "08:00"}}, "pace.window"),
        ({"per_decision": 3600, "window": {"from": "08:00", "to": "08:59"}}, "pace.window"),
        ({"per_decision": 3600, "window": {"from": "8:00", "to": "22:00"}}, "pace.window"),
        ({"per_decision": 3600, "window": {"from": "08:00", "to": "24:00"}}, "pace.window"),
        ({"per_decision": 3600, "window": {"from": 8, "to": 22}}, "pace.window"),
        ({"per_decision": 3600, "window": {"from": "08:00", "to": "22:00"}}, "pace.time_zone"),
        ({"per_decision": 3600, "weekdays": ["mon"]}, "pace.time_zone"),
        ({"per_decision": 3600, "weekdays": []}, "pace.weekdays"),
        ({"per_decision": 3600, "weekdays": ["mon", "mon"]}, "pace.weekdays"),
        ({"per_decision": 3600, "weekdays": [["mon"]]}, "pace.weekdays"),
        ({"per_decision": 3600, "weekdays": "mon"}, "pace.weekdays"),
        ({"per_decision": 3600, "time_zone": "Paris"}, "pace.time_zone"),
        ({"per_decision": 3600, "time_zone": ["UTC"]}, "pace.time_zone"),
        ({"per_decision": 3600, "absences": 1}, "pace.absences"),
        (
            {"per_decision": 30 * 86400, "weekdays": ["sun"], "time_zone": "UTC"},
            "pace.per_decision",
        ),
    ],
    ids=repr,
)  # fmt: skip
def test_what_is_no_pace_is_refused(requested: Any, place: str) -> None:
    """An invalid pace is refused, and the refusal names the wrong field."""
    with pytest.raises(Refused) as refused:
        pace_requests.parse(requested)

    assert [place] == [fault["at"] for fault in refused.value.more["errors"]]


@pytest.mark.parametrize(
    ("clock", "place"),
    [
        ({}, "clock.per_decision"),
        ({"per_decision": 3600, "bank": -1}, "clock.bank"),
        ({"per_decision": 3600, "speed": 1}, "clock"),
        ("days", "clock"),
        (7, "clock"),
    ],
    ids=repr,
)
def test_what_is_no_clock_is_refused(clock: Any, place: str) -> None:
    """A clock is an object, and a refusal names its wrong field."""
    with pytest.raises(Refused) as refused:
        pace_requests.parse("days", clock)

    assert [place] == [fault["at"] for fault in refused.value.more["errors"]]


def test_a_clock_takes_precedence() -> None:
    """A client that always sends the default pace gets the clock that it asks for."""
    assert pace_requests.parse(WHOLE) == pace_requests.parse("days", WHOLE)
    assert paces.PACES["days"] == pace_requests.parse("days")


WHOLE = {
    "per_decision": 43200,
    "bank": 86400,
    "reminders": [0.25, 0.75],
    "window": {"from": "08:00", "to": "22:30"},
    "weekdays": ["mon", "fri"],
    "time_zone": "Europe/Paris",
    "absences": False,
}


@pytest.mark.parametrize("requested", [*paces.PACES, WHOLE, {"per_decision": 60}], ids=repr)
def test_a_pace_is_stored_whole(requested: Any) -> None:
    """A stored pace is read as it was requested, with its name."""
    parsed = pace_requests.parse(requested)

    assert parsed == paces.read(paces.written(parsed))
    assert parsed.name == (requested if isinstance(requested, str) else "custom")


def test_a_pace_can_be_asked_for_as_it_is_shown() -> None:
    """The object in a game's document can be sent to open a new game."""
    assert WHOLE == paces.document(pace_requests.parse(WHOLE))
    days = paces.PACES["days"]
    assert days._replace(name="custom") == pace_requests.parse(paces.document(days))
    assert paces.document(paces.PACES["none"]) is None
