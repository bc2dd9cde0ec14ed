"""When an account wants to be told by mail."""

from typing import Any, cast

import pytest

from service.notify import preferences
from service.notify.telling import tellings
from store.database import Transaction
from store.notify.notices import Notice, Owed
from store.people.accounts import Account
from workers.channels.mail.channel import MailChannel

NOON = "2026-06-15T12:00:00.000Z"


def somebody(mode: str = "each_turn", quiet: tuple[str, str] | None = None) -> Account:
    """An account with these wishes, in Paris."""
    hours = {"from": quiet[0], "to": quiet[1]} if quiet else None
    settings = {"notifications": {"mode": mode, "quiet_hours": hours}, "absences": []}
    return Account(
        "id", "Ada", "person", "en", "Europe/Paris", "ada@example.org", NOON, None, None, None, 0,
        settings, NOON,
    )  # fmt: skip


def time(account: Account, now: str, kind: str = "decision_opened") -> str | None:
    """When mail of this kind about no game goes, for which the database is not asked."""
    owed = Owed(1, now, Notice(account.id, kind))
    times = list(tellings(cast(Transaction, None), MailChannel(), account, owed))
    return times[0].when if times else None


def test_each_turn_goes_at_once() -> None:
    """Without quiet hours nothing waits."""
    assert NOON == time(somebody(), NOON)


def test_merged_mail_waits_for_more() -> None:
    """Half an hour, in which more may come."""
    assert "2026-06-15T12:30:00.000Z" == time(somebody("merged"), NOON)


@pytest.mark.parametrize(
    ("now", "then"),
    [
        (NOON, "2026-06-16T05:00:00.000Z"),
        ("2026-06-15T04:59:59.999Z", "2026-06-15T05:00:00.000Z"),
        ("2026-06-15T05:00:00.000Z", "2026-06-16T05:00:00.000Z"),
        ("2026-12-15T12:00:00.000Z", "2026-12-16T06:00:00.000Z"),
        ("2026-03-28T12:00:00.000Z", "2026-03-29T05:00:00.000Z"),
        ("2026-10-24T12:00:00.000Z", "2026-10-25T06:00:00.000Z"),
    ],
    ids=["noon", "just before", "exactly then", "winter", "spring forward", "fall back"],
)
def test_a_digest_comes_at_seven_by_the_wall_clock(now: str, then: str) -> None:
    """At seven where the reader lives, whatever the season, also on days of 23 or 25 hours."""
    assert then == time(somebody("digest"), now)


@pytest.mark.parametrize(
    ("now", "then"),
    [
        (NOON, NOON),
        ("2026-06-15T20:00:00.000Z", "2026-06-16T05:00:00.000Z"),
        ("2026-06-15T19:59:00.000Z", "2026-06-15T19:59:00.000Z"),
        ("2026-06-15T23:30:00.000Z", "2026-06-16T05:00:00.000Z"),
        ("2026-06-16T04:59:00.000Z", "2026-06-16T05:00:00.000Z"),
        ("2026-06-16T05:00:00.000Z", "2026-06-16T05:00:00.000Z"),
        ("2026-03-28T22:30:00.000Z", "2026-03-29T05:00:00.000Z"),
        ("2026-10-24T22:30:00.000Z", "2026-10-25T06:00:00.000Z"),
    ],
    ids=[
        *("day", "begins", "just before", "after midnight", "almost over", "over"),
        *("spring forward", "fall back"),
    ],
)
def test_quiet_hours_over_midnight(now: str, then: str) -> None:
    """From ten to seven mail waits until seven, on either side of midnight."""
    assert then == time(somebody(quiet=("22:00", "07:00")), now)


def test_quiet_hours_within_a_day() -> None:
    """From nine to five mail waits until five, and goes at any other time."""
    account = somebody(quiet=("09:00", "17:00"))
    assert "2026-06-15T15:00:00.000Z" == time(account, NOON)
    assert "2026-06-15T06:59:00.000Z" == time(account, "2026-06-15T06:59:00.000Z")
    assert "2026-06-15T15:00:00.000Z" == time(account, "2026-06-15T15:00:00.000Z")


@pytest.mark.parametrize(
    ("quiet", "now", "then"),
    [
        (("23:00", "02:30"), "2026-03-28T23:00:00.000Z", "2026-03-29T01:30:00.000Z"),
        (("23:00", "02:30"), "2026-10-24T23:00:00.000Z", "2026-10-25T00:30:00.000Z"),
    ],
    ids=["an hour that is missing", "an hour that comes twice"],
)
def test_quiet_hours_that_end_in_an_odd_hour(quiet: tuple[str, str], now: str, then: str) -> None:
    """An end that the clock skips is an hour later; one that comes twice is the first."""
    assert then == time(somebody(quiet=quiet), now)


def test_merged_mail_respects_the_night() -> None:
    """What would be due in quiet hours waits for their end."""
    account = somebody("merged", ("22:00", "07:00"))
    assert "2026-06-16T05:00:00.000Z" == time(account, "2026-06-15T19:40:00.000Z")


def test_a_digest_respects_the_night() -> None:
    """Who sleeps until nine has the digest at nine."""
    account = somebody("digest", ("22:00", "09:00"))
    assert "2026-06-16T07:00:00.000Z" == time(account, NOON)


@pytest.mark.parametrize(
    "values", [{"email": None}, {"email_confirmed": None}, {"bounced": NOON}], ids=str
)
def test_no_mail_where_none_may_go(values: dict[str, Any]) -> None:
    """Without an address that works there is no time at which mail goes."""
    assert time(somebody()._replace(**values), NOON) is None


def test_who_wants_several_in_one_letter() -> None:
    """Merged and digest do, the others do not."""
    times = [
        preferences.merges(somebody(mode)) for mode in ("each_turn", "merged", "digest", "off")
    ]
    assert [False, True, True, False] == times
