"""Deleting rows that are no longer needed."""

from datetime import timedelta

import pytest

from service import housekeeping, idempotency
from service.desk import Desk
from service.idempotency import Document, once
from service.people import accounts, mail_limits
from service.people.tokens import Caller
from service.replies import mailboxes
from store import tables
from store.database import Transaction
from tests.service.support.addresses import bounce_address
from tests.service.support.newcomers import newcomer, rows
from tests.service.support.owing import after, reachable
from tests.service.support.timing import by_hand


def _nothing(_: Transaction) -> Document:
    return {}


def test_recorded_answers_are_deleted_after_two_days(each_desk: Desk) -> None:
    """A repeated request gets the recorded answer for 47 hours; after 48 it is deleted."""
    ada = newcomer(each_desk)
    once(each_desk, ada.account, "op", "key", {}, _nothing)
    almost = after(each_desk, hours=47)
    housekeeping.tidy(almost)
    assert (True,) == once(almost, ada.account, "op", "key", {}, _nothing)[1:]

    late = after(each_desk, seconds=idempotency.RETENTION.total_seconds() + 1)
    housekeeping.tidy(late)

    assert [] == rows(each_desk, tables.answers, "key")


def test_pending_addresses_are_deleted(desk: Desk) -> None:
    """A new address that was not confirmed in time is deleted."""
    desk, hands = by_hand(desk)
    account = reachable(desk)
    caller = Caller(account, "", frozenset({"read", "play", "manage"}))
    accounts.change(desk, caller, {"email": "new@example.org"})
    housekeeping.tidy(desk)
    assert [("new@example.org",)] == rows(desk, tables.accounts, "new_email")

    hands.on(days=15)
    housekeeping.tidy(desk)

    assert [(None,)] == rows(desk, tables.accounts, "new_email")


def test_counts_and_mailboxes_are_deleted(desk: Desk) -> None:
    """After two days counts of letters are deleted; a bounce address is kept for its retention."""
    desk, hands = by_hand(desk)
    account = reachable(desk)
    with desk.database.writing() as tx:
        mail_limits.admit(desk, tx, "127.0.0.1", "ada@example.org")
    address = bounce_address(desk, account, "ada@example.org")

    hands.on(days=2)
    housekeeping.tidy(desk)
    assert [] == rows(desk, tables.mail_counts, "subject")
    assert mailboxes.find(desk, address) is not None

    hands.moment += mailboxes.RETENTION + timedelta(seconds=1)
    housekeeping.tidy(desk)
    assert mailboxes.find(desk, address) is None


@pytest.mark.parametrize("times", [1, 2])
def test_an_empty_database_stays_as_it_is(desk: Desk, times: int) -> None:
    """Housekeeping leaves an empty database empty, also the second time."""
    for _ in range(times):
        housekeeping.tidy(desk)
    assert [] == rows(desk, tables.accounts, "id")
