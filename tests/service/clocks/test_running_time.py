"""Spans in which a clock runs, in any time zone."""

from collections.abc import Sequence
from datetime import datetime, time, timedelta
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from service.clocks import running_time
from service.clocks.running_time import Hours, Span
from service.i18n import times
from tests.service.support.timing import at

ZONES = ["UTC", "Europe/Paris", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe",
         "America/Havana", "Pacific/Chatham", "Africa/Casablanca", "America/St_Johns"]  # fmt: skip
QUARTERS = [time(hour, minute) for hour in range(24) for minute in (0, 15, 30, 45)]
DAILY = frozenset(range(7))

moments = st.integers(0, 5 * 365 * 86400).map(
    lambda seconds: at("2026-01-01") + timedelta(seconds=seconds)
)
windows = st.tuples(st.sampled_from(QUARTERS), st.sampled_from(QUARTERS)).filter(
    lambda two: two[0] != two[1]
)
opened = st.builds(
    Hours,
    st.sampled_from(ZONES),
    st.none() | windows,
    st.frozensets(st.integers(0, 6), min_size=1),
)
spans = st.integers(60, 3 * 86400).map(lambda seconds: timedelta(seconds=seconds))


@st.composite
def absences(draw: st.DrawFn) -> list[Span]:
    """Spans in order that do not touch each other."""
    cuts = sorted(draw(st.sets(st.integers(-900 * 24, 900 * 24), max_size=8)))
    ends = [at("2028-06-01") + timedelta(hours=cut) for cut in cuts]
    return list(zip(ends[::2], ends[1::2], strict=False))


@given(st.none() | opened, absences(), moments, spans)
def test_exactly_so_long_a_clock_runs_until_the_deadline(
    when: Hours | None, away: Sequence[Span], since: datetime, span: timedelta
) -> None:
    """The running time from the beginning to the deadline is the span, to the second."""
    until = running_time.moment_after(when, away, since, span)

    assert span == running_time.time_between(when, away, since, until)
    assert span > running_time.time_between(when, away, since, until - timedelta(seconds=1))


@given(st.none() | opened, absences(), moments, st.tuples(moments, spans, spans))
def test_deadlines_come_in_order(
    when: Hours | None, away: Sequence[Span], since: datetime, more: tuple[Any, ...]
) -> None:
    """A later start or more time never leads to an earlier deadline."""
    later, short, long = (max(since, more[0]), min(more[1:]), max(more[1:]))

    assert running_time.moment_after(when, away, since, short) <= running_time.moment_after(
        when, away, since, long
    )
    assert running_time.moment_after(when, away, since, long) <= running_time.moment_after(
        when, away, later, long
    )


@given(opened, absences(), moments)
@example(Hours("Europe/Paris", (time(1), time(2, 30)), frozenset(range(7))), [], at("2026-03-29"))
@example(
    Hours("America/Havana", (time(0, 30), time(0, 15)), frozenset(range(7))), [], at("2028-11-04")
)
def test_a_clock_runs_only_when_it_may(when: Hours, away: Sequence[Span], since: datetime) -> None:
    """A clock runs only after its start, in its hours, on its weekdays and outside absences."""
    place = times.zone(when.time_zone)
    last = since
    for _, (begins, ends) in zip(range(12), running_time.running(when, away, since), strict=False):
        assert last <= begins < ends
        last = ends
        assert not any(begins < back and gone < ends for gone, back in away)
        for moment in (begins, begins + (ends - begins) / 2, ends - timedelta(seconds=1)):
            wall = moment.astimezone(place)
            twice = wall.replace(fold=0).utcoffset() != wall.replace(fold=1).utcoffset()
            assert twice or _is_open(when, wall)


def _is_open(when: Hours, wall: datetime) -> bool:
    day, now = wall.weekday(), wall.time()
    if when.window is None:
        return day in when.weekdays
    begins, ends = when.window
    if begins < ends:
        return day in when.weekdays and begins <= now < ends
    evening = day in when.weekdays and now >= begins
    return evening or ((day - 1) % 7 in when.weekdays and now < ends)


@pytest.mark.parametrize(
    ("window", "since", "begins", "ends"),
    [
        ((time(1), time(2, 30)), "2026-03-28 12:00", "2026-03-29 00:00", "2026-03-29 01:00"),
        ((time(2, 30), time(4)), "2026-03-28 12:00", "2026-03-29 01:00", "2026-03-29 02:00"),
        ((time(1), time(2, 30)), "2026-10-24 12:00", "2026-10-24 23:00", "2026-10-25 01:30"),
        ((time(2, 30), time(4)), "2026-10-24 12:00", "2026-10-25 00:30", "2026-10-25 03:00"),
        (None, "2026-03-29 00:00", "2026-03-29 00:00", "2026-03-29 22:00"),
        (None, "2026-10-25 12:00", "2026-10-25 12:00", "2026-10-25 23:00"),
    ],
)
def test_summer_time(window: tuple[time, time] | None, since: str, begins: str, ends: str) -> None:
    """In Paris a skipped hour counts for nothing, and one that comes twice counts twice."""
    when = Hours("Europe/Paris", window, DAILY)

    assert (at(begins), at(ends)) == next(running_time.running(when, (), at(since)))
