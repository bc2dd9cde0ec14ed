"""Deadlines, reminders and banks that follow from a pace."""

from datetime import timedelta

import pytest

from service.clocks import paces
from service.clocks.paces import Pace
from store import timestamps
from store.games.games import Seated
from tests.service.support.timing import at

SEAT = Seated(
    0,
    "a",
    "Ada",
    "person",
    None,
    "",
    "",
    None,
    None,
    None,
    None,
    None,
    0,
    None,
    0,
    None,
    0,
    None,
    None,
)

OFFICE = Pace("custom", 8 * 3600, window=("09:00", "17:00"), weekdays=paces.WEEKDAYS[:5],
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
    """Eight office hours continue on the next working day, also when the clocks change."""
    timed = paces.timing(OFFICE, SEAT, timestamps.written(at(since)))

    assert timestamps.written(at(until)) == timed.deadline


def test_a_night_owl_owns_the_evening() -> None:
    """A window past midnight belongs to the day on which it begins."""
    owl = Pace("custom", 3 * 3600, window=("22:00", "02:00"), weekdays=("fri",), time_zone="UTC")
    assert (
        timestamps.written(at("2030-01-12 01:00"))
        == paces.timing(owl, SEAT, timestamps.written(at("2030-01-11 12:00"))).deadline
    )
    assert (
        timestamps.written(at("2030-01-19 00:30"))
        == paces.timing(owl, SEAT, timestamps.written(at("2030-01-12 01:30"))).deadline
    )


def test_the_clock_looks_first_for_a_reminder() -> None:
    """A seat is due at half of the time, at nine tenths and at its deadline."""
    since = timestamps.written(at("2030-01-07 10:00"))
    timed = paces.timing(paces.PACES["daily"], SEAT, since)
    seat = SEAT._replace(awaited_since=since, deadline=timed.deadline)
    moments = [timed.due]
    while moments[-1] is not None and moments[-1] != timed.deadline:
        moments.append(paces.next_due(paces.PACES["daily"], seat, moments[-1]))

    expected = ["2030-01-07 22:00", "2030-01-08 07:36", "2030-01-08 10:00"]
    assert [timestamps.written(at(moment)) for moment in expected] == moments


def test_a_clock_that_slept_reminds_once() -> None:
    """After both reminders were missed, the seat is next due at its deadline."""
    since, late = (
        timestamps.written(at("2030-01-07 10:00")),
        timestamps.written(at("2030-01-08 09:00")),
    )
    until = timestamps.written(at("2030-01-08 10:00"))
    seat = SEAT._replace(awaited_since=since, deadline=until)

    assert until == paces.next_due(paces.PACES["daily"], seat, late)


BANKED = Pace("custom", 3600, bank=1800)


@pytest.mark.parametrize(
    ("minutes", "left"), [(0, 1800), (60, 1800), (60.001, 1799), (75, 900), (90, 0), (500, 0)]
)
def test_a_bank_pays_for_what_takes_longer(minutes: float, left: int) -> None:
    """Only time beyond that of the decision is taken from the bank, rounded up to seconds."""
    since = at("2030-01-07 10:00")
    seat = SEAT._replace(awaited_since=timestamps.written(since))
    done = timestamps.written(since + timedelta(minutes=minutes))

    assert left == paces.bank_after(BANKED, seat, done)
    after = paces.timing(BANKED, seat._replace(bank=left), timestamps.written(since)).deadline
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
    """A seat that is away has a short deadline for the house and a later one for the clock."""
    since, gone = timestamps.written(at("2030-01-12 12:00")), SEAT._replace(missed=3, kind=kind)
    timed = paces.timing(OFFICE._replace(per_decision=per_decision), gone, since)

    assert [f"2030-01-12T{time}.000Z" for time in (until, late)] == list(timed)
    assert (None, None) == paces.timing(paces.PACES["none"], gone, since)
