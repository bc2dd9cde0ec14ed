"""Stored timestamps, and time zones."""

from datetime import UTC, datetime, timedelta

import pytest

from service.i18n import times
from store import timestamps


def test_a_timestamp_is_read_as_it_was_written() -> None:
    """A timestamp is read back to the millisecond, in UTC."""
    moment = datetime(2030, 7, 3, 12, 0, 0, 250_000, tzinfo=UTC)

    assert moment == times.read(timestamps.written(moment))


@pytest.mark.parametrize(
    ("name", "hours"), [("UTC", 0), ("Europe/Paris", 2), ("America/New_York", -4)]
)
def test_a_zone_is_found_by_its_name(name: str, hours: int) -> None:
    """A time zone is found by its name, with its summer offset."""
    summer = datetime(2030, 7, 3, 12, tzinfo=UTC)

    assert timedelta(hours=hours) == summer.astimezone(times.zone(name)).utcoffset()
