"""Signing in by mail, and the sessions of browsers."""

from typing import Any

import pytest

from service.desk import Desk
from service.links import signed_links
from service.people import accounts, addresses, sessions, tokens
from service.people.tokens import Caller
from service.refusals import Refused
from tests.service.newcomers import newcomer
from tests.service.owing import reachable
from tests.service.tables import owed
from tests.service.timing import by_hand

EMAIL = "ada@example.org"


def _payload(account: str, key: str = "0" * 32, **more: str) -> dict[str, Any]:
    """What the link of a sign-in letter says."""
    fields = {"account": account, "email": signed_links.fingerprint(EMAIL), "key": key}
    return {**fields, "next": "", "until": "9999", **more}


def _sign_in(desk: Desk, account: str, key: str = "0" * 32) -> str:
    page, token = sessions.sign_in(desk, _payload(account, key), account, "Browser")
    assert token is not None, page
    return token


def test_a_form_that_is_sent_twice_signs_up_once(each_desk: Desk) -> None:
    """It gets the same session again, until that has ended."""
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
    """No link to sign in goes there before."""
    account = newcomer(desk, email=EMAIL).account
    before = owed(desk)
    sessions.request_link(desk, EMAIL)

    assert [*before, (addresses.CONFIRM_ADDRESS, account, None)] == owed(desk)


def test_the_page_lists_who_has_the_address(desk: Desk) -> None:
    """Those who have confirmed it come first; an account without an address is not there."""
    newer = newcomer(desk, "Ben", email=EMAIL).account
    older = reachable(desk)
    newcomer(desk, "Cem")
    page = sessions.sign_in_page(desk, _payload(older))

    assert "open" == page["stands"]
    assert [(older, True), (newer, False)] == [
        (owner["id"], owner["sure"]) for owner in page["owners"]
    ]


def test_a_link_is_good_for_its_address_and_its_time(desk: Desk) -> None:
    """After that its page only says so."""
    account = reachable(desk)

    late = sessions.sign_in_page(desk, _payload(account, until="2000"))
    assert "late" == late["stands"]
    elsewhere = _payload(account, email=signed_links.fingerprint("eve@example.org"))
    assert {"stands": "gone"} == sessions.sign_in_page(desk, elsewhere)
    assert {"stands": "gone"} == sessions.sign_in_page(desk, _payload("nobody"))


def test_a_link_signs_in_once(each_desk: Desk) -> None:
    """And only as an account that its page lists."""
    account = reachable(each_desk)
    stranger = newcomer(each_desk, "Eve").account
    page, token = sessions.sign_in(each_desk, _payload(account), stranger, "Browser")
    assert ("unchosen", None) == (page["stands"], token)
    _sign_in(each_desk, account)
    page, token = sessions.sign_in(each_desk, _payload(account), account, "Browser")

    assert ("done", None) == (page["stands"], token)


def test_signing_in_confirms_a_bounced_address(desk: Desk) -> None:
    """Its letter was read there."""
    account = reachable(desk)
    addresses.record_bounce(desk, account, EMAIL)
    caller = Caller(account, "", frozenset())
    assert accounts.me(desk, caller)["bounced"]
    _sign_in(desk, account)

    assert not accounts.me(desk, caller)["bounced"]


def test_signing_in_ends_the_session_before(desk: Desk) -> None:
    """Nobody holds the cookie of the old one any more."""
    account = reachable(desk)
    old = _sign_in(desk, account)
    before = tokens.session_of(desk, old)
    _, new = sessions.sign_in(desk, _payload(account, "1" * 32), account, "Browser", before)

    assert new is not None
    assert sessions.visitor_of(desk, old) is None
    assert sessions.visitor_of(desk, new) is not None


def test_the_oldest_of_too_many_sessions_ends(desk: Desk) -> None:
    """They are listed in order, with the one in use."""
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
    """The API does not take it, and it ends by itself."""
    desk, hands = by_hand(desk)
    cookie = _sign_in(desk, reachable(desk))

    assert tokens.caller_of(desk, cookie) is None
    hands.moment += sessions.LIFETIME
    assert sessions.visitor_of(desk, cookie) is None
