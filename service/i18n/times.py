"""Stored times for rooms that do not know the store, and time zones."""

import zoneinfo
from datetime import UTC, datetime, tzinfo

from store import timestamps


def read(said: str) -> datetime:
    """The moment that a stored text means."""
    return timestamps.read(said)


def zone(name: str) -> tzinfo:
    """Where somebody lives."""
    return UTC if name == "UTC" else zoneinfo.ZoneInfo(name)
