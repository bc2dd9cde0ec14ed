"""When an account is notified by mail, by its preferences."""

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
    """An account in Paris with these preferences."""
    hours = {"from": quiet[0], "to": quiet[1]} if quiet else None
    settings = {"notifications": {"mode": mode, "quiet_hours": hours}, "absences": []}
    return Account(
        "id", "Ada", "person", "en", "Europe/Paris", "ada@example.org", NOON, None, None, None, 0,
        settings, NOON,
    )  # fmt: skip


def time(account: Account, now: str, kind: str = "decision_opened") -> str | None:
    """When mail of this kind is due; None if it is not sent."""
    owed = Owed(1, now, Notice(account.id, kind))
    times = list(tellings(cast(Transaction, None), MailChannel(), account, owed))
    return times[0].when if times else None


def test_each_turn_goes_at_once() -> None:
    """In mode `each_turn`, without quiet hours, mail is due at once."""
    assert NOON == time(somebody(), NOON)


def test_merged_mail_waits_for_more() -> None:
    """In mode `merged` mail is due after half an hour."""
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
    """A digest is due at seven in the reader's time zone, also when the clocks change."""
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
    """In quiet hours from 22:00 to 07:00 mail is due at 07:00, before and after midnight."""
    assert then == time(somebody(quiet=("22:00", "07:00")), now)


def test_quiet_hours_within_a_day() -> None:
    """In quiet hours from 09:00 to 17:00 mail is due at 17:00; otherwise at once."""
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
    """An end in a skipped hour is an hour later; in a repeated hour its first occurrence counts."""
    assert then == time(somebody(quiet=quiet), now)


def test_merged_mail_respects_the_night() -> None:
    """Merged mail that would be due in quiet hours is due when they end."""
    account = somebody("merged", ("22:00", "07:00"))
    assert "2026-06-16T05:00:00.000Z" == time(account, "2026-06-15T19:40:00.000Z")


def test_a_digest_respects_the_night() -> None:
    """A digest that would be due in quiet hours is due when they end."""
    account = somebody("digest", ("22:00", "09:00"))
    assert "2026-06-16T07:00:00.000Z" == time(account, NOON)


@pytest.mark.parametrize(
    "values", [{"email": None}, {"email_confirmed": None}, {"bounced": NOON}], ids=str
)
def test_no_mail_where_none_may_go(values: dict[str, Any]) -> None:
    """Without a confirmed, working address no mail is sent."""
    assert time(somebody()._replace(**values), NOON) is None


def test_who_wants_several_in_one_letter() -> None:
    """Modes `merged` and `digest` merge several notices into one letter; the others do not."""
    times = [
        preferences.merges(somebody(mode)) for mode in ("each_turn", "merged", "digest", "off")
    ]
    assert [False, True, True, False] == times
