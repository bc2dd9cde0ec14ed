"""Grants under races, on both databases: every code and refresh token works once."""

import pytest

from service.desk import Desk
from service.people.oauth import codes, devices, grants
from service.people.oauth.grants import Approval
from service.people.tokens import SCOPES, Caller, caller_of, revoke
from service.refusals import Refused
from store import tables
from store.people import oauth_codes
from tests.service.support.newcomers import newcomer, rows
from tests.service.support.threads import at_once

MANY = 6
"""Requests at the same moment."""
REDIRECT = "https://app.example/back"


def _approval(desk: Desk) -> Approval:
    """What Ada has approved; her token stands for the session of a browser."""
    ada = newcomer(desk)
    return Approval(ada.account, "Board", "https://app.example", "read play", ada.token)


def _code(desk: Desk, approval: Approval) -> oauth_codes.AuthorizationCode:
    """A code that the app has not used yet."""
    text = codes.new_text()
    codes.store(desk, text, approval, REDIRECT, "c" * 43)
    code = codes.unused(desk, text, "Board")
    assert code is not None
    return code


def _begun(desk: Desk) -> grants.TokenTexts:
    """The tokens of a grant."""
    texts = grants.new_texts(desk)
    assert codes.redeem(desk, _code(desk, _approval(desk)), texts)
    return texts


def test_a_code_is_used_once_in_a_race(each_desk: Desk) -> None:
    """Of several exchanges one succeeds, and the others end what it gave."""
    code = _code(each_desk, _approval(each_desk))
    texts = [grants.new_texts(each_desk) for _ in range(MANY)]
    made = at_once(MANY, lambda n: codes.redeem(each_desk, code, texts[n]))
    assert 1 == sum(made)
    assert [None] * MANY == [caller_of(each_desk, text.access) for text in texts]
    assert [] == rows(each_desk, tables.oauth_grants, "client")


def test_a_refresh_token_is_used_once_in_a_race(each_desk: Desk) -> None:
    """Of several refreshes one succeeds, and the others end the grant."""
    first = _begun(each_desk)
    grant = grants.grant_to_refresh(each_desk, first.refresh)
    assert grant is not None
    texts = [grants.new_texts(each_desk, first.refresh) for _ in range(MANY)]
    made = at_once(
        MANY, lambda n: grants.refresh(each_desk, grant, first.refresh, texts[n], "read")
    )
    assert sum(made) <= 1  # none, if the grant has ended before
    assert [None] * MANY == [caller_of(each_desk, text.access) for text in texts]
    assert [] == rows(each_desk, tables.oauth_grants, "client")


def test_a_device_is_connected_once_in_a_race(each_desk: Desk) -> None:
    """Of several polls after the approval one gets tokens."""
    approval = _approval(each_desk)
    device_code = devices.new_device_code()
    devices.start(each_desk, "Clock", "read", device_code, "BCDF-GHJK")
    caller = Caller(approval.account, approval.session, frozenset(SCOPES))
    decided = at_once(
        MANY, lambda n: devices.decide(each_desk, caller, "BCDFGHJK", approved=n % 2 == 0)
    )
    assert 1 == sum(decided)
    device = devices.by_device_code(each_desk, device_code)
    assert device is not None
    texts = [grants.new_texts(each_desk) for _ in range(MANY)]
    made = at_once(MANY, lambda n: devices.redeem(each_desk, device, texts[n]))
    assert device.approved == sum(made)


def test_no_more_grants_than_there_may_be(each_desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also in a race, an account has no more grants than the limit."""
    monkeypatch.setattr(grants, "MOST_GRANTS", 2)
    approval = _approval(each_desk)
    waiting = [_code(each_desk, approval) for _ in range(MANY)]
    at_once(MANY, lambda n: codes.redeem(each_desk, waiting[n], grants.new_texts(each_desk)))
    assert 2 == len(rows(each_desk, tables.oauth_grants, "client"))


def test_a_session_that_ended_approves_nothing(each_desk: Desk) -> None:
    """If the session ends while its form is on the way, neither code nor device is approved."""
    approval = _approval(each_desk)
    devices.start(each_desk, "Clock", "read", devices.new_device_code(), "BCDF-GHJK")
    caller = Caller(approval.account, approval.session, frozenset(SCOPES))
    revoke(each_desk, caller, approval.session)
    with pytest.raises(Refused):
        codes.store(each_desk, codes.new_text(), approval, REDIRECT, "c" * 43)
    with pytest.raises(Refused):
        devices.decide(each_desk, caller, "BCDFGHJK", approved=True)
    assert [] == rows(each_desk, tables.oauth_codes, "client")
    assert [(None,)] == rows(each_desk, tables.oauth_devices, "approved")
