"""Dates, times and durations as people read them."""

from datetime import timedelta

from service.i18n import dates


def test_an_hour_is_told_as_an_hour() -> None:
    """How long something is, is told in its two largest units, in good English."""
    assert [
        "3 days",
        "2 days and 1 hour",
        "1 hour and 1 minute",
        "5 minutes",
        "less than a minute",
    ] == [
        dates.duration(timedelta(days=3)),
        dates.duration(timedelta(days=2, hours=1, minutes=7)),
        dates.duration(timedelta(hours=1, minutes=1)),
        dates.duration(timedelta(minutes=5, seconds=5)),
        dates.duration(timedelta(seconds=20)),
    ]
