"""What may stand in an account: an address, a language, a time zone, quiet hours, absences."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from itertools import pairwise
from typing import Any, NamedTuple

from engine.translate import say, says
from service.refusals import Refused, unreadable
from store.people.accounts import Account

LONGEST_ADDRESS = 254
LONGEST_LOCAL_PART = 64
LONGEST_LOCALE = 35
MODES = ("each_turn", "merged", "digest", "off")
NOTIFICATIONS: dict[str, Any] = {"mode": "each_turn", "quiet_hours": None}
DAYS_A_YEAR = 42
MOST_ABSENCES = 100
LOOK_AHEAD = timedelta(days=100 * 365)
LOOK_BACK = timedelta(days=120)
"""A decision that is open may have been asked so long ago, and its deadline hangs on absences."""

_LOCAL_PART = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*")
_LABEL = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?")
_LOCALE = re.compile(r"[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*")
_TIME = re.compile(r"(?:[01][0-9]|2[0-3]):[0-5][0-9]")
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


def email(said: str) -> str:
    """An address in the form in which mail is sent to it; whether it exists shows only there."""
    local_part, at, domain = said.strip(" ").rpartition("@")
    fits = (
        at
        and len(said.encode(errors="replace")) <= LONGEST_ADDRESS
        and len(local_part) <= LONGEST_LOCAL_PART
        and _LOCAL_PART.fullmatch(local_part)
    )
    host = _host(domain) if fits else None
    if not host or len(local_part) + 1 + len(host) > LONGEST_ADDRESS:
        raise unreadable(say("must be a mail address such as ada@example.org."), "email")
    return f"{local_part}@{host}"


def _host(domain: str) -> str | None:
    """A domain in ASCII; None if it is none, or if its letters could mean another one."""
    folded = domain.lower()
    try:
        host = folded.encode("idna").decode("ascii")
        same = host.encode("ascii").decode("idna") == folded
    except UnicodeError:
        return None
    labels = host.split(".")
    sound = len(labels) > 1 and all(map(_LABEL.fullmatch, labels)) and not labels[-1].isdigit()
    # The codec makes “strasse” of “straße”, which is somebody else's domain.
    return host if sound and (same or folded.isascii()) else None


def locale(said: str) -> str:
    """A BCP 47 tag in its usual spelling: de, pt-BR, zh-Hant-TW."""
    if len(said) > LONGEST_LOCALE or not _LOCALE.fullmatch(said):
        raise unreadable(say("must be a language tag such as en or pt-BR."), "locale")
    first, *others = said.lower().split("-")
    spelled, after_letter = [first], False
    for tag in others:
        if after_letter or len(tag) not in (2, 4):
            spelled.append(tag)
        else:
            spelled.append(tag.upper() if len(tag) == 2 else tag.title())
        after_letter = after_letter or len(tag) == 1
    return "-".join(spelled)


def notifications(before: Mapping[str, Any], wanted: Mapping[str, Any]) -> dict[str, Any]:
    """How somebody wants to be told; what is not named stays as it was."""
    after = {**before, **wanted}
    if after["mode"] not in MODES:
        raise unreadable(
            say("must be one of {names}.", names=", ".join(MODES)), "notifications.mode"
        )
    hours = after["quiet_hours"]
    if hours is not None:
        fits = _TIME.fullmatch(hours["from"]) and _TIME.fullmatch(hours["to"])
        if not fits or hours["from"] == hours["to"]:
            raise unreadable(
                say("must be two times of the day, such as 22:00 and 07:00."),
                "notifications.quiet_hours",
            )
        after["quiet_hours"] = {"from": hours["from"], "to": hours["to"]}
    return {name: after[name] for name in NOTIFICATIONS}


class Absence(NamedTuple):
    """From one day to another, both included."""

    first: date
    last: date

    @property
    def days(self) -> Iterator[date]:
        return (self.first + timedelta(n) for n in range((self.last - self.first).days + 1))


def absences(
    before: Sequence[Mapping[str, str]], wanted: Sequence[Mapping[str, str]], today: date
) -> list[dict[str, str]]:
    """Somebody's absences from now on; days that are over stay while something hangs on them."""
    known = [
        Absence(date.fromisoformat(one["from"]), date.fromisoformat(one["to"])) for one in before
    ]
    asked = _asked(wanted)
    if any(absence.last < today and absence not in known for absence in asked):
        raise _unfit(say("must not be over already."))
    if asked and asked[-1].last - today > LOOK_AHEAD:
        raise _unfit(say("must be over within a hundred years."))
    over = {day for absence in known for day in absence.days if _counts(day, today)}
    named = {day for absence in asked for day in absence.days}
    _check_years(over | named)
    kept = sorted([*asked, *_stretches(over - named)])
    return [{"from": one.first.isoformat(), "to": one.last.isoformat()} for one in kept]


def _counts(day: date, today: date) -> bool:
    return day < today and (day.year == today.year or today - day <= LOOK_BACK)


def _asked(wanted: Sequence[Mapping[str, str]]) -> list[Absence]:
    if len(wanted) > MOST_ABSENCES:
        raise _unfit(say("must be at most {most}.", most=MOST_ABSENCES))
    asked = [Absence(_date(one["from"]), _date(one["to"])) for one in wanted]
    for absence in asked:
        if absence.last < absence.first:
            raise _unfit(say("must not end before they begin."))
        if (absence.last - absence.first).days >= 2 * DAYS_A_YEAR:
            raise _too_long()
    if any(later.first <= earlier.last for earlier, later in pairwise(asked)):
        raise _unfit(say("must be in order and must not overlap."))
    return asked


def _date(said: str) -> date:
    try:
        if _DATE.fullmatch(said):
            return date.fromisoformat(said)
    except ValueError:
        pass  # a day that no month has
    raise _unfit(say("must have dates such as 2030-07-01."))


def _check_years(days: Iterable[date]) -> None:
    counted: dict[int, int] = {}
    for day in days:
        counted[day.year] = counted.get(day.year, 0) + 1
    if max(counted.values(), default=0) > DAYS_A_YEAR:
        raise _too_long()


def _stretches(days: Iterable[date]) -> list[Absence]:
    found: list[Absence] = []
    for day in sorted(days):
        if found and found[-1].last + timedelta(1) == day:
            found[-1] = found[-1]._replace(last=day)
        else:
            found.append(Absence(day, day))
    return found


def _too_long() -> Refused:
    return _unfit(
        says(
            "must be at most {n} day in any year; days that are over count.",
            "must be at most {n} days in any year; days that are over count.",
            DAYS_A_YEAR,
        )
    )


def _unfit(sentence: str) -> Refused:
    return unreadable(sentence, "absences")


def calendar_number(account: Account) -> int:
    """Which link of an account opens its calendar: how often it has asked for a new one."""
    asked: int = account.settings.get("calendar", 0)
    return asked
