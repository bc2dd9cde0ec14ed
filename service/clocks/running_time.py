"""Running time: the hours and days in which a clock runs, and how long it has run.

All arithmetic is done in UTC. Local time matters only where a window opens or closes, so that
daylight saving time moves no deadline into the night.
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
"""From one moment up to another, which is not included."""


class Hours(NamedTuple):
    """The hours of some weekdays in which a clock runs, in local time."""

    time_zone: str
    window: tuple[time, time] | None
    """None for whole days; a window past midnight belongs to the day on which it begins."""
    weekdays: frozenset[int]


def instant(wall: datetime, place: tzinfo, *, last: bool = False) -> datetime:
    """Convert local time to UTC; an hour that occurs twice in autumn means the first or the last.

    A time that is skipped in spring means the moment of the skip.
    """
    moment = wall.replace(tzinfo=place, fold=int(last)).astimezone(UTC)
    if moment.astimezone(place).replace(tzinfo=None) == wall:
        return moment
    other = wall.replace(tzinfo=place, fold=int(not last)).astimezone(UTC)
    early, late = sorted((moment, other))
    while late - early > A_SECOND:
        middle = early + (late - early) // A_SECOND // 2 * A_SECOND
        if middle.astimezone(place).replace(tzinfo=None) < wall:
            early = middle
        else:
            late = middle
    return late


def _open_span(hours: Hours, place: tzinfo, day: date) -> Span:
    """Return the span in which the clock runs that begins on this day."""
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


def _open_spans(hours: Hours | None, since: datetime) -> Iterator[Span]:
    """Yield the spans in which the clock runs from this moment on, without an end."""
    if hours is None:
        yield since, FOREVER
        return
    place = zone(hours.time_zone)
    day = since.astimezone(place).date() - A_DAY
    while True:
        if day.weekday() in hours.weekdays:
            begins, ends = _open_span(hours, place, day)
            if since < ends:
                yield max(begins, since), ends
                since = ends
        day += A_DAY


def running(hours: Hours | None, away: Sequence[Span], since: datetime) -> Iterator[Span]:
    """Yield the spans in which the clock of a player with these absences runs, in order."""
    for opens, closes in _open_spans(hours, since):
        begins = opens
        for leaves, returns in away:
            if returns > begins and leaves < closes:
                if leaves > begins:
                    yield begins, leaves
                begins = returns
        if begins < closes:
            yield begins, closes


def moment_after(
    hours: Hours | None, away: Sequence[Span], since: datetime, span: timedelta
) -> datetime:
    """Return the first moment at which a clock has run for this long."""
    left = span
    for begins, ends in running(hours, away, since):
        if ends - begins >= left:
            return begins + left
        left -= ends - begins
    raise AssertionError("the spans have no end")


def time_between(
    hours: Hours | None, away: Sequence[Span], since: datetime, until: datetime
) -> timedelta:
    """Return how long a clock runs between two moments."""
    ran = timedelta()
    for begins, ends in running(hours, away, since):
        if begins >= until:
            break
        ran += min(ends, until) - begins
    return ran
