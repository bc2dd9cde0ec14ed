"""Stored times: UTC, to the millisecond, always of the same width."""

from datetime import UTC, datetime, timedelta


def written(moment: datetime) -> str:
    """Return a moment as text that sorts chronologically."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def read(text: str) -> datetime:
    """Return the moment that a stored text stands for."""
    return datetime.fromisoformat(text)


def now() -> str:
    """Return this moment, as it is stored."""
    return written(datetime.now(UTC))


def later(text: str, by: timedelta) -> str:
    """Return a stored time, moved by this much."""
    return written(read(text) + by)
