"""`absence 3 Jul - 10 Jul`: an absence as people write it in a letter."""

import re
from datetime import date

from engine.errors import Unreadable
from engine.translate import say
from service.desk import Desk
from service.i18n import dates, times
from service.people import accounts
from service.people.tokens import Caller
from store import timestamps

MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")

_DAY = r"([0-9]{1,2})(?: ([a-z]{3,9}))?(?: ([0-9]{4}))?"
_ISO = r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
_BETWEEN = r" ?(?:-|to|until|till) ?"
_WRITTEN = re.compile(rf"{_DAY}(?:{_BETWEEN}{_DAY})?")
_DATED = re.compile(rf"({_ISO})(?:{_BETWEEN}({_ISO}))?")


def note(desk: Desk, account: str, text: str) -> str:
    """Take note of an absence; from when to when, in a sentence."""
    caller = Caller(account, "", frozenset())
    me = accounts.me(desk, caller)
    today = timestamps.read(desk.now()).astimezone(times.zone(me["time_zone"])).date()
    first, last = _meant(text, today)
    wanted = {"from": first.isoformat(), "to": last.isoformat()}
    if wanted not in me["absences"]:  # a letter that is read again has noted it already
        absences = sorted([*me["absences"], wanted], key=lambda one: str(one["from"]))
        accounts.change(desk, caller, {"absences": absences})
    days = {"first": dates.day(first), "last": dates.day(last)}
    return say("You are away from {first} to {last}, both included.", **days)


def _meant(text: str, today: date) -> tuple[date, date]:
    """The first and the last day."""
    said = " ".join(text.lower().replace("–", "-").replace("—", "-").split()).strip(" .")
    said = said.removeprefix("absence").replace(".", "").replace(",", "").strip(" :")
    try:
        if dated := _DATED.fullmatch(said):
            return date.fromisoformat(dated[1]), date.fromisoformat(dated[2] or dated[1])
        if written := _WRITTEN.fullmatch(said):
            return _days(written.groups(), today)
    except ValueError:  # a day that no month has
        pass
    raise Unreadable(
        say(
            "It is not clear from when to when you are away. Write it as “absence 3 Jul - 10 Jul” "
            "or “absence 2030-07-03 - 2030-07-10”."
        )
    )


def _days(found: tuple[str | None, ...], today: date) -> tuple[date, date]:
    """Without a month the last day's is meant, without a year the next such day."""
    day, month, year, last_day, last_month, last_year = found
    first = _day(day, month or last_month, year or (last_year if last_day else None), today)
    if last_day is None:
        return first, first
    return first, _day(last_day, last_month, last_year, first)


def _day(day: str | None, month: str | None, year: str | None, after: date) -> date:
    if day is None or month is None or month[:3] not in MONTHS:
        raise ValueError("no month")
    number = MONTHS.index(month[:3]) + 1
    if year is not None:
        return date(int(year), number, int(day))
    this = date(after.year, number, int(day))
    return this if this >= after else date(after.year + 1, number, int(day))
