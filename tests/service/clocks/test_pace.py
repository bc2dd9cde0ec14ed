from collections.abc import Sequence
from datetime import datetime, time, timedelta
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from service.clocks import pace, running_time
from service.clocks.pace import Pace
from service.clocks.running_time import Hours, Span
from service.i18n import times
from service.refusals import Refused
from store import timestamps
from store.games.games import Seated
from tests.service.timing import at

ZONES = ["UTC", "Europe/Paris", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe",
         "America/Havana", "Pacific/Chatham", "Africa/Casablanca", "America/St_Johns"]  # fmt: skip
QUARTERS = [time(hour, minute) for hour in range(24) for minute in (0, 15, 30, 45)]
DAILY = frozenset(range(7))
SEAT = Seated(
    0, "a", "Ada", "person", None, "", "", None, None, None, None, None, 0, None, 0, 0, None, None
)

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
    """Some spans in order, none of which touches another."""
    cuts = sorted(draw(st.sets(st.integers(-900 * 24, 900 * 24), max_size=8)))
    ends = [at("2028-06-01") + timedelta(hours=cut) for cut in cuts]
    return list(zip(ends[::2], ends[1::2], strict=False))


@given(st.none() | opened, absences(), moments, spans)
def test_exactly_so_long_a_clock_runs_until_the_deadline(
    when: Hours | None, away: Sequence[Span], since: datetime, span: timedelta
) -> None:
    """The running time from the beginning to the deadline is the span, to the second."""
    until = running_time.after(when, away, since, span)

    assert span == running_time.between(when, away, since, until)
    assert span > running_time.between(when, away, since, until - timedelta(seconds=1))


@given(st.none() | opened, absences(), moments, st.tuples(moments, spans, spans))
def test_deadlines_come_in_order(
    when: Hours | None, away: Sequence[Span], since: datetime, more: tuple[Any, ...]
) -> None:
    """Whoever is asked later, or has more time, is never due earlier."""
    later, short, long = (max(since, more[0]), min(more[1:]), max(more[1:]))

    assert running_time.after(when, away, since, short) <= running_time.after(
        when, away, since, long
    )
    assert running_time.after(when, away, since, long) <= running_time.after(
        when, away, later, long
    )


@given(opened, absences(), moments)
@example(Hours("Europe/Paris", (time(1), time(2, 30)), frozenset(range(7))), [], at("2026-03-29"))
@example(
    Hours("America/Havana", (time(0, 30), time(0, 15)), frozenset(range(7))), [], at("2028-11-04")
)
def test_a_clock_runs_only_when_it_may(when: Hours, away: Sequence[Span], since: datetime) -> None:
    """Not before it was started, not at closed hours, not on other days, not in absences."""
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


OFFICE = Pace("custom", 8 * 3600, window=("09:00", "17:00"), weekdays=pace.WEEKDAYS[:5],
              time_zone="Europe/Paris")  # fmt: skip


@pytest.mark.parametrize(
    ("since", "until"),
    [
        ("2030-01-07 08:00", "2030-01-07 16:00"),
        ("2030-01-07 12:00", "2030-01-08 12:00"),
        ("2030-01-11 12:00", "2030-01-14 12:00"),
        ("2030-01-12 12:00", "2030-01-14 16:00"),
        ("2030-03-29 12:00", "2030-04-01 11:00"),
        ("2030-10-25 11:00", "2030-10-28 12:00"),
    ],
)
def test_hours_and_weekends(since: str, until: str) -> None:
    """Eight office hours go on the next day, past a weekend, and by summer time."""
    timed = pace.timed(OFFICE, SEAT, timestamps.written(at(since)))

    assert timestamps.written(at(until)) == timed.deadline


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


def test_a_night_owl_owns_the_evening() -> None:
    """A window past midnight belongs to the day on which it begins."""
    owl = Pace("custom", 3 * 3600, window=("22:00", "02:00"), weekdays=("fri",), time_zone="UTC")
    assert (
        timestamps.written(at("2030-01-12 01:00"))
        == pace.timed(owl, SEAT, timestamps.written(at("2030-01-11 12:00"))).deadline
    )
    assert (
        timestamps.written(at("2030-01-19 00:30"))
        == pace.timed(owl, SEAT, timestamps.written(at("2030-01-12 01:30"))).deadline
    )


def test_the_clock_looks_first_for_a_reminder() -> None:
    """At half of the time, then at nine tenths, then at the end."""
    since = timestamps.written(at("2030-01-07 10:00"))
    timed = pace.timed(pace.PACES["daily"], SEAT, since)
    seat = SEAT._replace(awaited_since=since, deadline=timed.deadline)
    found = [timed.due]
    while found[-1] is not None and found[-1] != timed.deadline:
        found.append(pace.due_after(pace.PACES["daily"], seat, found[-1]))

    wanted = ["2030-01-07 22:00", "2030-01-08 07:36", "2030-01-08 10:00"]
    assert [timestamps.written(at(said)) for said in wanted] == found


def test_a_clock_that_slept_reminds_once() -> None:
    """Of reminders whose time has gone by only the next one is still to come."""
    since, late = (
        timestamps.written(at("2030-01-07 10:00")),
        timestamps.written(at("2030-01-08 09:00")),
    )
    until = timestamps.written(at("2030-01-08 10:00"))
    seat = SEAT._replace(awaited_since=since, deadline=until)

    assert until == pace.due_after(pace.PACES["daily"], seat, late)


BANKED = Pace("custom", 3600, bank=1800)


@pytest.mark.parametrize(
    ("minutes", "left"), [(0, 1800), (60, 1800), (60.001, 1799), (75, 900), (90, 0), (500, 0)]
)
def test_a_bank_pays_for_what_takes_longer(minutes: float, left: int) -> None:
    """Only what goes beyond a decision's own time is taken from it, each begun second whole."""
    since = at("2030-01-07 10:00")
    seat = SEAT._replace(awaited_since=timestamps.written(since))
    done = timestamps.written(since + timedelta(minutes=minutes))

    assert left == pace.bank_after(BANKED, seat, done)
    after = pace.timed(BANKED, seat._replace(bank=left), timestamps.written(since)).deadline
    assert timestamps.written(since + timedelta(seconds=3600 + left)) == after


@pytest.mark.parametrize(
    ("kind", "per_decision", "until", "late"),
    [
        ("person", 8 * 3600, "12:10:00", "13:10:00"),
        ("person", 480, "12:08:00", "12:16:00"),
        ("person", 300, "12:00:15", "12:05:15"),
        ("bot", 8 * 3600, "12:00:15", "13:00:15"),
    ],
)
def test_whoever_is_away_is_waited_for_a_short_while(
    kind: str, per_decision: int, until: str, late: str
) -> None:
    """Then the house plays, and long after that the clock; no hours and no absence count."""
    since, gone = timestamps.written(at("2030-01-12 12:00")), SEAT._replace(missed=3, kind=kind)
    timed = pace.timed(OFFICE._replace(per_decision=per_decision), gone, since)

    assert [f"2030-01-12T{said}.000Z" for said in (until, late)] == list(timed)
    assert (None, None) == pace.timed(pace.PACES["none"], gone, since)


@pytest.mark.parametrize(
    ("wanted", "place"),
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
def test_what_is_no_pace_is_refused(wanted: Any, place: str) -> None:
    """With the place of the fault; nothing is guessed, rounded or filled in."""
    with pytest.raises(Refused) as refused:
        pace.checked(wanted)

    assert [place] == [fault["at"] for fault in refused.value.more["errors"]]


WHOLE = {
    "per_decision": 43200,
    "bank": 86400,
    "reminders": [0.25, 0.75],
    "window": {"from": "08:00", "to": "22:30"},
    "weekdays": ["mon", "fri"],
    "time_zone": "Europe/Paris",
    "absences": False,
}


@pytest.mark.parametrize("wanted", [*pace.PACES, WHOLE, {"per_decision": 60}], ids=repr)
def test_a_pace_is_stored_whole(wanted: Any) -> None:
    """What is read back is what was asked for, under its name."""
    found = pace.checked(wanted)

    assert found == pace.read(pace.written(found))
    assert found.name == (wanted if isinstance(wanted, str) else "custom")


def test_a_pace_can_be_asked_for_as_it_is_shown() -> None:
    """The object in a game's document is an object that a new game takes."""
    assert WHOLE == pace.document(pace.checked(WHOLE))
    days = pace.PACES["days"]
    assert days._replace(name="custom") == pace.checked(pace.document(days))
    assert pace.document(pace.PACES["none"]) is None
