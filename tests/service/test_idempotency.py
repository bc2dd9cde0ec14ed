from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import Connection, func, select

from engine import Refusal
from service import idempotency
from service.desk import Desk
from service.idempotency import Document, once
from service.people import accounts
from service.people.tokens import Caller, caller_of
from service.refusals import Refused
from store import recorded_answers, timestamps
from store.recorded_answers import Answer
from store.tables import accounts as account_rows
from store.tables import answers as answer_rows
from tests.service.support.threads import at_once

KEY = "0123456789abcdef"
MANY = 16


def _count(desk: Desk, table: Any) -> int:
    with desk.database.reading() as tx:
        return tx.scalar(select(func.count()).select_from(table)) or 0


def _counting() -> tuple[list[int], Callable[[Connection], Document]]:
    calls: list[int] = []

    def run(_: Connection) -> Document:
        calls.append(1)
        return {"call": len(calls), "list": [1, {"a": None}], "text": "ä"}

    return calls, run


def test_same_request_runs_once(desk: Desk) -> None:
    """A request with the same key, operation and body runs once and gets the same answer."""
    calls, run = _counting()
    first = once(desk, "me", "op", KEY, {"a": 1, "b": [2]}, run)
    again = once(desk, "me", "op", KEY, {"b": [2], "a": 1}, run)

    assert 1 == len(calls)
    assert (first[0], False) == first
    assert (first[0], True) == again


@pytest.mark.parametrize(("operation", "body"), [("op", {"a": 2}), ("other", {"a": 1}), ("op", {})])
def test_key_is_for_one_request(desk: Desk, operation: str, body: Document) -> None:
    """A used key with another body or operation is refused, and nothing runs."""
    calls, run = _counting()
    once(desk, "me", "op", KEY, {"a": 1}, run)

    with pytest.raises(Refused) as refused:
        once(desk, "me", operation, KEY, body, run)
    assert "idempotency_mismatch" == refused.value.code
    assert 1 == len(calls)


def test_keys_belong_to_their_scope(desk: Desk) -> None:
    """Two accounts may use the same key, and neither gets the other's answer."""
    calls, run = _counting()

    assert 1 == once(desk, "one", "op", KEY, {}, run)[0]["call"]
    assert 2 == once(desk, "two", "op", KEY, {}, run)[0]["call"]
    assert 2 == len(calls)


def test_without_key_it_simply_runs(desk: Desk) -> None:
    """Without a key every request runs, and no answer is stored."""
    calls, run = _counting()

    assert [False, False] == [once(desk, "me", "op", None, {}, run)[1] for _ in range(2)]
    assert 2 == len(calls)
    assert 0 == _count(desk, answer_rows)


def test_refused_request_leaves_its_key_free(desk: Desk) -> None:
    """A refused request is rolled back, and its key can be used for another request."""
    calls, run = _counting()

    def refuse(tx: Connection) -> Document:
        recorded_answers.keep(tx, "elsewhere", "x", Answer(b"", "{}"), timestamps.now())
        raise Refusal("forbidden", "No.")

    with pytest.raises(Refusal):
        once(desk, "me", "op", KEY, {}, refuse)
    assert 0 == _count(desk, answer_rows)
    assert not once(desk, "me", "op", KEY, {"other": 1}, run)[1]
    assert 1 == len(calls)


def test_answer_and_effect_are_stored_together(desk: Desk) -> None:
    """If the answer cannot be stored, the effect is rolled back with it."""

    def run(tx: Connection) -> Document:
        recorded_answers.keep(tx, "effect", "x", Answer(b"", "{}"), timestamps.now())
        return {"unspeakable": object()}

    with pytest.raises(TypeError):
        once(desk, "me", "op", KEY, {}, run)
    assert 0 == _count(desk, answer_rows)


def test_crash_after_commit(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a crash between commit and response, a retry gets the answer of the first request."""
    body = {"name": "Ada"}

    def die(*_: object) -> Document:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("service.people.tokens.with_text", die)
        with pytest.raises(KeyboardInterrupt):
            accounts.create(desk, body, KEY)
    made = accounts.create(desk, body, KEY)

    assert 1 == _count(desk, account_rows)
    assert made["account"]["id"] == _caller(desk, made).account


def _caller(desk: Desk, made: Document) -> Caller:
    caller = caller_of(desk, made["token"]["token"])
    assert caller is not None
    return caller


@pytest.mark.parametrize("round_", range(3))
def test_copies_at_once(each_desk: Desk, round_: int) -> None:
    """Sixteen concurrent copies of one request create one account and get equal answers."""
    body = {"name": f"Ada {round_}", "email": "ada@example.org"}
    made = at_once(MANY, lambda _: accounts.create(each_desk, body, KEY))

    assert [made[0]] * MANY == made
    assert 1 == _count(each_desk, account_rows)
    assert made[0]["account"]["id"] == _caller(each_desk, made[0]).account


def test_rivals_at_once(each_desk: Desk) -> None:
    """Of sixteen concurrent requests for one name, each with a key of its own, one succeeds."""

    def act(n: int) -> str:
        try:
            accounts.create(each_desk, {"name": "Ada"}, f"{KEY}{n}")
        except Refused as refused:
            return refused.code
        return "created"

    assert ["created"] + ["name_taken"] * (MANY - 1) == sorted(at_once(MANY, act))
    assert 1 == _count(each_desk, account_rows)


def test_bodies_at_once(each_desk: Desk) -> None:
    """Of two bodies sent concurrently with one key, one runs and the other is always refused."""

    def act(n: int) -> str:
        try:
            made = accounts.create(each_desk, {"name": f"Ada {n % 2}"}, KEY)
        except Refused as refused:
            return refused.code
        return str(made["account"]["id"])

    answers = at_once(MANY, act)

    assert 2 == len(set(answers))
    assert MANY // 2 == answers.count("idempotency_mismatch")
    assert 1 == _count(each_desk, account_rows)


def test_quicker_copy_in_the_way(each_desk: Desk) -> None:
    """A request that fails because its concurrent copy was faster returns that copy's answer."""
    body = {"name": "Ada"}
    calls: list[Document] = []

    def run(_: Connection) -> Document:
        if not calls and not each_desk.database.is_sqlite:  # SQLite has one writer at a time
            calls.append({})
            calls[0] |= once(each_desk, "me", "op", KEY, body, lambda _: {"copy": 1})[0]
            raise Refused("name_taken", "My copy has taken it.")
        return {"copy": 1}

    document, before = once(each_desk, "me", "op", KEY, body, run)

    assert {"copy": 1} == document
    assert before is not each_desk.database.is_sqlite


def test_answers_are_kept_for_two_days(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Answers older than 48 hours are deleted when a later one is stored."""
    monkeypatch.setattr(idempotency, "TIDY_EVERY", 1)
    calls, run = _counting()
    with desk.database.writing() as tx:
        for hours in (47, 49):
            at = timestamps.later(timestamps.now(), -timedelta(hours=hours))
            recorded_answers.keep(tx, "me", f"of {hours} hours", Answer(b"", "{}"), at)
    once(desk, "me", "op", KEY, {}, run)

    with desk.database.reading() as tx:
        kept = set(tx.scalars(select(answer_rows.c.key)))
    assert {"of 47 hours", KEY} == kept
    assert 1 == len(calls)
