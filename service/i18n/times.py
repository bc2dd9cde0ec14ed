"""Timestamps and time zones, for modules that may not import the store."""

import zoneinfo
from datetime import UTC, datetime, tzinfo

from store import timestamps


def read(timestamp: str) -> datetime:
    """Parse a stored timestamp."""
    return timestamps.read(timestamp)


def zone(name: str) -> tzinfo:
    """Return the time zone with this name."""
    return UTC if name == "UTC" else zoneinfo.ZoneInfo(name)
