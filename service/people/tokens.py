"""Tokens: who is calling, and with which rights. Each is shown once and kept only as a hash."""

import hashlib
import hmac
import re
import secrets
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any, NamedTuple

from engine.tongue import say, says
from service import refusals
from service.desk import Desk
from service.idempotency import Document, gone, once
from service.ids import new_id, spelled
from service.memory.news import of_account
from service.people import names
from store import timestamps
from store.database import Transaction
from store.games.game_tags import Glance, glance
from store.people import accounts
from store.people.accounts import Account, Token

SCOPES = ("read", "play", "manage")
SESSION = "session"
"""Marks a token that a browser keeps in a cookie: our own pages take it, and nobody else does."""
MOST_TOKENS = 50
LONGEST_LABEL = 40

_SHAPE = re.compile(r"nm_[A-Za-z0-9]{32}")
_MOMENT = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,9})?"
    r"([Zz]|[+-][0-9]{2}:[0-9]{2})"
)


class Caller(NamedTuple):
    """Whose token was sent, which, and what it allows."""

    account: str
    token: str
    scopes: frozenset[str]
    expires: str | None = None
    glance: Glance | None = None
    """The game that was asked for together with the token."""


class Minted(NamedTuple):
    """A new token, before it is stored."""

    id: str
    text: str


def caller_of(desk: Desk, bearer: str, game: str | None = None) -> Caller | None:
    """Whose token this is; None if it is nobody's, or not any more.

    With a game it is looked at in the same question, which saves a way to the database.
    """
    if not _SHAPE.fullmatch(bearer):
        return None
    digest = _hash(bearer)
    with desk.database.reading() as tx:
        seen = glance(tx, game, digest) if game is not None else None
        token = seen.token if seen else accounts.token_by_hash(tx, digest)
    if token is None or _expired(token, desk.now()) or is_session(token):
        return None
    return Caller(token.account, token.id, _scopes(token.scopes), token.expires, seen)


def session_of(desk: Desk, cookie: str) -> Caller | None:
    """Whose session a browser's cookie stands for; None if it is over, or was none."""
    if not _SHAPE.fullmatch(cookie):
        return None
    with desk.database.reading() as tx:
        token = accounts.token_by_hash(tx, _hash(cookie))
    if token is None or _expired(token, desk.now()) or not is_session(token):
        return None
    return Caller(token.account, token.id, _scopes(token.scopes), token.expires)


def is_session(token: Token) -> bool:
    """Whether it was made for a browser."""
    return token.scopes.endswith(SESSION)


def holds(desk: Desk, caller: Caller) -> bool:
    """Whether a token that was right a while ago still is."""
    with desk.database.reading() as tx:
        token = accounts.token(tx, caller.token)
    return token is not None and not _expired(token, desk.now())


def _expired(token: Token, now: str) -> bool:
    return token.expires is not None and token.expires <= now


@lru_cache(maxsize=64)
def _scopes(said: str) -> frozenset[str]:
    return frozenset(said.split())


def require_every_scope(caller: Caller) -> None:
    """Refuse a token with fewer rights what would lead to more: a session, a token or a hook."""
    if not caller.scopes.issuperset(SCOPES):
        raise refusals.Refused(
            "forbidden",
            say("This takes a token with all scopes: {names}.", names=", ".join(SCOPES)),
        )


def create(
    desk: Desk,
    caller: Caller,
    wanted: Mapping[str, Any],
    key: str | None,
    *,
    outlives: bool = False,
) -> Document:
    """Another token for the caller's account, which ends with its own unless it outlives that."""
    label = names.line(wanted["label"], LONGEST_LABEL, "label")
    scopes = _ordered(wanted["scopes"])
    require_every_scope(caller)  # also before a token is shown again
    minted = mint(desk, caller.account, key)

    def run(tx: Transaction) -> Document:
        held(tx, caller.account)
        at = desk.now()
        accounts.forget_expired(tx, caller.account, at)
        if len(_for_programs(tx, caller.account)) >= MOST_TOKENS:
            raise refusals.Refused(
                "forbidden",
                says(
                    "You have {n} token already; revoke it first.",
                    "You have {n} tokens already; revoke one first.",
                    MOST_TOKENS,
                ),
            )
        maker = accounts.token(tx, caller.token)
        if maker is None and caller.token:  # revoked since we looked; an operator has none
            raise refusals.Refused("unauthenticated", say("This token is not valid any more."))
        # Or a token that is meant to end could live on in one that it has made.
        limit = maker.expires if maker and not outlives else None
        expires = min(filter(None, (_expiry(wanted.get("expires"), at), limit)), default=None)
        parent = maker.id if maker else None
        token = Token(minted.id, caller.account, label, " ".join(scopes), at, expires, parent)
        return keep(tx, minted, token)

    kept, is_replay = once(desk, caller.account, "create_token", key, wanted, run)
    if is_replay:
        _check_not_revoked(desk, kept)
    return shown(desk, kept, minted, caller.account, key)


def _check_not_revoked(desk: Desk, kept: Document) -> None:
    """Refuse to tell a token again that was revoked; of one that is over, the answer says so."""
    with desk.database.reading() as tx:
        is_there = accounts.token(tx, kept["id"]) is not None
    is_over = kept["expires"] is not None and kept["expires"] <= desk.now()
    if not is_there and not is_over:
        raise refusals.made_and_gone(say("The token that this request has made was revoked."))


def listed(desk: Desk, caller: Caller) -> list[Document]:
    """The caller's tokens, the oldest first, without what nobody can know any more."""
    with desk.database.reading() as tx:
        return [document(token) for token in _for_programs(tx, caller.account)]


def _for_programs(tx: Transaction, account: str) -> list[Token]:
    return [token for token in accounts.tokens_of(tx, account) if not is_session(token)]


def revoke(desk: Desk, caller: Caller, id: str) -> int:
    """Revoke a token, perhaps the one in use, with those that it has made; how many they were.

    Whoever had it may have made others, and those others again.
    """
    with desk.database.writing() as tx:
        held(tx, caller.account)  # or a token could make another meanwhile
        known = accounts.tokens_of(tx, caller.account)
        if id not in (token.id for token in known):
            raise refusals.not_found(say("There is no such token."))
        ending = _descent(known, id)
        for one in ending:
            accounts.revoke(tx, caller.account, one)
    desk.news.publish(of_account(caller.account))
    return len(ending)


def _descent(known: Sequence[Token], id: str) -> list[str]:
    """A token, those that it has made, and those that they have made."""
    found = [id]
    for maker in found:  # which grows meanwhile
        found += [token.id for token in known if token.parent == maker]
    return found


def sign_out(desk: Desk, caller: Caller) -> None:
    """End the session that asks for it; tokens that were made in it are not touched."""
    with desk.database.writing() as tx:
        accounts.revoke(tx, caller.account, caller.token)
    desk.news.publish(of_account(caller.account))


def mint(desk: Desk, scope: str, key: str | None) -> Minted:
    """A token that nobody can guess, and that we can tell again if it comes with a key."""
    id = new_id()
    if key is None:
        return Minted(id, _spelled(secrets.token_bytes(32)))
    return Minted(id, _derived(desk.settings.secret_keys[0], scope, key, id))


def keep(tx: Transaction, minted: Minted, token: Token) -> Document:
    """Store a token as a hash; what `shown` needs to show it."""
    hashed = _hash(minted.text)
    accounts.add_token(tx, token, hashed)
    return document(token) | {"hash": hashed.hex()}


def shown(
    desk: Desk, kept: Mapping[str, Any], minted: Minted, scope: str, key: str | None
) -> Document:
    """The token with its text: the one just minted, or told again from the key it came with."""
    document = dict(kept)
    hashed = bytes.fromhex(document.pop("hash"))
    again = [] if key is None else told_again(desk, scope, key, document["id"])
    for text in (minted.text, *again):
        if hmac.compare_digest(hashed, _hash(text)):
            return document | {"token": text}
    raise refusals.Refused(
        "idempotency_mismatch", say("This token was shown before and cannot be shown again.")
    )


def told_again(desk: Desk, scope: str, key: str, id: str) -> list[str]:
    """What a token may be that was minted with a key: one text for each of our secrets."""
    return [_derived(secret, scope, key, id) for secret in desk.settings.secret_keys]


def held(tx: Transaction, account: str) -> Account:
    """An account that nobody else changes until this transaction ends."""
    accounts.change(tx, account, {"id": account})
    found = accounts.account(tx, account)
    if found is None:
        raise gone()
    return found


def document(token: Token) -> Document:
    """A token as its owner reads of it, without what nobody can know any more."""
    return {
        "id": token.id,
        "label": token.label,
        "scopes": [scope for scope in token.scopes.split() if scope != SESSION],
        "created": token.created,
        "expires": token.expires,
    }


def _ordered(wanted: Sequence[str]) -> list[str]:
    if not wanted or not set(SCOPES).issuperset(wanted):
        raise refusals.unreadable(
            say("must be some of {names}.", names=", ".join(SCOPES)), "scopes"
        )
    return [scope for scope in SCOPES if scope in wanted]


def _expiry(said: str | None, now: str) -> str | None:
    if said is None:
        return None
    try:
        moment = datetime.fromisoformat(said.upper()) if _MOMENT.fullmatch(said) else None
        expires = timestamps.written(moment) if moment else ""
    except (ValueError, OverflowError):  # a day that no month has, or one after the last year
        expires = ""
    if not expires:
        raise refusals.unreadable(say("must be a time such as 2030-01-31T12:00:00Z."), "expires")
    if expires <= now:
        raise refusals.unreadable(say("must be in the future."), "expires")
    return expires


def _hash(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()


def _spelled(bits: bytes) -> str:
    return f"nm_{spelled(int.from_bytes(bits), 32)}"


def _derived(secret: str, scope: str, key: str, id: str) -> str:
    """The id is random: so a key that comes back after its answer is forgotten tells another."""
    said = f"token|{scope}|{key}|{id}".encode()
    return _spelled(hmac.new(secret.encode(), said, hashlib.sha256).digest())
