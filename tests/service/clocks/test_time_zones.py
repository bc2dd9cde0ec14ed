"""The time zones that an account may name."""

from datetime import timedelta

import pytest

from service.clocks import time_zones
from service.i18n import times


def test_utc_needs_no_zone_files(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a machine without a time zone database, UTC still works."""
    monkeypatch.setattr("zoneinfo.available_timezones", set)
    time_zones.zone_names.cache_clear()
    try:
        assert "UTC" == time_zones.checked_zone("UTC")
        assert timedelta(0) == times.zone("UTC").utcoffset(None)
    finally:
        time_zones.zone_names.cache_clear()
