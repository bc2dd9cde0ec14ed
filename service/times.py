"""Stored times, for rooms that do not know the store."""

from datetime import datetime

from store import clock


def read(said: str) -> datetime:
    """The moment that a stored text means."""
    return clock.read(said)
