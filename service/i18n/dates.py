"""Formats days, times and durations for the current reader, in their language.

The patterns are texts of the catalogue, so that a translation can order the parts of a date. They
use the letters of CLDR: EEEE is the day of the week, d the day, MMMM the month, y the year.
"""

from datetime import date, datetime, timedelta

from babel.dates import format_date, format_datetime, format_timedelta

from engine.text import listed
from engine.translate import say, says
from service.i18n.catalogue import current_language
from service.i18n.times import zone


def letter_time(when: datetime, time_zone: str) -> str:
    """Return a time for a letter: Wednesday 3 July 2030, 14:00 (Europe/Paris, UTC+02:00)."""
    local = when.astimezone(zone(time_zone))
    zone_name = "UTC" if time_zone == "UTC" else f"{time_zone}, {_offset(local)}"
    return f"{_formatted(local, say('EEEE d MMMM y, HH:mm'))} ({zone_name})"


def page_time(when: datetime, time_zone: str) -> str:
    """Return a time for a page behind a link: Wednesday, 3 July 2030, 14:00 (Europe/Paris)."""
    local = when.astimezone(zone(time_zone))
    return f"{_formatted(local, say('EEEE, d MMMM y, HH:mm'))} ({time_zone.replace('_', ' ')})"


def short_time(when: datetime, time_zone: str) -> str:
    """Return a short time, with the abbreviation of the zone: Wed 3 Jul 2030, 14:00 CEST."""
    local = when.astimezone(zone(time_zone))
    letters = local.tzname() or ""
    zone_name = letters if letters.isalpha() else _offset(local)  # many zones have none
    return f"{_formatted(local, say('EEE d MMM y, HH:mm'))} {zone_name}"


def _offset(local: datetime) -> str:
    """Return the offset of a local time from UTC: UTC+02:00."""
    offset = local.strftime("%z")
    return f"UTC{offset[:3]}:{offset[3:]}"


def _formatted(local: datetime, pattern: str) -> str:
    return format_datetime(local, pattern, locale=_locale())


def day(on: date) -> str:
    """Return a day: 3 Jul 2030."""
    return format_date(on, say("d MMM y"), locale=_locale())


def relative(apart: timedelta) -> str:
    """Return a time relative to now: in 2 days, 3 hours ago."""
    return format_timedelta(apart, add_direction=True, locale=_locale())


def duration(left: timedelta) -> str:
    """Return a duration in its two largest units: 2 days and 1 hour."""
    minutes = round(left.total_seconds() / 60)
    days, rest = divmod(minutes, 24 * 60)
    hours, minutes = divmod(rest, 60)
    units = [
        (days, says("{n} day", "{n} days", days)),
        (hours, says("{n} hour", "{n} hours", hours)),
        (minutes, says("{n} minute", "{n} minutes", minutes)),
    ]
    first = next((at for at, (number, _) in enumerate(units) if number), len(units))
    texts = [text for number, text in units[first : first + 2] if number]
    return listed(texts) or say("less than a minute")


def _locale() -> str:
    """Return the current language in Babel's spelling: pt_BR."""
    return current_language().replace("-", "_")
