"""How long a server asks us to wait, by the header `Retry-After`."""

from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime

from workers.calling.connector import Answer

LONGEST_PAUSE = timedelta(hours=24)
"""The longest pause that we honour."""


def pause(answer: Answer, now: str) -> timedelta | None:
    """Return how long the server asks us to wait; None if it does not."""
    value = answer.headers.get("retry-after", "").strip()
    if value.isascii() and value.isdigit():
        return bounded(timedelta(seconds=int(value[:9])))
    try:
        until = parsedate_to_datetime(value)
    except (ValueError, OverflowError):
        return None
    if until.tzinfo is None:
        until = until.replace(tzinfo=UTC)
    return bounded(until - datetime.fromisoformat(now))


def bounded(wait: timedelta) -> timedelta:
    """Return a pause within the bounds of those that we honour."""
    return min(max(wait, timedelta(0)), LONGEST_PAUSE)
