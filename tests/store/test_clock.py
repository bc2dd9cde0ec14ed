from datetime import UTC, datetime, timedelta, timezone

import pytest

from store import timestamps


@pytest.mark.parametrize(
    ("moment", "text"),
    [
        (datetime(2026, 11, 17, 7, 5, 9, 8_000, UTC), "2026-11-17T07:05:09.008Z"),
        (datetime(2026, 11, 17, 7, 5, 9, 999_999, UTC), "2026-11-17T07:05:09.999Z"),
        (
            datetime(2026, 1, 1, 0, 30, tzinfo=timezone(timedelta(hours=1))),
            "2025-12-31T23:30:00.000Z",
        ),
        (datetime(999, 1, 1, tzinfo=UTC), "0999-01-01T00:00:00.000Z"),
    ],
)
def test_times_have_one_form(moment: datetime, text: str) -> None:
    """A timestamp is in UTC with milliseconds and a fixed width, and can be read back."""
    assert text == timestamps.written(moment)
    assert text == timestamps.written(timestamps.read(text))


def test_times_can_be_moved_on() -> None:
    """A timestamp can be moved over the end of a year, forward and back."""
    assert "2027-01-01T00:00:00.500Z" == timestamps.later(
        "2026-12-31T23:59:59.500Z", timedelta(seconds=1)
    )
    assert "2026-12-31T23:59:59.500Z" == timestamps.later(
        "2027-01-01T00:00:00.500Z", timedelta(seconds=-1)
    )
