"""Times as the store keeps them: UTC, to the millisecond, always the same width."""

from datetime import UTC, datetime, timedelta


def written(moment: datetime) -> str:
    """A moment as a text that sorts as time does."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def read(said: str) -> datetime:
    """The moment that a stored text means."""
    return datetime.fromisoformat(said)


def now() -> str:
    """This moment, as it is stored."""
    return written(datetime.now(UTC))


def later(said: str, by: timedelta) -> str:
    """A stored time, moved on."""
    return written(read(said) + by)
