"""Warnings about providers that refuse most of our letters."""

import pytest
import structlog

import store.notify.mail_providers
from service.desk import Desk
from service.notify import mail_providers
from service.notify.mail_providers import LEAST, Counts, Tally
from store.database import Transaction

NOON = "2026-03-02T12:00:00.000Z"


def _at(desk: Desk, moment: str) -> Desk:
    return desk._replace(now=lambda: moment)


def test_a_provider_that_refuses_most_letters_is_reported_once(
    each_desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After ten refusals one warning is logged, with the domain and without an address."""
    here, logs = _at(each_desk, NOON), structlog.testing.CapturingLogger()
    monkeypatch.setattr(mail_providers, "log", logs)
    for number in range(LEAST + 5):
        assert (number >= LEAST) == bool(mail_providers.refusing(here))
        Tally(here).add(f"player{number}@Example.org", refused=True)
    (call,) = logs.calls
    assert ("warning", "example.org", 10) == (
        call.method_name,
        call.kwargs["domain"],
        call.kwargs["refused"],
    )
    assert "@" not in str(call)


def test_letters_that_are_accepted_count(desk: Desk) -> None:
    """A provider that accepts half of the letters or more is not reported."""
    tally = Tally(_at(desk, NOON))
    for _ in range(LEAST):
        tally.add("ada@example.org", refused=False)
        tally.add("ben@example.org", refused=True)
    assert [] == mail_providers.refusing(_at(desk, NOON))
    tally.add("ben@example.org", refused=True)
    assert [Counts("example.org", 21, 11)] == mail_providers.refusing(_at(desk, NOON))


def test_refusals_by_reports_count_letters_once(desk: Desk) -> None:
    """A letter that was accepted at first, and refused by a report, is one letter."""
    here = _at(desk, NOON)
    for number in range(LEAST):
        Tally(here).add(f"player{number}@example.org", refused=False)
        mail_providers.count_refusal(here, f"player{number}@example.org")
    assert [Counts("example.org", 10, 10)] == mail_providers.refusing(here)


def test_a_provider_is_forgiven_after_an_hour(desk: Desk) -> None:
    """Refusals count for an hour, and are deleted later."""
    for _ in range(LEAST):
        Tally(_at(desk, NOON)).add("ada@example.org", refused=True)
    assert mail_providers.refusing(_at(desk, "2026-03-02T12:59:00.000Z"))
    assert [] == mail_providers.refusing(_at(desk, "2026-03-02T13:10:00.000Z"))
    mail_providers.tidy(_at(desk, "2026-03-02T15:00:00.000Z"))
    assert [] == mail_providers.refusing(_at(desk, NOON))


def test_domains_are_counted_in_one_order(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows are locked in the same order by every process, also that of a refused letter."""
    tally, domains = Tally(_at(desk, NOON)), []
    count = store.notify.mail_providers.count

    def noted(tx: Transaction, since: str, counts: Counts) -> None:
        domains.append(counts.domain)
        count(tx, since, counts)

    monkeypatch.setattr(store.notify.mail_providers, "count", noted)
    tally.add("ada@first.example.org", refused=False)
    domains.clear()
    for domain in ("d", "b", "c"):
        tally.add(f"ada@{domain}.example.org", refused=False)
    tally.add("ada@a.example.org", refused=True)

    assert [f"{domain}.example.org" for domain in "abcd"] == domains
