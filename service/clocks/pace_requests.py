"""Parses the pace that a request asks for: the name of a preset, or a clock with its fields."""

import re
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any

from engine.translate import say, says
from service.clocks import time_zones
from service.clocks.paces import CUSTOM, PACES, WEEKDAYS, Pace
from service.refusals import Refused, unreadable

SHORTEST, LONGEST = 60, 30 * 86400
"""The least and the most seconds for one decision."""
LONGEST_WAIT = timedelta(days=90)
"""The longest that a table may wait for one decision, including bank and closed hours."""
SHORTEST_WINDOW = timedelta(hours=1)
MOST_REMINDERS = 5

_TIME = re.compile(r"(?:[01][0-9]|2[0-3]):[0-5][0-9]")


class _Wrong(Exception):
    """A part of a clock that is refused, by its name; becomes a refusal that says where it is."""


def parse(pace: Any, clock: Any = None) -> Pace:
    """Return the pace in a request: a preset, or a clock, which may also be sent as `pace`."""
    request, at = (pace, "pace") if clock is None else (clock, "clock")
    if isinstance(request, str) and clock is None:
        if request not in PACES:
            names = ", ".join(PACES)
            raise unreadable(say("must be one of {names}, or an object.", names=names), at)
        return PACES[request]
    if not isinstance(request, Mapping):
        raise unreadable(say("must be the name of a pace, or an object."), at)
    try:
        return _custom(request)
    except _Wrong as wrong:
        sentence, name = wrong.args
        raise unreadable(sentence, f"{at}.{name}" if name in READERS else at) from None


def _custom(request: Mapping[str, Any]) -> Pace:
    for name in request:
        if name not in READERS:
            raise _Wrong(say("is not a known field."), name)
    if "per_decision" not in request:
        raise _Wrong(say("is missing."), "per_decision")
    fields = {name: READERS[name](value) for name, value in request.items()}
    if not fields.get("time_zone"):
        if fields.get("window") or fields.get("weekdays", WEEKDAYS) != WEEKDAYS:
            raise _Wrong(say("is missing: hours and weekdays need a time zone."), "time_zone")
        fields["time_zone"] = "UTC"
    pace = Pace(CUSTOM, **fields)
    if _longest_wait(pace) > LONGEST_WAIT:
        sentence = says(
            "must lead to deadlines within {n} day, including bank and closed hours.",
            "must lead to deadlines within {n} days, including bank and closed hours.",
            LONGEST_WAIT.days,
        )
        raise _Wrong(sentence, "per_decision")
    return pace


def _longest_wait(pace: Pace) -> timedelta:
    """Return the longest that a decision can take in an ordinary week, without absences."""
    day = _length(pace.window) if pace.window else timedelta(days=1)
    share = day * len(pace.weekdays) / timedelta(days=7)
    return timedelta(seconds=(pace.per_decision or 0) + pace.bank) / share


def _length(window: tuple[str, str]) -> timedelta:
    """Return the length of a window, which may go past midnight."""
    begins, ends = (datetime.fromisoformat(f"2000-01-01T{hour}") for hour in window)
    return (ends - begins) % timedelta(days=1)


def _seconds(name: str, least: int, most: int) -> Callable[[Any], int]:
    def read(value: Any) -> int:
        if type(value) is not int or not least <= value <= most:
            raise _Wrong(
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
        sentence = says(
            "must be at most {n} number from 0.01 to 0.99.",
            "must be at most {n} numbers from 0.01 to 0.99, in ascending order.",
            MOST_REMINDERS,
        )
        raise _Wrong(sentence, "reminders")
    return tuple(value)


def _window(value: Any) -> tuple[str, str] | None:
    if value is None:
        return None
    fits = (
        isinstance(value, Mapping)
        and {"from", "to"} == set(value)
        and all(isinstance(hour, str) and _TIME.fullmatch(hour) for hour in value.values())
        and _length((value["from"], value["to"])) >= SHORTEST_WINDOW
    )
    if not fits:
        raise _Wrong(
            say("must be two times such as 08:00 and 22:00, at least an hour apart."), "window"
        )
    return value["from"], value["to"]


def _weekdays(value: Any) -> tuple[str, ...]:
    is_valid = isinstance(value, list) and value and all(day in WEEKDAYS for day in value)
    if not is_valid or len(set(value)) != len(value):
        raise _Wrong(
            say("must be one or more of {names}, each at most once.", names=", ".join(WEEKDAYS)),
            "weekdays",
        )
    return tuple(sorted(value, key=WEEKDAYS.index))


def _time_zone(value: Any) -> str:
    try:
        return time_zones.checked_zone(value)
    except (Refused, TypeError):
        raise _Wrong(say("must be a time zone such as Europe/Paris."), "time_zone") from None


def _flag(value: Any) -> bool:
    if type(value) is not bool:
        raise _Wrong(say("must be true or false."), "absences")
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
"""The fields of a pace in a request, each with its parser."""
