"""How long a decision may take."""

from datetime import timedelta

from store import clock

PACES: dict[str, timedelta | None] = {
    "days": timedelta(days=3),
    "daily": timedelta(days=1),
    "week": timedelta(days=7),
    "live": timedelta(minutes=5),
    "none": None,
}


def deadline(pace: str, since: str) -> str | None:
    """Until when a decision has to be made that was opened at this time."""
    span = PACES[pace]
    return clock.later(since, span) if span else None
