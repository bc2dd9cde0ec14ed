"""The absences of players: whole days in their own time zones, as spans of time."""

import json
from datetime import date, datetime
from functools import lru_cache
from typing import Any

from service.clocks.running_time import A_DAY, MIDNIGHT, Span, instant
from service.i18n.times import zone
from store import timestamps
from store.games.games import Seated

Document = dict[str, Any]


@lru_cache(maxsize=4096)
def _spans(settings: str, time_zone: str) -> tuple[Span, ...]:
    place = zone(time_zone)
    return tuple(
        (
            instant(datetime.combine(date.fromisoformat(absence["from"]), MIDNIGHT), place),
            instant(datetime.combine(date.fromisoformat(absence["to"]) + A_DAY, MIDNIGHT), place),
        )
        for absence in json.loads(settings)["absences"]
    )


def spans_of(seat: Seated) -> tuple[Span, ...]:
    """Return the absences of the player in a seat, in order."""
    if seat.settings is None or seat.time_zone is None:
        return ()
    return _spans(seat.settings, seat.time_zone)


def visible_absences(seat: Seated, since: str) -> list[Document]:
    """Return the absences of the player in a seat that end after `since`, as the table sees them.

    They do not depend on the current time, so that the cached document of a game stays valid.
    """
    return [
        {"from": timestamps.written(begin), "to": timestamps.written(end)}
        for begin, end in spans_of(seat)
        if timestamps.written(end) > since
    ]
