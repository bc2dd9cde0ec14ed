"""Runs a request with an Idempotency-Key once, and repeats its answer when it comes again."""

import hashlib
import json
import secrets
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from datetime import timedelta
from typing import Any

from engine import Refusal
from engine.log import canonical
from engine.translate import say
from service import refusals
from service.desk import Desk
from store import recorded_answers, timestamps
from store.database import Transaction
from store.errors import Clash
from store.people import accounts
from store.recorded_answers import Answer

Document = dict[str, Any]

NEW = "new"
"""The scope of keys while there is no account yet; any other scope is an account's id."""
RETENTION = timedelta(hours=48)
"""How long answers are recorded."""
TIDY_EVERY = 64
"""On average, one request in this many deletes old answers."""
ATTEMPTS = 5
"""How often to run a request that clashes with another one."""
_is_replay: ContextVar[bool] = ContextVar("is_replay", default=False)


def forget_replay() -> None:
    """Begin a request, none of whose answers has been replayed yet."""
    _is_replay.set(False)


def note_replay() -> None:
    """Note that the answer of the current request is that of an earlier one."""
    _is_replay.set(True)


def is_replay() -> bool:
    """Return whether the answer of the current request is that of an earlier one."""
    return _is_replay.get()


def once(
    desk: Desk,
    scope: str,
    operation: str,
    key: str | None,
    body: Mapping[str, Any],
    run: Callable[[Transaction], Document],
) -> tuple[Document, bool]:
    """Return the answer of `run`, or the one recorded for this key, and whether it was recorded.

    `run` works in the transaction that also records its answer. On a clash all of it is rolled back
    and `run` may be called again. So it must have no effects outside of the transaction, unless the
    caller discards them when the answer was recorded. The answer is stored as it is: it must hold
    no secret, and only personal data that is deleted with the scope.
    """
    digest = _digest(operation, body)
    for attempts_left in reversed(range(ATTEMPTS)):
        try:
            with desk.database.writing() as tx:
                recorded = _recorded(tx, scope, key, digest)
                if recorded is not None:
                    note_replay()
                    return recorded, True
                document = run(tx)
                _keep(desk, tx, scope, key, Answer(digest, json.dumps(document)))
        except Clash:
            if not attempts_left:
                raise
            _check_owner(desk, scope)
        except Refusal:
            # The same request may have succeeded in another process just now, and be the reason.
            with desk.database.reading() as tx:
                recorded = _recorded(tx, scope, key, digest)
            if recorded is None:
                raise
            note_replay()
            return recorded, True
        else:
            return document, False
    raise AssertionError("the last attempt returns or raises")


def account_deleted() -> refusals.Refused:
    """Return the refusal of a request by an account that has been deleted."""
    return refusals.Refused("unauthenticated", say("This account has been deleted."))


def _check_owner(desk: Desk, scope: str) -> None:
    """Refuse a request that clashed because its account was deleted meanwhile."""
    with desk.database.reading() as tx:
        if scope != NEW and accounts.account(tx, scope) is None:
            raise account_deleted()


def _digest(operation: str, body: Mapping[str, Any]) -> bytes:
    return hashlib.sha256(canonical({"operation": operation, "body": dict(body)})).digest()


def _recorded(tx: Transaction, scope: str, key: str | None, digest: bytes) -> Document | None:
    answer = recorded_answers.find(tx, scope, key) if key is not None else None
    if answer is None:
        return None
    if answer.digest != digest:
        raise refusals.key_used()
    document: Document = json.loads(answer.body)
    return document


def _keep(desk: Desk, tx: Transaction, scope: str, key: str | None, answer: Answer) -> None:
    if key is None:
        return
    at = desk.now()
    recorded_answers.keep(tx, scope, key, answer, at)
    if secrets.randbelow(TIDY_EVERY) == 0:
        recorded_answers.forget(tx, before=timestamps.later(at, -RETENTION))
