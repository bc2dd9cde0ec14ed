"""The pace of a game: how long a decision may take, and the deadlines that follow for a seat."""

import json
from collections.abc import Collection
from datetime import time, timedelta
from functools import lru_cache
from typing import Any, NamedTuple

from service.clocks import absences, running_time
from service.clocks.running_time import Hours, Span
from store import timestamps
from store.games.games import Seated

REMINDERS = (0.5, 0.9)
"""The parts of a decision's time after which its player is reminded, unless the pace differs."""
WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
CUSTOM = "custom"
"""The name of a pace that is not a preset."""
SLOW = 3600
"""With this many seconds for a decision or more, players do not wait at the page for their turn."""
AWAY_AFTER = 3
"""Missed deadlines in a row after which a caretaker plays until the owner comes back."""
GRACE, QUICK_GRACE = timedelta(minutes=10), timedelta(seconds=15)
"""How long a table waits for a seat with a caretaker, in case its owner comes back.

The second is for bots, and for live games.
"""
HOUSE_LATE = timedelta(hours=1)
"""How long a table waits for the house before the clock plays for it."""
AT_LEAST = timedelta(hours=1)
"""The time that a player keeps for an open decision after cancelling an absence."""


class Pace(NamedTuple):
    """How long a decision may take, and when the clock runs."""

    name: str
    per_decision: int | None
    """Seconds for a decision; None for a game without a clock."""
    bank: int = 0
    """Extra seconds that each seat has for the whole game."""
    reminders: tuple[float, ...] = REMINDERS
    """The parts of a decision's time after which its player is reminded."""
    window: tuple[str, str] | None = None
    weekdays: tuple[str, ...] = WEEKDAYS
    time_zone: str = "UTC"
    absences: bool = True
    """Whether absences move deadlines."""

    @property
    def is_slow(self) -> bool:
        """Whether players do not wait at the page, and so have to be notified of each decision."""
        return self.per_decision is None or self.per_decision >= SLOW

    @property
    def hours(self) -> Hours | None:
        """The hours in which the clock runs; None for always."""
        if self.window is None and self.weekdays == WEEKDAYS:
            return None
        return _hours(self.window, self.weekdays, self.time_zone)


@lru_cache(maxsize=256)
def _hours(window: tuple[str, str] | None, weekdays: tuple[str, ...], time_zone: str) -> Hours:
    hours = (time.fromisoformat(window[0]), time.fromisoformat(window[1])) if window else None
    return Hours(time_zone, hours, frozenset(map(WEEKDAYS.index, weekdays)))


PACES = {
    pace.name: pace
    for pace in (
        Pace("days", 3 * 86400),
        Pace("daily", 86400),
        Pace("week", 7 * 86400),
        Pace("live", 300, absences=False),
        Pace("none", None, absences=False),
    )
}
"""The presets, by name."""


def written(pace: Pace) -> str:
    """Return a pace as it is stored: the name of a preset, or JSON."""
    return json.dumps(document(pace)) if pace.name == CUSTOM else pace.name


@lru_cache(maxsize=1024)
def read(stored: str) -> Pace:
    """Parse a stored pace."""
    if stored in PACES:
        return PACES[stored]
    fields: dict[str, Any] = json.loads(stored)
    window = fields["window"]
    return Pace(
        CUSTOM,
        fields["per_decision"],
        fields["bank"],
        tuple(fields["reminders"]),
        (window["from"], window["to"]) if window else None,
        tuple(fields["weekdays"]),
        fields["time_zone"],
        fields["absences"],
    )


def document(pace: Pace) -> dict[str, Any] | None:
    """Return a pace as clients read it; None if the game has no clock."""
    if pace.per_decision is None:
        return None
    return {
        "per_decision": pace.per_decision,
        "bank": pace.bank,
        "reminders": list(pace.reminders),
        "window": {"from": pace.window[0], "to": pace.window[1]} if pace.window else None,
        "weekdays": list(pace.weekdays),
        "time_zone": pace.time_zone,
        "absences": pace.absences,
    }


class Timing(NamedTuple):
    """The deadline of a seat, and when the clock has to look at the seat next."""

    deadline: str | None
    due: str | None


def is_away(seat: Seated) -> bool:
    """Return whether a caretaker plays for this seat until its owner comes back."""
    return seat.missed >= AWAY_AFTER and seat.house is None


def timing(pace: Pace, seat: Seated, since: str) -> Timing:
    """Return the deadline for a decision that is opened for a seat at this moment."""
    if pace.per_decision is None:
        return Timing(None, None)
    if seat.house or is_away(seat):
        # The table has waited long enough, so neither hours nor absences count. The house plays by
        # itself; the clock has to look at its seat only if no worker does.
        late = min(HOUSE_LATE, timedelta(seconds=pace.per_decision))
        until = timestamps.later(since, late if seat.house else _grace(pace, seat))
        return Timing(until, until if seat.house else timestamps.later(until, late))
    until, *reminders = _moments_of(pace, seat, since, (1.0, *pace.reminders))
    return Timing(until, min((moment for moment in reminders if moment > since), default=until))


def _grace(pace: Pace, seat: Seated) -> timedelta:
    """Return how long the owner of a seat with a caretaker may decide before the house does."""
    whole, live = pace.per_decision or 0, PACES["live"].per_decision or 0
    quick = seat.kind == "bot" or whole <= live
    return QUICK_GRACE if quick else min(GRACE, timedelta(seconds=whole))


def _moments_of(pace: Pace, seat: Seated, since: str, parts: Collection[float]) -> list[str]:
    """Return the moments at which these parts of a decision's time are over."""
    whole = timedelta(seconds=(pace.per_decision or 0) + _bank_of(pace, seat))
    when, away, begin = pace.hours, _absence_spans(pace, seat), timestamps.read(since)
    return [
        timestamps.written(running_time.moment_after(when, away, begin, whole * part))
        for part in parts
    ]


def next_due(pace: Pace, seat: Seated, now: str) -> str | None:
    """Return when the clock has to look at an awaited seat: the next reminder, or the deadline."""
    if seat.deadline is None or seat.awaited_since is None or is_away(seat):
        return seat.deadline
    reminders = _moments_of(pace, seat, seat.awaited_since, pace.reminders)
    to_come = (moment for moment in reminders if now < moment < str(seat.deadline))
    return min(to_come, default=seat.deadline)


def timing_after_change(pace: Pace, seat: Seated, now: str) -> Timing:
    """Return the deadline of an open decision after its player's absences have changed.

    A player who cancels an absence keeps at least AT_LEAST, unless there was less left before.
    """
    before = seat.deadline
    if not pace.absences or before is None or seat.awaited_since is None:
        return Timing(before, next_due(pace, seat, now))
    if is_away(seat) or before <= now:
        return Timing(before, before)
    (until,) = _moments_of(pace, seat, seat.awaited_since, (1.0,))
    until = max(until, min(before, timestamps.later(now, AT_LEAST)))
    return Timing(until, next_due(pace, seat._replace(deadline=until), now))


def bank_after(pace: Pace, seat: Seated, at: str) -> int | None:
    """Return the seconds left in a seat's bank when its decision is made at this moment."""
    if not pace.bank or seat.awaited_since is None or is_away(seat):
        return seat.bank
    running = running_time.time_between(
        pace.hours,
        _absence_spans(pace, seat),
        timestamps.read(seat.awaited_since),
        timestamps.read(at),
    )
    overdrawn = -((timedelta(seconds=pace.per_decision or 0) - running) // timedelta(seconds=1))
    return max(0, _bank_of(pace, seat) - max(0, overdrawn))


def _bank_of(pace: Pace, seat: Seated) -> int:
    return pace.bank if seat.bank is None else seat.bank


def _absence_spans(pace: Pace, seat: Seated) -> tuple[Span, ...]:
    return absences.spans_of(seat) if pace.absences else ()
