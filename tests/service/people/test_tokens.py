"""API tokens: callers, scopes, expiry and revoking."""

import json
import re
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import func, select

from service import account_deletion
from service.desk import Desk
from service.idempotency import Document
from service.people import accounts, tokens
from service.people.tokens import MOST_TOKENS, Caller, caller_of
from service.refusals import Refused
from store import tables, timestamps
from store.people.accounts import change as change_account
from tests.service.conftest import SIGNING
from tests.service.support.threads import at_once

KEY = "0123456789abcdef"
SIGNING_NOW = "what signs from now on in 32 characters or more"


def _account(desk: Desk, name: str = "Ada") -> Caller:
    answer = accounts.create(desk, {"name": name}, None)
    caller = caller_of(desk, answer["token"]["token"])
    assert caller is not None
    return caller


def _code(desk: Desk, caller: Caller, request: Document, key: str | None = None) -> str:
    with pytest.raises(Refused) as refused:
        tokens.create(desk, caller, request, key)
    return refused.value.code


def _with_keys(desk: Desk, *keys: str) -> Desk:
    return desk._replace(settings=replace(desk.settings, secret_keys=keys))


def test_token_tells_who_calls(desk: Desk) -> None:
    """A token identifies its account, its own id and its scopes."""
    ada = _account(desk)
    answer = tokens.create(desk, ada, {"label": "Phone", "scopes": ["play", "read"]}, None)

    assert Caller(ada.account, answer["id"], frozenset({"read", "play"})) == caller_of(
        desk, answer["token"]
    )
    assert re.fullmatch("nm_[A-Za-z0-9]{32}", answer["token"])
    assert {"id", "label", "scopes", "created", "expires", "token"} == answer.keys()
    assert ["read", "play"] == answer["scopes"]


@pytest.mark.parametrize(
    "bearer", ["", "nm_", "nm_" + "a" * 31, "nm_" + "a" * 33, "nm_" + "ä" * 32, "a" * 35]
)
def test_what_is_no_token_asks_no_database(desk: Desk, bearer: str) -> None:
    """A text that does not look like a token is refused without a query."""
    without = desk._replace(database=None)  # type: ignore[arg-type]  # it must not be touched

    assert caller_of(without, bearer) is None


def test_altered_token_is_nobodys(desk: Desk) -> None:
    """A token with one character changed, or in another case, is not accepted."""
    text = accounts.create(desk, {"name": "Ada"}, None)["token"]["token"]
    altered = [text[:n] + chr(ord(text[n]) ^ 1) + text[n + 1 :] for n in range(3, len(text))]

    assert caller_of(desk, text) is not None
    assert {None} == {caller_of(desk, altered) for altered in [*altered, text.swapcase()]}


def test_tokens_are_stored_hashed(desk: Desk, tmp_path: Path) -> None:
    """No database file contains a token, with or without an Idempotency-Key."""
    ada = _account(desk)
    request = {"label": "x", "scopes": ["read"]}
    shown = [tokens.create(desk, ada, request, key)["token"] for key in (None, KEY)]
    shown.append(accounts.create(desk, {"name": "Ben"}, KEY)["token"]["token"])
    desk.close()

    stored_bytes = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert b"Ben" in stored_bytes
    assert [] == [text for text in shown if text.removeprefix("nm_").encode() in stored_bytes]


def test_token_is_shown_once(desk: Desk) -> None:
    """The list shows a token's label, scopes and times, but not the token itself."""
    ada = _account(desk)
    answer = tokens.create(desk, ada, {"label": "Phone", "scopes": ["read"]}, None)
    listed = tokens.list_tokens(desk, ada)

    assert ["first", "Phone"] == [token["label"] for token in listed]
    assert answer == listed[1] | {"token": answer["token"]}
    assert answer["token"] not in json.dumps(listed)


def test_nobody_sees_others_tokens(desk: Desk) -> None:
    """The token of another account is neither listed nor revoked; it is not found."""
    ada, ben = _account(desk), _account(desk, "Ben")

    assert [ben.token] == [token["id"] for token in tokens.list_tokens(desk, ben)]
    with pytest.raises(Refused) as refused:
        tokens.revoke(desk, ben, ada.token)
    assert "not_found" == refused.value.code
    assert 1 == len(tokens.list_tokens(desk, ada))


def test_revoked_token_is_worth_nothing(desk: Desk) -> None:
    """A revoked token, even the one in use, is not accepted, and cannot be revoked twice."""
    text = accounts.create(desk, {"name": "Ada"}, None)["token"]["token"]
    ada = caller_of(desk, text)
    assert ada is not None
    tokens.revoke(desk, ada, ada.token)

    assert caller_of(desk, text) is None
    with pytest.raises(Refused, match="no such token"):
        tokens.revoke(desk, ada, ada.token)


def _new_token(desk: Desk, maker: Caller, **more: bool) -> Caller:
    """The caller of a new token made with this one."""
    request = {"label": "x", "scopes": ["read", "play", "manage"]}
    caller = caller_of(desk, tokens.create(desk, maker, request, None, **more)["token"])
    assert caller is not None
    return caller


def test_what_a_revoked_token_has_made_goes_with_it(each_desk: Desk) -> None:
    """All tokens made with it, directly or not, are revoked and counted; others stay."""
    ada, _ = _account(each_desk), _account(each_desk, "Ben")
    stolen, other = _new_token(each_desk, ada), _new_token(each_desk, ada)
    child = _new_token(each_desk, stolen)
    grandchild = _new_token(each_desk, child)

    assert 3 == tokens.revoke(each_desk, ada, stolen.token)
    held = [
        tokens.is_valid(each_desk, caller) for caller in (ada, other, stolen, child, grandchild)
    ]
    assert [True, True, False, False, False] == held


def test_a_revoked_token_makes_no_other(desk: Desk) -> None:
    """A request that runs while its token is revoked makes no token."""
    ada = _account(desk)
    stolen = _new_token(desk, ada)
    tokens.revoke(desk, ada, stolen.token)

    assert "unauthenticated" == _code(desk, stolen, {"label": "x", "scopes": ["read"]})


def test_tokens_expire(desk: Desk) -> None:
    """A token is accepted until a millisecond before its expiry, and not from then on."""
    ada = _account(desk)
    until = timestamps.later(timestamps.now(), timedelta(hours=1))
    request = {"label": "x", "scopes": ["read"], "expires": until}
    text = tokens.create(desk, ada, request, None)["token"]

    assert caller_of(desk, text) is not None
    before = timestamps.later(until, -timedelta(milliseconds=1))
    assert caller_of(desk._replace(now=lambda: before), text) is not None
    assert caller_of(desk._replace(now=lambda: until), text) is None


def test_expired_tokens_do_not_count(each_desk: Desk) -> None:
    """Expired tokens do not count for the limit, and are deleted when a token is made."""
    ada = _account(each_desk)
    until = timestamps.later(timestamps.now(), timedelta(hours=1))
    request = {"label": "x", "scopes": ["read"]}
    for _ in range(MOST_TOKENS - 1):
        tokens.create(each_desk, ada, request | {"expires": until}, None)
    assert "forbidden" == _code(each_desk, ada, request)
    answer = tokens.create(each_desk._replace(now=lambda: until), ada, request, None)

    assert [ada.token, answer["id"]] == [
        token["id"] for token in tokens.list_tokens(each_desk, ada)
    ]


@pytest.mark.parametrize(("days", "given"), [(None, 2), (1, 1), (3, 2)])
def test_no_token_outlives_its_maker(desk: Desk, days: int | None, given: int) -> None:
    """A token made with one that expires does not expire later."""
    hours = [timestamps.later(timestamps.now(), timedelta(hours=n)) for n in range(4)]
    request = {"label": "x", "scopes": ["manage", "play", "read"]}
    maker = caller_of(
        desk, tokens.create(desk, _account(desk), request | {"expires": hours[2]}, None)["token"]
    )
    assert maker is not None
    expiry = {"expires": hours[days]} if days else {}

    assert hours[given] == tokens.create(desk, maker, request | expiry, None)["expires"]


@pytest.mark.parametrize("end", ["revoked", "expired", "deleted"])
def test_a_token_holds_until_it_ends(desk: Desk, end: str) -> None:
    """A token is valid until it expires, it is revoked or its account is deleted."""
    ada = _account(desk)
    until = timestamps.later(timestamps.now(), timedelta(hours=1))
    request = {"label": "x", "scopes": ["read"], "expires": until}
    caller = caller_of(desk, tokens.create(desk, ada, request, None)["token"])
    assert caller is not None
    assert tokens.is_valid(desk, caller)
    if end == "revoked":
        tokens.revoke(desk, ada, caller.token)
    elif end == "expired":
        desk = desk._replace(now=lambda: until)
    else:
        account_deletion.delete(desk, ada)

    assert not tokens.is_valid(desk, caller)


def test_expiry_is_kept_in_utc(desk: Desk) -> None:
    """A time with an offset is shown in UTC."""
    request = {"label": "x", "scopes": ["read"], "expires": "2999-01-01T01:30:00.25+02:00"}

    assert (
        "2998-12-31T23:30:00.250Z" == tokens.create(desk, _account(desk), request, None)["expires"]
    )


@pytest.mark.parametrize(
    "expires",
    [
        "",
        "tomorrow",
        "2999-01-01",
        "2999-01-01T00:00:00",
        "2999-01-01 00:00:00Z",
        "2999-02-30T00:00:00Z",
        "2999-01-01T24:00:01Z",
        "2999-01-01T00:00:60Z",
        "2999-01-01T00:00:00+25:00",
        "2999-W01-1T00:00:00Z",
        "٢٩٩٩-01-01T00:00:00Z",
        "9999-12-31T23:59:59-01:00",
        "0001-01-01T00:00:00+01:00",
        "2001-01-01T00:00:00Z",
        "2026-01-01T00:00:00.000001+00:00",
    ],
)
def test_expiry_must_be_a_moment_to_come(desk: Desk, expires: str) -> None:
    """An expiry that is no RFC 3339 time, or not in the future, is refused."""
    request = {"label": "x", "scopes": ["read"], "expires": expires}

    assert "unreadable" == _code(desk, _account(desk), request)


@pytest.mark.parametrize("label", ["", " ", "x" * 41, "a\nb", "a\0", "\u202eabc", "\u3164"])
def test_labels_are_one_visible_line(desk: Desk, label: str) -> None:
    """A label without 1 to 40 visible characters on one line is refused."""
    assert "unreadable" == _code(desk, _account(desk), {"label": label, "scopes": ["read"]})


@pytest.mark.parametrize("scopes", [[], ["write"], ["read", "Play"], [""]])
def test_scopes_must_be_known(desk: Desk, scopes: list[str]) -> None:
    """A token without a scope or with an unknown scope is refused."""
    assert "unreadable" == _code(desk, _account(desk), {"label": "x", "scopes": scopes})


def test_rights_are_passed_on_and_not_gained(desk: Desk) -> None:
    """Only a token with every scope makes others, even by repeating another token's request."""
    ada = _account(desk)
    request = {"label": "all", "scopes": ["read", "play", "manage"]}
    tokens.create(desk, ada, request, "guessed")
    lesser = ada._replace(scopes=frozenset({"manage"}))

    assert "forbidden" == _code(desk, lesser, request)
    assert "forbidden" == _code(desk, lesser, request | {"scopes": ["manage"]})
    assert "forbidden" == _code(desk, lesser, request, "guessed")


def test_an_account_has_fifty_tokens_at_most(each_desk: Desk) -> None:
    """An account has at most fifty tokens, even with concurrent requests."""
    ada = _account(each_desk)
    request = {"label": "x", "scopes": ["read"]}
    for _ in range(MOST_TOKENS - 4):
        tokens.create(each_desk, ada, request, None)

    def act(_: int) -> str:
        try:
            tokens.create(each_desk, ada, request, None)
        except Refused as refused:
            return refused.code
        return "created"

    assert ["created"] * 3 + ["forbidden"] * 5 == sorted(at_once(8, act))
    assert MOST_TOKENS == len(tokens.list_tokens(each_desk, ada))


def test_same_key_same_token(each_desk: Desk) -> None:
    """Concurrent copies of one request make one token, and all of them get it."""
    ada = _account(each_desk)
    request = {"label": "x", "scopes": ["read"]}
    answer = at_once(16, lambda _: tokens.create(each_desk, ada, request, KEY))

    assert [answer[0]] * 16 == answer
    assert 2 == len(tokens.list_tokens(each_desk, ada))
    assert caller_of(each_desk, answer[0]["token"]) is not None


def test_same_answer_after_the_keys_have_rotated(desk: Desk) -> None:
    """A token is shown again under new SECRET_KEYS, but not when its own key is gone."""
    ada, request = _account(desk), {"label": "x", "scopes": ["read"]}
    answer = tokens.create(desk, ada, request, KEY)

    assert answer == tokens.create(_with_keys(desk, SIGNING_NOW, SIGNING), ada, request, KEY)
    with pytest.raises(Refused) as refused:
        tokens.create(_with_keys(desk, SIGNING_NOW), ada, request, KEY)
    assert "idempotency_mismatch" == refused.value.code
    assert caller_of(_with_keys(desk, SIGNING_NOW), answer["token"]) is not None


def test_a_revoked_token_is_not_told_again(desk: Desk) -> None:
    """Repeating the request for a token that was revoked is refused as gone."""
    ada, request = _account(desk), {"label": "x", "scopes": ["read"]}
    answer = tokens.create(desk, ada, request, KEY)
    tokens.revoke(desk, ada, answer["id"])

    assert "gone" == _code(desk, ada, request, KEY)
    assert caller_of(desk, answer["token"]) is None


def test_same_answer_after_the_expiry(desk: Desk) -> None:
    """A repeated request gets the same answer, even if the token has expired by now."""
    ada = _account(desk)
    until = timestamps.later(timestamps.now(), timedelta(hours=1))
    request = {"label": "x", "scopes": ["read"], "expires": until}
    answer = tokens.create(desk, ada, request, KEY)
    later = desk._replace(now=lambda: timestamps.later(until, timedelta(hours=1)))

    assert answer == tokens.create(later, ada, request, KEY)


def test_forgotten_key_tells_another_token(desk: Desk) -> None:
    """A key that is used again after its answer was deleted makes another token."""
    ada, request = _account(desk), {"label": "x", "scopes": ["read"]}
    answer = tokens.create(desk, ada, request, KEY)
    with desk.database.writing() as tx:
        tx.execute(tables.answers.delete())

    assert answer["token"] != tokens.create(desk, ada, request, KEY)["token"]


def test_tokens_go_with_their_account(each_desk: Desk) -> None:
    """The tokens of a deleted account are deleted, and no new one is made for it."""
    text = accounts.create(each_desk, {"name": "Ada"}, None)["token"]["token"]
    ada = caller_of(each_desk, text)
    assert ada is not None
    account_deletion.delete(each_desk, ada)

    assert caller_of(each_desk, text) is None
    assert "unauthenticated" == _code(each_desk, ada, {"label": "x", "scopes": ["read"]}, KEY)
    with each_desk.database.reading() as tx:
        assert 0 == tx.scalar(select(func.count()).select_from(tables.tokens))


def test_holding_changes_nothing(each_desk: Desk) -> None:
    """Locking an account changes neither it nor its tokens."""
    ada = _account(each_desk)
    before = accounts.me(each_desk, ada), tokens.list_tokens(each_desk, ada)
    with each_desk.database.writing() as tx:
        tokens.lock_account(tx, ada.account)
        change_account(tx, ada.account, {"id": ada.account})

    assert before == (accounts.me(each_desk, ada), tokens.list_tokens(each_desk, ada))
