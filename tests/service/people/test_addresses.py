"""The address of an account: the old one is used until a new one is confirmed."""

import json
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import select

from service import housekeeping
from service.desk import Desk
from service.links import signed_links
from service.notify import outbox, recipients
from service.notify.outbox import Delivery
from service.people import accounts, addresses
from service.people.tokens import Caller
from service.refusals import Refused
from service.replies import receive
from store import timestamps
from store.notify import notices
from store.people import accounts as account_rows
from store.tables import deliveries
from store.tables import notices as stored_notices
from tests.service.support.addresses import bounce_address
from tests.service.support.newcomers import newcomer
from tests.service.support.reports import bounce
from tests.service.support.tables import owed

OLD, NEW, OTHER = "ada@example.org", "new@example.org", "other@example.org"
KINDS = ("confirm_address", "address_replaced")


@pytest.fixture
def ada(desk: Desk) -> Caller:
    """An account with a confirmed address and no pending notice."""
    caller = newcomer(desk, email=OLD)
    addresses.confirmation_page(desk, _payload(caller, OLD), "yes")
    _forget(desk)
    return caller


def _forget(desk: Desk) -> None:
    with desk.database.writing() as tx:
        notices.take(tx, 100)


def _payload(caller: Caller, email: str, until: str = "9999") -> dict[str, Any]:
    """The payload of the link in a confirmation letter."""
    return {"account": caller.account, "email": signed_links.fingerprint(email), "until": until}


def _state(desk: Desk, caller: Caller) -> tuple[str | None, bool, str | None]:
    me = accounts.me(desk, caller)
    return me["email"], me["email_confirmed"], me["new_email"]


def _letter(account: str, kind: str, data: str | None = None) -> Delivery:
    details = json.loads(data) if data else None
    return Delivery("d", account, "mail", None, kind, None, None, None, details, "", 0, "")


def _letters_owed(desk: Desk) -> list[tuple[str, str]]:
    """The letters about addresses that would be sent now, and their recipients."""
    outbox.spread(desk)
    query = select(deliveries).where(deliveries.c.kind.in_(KINDS))
    with desk.database.reading() as tx:
        letters = [_letter(row.account, row.kind, row.data) for row in tx.execute(query)]
    readers = [(letter.kind, recipients.reader_for(desk, letter)) for letter in letters]
    return sorted((kind, reader.email) for kind, reader in readers if reader)


def test_the_old_address_stays_in_force(desk: Desk, ada: Caller) -> None:
    """A new address gets only its confirmation letter; other mail still goes to the old one."""
    accounts.change(desk, ada, {"email": NEW})

    assert (OLD, True, NEW) == _state(desk, ada)
    assert [("confirm_address", NEW)] == _letters_owed(desk)
    reader = recipients.reader_for(desk, _letter(ada.account, "hook_disabled"))
    assert reader is not None
    assert OLD == reader.email


def test_a_confirmed_address_takes_its_place(desk: Desk, ada: Caller) -> None:
    """A confirmed new address replaces the old one, which gets one letter about it."""
    accounts.change(desk, ada, {"email": NEW})
    _forget(desk)
    for stands in ("confirmed", "done"):
        assert stands == addresses.confirmation_page(desk, _payload(ada, NEW), "yes")["stands"]

    assert (NEW, True, None) == _state(desk, ada)
    assert [("address_replaced", OLD)] == _letters_owed(desk)
    assert "stale" == addresses.confirmation_page(desk, _payload(ada, OLD), "no")["stands"]


def test_another_address_replaces_what_waits(desk: Desk, ada: Caller) -> None:
    """Only the last pending address can be confirmed; giving it again changes nothing."""
    for email in (NEW, OTHER, OTHER):
        accounts.change(desk, ada, {"email": email})

    assert (OLD, True, OTHER) == _state(desk, ada)
    assert 2 == len(owed(desk))
    assert "stale" == addresses.confirmation_page(desk, _payload(ada, NEW), "yes")["stands"]
    assert "confirmed" == addresses.confirmation_page(desk, _payload(ada, OTHER), "yes")["stands"]


@pytest.mark.parametrize("way", ["taken back", "refused"])
def test_what_waits_can_go(desk: Desk, ada: Caller, way: str) -> None:
    """If the owner gives the old address again, or the reader says no, the old one stays."""
    accounts.change(desk, ada, {"email": NEW})
    _forget(desk)
    if way == "taken back":
        accounts.change(desk, ada, {"email": OLD})
    else:
        assert "removed" == addresses.confirmation_page(desk, _payload(ada, NEW), "no")["stands"]

    assert (OLD, True, None) == _state(desk, ada)
    assert [] == owed(desk)
    assert "stale" == addresses.confirmation_page(desk, _payload(ada, NEW), "yes")["stands"]


def test_what_waits_lapses(desk: Desk, ada: Caller) -> None:
    """After 14 days a pending address cannot be confirmed, is not shown, and is deleted."""
    accounts.change(desk, ada, {"email": NEW})
    later = timestamps.later(desk.now(), timedelta(days=14))
    then = desk._replace(now=lambda: later)

    assert (OLD, True, None) == _state(then, ada)
    assert "late" == addresses.confirmation_page(then, _payload(ada, NEW), "yes")["stands"]
    with pytest.raises(Refused):
        addresses.resend_confirmation(then, ada)
    housekeeping.tidy(then)
    with desk.database.reading() as tx:
        row = account_rows.account(tx, ada.account)
    assert row is not None
    assert (None, None) == (row.new_email, row.new_email_until)


def test_asking_again_gives_more_time(desk: Desk, ada: Caller) -> None:
    """Requesting the confirmation again sends another letter and allows 14 more days."""
    accounts.change(desk, ada, {"email": NEW})
    later = timestamps.later(desk.now(), timedelta(days=13))
    then = desk._replace(now=lambda: later)
    addresses.resend_confirmation(then, ada)

    assert 2 == len(owed(desk))
    assert timestamps.later(later, timedelta(days=14)) == accounts.me(then, ada)["new_email_until"]


def test_a_letter_that_comes_back_leaves_the_old_address_alone(desk: Desk, ada: Caller) -> None:
    """A pending address that bounced gets no more letters until it is given again."""
    accounts.change(desk, ada, {"email": NEW})
    back = bounce_address(desk, ada.account, NEW)
    outcome = receive.receive(desk, receive.IncomingMail(bounce("5.1.1", NEW), "", back))

    assert "bounced" == outcome
    assert (OLD, True, NEW) == _state(desk, ada)
    assert accounts.me(desk, ada)["new_email_until"] is None
    assert [] == _letters_owed(desk)
    with pytest.raises(Refused):
        addresses.resend_confirmation(desk, ada)
    accounts.change(desk, ada, {"email": NEW})
    assert accounts.me(desk, ada)["new_email_until"] is not None


def test_an_address_that_comes_back_is_replaced_silently(desk: Desk, ada: Caller) -> None:
    """An old address that has bounced gets no letter when it is replaced."""
    addresses.record_complaint(desk, ada.account, OLD)
    accounts.change(desk, ada, {"email": NEW})
    _forget(desk)
    addresses.confirmation_page(desk, _payload(ada, NEW), "yes")

    assert (NEW, True, None) == _state(desk, ada)
    assert [] == owed(desk)


@pytest.mark.parametrize("to", [NEW, None])
def test_who_is_told_of_an_end_is_told_the_truth(desk: Desk, ada: Caller, to: str | None) -> None:
    """The letter says whether the address was replaced or removed."""
    accounts.change(desk, ada, {"email": to})
    if to:
        addresses.confirmation_page(desk, _payload(ada, NEW), "yes")
    with desk.database.reading() as tx:
        data = tx.scalars(select(stored_notices.c.data)).all()
    assert {"email": OLD, "removed": to is None} in [json.loads(text) for text in data if text]


@pytest.mark.parametrize("way", ["again", "change"])
@pytest.mark.parametrize("stood", ["confirmed", "open"])
def test_an_address_given_anew_is_asked_anew(desk: Desk, way: str, stood: str) -> None:
    """A bounced address that is given again gets a confirmation letter, which counts as a change.

    The bounce may have been a complaint by the reader of the address.
    """
    ada = newcomer(desk, email=OLD)
    if stood == "confirmed":
        addresses.confirmation_page(desk, _payload(ada, OLD), "yes")
    for _ in range(addresses.MOST_CHANGES - 1):
        _forget(desk)
        addresses.record_complaint(desk, ada.account, OLD)
        assert accounts.me(desk, ada)["bounced"] is not None
        if way == "again":
            addresses.resend_confirmation(desk, ada)
        else:
            accounts.change(desk, ada, {"email": OLD})
        assert ["confirm_address"] == [kind for kind, _, _ in owed(desk)]
        assert (OLD, False, None) == _state(desk, ada)
        assert accounts.me(desk, ada)["bounced"] is None
    addresses.record_complaint(desk, ada.account, OLD)
    with pytest.raises(Refused, match="5 times a day"):
        addresses.resend_confirmation(desk, ada)
    later = desk._replace(now=lambda: timestamps.later(desk.now(), timedelta(days=1)))
    addresses.resend_confirmation(later, ada)
    assert "confirmed" == addresses.confirmation_page(desk, _payload(ada, OLD), "yes")["stands"]
    assert (OLD, True, None) == _state(desk, ada)


def test_a_stranger_who_was_quicker_keeps_nobody_out(desk: Desk) -> None:
    """One page lists all accounts that gave an address, and its reader chooses one."""
    eve, ben = newcomer(desk, "Eve", email=NEW), newcomer(desk, "Ben", email=NEW)
    shown = addresses.confirmation_page(desk, _payload(eve, NEW))
    assert ("Eve", ["Ben"]) == (shown["name"], [account["name"] for account in shown["others"]])

    addresses.confirmation_page(desk, _payload(eve, NEW), f"as {ben.account}")
    assert [(NEW, False, None), (NEW, True, None)] == [
        _state(desk, account) for account in (eve, ben)
    ]
    assert "removed" == addresses.confirmation_page(desk, _payload(eve, NEW), "no")["stands"]
    assert [(None, False, None), (NEW, True, None)] == [
        _state(desk, account) for account in (eve, ben)
    ]


def test_two_accounts_may_have_one_address(desk: Desk, ada: Caller) -> None:
    """What one account does with the address changes nothing for the other."""
    ben = newcomer(desk, "Ben", email=NEW)
    accounts.change(desk, ben, {"email": OLD})
    addresses.confirmation_page(desk, _payload(ben, OLD), "yes")
    accounts.change(desk, ada, {"email": NEW})

    assert (OLD, True, NEW) == _state(desk, ada)
    assert (OLD, True, None) == _state(desk, ben)
