"""The command `absence 3 Jul - 10 Jul`: reads the days and stores the absence."""

import re
from datetime import date
from operator import itemgetter

from engine.errors import Unreadable
from engine.translate import say
from service.i18n import dates, times
from service.people import accounts
from service.people.tokens import Caller
from service.replies.commands.conversation import Conversation, Line
from store import timestamps

MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")

_DAY = r"([0-9]{1,2})(?: ([a-z]{3,9}))?(?: ([0-9]{4}))?"
_ISO = r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
_BETWEEN = r" ?(?:-|to|until|till) ?"
_WRITTEN = re.compile(rf"{_DAY}(?:{_BETWEEN}{_DAY})?")
_DATED = re.compile(rf"({_ISO})(?:{_BETWEEN}({_ISO}))?")


def record(conversation: Conversation, line: Line) -> str:
    """Store an absence written in a reply, and return a sentence that says from when to when."""
    desk, caller = conversation.desk, Caller(conversation.reply.account, "", frozenset())
    me = accounts.me(desk, caller)
    today = timestamps.read(desk.now()).astimezone(times.zone(me["time_zone"])).date()
    first, last = _read_days(line.text, today)
    absence = {"from": first.isoformat(), "to": last.isoformat()}
    if absence not in me["absences"]:  # the same letter may be read a second time
        absences = sorted([*me["absences"], absence], key=itemgetter("from"))
        accounts.change(desk, caller, {"absences": absences})
    days = {"first": dates.day(first), "last": dates.day(last)}
    return say("You are away from {first} to {last}, including both days.", **days)


def _read_days(text: str, today: date) -> tuple[date, date]:
    """The first and the last day of an absence, written in one of two ways."""
    days = " ".join(text.lower().replace("–", "-").replace("—", "-").split()).strip(" .")
    days = days.removeprefix("absence").replace(".", "").replace(",", "").strip(" :")
    try:
        if dated := _DATED.fullmatch(days):
            return date.fromisoformat(dated[1]), date.fromisoformat(dated[2] or dated[1])
        if written := _WRITTEN.fullmatch(days):
            return _days(written.groups(), today)
    except ValueError:  # a day that no month has
        pass
    raise Unreadable(
        say(
            "We could not read the dates of your absence. Write it as “absence 3 Jul - 10 Jul” "
            "or “absence 2030-07-03 - 2030-07-10”."
        )
    )


def _days(groups: tuple[str | None, ...], today: date) -> tuple[date, date]:
    """The two days; a missing month is that of the last day, a missing year the next possible."""
    day, month, year, last_day, last_month, last_year = groups
    first = _day(day, month or last_month, year or (last_year if last_day else None), today)
    if last_day is None:
        return first, first
    return first, _day(last_day, last_month, last_year, first)


def _day(day: str | None, month: str | None, year: str | None, after: date) -> date:
    """One day; without a year, the next one that is not before `after`."""
    if day is None or month is None or month[:3] not in MONTHS:
        raise ValueError("no month")
    number = MONTHS.index(month[:3]) + 1
    if year is not None:
        return date(int(year), number, int(day))
    this = date(after.year, number, int(day))
    return this if this >= after else date(after.year + 1, number, int(day))
