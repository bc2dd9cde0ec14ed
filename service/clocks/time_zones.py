"""The time zones that an account or a clock may name."""

import zoneinfo
from collections.abc import Collection
from functools import lru_cache

from engine.translate import say
from service.refusals import unreadable

_NO_PLACES = {"Factory", "localtime"}
"""Entries of the time zone database that are not places, or differ between machines."""


@lru_cache(maxsize=1)
def zone_names() -> Collection[str]:
    """Return the names of all time zones."""
    return frozenset(zoneinfo.available_timezones() - _NO_PLACES | {"UTC"})


def checked_zone(name: str) -> str:
    """Return the IANA name of a time zone, or refuse it."""
    if name not in zone_names():
        raise unreadable(say("must be a time zone such as Europe/Paris."), "time_zone")
    return name


def zone_of_browser(name: str) -> str | None:
    """Return the time zone that a browser names; None if it is unknown."""
    return name if name in zone_names() else None
