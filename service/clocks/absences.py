"""When somebody is away: whole days, by the clock on their own wall."""

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
            instant(datetime.combine(date.fromisoformat(one["from"]), MIDNIGHT), place),
            instant(datetime.combine(date.fromisoformat(one["to"]) + A_DAY, MIDNIGHT), place),
        )
        for one in json.loads(settings)["absences"]
    )


def spans_of(seat: Seated) -> tuple[Span, ...]:
    """When whoever sits here is away, in order."""
    if seat.settings is None or seat.time_zone is None:
        return ()
    return _spans(seat.settings, seat.time_zone)


def shown(seat: Seated, since: str) -> list[Document]:
    """The absences of whoever sits here that are not over before this time, as the table sees them.

    That does not depend on the hour, so the same table looks the same tomorrow.
    """
    return [
        {"from": timestamps.written(gone), "to": timestamps.written(back)}
        for gone, back in spans_of(seat)
        if timestamps.written(back) > since
    ]
