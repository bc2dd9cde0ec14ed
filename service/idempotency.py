"""A request with an Idempotency-Key is done once, and answered alike however often it comes."""

import hashlib
import json
import secrets
from collections.abc import Callable, Mapping
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
"""The scope while there is no account yet; any other is an account's id."""
REMEMBERED = timedelta(hours=48)
TIDY_EVERY = 64
"""Of so many stored answers one takes the old ones away, so each is paid for once."""
ATTEMPTS = 5


def once(
    desk: Desk,
    scope: str,
    operation: str,
    key: str | None,
    body: Mapping[str, Any],
    run: Callable[[Transaction], Document],
) -> tuple[Document, bool]:
    """What `run` answers, or has answered to this key before, and whether it was before.

    `run` works in the transaction that also stores its answer. When somebody else was quicker all
    of it is undone, and it may be called again; so it leaves no traces outside of the transaction,
    or its caller forgets them if the answer is an old one. What `run` returns is stored as it is:
    it must hold no secret, and nothing personal that does not go with the scope.
    """
    digest = _digest(operation, body)
    for left in reversed(range(ATTEMPTS)):
        try:
            with desk.database.writing() as tx:
                known = _known(tx, scope, key, digest)
                if known is not None:
                    return known, True
                document = run(tx)
                _keep(desk, tx, scope, key, Answer(digest, json.dumps(document)))
        except Clash:
            if not left:
                raise
            _check_owner(desk, scope)
        except Refusal:
            # It may be the same request, done by somebody quicker, that stands in the way.
            with desk.database.reading() as tx:
                known = _known(tx, scope, key, digest)
            if known is None:
                raise
            return known, True
        else:
            return document, False
    raise AssertionError("the last attempt returns or raises")


def gone() -> refusals.Refused:
    return refusals.Refused("unauthenticated", say("This account has been deleted."))


def _check_owner(desk: Desk, scope: str) -> None:
    """An account that goes while its request is done takes away what the request refers to."""
    with desk.database.reading() as tx:
        if scope != NEW and accounts.account(tx, scope) is None:
            raise gone()


def _digest(operation: str, body: Mapping[str, Any]) -> bytes:
    return hashlib.sha256(canonical({"operation": operation, "body": dict(body)})).digest()


def _known(tx: Transaction, scope: str, key: str | None, digest: bytes) -> Document | None:
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
        recorded_answers.forget(tx, before=timestamps.later(at, -REMEMBERED))
