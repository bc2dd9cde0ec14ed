"""Dates, times and durations as people read them."""

from datetime import UTC, datetime, timedelta

import pytest

from service.i18n import dates


def test_an_hour_is_told_as_an_hour() -> None:
    """A duration is given in its two largest units."""
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


SUMMER = datetime(2030, 7, 3, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("zone", "letter", "page", "short"),
    [
        (
            "UTC",
            "Wednesday 3 July 2030, 12:00 (UTC)",
            "Wednesday, 3 July 2030, 12:00 (UTC)",
            "Wed 3 Jul 2030, 12:00 UTC",
        ),
        (
            "Europe/Paris",
            "Wednesday 3 July 2030, 14:00 (Europe/Paris, UTC+02:00)",
            "Wednesday, 3 July 2030, 14:00 (Europe/Paris)",
            "Wed 3 Jul 2030, 14:00 CEST",
        ),
        (
            "America/Sao_Paulo",
            "Wednesday 3 July 2030, 09:00 (America/Sao_Paulo, UTC-03:00)",
            "Wednesday, 3 July 2030, 09:00 (America/Sao Paulo)",
            "Wed 3 Jul 2030, 09:00 UTC-03:00",
        ),
    ],
)
def test_a_time_is_told_where_its_reader_lives(
    zone: str, letter: str, page: str, short: str
) -> None:
    """Times are in the reader's zone, with its name, its offset or its abbreviation."""
    assert letter == dates.letter_time(SUMMER, zone)
    assert page == dates.page_time(SUMMER, zone)
    assert short == dates.short_time(SUMMER, zone)


def test_days_and_distances() -> None:
    """Days and relative times are given in English."""
    assert "3 Jul 2030" == dates.day(SUMMER.date())
    assert "in 2 days" == dates.relative(timedelta(days=2))
    assert "3 hours ago" == dates.relative(timedelta(hours=-3))
