"""Signing in by mail, and the sessions of browsers."""

from typing import Any

import pytest

from service.desk import Desk
from service.links import signed_links
from service.people import accounts, addresses, sessions, tokens
from service.people.tokens import Caller
from service.refusals import Refused
from tests.service.support.newcomers import newcomer
from tests.service.support.owing import reachable
from tests.service.support.tables import owed
from tests.service.support.timing import by_hand

EMAIL = "ada@example.org"


def _payload(account: str, key: str = "0" * 32, **more: str) -> dict[str, Any]:
    """The payload of the link in a sign-in letter."""
    fields = {"account": account, "email": signed_links.fingerprint(EMAIL), "key": key}
    return {**fields, "next": "", "until": "9999", **more}


def _sign_in(desk: Desk, account: str, key: str = "0" * 32) -> str:
    page, token = sessions.sign_in(desk, _payload(account, key), account, "Browser")
    assert token is not None, page
    return token


def test_a_form_that_is_sent_twice_signs_up_once(each_desk: Desk) -> None:
    """Repeating a sign-up form gives the same session; once that has ended it is refused."""
    form = {"name": "Ada", "email": EMAIL}
    first, again = (
        sessions.sign_up(each_desk, form, "Browser", key="the key of a form") for _ in range(2)
    )
    assert first == again
    visitor = sessions.visitor_of(each_desk, first.token)
    assert visitor is not None
    assert (first.account, "Ada", EMAIL, False) == (
        visitor.account,
        visitor.name,
        visitor.email,
        visitor.confirmed,
    )

    tokens.sign_out(each_desk, visitor.caller)
    with pytest.raises(Refused, match="very much like it, is taken"):
        sessions.sign_up(each_desk, form, "Browser", key="the key of a form")


def test_a_request_is_answered_by_a_worker(desk: Desk) -> None:
    """One letter goes to an address with an account, and none to any other."""
    account = reachable(desk)
    for email in ("Ada@Example.org", "nobody@example.org"):
        sessions.request_link(desk, email)

    assert 2 == sessions.answer_requests(desk)
    assert 0 == sessions.answer_requests(desk)
    assert [("sign_in", account, None)] == owed(desk)


def test_an_unconfirmed_address_is_asked_to_confirm(desk: Desk) -> None:
    """An unconfirmed address gets a confirmation letter instead of a link to sign in."""
    account = newcomer(desk, email=EMAIL).account
    before = owed(desk)
    sessions.request_link(desk, EMAIL)

    assert [*before, (addresses.CONFIRM_ADDRESS, account, None)] == owed(desk)


def test_the_page_lists_who_has_the_address(desk: Desk) -> None:
    """The page lists the accounts with this address, those that have confirmed it first."""
    newer = newcomer(desk, "Ben", email=EMAIL).account
    older = reachable(desk)
    newcomer(desk, "Cem")
    page = sessions.sign_in_page(desk, _payload(older))

    assert "open" == page["stands"]
    assert [(older, True), (newer, False)] == [
        (owner["id"], owner["sure"]) for owner in page["owners"]
    ]


def test_a_link_is_good_for_its_address_and_its_time(desk: Desk) -> None:
    """A link is late after its expiry, and gone for another address or an unknown account."""
    account = reachable(desk)

    late = sessions.sign_in_page(desk, _payload(account, until="2000"))
    assert "late" == late["stands"]
    elsewhere = _payload(account, email=signed_links.fingerprint("eve@example.org"))
    assert {"stands": "gone"} == sessions.sign_in_page(desk, elsewhere)
    assert {"stands": "gone"} == sessions.sign_in_page(desk, _payload("nobody"))


def test_a_link_signs_in_once(each_desk: Desk) -> None:
    """A link signs in once, and only to an account that its page lists."""
    account = reachable(each_desk)
    stranger = newcomer(each_desk, "Eve").account
    page, token = sessions.sign_in(each_desk, _payload(account), stranger, "Browser")
    assert ("unchosen", None) == (page["stands"], token)
    _sign_in(each_desk, account)
    page, token = sessions.sign_in(each_desk, _payload(account), account, "Browser")

    assert ("done", None) == (page["stands"], token)


def test_signing_in_confirms_a_bounced_address(desk: Desk) -> None:
    """Signing in clears the bounce of the address."""
    account = reachable(desk)
    addresses.record_complaint(desk, account, EMAIL)
    caller = Caller(account, "", frozenset())
    assert accounts.me(desk, caller)["bounced"]
    _sign_in(desk, account)

    assert not accounts.me(desk, caller)["bounced"]


def test_signing_in_ends_the_session_before(desk: Desk) -> None:
    """Signing in ends the session that the browser had before."""
    account = reachable(desk)
    old = _sign_in(desk, account)
    before = tokens.session_of(desk, old)
    _, new = sessions.sign_in(desk, _payload(account, "1" * 32), account, "Browser", before)

    assert new is not None
    assert sessions.visitor_of(desk, old) is None
    assert sessions.visitor_of(desk, new) is not None


def test_the_oldest_of_too_many_sessions_ends(desk: Desk) -> None:
    """One session too many ends the oldest; the list marks the session in use."""
    desk, hands = by_hand(desk)
    account = reachable(desk)
    cookies = []
    for n in range(sessions.MOST_SESSIONS + 1):
        hands.on(seconds=1)
        cookies.append(_sign_in(desk, account, f"{n:032}"))

    assert sessions.visitor_of(desk, cookies[0]) is None
    caller = tokens.session_of(desk, cookies[3])
    assert caller is not None
    listed = sessions.list_sessions(desk, caller)
    assert sessions.MOST_SESSIONS == len(listed)
    assert [2] == [n for n, session in enumerate(listed) if session["here"]]


def test_a_session_is_no_token(desk: Desk) -> None:
    """A session cookie is not accepted as an API token, and expires."""
    desk, hands = by_hand(desk)
    cookie = _sign_in(desk, reachable(desk))

    assert tokens.caller_of(desk, cookie) is None
    hands.moment += sessions.LIFETIME
    assert sessions.visitor_of(desk, cookie) is None
