"""Webhooks of players' programs: create, change and delete them, and track their failures."""

import base64
import secrets
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from engine.translate import say, says
from service import encryption, refusals
from service.desk import Desk
from service.games import table_lookup
from service.i18n.catalogue import sayable
from service.idempotency import Document, once
from service.ids import new_id
from service.notify import hook_targets
from service.notify.hook_targets import Target
from service.notify.hook_types import HOOK_TYPES, TYPES
from service.notify.outbox import Delivery
from service.people.tokens import Caller, lock_account, require_every_scope
from store import timestamps
from store.database import Transaction
from store.notify import hooks, notices
from store.notify.hooks import Hook
from store.notify.notices import Notice
from store.people.accounts import Account

MOST_HOOKS = 20
OVERLAP = timedelta(hours=24)
"""How long the previous secret also signs after a change."""
PATIENCE = timedelta(days=5)
"""How long a hook may fail before it is switched off."""
SECRET_BYTES = 32

# Stored with the hook in English, and translated when shown.
BY_OWNER = sayable("You have switched it off.")
GONE = sayable("Its server has answered 410: there is nothing here any more.")
SILENT = sayable("Nothing has arrived for 5 days.")
SWITCHED_OFF = sayable("The webhook was switched off.")


class Call(NamedTuple):
    """Everything needed to call a hook."""

    target: Target | None
    """None if the current settings do not allow this URL."""
    secrets: Sequence[str]
    """The secrets that sign: one, or two after a change."""
    is_on: bool
    is_failing: bool
    """Whether the latest deliveries have failed."""
    is_refused: bool = False
    """Whether its last answer to a decision was not a legal move."""


def create(desk: Desk, caller: Caller, body: Mapping[str, Any], key: str | None) -> Document:
    """Create a hook; the answer shows its secret, only once.

    A hook reads and plays for its owner, so creating or redirecting one requires every scope.
    """
    require_every_scope(caller)
    url = _url(desk, body["url"])
    types = _types(body.get("types", TYPES))
    sealed_secret = _fresh_secret(desk)

    def run(tx: Transaction) -> Document:
        lock_account(tx, caller.account)
        if len(hooks.hooks_of(tx, caller.account)) >= MOST_HOOKS:
            raise refusals.Refused(
                "forbidden",
                says(
                    "You already have {n} webhook. Delete it first.",
                    "You already have {n} webhooks. Delete one first.",
                    MOST_HOOKS,
                ),
            )
        game = _game(tx, caller, body.get("game"))
        _check_twins(desk, tx, caller.account, url, game)
        hook = Hook(
            new_id(),
            caller.account,
            url,
            sealed_secret,
            None,
            None,
            game,
            types,
            desk.now(),
            None,
            None,
            None,
            None,
        )
        hooks.add(tx, hook)
        return _document(hook) | {"sealed": sealed_secret.decode()}

    answer, is_replay = once(desk, caller.account, "create_webhook", key, body, run)
    if is_replay:
        with desk.database.reading() as tx:
            _check_secret(hooks.hook(tx, answer["id"]), answer)
    return _shown(desk, answer)


def _check_secret(hook: Hook | None, answer: Document) -> None:
    """Refuse to show a secret again that is not in use any more, as after a deletion."""
    if hook is None:
        raise refusals.made_and_gone(
            say("The webhook that this request created has been deleted since.")
        )
    if hook.secret != answer["sealed"].encode():
        raise refusals.made_and_gone(say("The webhook has a new secret now."))


def listed(desk: Desk, caller: Caller) -> list[Document]:
    """Return the caller's hooks, the oldest first."""
    with desk.database.reading() as tx:
        return [_document(hook) for hook in hooks.hooks_of(tx, caller.account)]


def read(desk: Desk, caller: Caller, id: str) -> Document:
    """Return one of the caller's hooks, without its secret."""
    with desk.database.reading() as tx:
        return _document(owned(tx, caller, id))


def change(desk: Desk, caller: Caller, id: str, body: Mapping[str, Any]) -> Document:
    """Change the given fields, and leave the rest."""
    if body.keys() & {"url", "types", "game"}:
        require_every_scope(caller)
    now = desk.now()
    values: Document = {}
    if "url" in body:
        values["url"] = _url(desk, body["url"])
    if "types" in body:
        values["types"] = _types(body["types"])
    with desk.database.writing() as tx:
        lock_account(tx, caller.account)
        hook = owned(tx, caller, id)
        if "game" in body:
            values["game"] = _game(tx, caller, body["game"])
        target = values.get("url", hook.url), values.get("game", hook.game)
        if target != (hook.url, hook.game):
            _check_twins(desk, tx, hook.account, *target, but=hook.id)
        if body.get("on") and hook.off_since is not None:
            values |= {"off_since": None, "off_reason": None, "failing_since": None}
        if values:
            hooks.change(tx, hook, values)
        if body.get("on") is False and hook.off_since is None:
            _switch_off(tx, hook, BY_OWNER, now)
        return _document(owned(tx, caller, id))


def rotate(desk: Desk, caller: Caller, id: str, key: str | None) -> Document:
    """Create a new secret, shown only once; for a day the previous one signs as well."""
    sealed_secret = _fresh_secret(desk)

    def run(tx: Transaction) -> Document:
        lock_account(tx, caller.account)
        hook = owned(tx, caller, id)
        until = timestamps.later(desk.now(), OVERLAP)
        values = {"secret": sealed_secret, "old_secret": hook.secret, "old_until": until}
        hooks.change(tx, hook, values)
        return _document(owned(tx, caller, id)) | {"sealed": sealed_secret.decode()}

    answer, _ = once(desk, caller.account, "rotate_webhook_secret", key, {"hook": id}, run)
    with desk.database.reading() as tx:
        _check_secret(owned(tx, caller, id), answer)
    return _shown(desk, answer)


def delete(desk: Desk, caller: Caller, id: str) -> None:
    """Delete a hook and all its deliveries, sent and waiting."""
    with desk.database.writing() as tx:
        lock_account(tx, caller.account)
        hooks.remove(tx, owned(tx, caller, id))


def call(desk: Desk, delivery: Delivery) -> Call | None:
    """Collect what is needed to call a hook; None if it was deleted."""
    with desk.database.reading() as tx:
        hook = hooks.hook(tx, delivery.hook or "")
    if hook is None:
        return None
    stored = [hook.secret]
    if hook.old_secret is not None and hook.old_until is not None and hook.old_until > desk.now():
        stored.append(hook.old_secret)
    texts = [text for secret in stored if (text := _unsealed(desk, secret))]
    return Call(
        _target(desk, hook.url),
        texts,
        hook.off_since is None,
        hook.failing_since is not None,
        hook.refused_since is not None,
    )


def wanting(tx: Transaction, account: Account, notice: Notice) -> list[str]:
    """Return the hooks of an account that subscribe to this kind of notice."""
    if not account.hooks:
        return []
    return hooks.wanting(tx, account.id, notice.game, HOOK_TYPES[notice.kind])


def arrived(desk: Desk, delivery: Delivery) -> None:
    """Record a success: the hook is not failing any more."""
    with desk.database.writing() as tx:
        hooks.recover(tx, delivery.hook or "")


def missed(desk: Desk, delivery: Delivery, *, gone: bool) -> bool:
    """Record a failed attempt; returns whether to retry.

    A hook that has failed for too long, or is gone (410), is switched off.
    """
    now = desk.now()
    with desk.database.writing() as tx:
        hook = hooks.hook(tx, delivery.hook or "")
        if hook is None:
            return False
        since = hook.failing_since or now
        ends = hook.off_since is None and (gone or timestamps.later(since, PATIENCE) <= now)
        if ends:
            lock_account(tx, hook.account)  # lock accounts before their hooks, as everywhere
        hooks.change(tx, hook, {"failing_since": since})
        if not ends:
            return hook.off_since is None
        reason = GONE if gone else SILENT
        _switch_off(tx, hook, reason, now, but=delivery.id)
        data = {"hook": hook.id, "host": urlsplit(hook.url).hostname, "reason": reason}
        notices.add(tx, [Notice(hook.account, "hook_disabled", data=data)], now)
    desk.wakeup.send()
    return False


def refused(desk: Desk, delivery: Delivery, why: str) -> None:
    """Record that a hook answers decisions invalidly; the owner is notified the first time."""
    now = desk.now()
    with desk.database.writing() as tx:
        hook = hooks.hook(tx, delivery.hook or "")
        if hook is None or hook.refused_since is not None:
            return
        hooks.change(tx, hook, {"refused_since": now})
        data = {"hook": hook.id, "host": urlsplit(hook.url).hostname, "reason": why}
        notices.add(tx, [Notice(hook.account, "hook_refused", delivery.game, data=data)], now)
    desk.wakeup.send()


def understood(desk: Desk, delivery: Delivery) -> None:
    """Record that the hook has answered a decision validly again."""
    with desk.database.writing() as tx:
        hook = hooks.hook(tx, delivery.hook or "")
        if hook is not None:
            hooks.change(tx, hook, {"refused_since": None})


def _switch_off(tx: Transaction, hook: Hook, reason: str, now: str, but: str | None = None) -> None:
    hooks.change(tx, hook, {"off_since": now, "off_reason": reason})
    hooks.give_up(tx, hook.id, but, now, SWITCHED_OFF)


def check_there(desk: Desk, caller: Caller, id: str) -> None:
    """Refuse to repeat an answer about a hook that has since been deleted."""
    with desk.database.reading() as tx:
        owned(tx, caller, id)


def owned(tx: Transaction, caller: Caller, id: str) -> Hook:
    """Return the caller's hook with this id."""
    hook = hooks.hook(tx, id)
    if hook is None or hook.account != caller.account:
        raise refusals.not_found(say("There is no such webhook."))
    return hook


def _url(desk: Desk, url: str) -> str:
    hook_targets.target(desk.settings, url)
    return url


def _target(desk: Desk, url: str) -> Target | None:
    try:
        return hook_targets.target(desk.settings, url)
    except refusals.Refused:
        return None


def _check_twins(
    desk: Desk, tx: Transaction, account: str, url: str, game: str | None, but: str = ""
) -> None:
    """Refuse a second hook with the same URL for the same game: each message would come twice.

    A hook without a game receives messages about all games.
    """
    place = _target(desk, url)
    for other in hooks.hooks_of(tx, account):
        overlap = None in (game, other.game) or game == other.game
        if other.id != but and overlap and place and _target(desk, other.url) == place:
            raise refusals.Refused("hook_exists", say("You already have a webhook for this URL."))


def _types(names: Sequence[str]) -> tuple[str, ...]:
    if not names or not set(TYPES).issuperset(names):
        raise refusals.unreadable(
            say("must be one or more of {names}.", names=", ".join(TYPES)), "types"
        )
    return tuple(name for name in TYPES if name in names)


def _game(tx: Transaction, caller: Caller, game: str | None) -> str | None:
    if game is None:
        return None
    try:
        return table_lookup.table_of(tx, game, caller.account).id
    except refusals.Refused:  # 404 would mean that the hook does not exist
        raise refusals.unreadable(say("must be a game that you can see."), "game") from None


def _fresh_secret(desk: Desk) -> bytes:
    return encryption.encrypt(desk.settings, secrets.token_bytes(SECRET_BYTES))


def _unsealed(desk: Desk, stored: bytes) -> str | None:
    secret = encryption.decrypt(desk.settings, stored)
    return None if secret is None else f"whsec_{base64.b64encode(secret).decode()}"


def _shown(desk: Desk, answer: Mapping[str, Any]) -> Document:
    """Return a hook with its secret, decrypted from the stored answer to be shown again."""
    document = dict(answer)
    secret = _unsealed(desk, document.pop("sealed").encode())
    if secret is None:
        raise refusals.Refused(
            "idempotency_mismatch", say("This secret was shown before and cannot be shown again.")
        )
    return document | {"secret": secret}


def _document(hook: Hook) -> Document:
    return {
        "id": hook.id,
        "url": hook.url,
        "types": list(hook.types),
        "game": hook.game,
        "on": hook.off_since is None,
        "off_since": hook.off_since,
        "off_reason": hook.off_reason,
        "failing_since": hook.failing_since,
        "refused_since": hook.refused_since,
        "old_secret_until": hook.old_until,
        "created": hook.created,
    }
