"""Running time: the hours and days in which a clock runs, and how far it has run.

All of it is arithmetic on moments in UTC; what the clock on the wall says is asked only where an
hour opens or closes, so a change of summer time moves no deadline into the night.
"""

from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import NamedTuple

from service.i18n.times import zone

A_DAY = timedelta(days=1)
A_SECOND = timedelta(seconds=1)
FOREVER = datetime(9999, 1, 1, tzinfo=UTC)
MIDNIGHT = time(0)

Span = tuple[datetime, datetime]
"""From one moment to another; the second does not belong to it."""


class Hours(NamedTuple):
    """The part of some weekdays in which a clock runs, by the clock on a wall."""

    time_zone: str
    window: tuple[time, time] | None
    """Whole days if there is none; one that goes past midnight belongs to the day it begins on."""
    weekdays: frozenset[int]


def instant(wall: datetime, place: tzinfo, *, last: bool = False) -> datetime:
    """The moment at which the clock on a wall says this: the first such moment, or the last.

    A time that is skipped in spring is the moment of the skip.
    """
    said = wall.replace(tzinfo=place, fold=int(last)).astimezone(UTC)
    if said.astimezone(place).replace(tzinfo=None) == wall:
        return said
    other = wall.replace(tzinfo=place, fold=int(not last)).astimezone(UTC)
    early, late = sorted((said, other))
    while late - early > A_SECOND:
        middle = early + (late - early) // A_SECOND // 2 * A_SECOND
        if middle.astimezone(place).replace(tzinfo=None) < wall:
            early = middle
        else:
            late = middle
    return late


def _opened(hours: Hours, place: tzinfo, day: date) -> Span:
    """When the clock runs that begins to run on this day."""
    if hours.window is None:
        return (
            instant(datetime.combine(day, MIDNIGHT), place),
            instant(datetime.combine(day + A_DAY, MIDNIGHT), place),
        )
    begins, ends = hours.window
    closes = day if begins < ends else day + A_DAY
    return (
        instant(datetime.combine(day, begins), place),
        instant(datetime.combine(closes, ends), place, last=True),
    )


def _open(hours: Hours | None, since: datetime) -> Iterator[Span]:
    """When the clock runs from this moment on, without an end."""
    if hours is None:
        yield since, FOREVER
        return
    place = zone(hours.time_zone)
    day = since.astimezone(place).date() - A_DAY
    while True:
        if day.weekday() in hours.weekdays:
            begins, ends = _opened(hours, place, day)
            if since < ends:
                yield max(begins, since), ends
                since = ends
        day += A_DAY


def running(hours: Hours | None, away: Sequence[Span], since: datetime) -> Iterator[Span]:
    """When the clock runs from this moment on for somebody who is away at times, in order."""
    for opens, closes in _open(hours, since):
        begins = opens
        for gone, back in away:
            if back > begins and gone < closes:
                if gone > begins:
                    yield begins, gone
                begins = back
        if begins < closes:
            yield begins, closes


def after(hours: Hours | None, away: Sequence[Span], since: datetime, span: timedelta) -> datetime:
    """The first moment at which a clock has run so long."""
    left = span
    for begins, ends in running(hours, away, since):
        if ends - begins >= left:
            return begins + left
        left -= ends - begins
    raise AssertionError("time goes on")


def between(
    hours: Hours | None, away: Sequence[Span], since: datetime, until: datetime
) -> timedelta:
    """How long a clock runs from one moment to another."""
    ran = timedelta()
    for begins, ends in running(hours, away, since):
        if begins >= until:
            break
        ran += min(ends, until) - begins
    return ran
