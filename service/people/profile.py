"""Checks the fields of an account: email address, language, quiet hours and absences."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from itertools import pairwise
from typing import Any, NamedTuple

from engine.translate import say, says
from service.refusals import Refused, unreadable
from store.people.accounts import Account

# Longest texts, in characters.
LONGEST_ADDRESS = 254
LONGEST_LOCAL_PART = 64
LONGEST_LOCALE = 35
MODES = ("each_turn", "merged", "digest", "off")
"""How often an account gets mail about its games."""
NOTIFICATIONS: dict[str, Any] = {"mode": "each_turn", "quiet_hours": None}
"""The notification settings of a new account."""
DAYS_A_YEAR = 42
"""Days of absence that an account may have in a calendar year."""
MOST_ABSENCES = 100
"""Absences in one request."""
LOOK_AHEAD = timedelta(days=100 * 365)
"""How far ahead an absence may end."""
LOOK_BACK = timedelta(days=120)
"""How long past absences are kept: the deadline of an open decision may depend on them."""

_LOCAL_PART = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*")
_LABEL = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?")
_LOCALE = re.compile(r"[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*")
_TIME = re.compile(r"(?:[01][0-9]|2[0-3]):[0-5][0-9]")
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


def checked_email(text: str) -> str:
    """Return an email address with its domain in ASCII, or refuse it."""
    local_part, at, domain = text.strip(" ").rpartition("@")
    fits = (
        at
        and len(text.encode(errors="replace")) <= LONGEST_ADDRESS
        and len(local_part) <= LONGEST_LOCAL_PART
        and _LOCAL_PART.fullmatch(local_part)
    )
    host = _host(domain) if fits else None
    if not host or len(local_part) + 1 + len(host) > LONGEST_ADDRESS:
        raise unreadable(say("must be an email address such as ada@example.org."), "email")
    return f"{local_part}@{host}"


def _host(domain: str) -> str | None:
    """Return a domain in ASCII; None if it is no domain, or not the same one once encoded."""
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


def checked_locale(text: str) -> str:
    """Return a BCP 47 language tag in its usual spelling (de, pt-BR, zh-Hant-TW), or refuse it."""
    if len(text) > LONGEST_LOCALE or not _LOCALE.fullmatch(text):
        raise unreadable(say("must be a language tag such as en or pt-BR."), "locale")
    first, *others = text.lower().split("-")
    spelled, after_letter = [first], False
    for tag in others:
        if after_letter or len(tag) not in (2, 4):
            spelled.append(tag)
        else:
            spelled.append(tag.upper() if len(tag) == 2 else tag.title())
        after_letter = after_letter or len(tag) == 1
    return "-".join(spelled)


def merged_notifications(before: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """Merge changes into notification settings; fields that are not given stay."""
    after = {**before, **changes}
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
    """An absence from one day to another, both included."""

    first: date
    last: date

    @property
    def days(self) -> Iterator[date]:
        """Every day of the absence."""
        return (self.first + timedelta(n) for n in range((self.last - self.first).days + 1))


def merged_absences(
    before: Sequence[Mapping[str, str]], request: Sequence[Mapping[str, str]], today: date
) -> list[dict[str, str]]:
    """Replace the absences of an account, but keep past days while a deadline may need them."""
    stored = [
        Absence(date.fromisoformat(days["from"]), date.fromisoformat(days["to"])) for days in before
    ]
    requested = _requested_absences(request)
    if any(absence.last < today and absence not in stored for absence in requested):
        raise _bad_absences(say("must not be in the past."))
    if requested and requested[-1].last - today > LOOK_AHEAD:
        raise _bad_absences(say("must end within a hundred years."))
    past_days = {day for absence in stored for day in absence.days if _still_matters(day, today)}
    requested_days = {day for absence in requested for day in absence.days}
    _check_years(past_days | requested_days)
    absences = sorted([*requested, *_stretches(past_days - requested_days)])
    return [
        {"from": absence.first.isoformat(), "to": absence.last.isoformat()} for absence in absences
    ]


def _still_matters(day: date, today: date) -> bool:
    """Return whether a past day counts for this year's limit or an open decision's deadline."""
    return day < today and (day.year == today.year or today - day <= LOOK_BACK)


def _requested_absences(request: Sequence[Mapping[str, str]]) -> list[Absence]:
    if len(request) > MOST_ABSENCES:
        raise _bad_absences(say("must be at most {most}.", most=MOST_ABSENCES))
    absences = [Absence(_date(days["from"]), _date(days["to"])) for days in request]
    for absence in absences:
        if absence.last < absence.first:
            raise _bad_absences(say("must not end before they begin."))
        if (absence.last - absence.first).days >= 2 * DAYS_A_YEAR:
            raise _too_long()
    if any(later.first <= earlier.last for earlier, later in pairwise(absences)):
        raise _bad_absences(say("must be in order and must not overlap."))
    return absences


def _date(text: str) -> date:
    try:
        if _DATE.fullmatch(text):
            return date.fromisoformat(text)
    except ValueError:
        pass  # a day that no month has
    raise _bad_absences(say("must have dates such as 2030-07-01."))


def _check_years(days: Iterable[date]) -> None:
    """Refuse more days of absence in a calendar year than an account may have."""
    counted: dict[int, int] = {}
    for day in days:
        counted[day.year] = counted.get(day.year, 0) + 1
    if max(counted.values(), default=0) > DAYS_A_YEAR:
        raise _too_long()


def _stretches(days: Iterable[date]) -> list[Absence]:
    """Join consecutive days into absences."""
    stretches: list[Absence] = []
    for day in sorted(days):
        if stretches and stretches[-1].last + timedelta(1) == day:
            stretches[-1] = stretches[-1]._replace(last=day)
        else:
            stretches.append(Absence(day, day))
    return stretches


def _too_long() -> Refused:
    return _bad_absences(
        says(
            "must be at most {n} day in any year, including past days.",
            "must be at most {n} days in any year, including past days.",
            DAYS_A_YEAR,
        )
    )


def _bad_absences(sentence: str) -> Refused:
    return unreadable(sentence, "absences")


def calendar_number(account: Account) -> int:
    """Return the number of an account's valid calendar link: how often its owner has renewed it."""
    number: int = account.settings.get("calendar", 0)
    return number
