"""How long a decision may take: the paces of games, and what follows for one seat."""

import json
import re
from collections.abc import Callable, Collection, Mapping
from datetime import datetime, time, timedelta
from functools import lru_cache
from typing import Any, NamedTuple

from engine.translate import say, says
from service.clocks import absences, running_time, time_zones
from service.clocks.running_time import Hours, Span
from service.refusals import Refused, unreadable
from store import timestamps
from store.games.games import Seated

REMINDERS = (0.5, 0.9)
WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
CUSTOM = "custom"
"""What a pace is called that is no preset."""
SHORTEST, LONGEST = 60, 30 * 86400
"""Seconds for one decision."""
LONGEST_WAIT = timedelta(days=90)
"""So long at most a table waits for one decision, bank and closed hours included."""
SLOW = 3600
"""With so many seconds for a decision nobody sits in front of the page and waits."""
SHORTEST_WINDOW = timedelta(hours=1)
MOST_REMINDERS = 5
AWAY_AFTER = 3
"""So many deadlines in a row missed, and the seat is played for its owner, who may come back."""
GRACE, QUICK_GRACE = timedelta(minutes=10), timedelta(seconds=15)
"""So long at most the table waits for a seat whose owner is away like that: the second for bots,
and in games that are played live."""
HOUSE_LATE = timedelta(hours=1)
"""So long at most the table waits for the house, when nobody plays for it."""
AT_LEAST = timedelta(hours=1)
"""What is left of a decision's time when its owner takes an absence back."""

_TIME = re.compile(r"(?:[01][0-9]|2[0-3]):[0-5][0-9]")


class Pace(NamedTuple):
    """How long a decision may take, and when the clock runs."""

    name: str
    per_decision: int | None
    """In seconds; None if nobody is hurried."""
    bank: int = 0
    """Seconds that each seat has on top, for the whole game."""
    reminders: tuple[float, ...] = REMINDERS
    """At which parts of a decision's time its seat is reminded."""
    window: tuple[str, str] | None = None
    weekdays: tuple[str, ...] = WEEKDAYS
    time_zone: str = "UTC"
    absences: bool = True
    """Whether absences move deadlines."""

    @property
    def is_slow(self) -> bool:
        """Whether people come back for each decision, and so have to be told of it."""
        return self.per_decision is None or self.per_decision >= SLOW

    @property
    def hours(self) -> Hours | None:
        """When the clock runs; None for always."""
        if self.window is None and self.weekdays == WEEKDAYS:
            return None
        return _hours(self.window, self.weekdays, self.time_zone)


@lru_cache(maxsize=256)
def _hours(window: tuple[str, str] | None, weekdays: tuple[str, ...], time_zone: str) -> Hours:
    opened = (time.fromisoformat(window[0]), time.fromisoformat(window[1])) if window else None
    return Hours(time_zone, opened, frozenset(map(WEEKDAYS.index, weekdays)))


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
"""The presets."""


def written(pace: Pace) -> str:
    """A pace as it is stored: the name of a preset, or what it is made of."""
    return json.dumps(document(pace)) if pace.name == CUSTOM else pace.name


@lru_cache(maxsize=1024)
def read(said: str) -> Pace:
    """The pace that is stored like this."""
    if said in PACES:
        return PACES[said]
    known: dict[str, Any] = json.loads(said)
    opened = known["window"]
    return Pace(
        CUSTOM,
        known["per_decision"],
        known["bank"],
        tuple(known["reminders"]),
        (opened["from"], opened["to"]) if opened else None,
        tuple(known["weekdays"]),
        known["time_zone"],
        known["absences"],
    )


def document(pace: Pace) -> dict[str, Any] | None:
    """What a pace is made of, for everybody to read; None if there is no clock."""
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


def checked(wanted: Any) -> Pace:
    """The pace that somebody asks for: the name of a preset, or what it is made of."""
    if isinstance(wanted, str):
        if wanted not in PACES:
            raise _unfit(say("must be one of {names}, or an object.", names=", ".join(PACES)))
        return PACES[wanted]
    if not isinstance(wanted, Mapping):
        raise _unfit(say("must be the name of a pace, or an object."))
    for name in wanted:
        if name not in READERS:
            raise _unfit(say("is not known."), name)
    if "per_decision" not in wanted:
        raise _unfit(say("is missing."), "per_decision")
    found = {name: READERS[name](value) for name, value in wanted.items()}
    if not found.get("time_zone"):
        if found.get("window") or found.get("weekdays", WEEKDAYS) != WEEKDAYS:
            raise _unfit(say("is missing: hours and weekdays are those of a place."), "time_zone")
        found["time_zone"] = "UTC"
    pace = Pace(CUSTOM, **found)
    if _longest(pace) > LONGEST_WAIT:
        said = says(
            "must lead to deadlines within {n} day, bank and hours included.",
            "must lead to deadlines within {n} days, bank and hours included.",
            LONGEST_WAIT.days,
        )
        raise _unfit(said, "per_decision")
    return pace


def _longest(pace: Pace) -> timedelta:
    """How long a decision takes at most when the clock runs as it does in most weeks."""
    day = _length(pace.window) if pace.window else timedelta(days=1)
    share = day * len(pace.weekdays) / timedelta(days=7)
    return timedelta(seconds=(pace.per_decision or 0) + pace.bank) / share


def _length(window: tuple[str, str]) -> timedelta:
    begins, ends = (datetime.fromisoformat(f"2000-01-01T{said}") for said in window)
    return (ends - begins) % timedelta(days=1)


def _seconds(name: str, least: int, most: int) -> Callable[[Any], int]:
    def read(value: Any) -> int:
        if type(value) is not int or not least <= value <= most:
            raise _unfit(
                say("must be whole seconds from {least} to {most}.", least=least, most=most), name
            )
        return value

    return read


def _reminders(value: Any) -> tuple[float, ...]:
    fits = (
        isinstance(value, list)
        and len(value) <= MOST_REMINDERS
        and all(type(part) is float and 0.01 <= part <= 0.99 for part in value)
        and sorted(set(value)) == value
    )
    if not fits:
        said = says(
            "must be at most {n} part from 0.01 to 0.99.",
            "must be at most {n} parts from 0.01 to 0.99, the smaller first.",
            MOST_REMINDERS,
        )
        raise _unfit(said, "reminders")
    return tuple(value)


def _window(value: Any) -> tuple[str, str] | None:
    if value is None:
        return None
    fits = (
        isinstance(value, Mapping)
        and {"from", "to"} == set(value)
        and all(isinstance(said, str) and _TIME.fullmatch(said) for said in value.values())
        and _length((value["from"], value["to"])) >= SHORTEST_WINDOW
    )
    if not fits:
        raise _unfit(
            say("must be two times such as 08:00 and 22:00, an hour apart or more."), "window"
        )
    return value["from"], value["to"]


def _weekdays(value: Any) -> tuple[str, ...]:
    known = isinstance(value, list) and value and all(one in WEEKDAYS for one in value)
    if not known or len(set(value)) != len(value):
        raise _unfit(
            say("must be some of {names}, each once.", names=", ".join(WEEKDAYS)), "weekdays"
        )
    return tuple(sorted(value, key=WEEKDAYS.index))


def _time_zone(value: Any) -> str:
    try:
        return time_zones.time_zone(value)
    except (Refused, TypeError):
        raise _unfit(say("must be a time zone such as Europe/Paris."), "time_zone") from None


def _flag(value: Any) -> bool:
    if type(value) is not bool:
        raise _unfit(say("must be true or false."), "absences")
    return value


READERS: dict[str, Callable[[Any], Any]] = {
    "per_decision": _seconds("per_decision", SHORTEST, LONGEST),
    "bank": _seconds("bank", 0, LONGEST),
    "reminders": _reminders,
    "window": _window,
    "weekdays": _weekdays,
    "time_zone": _time_zone,
    "absences": _flag,
}
"""What a pace is made of, each with what reads it."""


def _unfit(sentence: str, name: str | None = None) -> Refused:
    return unreadable(sentence, f"pace.{name}" if name in READERS else "pace")


class Timed(NamedTuple):
    """Until when a seat may decide, and when the clock looks at it next."""

    deadline: str | None
    due: str | None


def is_away(seat: Seated) -> bool:
    """Whether a caretaker plays here until the owner comes back."""
    return seat.missed >= AWAY_AFTER and seat.house is None


def timed(pace: Pace, seat: Seated, since: str) -> Timed:
    """The time for a decision that is put to a seat at this moment."""
    if pace.per_decision is None:
        return Timed(None, None)
    if seat.house or is_away(seat):
        # The others have waited long enough: neither hours nor absences count. The house plays by
        # itself, so the clock has to look only when nobody plays for it.
        late = min(HOUSE_LATE, timedelta(seconds=pace.per_decision))
        until = timestamps.later(since, late if seat.house else _grace(pace, seat))
        return Timed(until, until if seat.house else timestamps.later(until, late))
    until, *reminders = _moments(pace, seat, since, (1.0, *pace.reminders))
    return Timed(until, min((moment for moment in reminders if moment > since), default=until))


def _grace(pace: Pace, seat: Seated) -> timedelta:
    """How long the owner of a seat that is away may be quicker than the house."""
    whole, live = pace.per_decision or 0, PACES["live"].per_decision or 0
    quick = seat.kind == "bot" or whole <= live
    return QUICK_GRACE if quick else min(GRACE, timedelta(seconds=whole))


def _moments(pace: Pace, seat: Seated, since: str, parts: Collection[float]) -> list[str]:
    """When these parts of a decision's time are over."""
    whole = timedelta(seconds=(pace.per_decision or 0) + _bank(pace, seat))
    when, away, begin = pace.hours, _away(pace, seat), timestamps.read(since)
    return [
        timestamps.written(running_time.after(when, away, begin, whole * part)) for part in parts
    ]


def due_after(pace: Pace, seat: Seated, now: str) -> str | None:
    """When the clock has to look again at a seat that is awaited: a reminder, or the deadline."""
    if seat.deadline is None or seat.awaited_since is None or is_away(seat):
        return seat.deadline
    reminders = _moments(pace, seat, seat.awaited_since, pace.reminders)
    to_come = (moment for moment in reminders if now < moment < str(seat.deadline))
    return min(to_come, default=seat.deadline)


def timed_again(pace: Pace, seat: Seated, now: str) -> Timed:
    """The time for a decision that is open, by the absences that its seat has now.

    Whoever takes an absence back has some time left, unless there was less before.
    """
    before = seat.deadline
    if not pace.absences or before is None or seat.awaited_since is None:
        return Timed(before, due_after(pace, seat, now))
    if is_away(seat) or before <= now:
        return Timed(before, before)
    (until,) = _moments(pace, seat, seat.awaited_since, (1.0,))
    until = max(until, min(before, timestamps.later(now, AT_LEAST)))
    return Timed(until, due_after(pace, seat._replace(deadline=until), now))


def bank_after(pace: Pace, seat: Seated, at: str) -> int | None:
    """What is left in a seat's bank when what was asked of it is settled at this moment."""
    if not pace.bank or seat.awaited_since is None or is_away(seat):
        return seat.bank
    ran = running_time.between(
        pace.hours, _away(pace, seat), timestamps.read(seat.awaited_since), timestamps.read(at)
    )
    used = -((timedelta(seconds=pace.per_decision or 0) - ran) // timedelta(seconds=1))
    return max(0, _bank(pace, seat) - max(0, used))


def _bank(pace: Pace, seat: Seated) -> int:
    return pace.bank if seat.bank is None else seat.bank


def _away(pace: Pace, seat: Seated) -> tuple[Span, ...]:
    return absences.spans_of(seat) if pace.absences else ()
