"""Days, times and spans as people read them, in the language that is spoken now.

How the parts of a date follow each other is a text of the catalogue, too, in the letters that
CLDR has for them: EEEE is the day of the week, d the day, MMMM the month, y the year.
"""

from datetime import date, datetime, timedelta

from babel.dates import format_date, format_datetime, format_timedelta

from engine.text import listed
from engine.translate import say, says
from service.i18n.catalogue import spoken
from service.i18n.times import zone


def moment(when: datetime, time_zone: str) -> str:
    """A time where the reader lives, with the day of the week and the zone, as letters have it."""
    there = when.astimezone(zone(time_zone))
    named = "UTC" if time_zone == "UTC" else f"{time_zone}, {_offset(there)}"
    return f"{_written(there, say('EEEE d MMMM y, HH:mm'))} ({named})"


def placed(when: datetime, time_zone: str) -> str:
    """The same as the pages behind the links of a letter have it."""
    there = when.astimezone(zone(time_zone))
    return f"{_written(there, say('EEEE, d MMMM y, HH:mm'))} ({time_zone.replace('_', ' ')})"


def brief(when: datetime, time_zone: str) -> str:
    """The same in few words: the zone by the letters that people use there, such as CEST."""
    there = when.astimezone(zone(time_zone))
    letters = there.tzname() or ""
    named = letters if letters.isalpha() else _offset(there)  # many zones have no letters
    return f"{_written(there, say('EEE d MMM y, HH:mm'))} {named}"


def _offset(there: datetime) -> str:
    """How far a time is from UTC: UTC+02:00."""
    offset = there.strftime("%z")
    return f"UTC{offset[:3]}:{offset[3:]}"


def _written(there: datetime, pattern: str) -> str:
    return format_datetime(there, pattern, locale=_locale())


def day(on: date) -> str:
    """A day."""
    return format_date(on, say("d MMM y"), locale=_locale())


def away(apart: timedelta) -> str:
    """How far away something is: in 2 days, 3 hours ago."""
    return format_timedelta(apart, add_direction=True, locale=_locale())


def span(left: timedelta) -> str:
    """How long something takes: its two largest units."""
    minutes = round(left.total_seconds() / 60)
    days, rest = divmod(minutes, 24 * 60)
    hours, minutes = divmod(rest, 60)
    units = [
        (days, says("{n} day", "{n} days", days)),
        (hours, says("{n} hour", "{n} hours", hours)),
        (minutes, says("{n} minute", "{n} minutes", minutes)),
    ]
    first = next((at for at, (number, _) in enumerate(units) if number), len(units))
    shown = [said for number, said in units[first : first + 2] if number]
    return listed(shown) or say("less than a minute")


def _locale() -> str:
    """The language as Babel spells it."""
    return spoken().replace("-", "_")
