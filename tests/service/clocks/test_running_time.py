"""The hours in which a clock runs."""

from datetime import datetime, time, timedelta

import pytest

from service.clocks.running_time import Hours, after, between, instant
from service.i18n.times import zone
from tests.service.timing import at

ALWAYS = None
WEEK = frozenset(range(5))
OFFICE = Hours("UTC", (time(9), time(17)), WEEK)
NIGHT = Hours("UTC", (time(22), time(2)), frozenset(range(7)))
HOUR = timedelta(hours=1)


@pytest.mark.parametrize(
    ("wall", "last", "moment"),
    [
        ("2030-01-07 10:00", False, "2030-01-07 09:00"),
        ("2030-10-27 02:30", False, "2030-10-27 00:30"),  # there are two in autumn
        ("2030-10-27 02:30", True, "2030-10-27 01:30"),
        ("2030-03-31 02:30", False, "2030-03-31 01:00"),  # there is none in spring
        ("2030-03-31 02:30", True, "2030-03-31 01:00"),
    ],
)
def test_the_clock_on_a_wall_names_a_moment(wall: str, *, last: bool, moment: str) -> None:
    """Of two such moments the first or the last; a skipped time is the moment of the skip."""
    assert at(moment) == instant(datetime.fromisoformat(wall), zone("Europe/Berlin"), last=last)


@pytest.mark.parametrize(
    ("hours", "since", "span", "ends"),
    [
        (ALWAYS, "2030-01-07 10:00", 48 * HOUR, "2030-01-09 10:00"),
        (OFFICE, "2030-01-07 10:00", 3 * HOUR, "2030-01-07 13:00"),
        (OFFICE, "2030-01-07 16:00", 3 * HOUR, "2030-01-08 11:00"),
        (OFFICE, "2030-01-07 03:00", HOUR, "2030-01-07 10:00"),
        (OFFICE, "2030-01-11 16:00", 2 * HOUR, "2030-01-14 10:00"),  # over a weekend
        (NIGHT, "2030-01-07 23:00", 4 * HOUR, "2030-01-08 23:00"),
        (NIGHT, "2030-01-07 01:00", 2 * HOUR, "2030-01-07 23:00"),
    ],
)
def test_time_runs_in_its_hours_alone(
    hours: Hours | None, since: str, span: timedelta, ends: str
) -> None:
    """A span ends at the first moment at which the clock has run so long, and not before."""
    assert at(ends) == after(hours, [], at(since), span)
    assert span == between(hours, [], at(since), at(ends))


def test_an_absence_stops_the_clock() -> None:
    """From its first moment to its last, also when it begins before the decision."""
    away = [(at("2030-01-07 11:00"), at("2030-01-08 10:00"))]

    assert at("2030-01-08 11:00") == after(OFFICE, away, at("2030-01-07 10:00"), 2 * HOUR)
    assert at("2030-01-08 12:00") == after(OFFICE, away, at("2030-01-07 12:00"), 2 * HOUR)
    assert HOUR == between(OFFICE, away, at("2030-01-07 10:00"), at("2030-01-08 10:00"))


def test_nothing_runs_backwards() -> None:
    """From a moment to an earlier one no time passes."""
    assert timedelta(0) == between(ALWAYS, [], at("2030-01-07 10:00"), at("2030-01-06 10:00"))
    assert timedelta(0) == between(OFFICE, [], at("2030-01-07 10:00"), at("2030-01-07 09:00"))
