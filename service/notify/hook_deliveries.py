"""Deliveries to a hook, for its owner: list them, send a ping, send one again."""

from engine.translate import say
from service import refusals
from service.desk import Desk
from service.idempotency import Document, once
from service.ids import new_id
from service.notify.hook_types import HOOK_TYPES, PING, WEBHOOK
from service.notify.hooks import check_there, owned
from service.notify.outbox import Delivery
from service.people.tokens import Caller
from store.database import Transaction
from store.notify import deliveries, hooks
from store.notify.deliveries import Listed
from store.notify.hooks import Hook

REDELIVER = "asked"
"""Key in the data of a delivery whose owner has requested it again, even if it is superseded."""


def ping(desk: Desk, caller: Caller, id: str, key: str | None) -> Document:
    """Send a ping to a hook, whether or not it is switched on."""

    def run(tx: Transaction) -> Document:
        hook, now = owned(tx, caller, id), desk.now()
        nothing = None, None, None, None
        delivery = Delivery(new_id(), hook.account, WEBHOOK, hook.id, PING, *nothing, now, 0, now)
        deliveries.add(tx, [delivery])
        return _delivery(tx, hook, delivery.id)

    answer, _ = once(desk, caller.account, "ping_webhook", key, {"hook": id}, run)
    check_there(desk, caller, id)
    desk.wakeup.send()
    return answer


def listed(
    desk: Desk, caller: Caller, id: str, after: tuple[str, str] | None, limit: int
) -> list[Document]:
    """List the sent and waiting deliveries of a hook, the newest first."""
    with desk.database.reading() as tx:
        hook = owned(tx, caller, id)
        return [document(delivery) for delivery in deliveries.listed(tx, hook.id, after, limit)]


def redeliver(desk: Desk, caller: Caller, id: str, delivery: str, key: str | None) -> Document:
    """Send a delivery again, with the same id."""

    def run(tx: Transaction) -> Document:
        hook = owned(tx, caller, id)
        if hook.off_since is not None:
            raise refusals.Refused(
                "forbidden", say("This webhook is switched off; switch it on first.")
            )
        if not deliveries.again(tx, hook.id, delivery, desk.now()):
            raise refusals.not_found(say("There is no such delivery."))
        hooks.mark(tx, delivery, hooks.data_of(tx, delivery) | {REDELIVER: True})
        return _delivery(tx, hook, delivery)

    fields = {"hook": id, "delivery": delivery}
    answer, _ = once(desk, caller.account, "redeliver", key, fields, run)
    check_there(desk, caller, id)
    desk.wakeup.send()
    return answer


def _delivery(tx: Transaction, hook: Hook, id: str) -> Document:
    delivery = hooks.delivery(tx, hook.id, id)
    if delivery is None:
        raise refusals.not_found(say("There is no such delivery."))
    return document(delivery)


def document(delivery: Listed) -> Document:
    """Describe a delivery to the owner of its hook."""
    waits = delivery.state == "waiting"
    return {
        "id": delivery.id,
        "webhook_id": f"msg_{delivery.id}",
        "type": HOOK_TYPES[delivery.kind],
        "game": delivery.game,
        "at": delivery.at,
        "state": delivery.state,
        "attempts": delivery.attempts,
        "next_attempt": delivery.not_before if waits else None,
        "done": delivery.done,
        "status": delivery.status,
        "error": delivery.error,
        "sent_bytes": delivery.sent_bytes,
        "answer_bytes": delivery.answer_bytes,
    }
