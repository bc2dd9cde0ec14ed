"""What a hook is sent, for its owner to read again, and why it has not answered a decision.

Messages are not stored. Each is made again from the log, as its recipient sees the game now, so
nothing can be read here that its owner may not see anyway.
"""

from typing import NamedTuple
from urllib.parse import urlsplit

from engine.translate import say
from service import refusals
from service.desk import Desk
from service.idempotency import Document
from service.notify import hook_bodies, hook_deliveries
from service.notify.hook_deliveries import REDELIVER
from service.notify.hooks import owned
from service.notify.notice_kinds import TURNS
from service.people.tokens import Caller
from store.notify import hooks
from store.notify.hooks import Decision


class Fault(NamedTuple):
    """Why a hook has not answered the decision that its owner has to make now."""

    hook: str
    delivery: str
    host: str
    error: str
    """In English, as in the list of deliveries."""
    next_attempt: str | None
    """When it is called again; None if it is not."""


def read(desk: Desk, caller: Caller, id: str, delivery_id: str) -> tuple[Document, bytes | None]:
    """Return a delivery and its message; None if there is nothing to send any more."""
    with desk.database.reading() as tx:
        hook = owned(tx, caller, id)
        listed = hooks.delivery(tx, hook.id, delivery_id)
        whole = hooks.whole_delivery(tx, hook.id, delivery_id)
    if listed is None or whole is None:
        raise refusals.not_found(say("There is no such delivery."))
    again = whole._replace(data=(whole.data or {}) | {REDELIVER: True})
    return hook_deliveries.document(listed), hook_bodies.body(desk, again)


def fault(desk: Desk, account: str, game: str, version: int, since: str) -> Fault | None:
    """Return why a hook of this account has failed to answer the decision at this version.

    Only the latest delivery of the decision to each hook counts.
    """
    with desk.database.reading() as tx:
        own = {hook.id: hook for hook in hooks.hooks_of(tx, account)}
        if not own:
            return None
        answers = hooks.answers_since(tx, list(own), Decision(game, version, since, TURNS))
    latest = {answer.hook: answer for answer in reversed(answers)}
    for answer in latest.values():
        if answer.error is not None:
            host = urlsplit(own[answer.hook].url).hostname or ""
            again = answer.not_before if answer.state == "waiting" else None
            return Fault(answer.hook, answer.id, host, answer.error, again)
    return None
