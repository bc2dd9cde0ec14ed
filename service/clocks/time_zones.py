"""The time zones that an account or a clock may name."""

import zoneinfo
from collections.abc import Collection
from functools import lru_cache

from engine.translate import say
from service.refusals import unreadable

_NO_PLACES = {"Factory", "localtime"}
"""Names of files among the zones that mean something else on each machine."""


@lru_cache(maxsize=1)
def zones() -> Collection[str]:
    """The names of all time zones."""
    return frozenset(zoneinfo.available_timezones() - _NO_PLACES | {"UTC"})


def time_zone(said: str) -> str:
    """The name of a zone as IANA spells it."""
    if said not in zones():
        raise unreadable(say("must be a time zone such as Europe/Paris."), "time_zone")
    return said


def zone_of_browser(said: str) -> str | None:
    """The zone that a browser names; None if it names none that we know."""
    return said if said in zones() else None
