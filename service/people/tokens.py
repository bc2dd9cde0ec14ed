"""API tokens: who is calling, and with which scopes. Each is shown once and stored as a hash."""

import hashlib
import hmac
import re
import secrets
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any, NamedTuple

from engine.translate import say, says
from service import refusals
from service.desk import Desk
from service.idempotency import Document, account_deleted, once
from service.ids import encoded, new_id
from service.memory.news import of_account
from service.people import names
from store import timestamps
from store.database import Transaction
from store.games.game_tags import GameTag, tag_for
from store.people import accounts, oauth_grants
from store.people.accounts import Account, Token

SCOPES = ("read", "play", "manage")
SESSION = "session"
"""The extra scope of a token in a browser's cookie: only our own pages accept it."""
APP = "app"
"""The extra scope of a connected app's access token, whose parent is its grant."""
MOST_TOKENS = 50
"""API tokens that one account may have."""
LONGEST_LABEL = 40
"""Characters in the label of a token."""

_SHAPE = re.compile(r"nm_[A-Za-z0-9]{32}")
_MOMENT = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,9})?"
    r"([Zz]|[+-][0-9]{2}:[0-9]{2})"
)


class Caller(NamedTuple):
    """The account that sent a request, the id of its token, and the token's scopes."""

    account: str
    token: str
    scopes: frozenset[str]
    expires: str | None = None
    game_tag: GameTag | None = None
    """The game that was read in the same query as the token."""

    @property
    def is_app(self) -> bool:
        """Whether a connected app calls, which may see and play games, but not the account."""
        return APP in self.scopes


class Minted(NamedTuple):
    """A new token, before it is stored."""

    id: str
    text: str

    @property
    def digest(self) -> bytes:
        """The hash that is stored of it."""
        return _hash(self.text)


def caller_of(desk: Desk, bearer: str, game: str | None = None) -> Caller | None:
    """Return the caller that a bearer token stands for; None if it is unknown or has expired.

    With a game, its tag is read in the same query, which saves a round trip to the database.
    """
    digest = digest_of(bearer)
    if digest is None:
        return None
    with desk.database.reading() as tx:
        tag = tag_for(tx, game, digest) if game is not None else None
        token = tag.token if tag else accounts.token_by_hash(tx, digest)
    if token is None or _expired(token, desk.now()) or is_session(token):
        return None
    return Caller(token.account, token.id, _scopes(token.scopes), token.expires, tag)


def session_of(desk: Desk, cookie: str) -> Caller | None:
    """Return the caller that a session cookie stands for; None if it is unknown or has expired."""
    digest = digest_of(cookie)
    if digest is None:
        return None
    with desk.database.reading() as tx:
        token = accounts.token_by_hash(tx, digest)
    if token is None or _expired(token, desk.now()) or not is_session(token):
        return None
    return Caller(token.account, token.id, _scopes(token.scopes), token.expires)


def digest_of(text: str) -> bytes | None:
    """Return the hash by which a token or cookie is looked up; None if it cannot be ours."""
    return _hash(text) if _SHAPE.fullmatch(text) else None


def is_session(token: Token) -> bool:
    """Return whether a token is the session of a browser."""
    return token.scopes.endswith(SESSION)


def is_app(token: Token) -> bool:
    """Return whether a token is the access token of a connected app."""
    return token.scopes.endswith(APP)


def is_valid(desk: Desk, caller: Caller) -> bool:
    """Return whether the caller's token has been neither revoked nor expired since it was read."""
    with desk.database.reading() as tx:
        token = accounts.token(tx, caller.token)
    return token is not None and not _expired(token, desk.now())


def _expired(token: Token, now: str) -> bool:
    return token.expires is not None and token.expires <= now


@lru_cache(maxsize=64)
def _scopes(text: str) -> frozenset[str]:
    return frozenset(text.split())


def require_every_scope(caller: Caller) -> None:
    """Refuse a token with fewer scopes, for operations with which it could gain more of them."""
    if not caller.scopes.issuperset(SCOPES):
        raise refusals.Refused(
            "forbidden",
            say("This needs a token with all scopes: {names}.", names=", ".join(SCOPES)),
        )


def create(
    desk: Desk,
    caller: Caller,
    request: Mapping[str, Any],
    key: str | None,
    *,
    outlives: bool = False,
) -> Document:
    """Create another token for the caller's account.

    It expires no later than the caller's own token, unless `outlives` is set.
    """
    label = names.checked_line(request["label"], LONGEST_LABEL, "label")
    scopes = _checked_scopes(request["scopes"])
    require_every_scope(caller)  # also for a repeated request, which shows the token again
    minted = mint(desk, caller.account, key)

    def run(tx: Transaction) -> Document:
        lock_account(tx, caller.account)
        at = desk.now()
        accounts.forget_expired(tx, caller.account, at)
        if len(_api_tokens(tx, caller.account)) >= MOST_TOKENS:
            raise refusals.Refused(
                "forbidden",
                says(
                    "You already have {n} token. Revoke it first.",
                    "You already have {n} tokens. Revoke one first.",
                    MOST_TOKENS,
                ),
            )
        maker = accounts.token(tx, caller.token)
        if maker is None and caller.token:  # revoked since it was read; an operator has no token
            raise refusals.Refused("unauthenticated", say("This token is no longer valid."))
        # Otherwise a token could outlast its own expiry through another one that it makes.
        limit = maker.expires if maker and not outlives else None
        expires = min(
            filter(None, (_checked_expiry(request.get("expires"), at), limit)), default=None
        )
        parent = maker.id if maker else None
        token = Token(minted.id, caller.account, label, " ".join(scopes), at, expires, parent)
        return store_token(tx, minted, token)

    record, is_replay = once(desk, caller.account, "create_token", key, request, run)
    if is_replay:
        _check_not_revoked(desk, record)
    return with_text(desk, record, minted, caller.account, key)


def _check_not_revoked(desk: Desk, record: Document) -> None:
    """Refuse to show a revoked token again; an expired one is shown, with when it expired."""
    with desk.database.reading() as tx:
        exists = accounts.token(tx, record["id"]) is not None
    is_expired = record["expires"] is not None and record["expires"] <= desk.now()
    if not exists and not is_expired:
        raise refusals.made_and_gone(
            say("The token that this request created has been revoked since.")
        )


def list_tokens(desk: Desk, caller: Caller) -> list[Document]:
    """List the caller's API tokens, the oldest first, without their texts."""
    with desk.database.reading() as tx:
        return [document(token) for token in _api_tokens(tx, caller.account)]


def _api_tokens(tx: Transaction, account: str) -> list[Token]:
    return [
        token
        for token in accounts.tokens_of(tx, account)
        if not is_session(token) and not is_app(token)
    ]


def revoke(desk: Desk, caller: Caller, id: str) -> int:
    """Revoke a token and all tokens made with it; return how many were revoked.

    If the token was stolen, the thief may have made others with it, and more with those. For the
    same reason, apps that were connected in a session end with it.
    """
    with desk.database.writing() as tx:
        lock_account(tx, caller.account)  # so that none of them makes another meanwhile
        stored = [token for token in accounts.tokens_of(tx, caller.account) if not is_app(token)]
        if id not in (token.id for token in stored):
            raise refusals.not_found(say("There is no such token."))
        ending = _with_descendants(stored, id)
        for ended in ending:
            accounts.revoke(tx, caller.account, ended)
        apps = oauth_grants.end_approved_in(tx, caller.account, ending)
    desk.news.publish(of_account(caller.account))
    return len(ending) + apps


def _with_descendants(stored: Sequence[Token], id: str) -> list[str]:
    """Return the id of a token, of those made with it, and of those made with these in turn."""
    descent = [id]
    for maker in descent:  # the list grows while it is read
        descent += [token.id for token in stored if token.parent == maker]
    return descent


def sign_out(desk: Desk, caller: Caller) -> None:
    """End the caller's session; tokens that were made in it stay valid."""
    with desk.database.writing() as tx:
        accounts.revoke(tx, caller.account, caller.token)
    desk.news.publish(of_account(caller.account))


def mint(desk: Desk, scope: str, key: str | None) -> Minted:
    """Make a new token: random, or derived from the idempotency key so that it can be repeated."""
    id = new_id()
    if key is None:
        return Minted(id, _token_text(secrets.token_bytes(32)))
    return Minted(id, _derived_text(desk.settings.secret_keys[0], scope, key, id))


def store_token(tx: Transaction, minted: Minted, token: Token) -> Document:
    """Store the hash of a token, and return the document that `with_text` completes."""
    accounts.add_token(tx, token, minted.digest)
    return document(token) | {"hash": minted.digest.hex()}


def with_text(
    desk: Desk, record: Mapping[str, Any], minted: Minted, scope: str, key: str | None
) -> Document:
    """Complete a token's document with its text: just minted, or derived from the key again."""
    document = dict(record)
    hashed = bytes.fromhex(document.pop("hash"))
    derived = [] if key is None else derived_texts(desk, scope, key, document["id"])
    for text in (minted.text, *derived):
        if hmac.compare_digest(hashed, _hash(text)):
            return document | {"token": text}
    raise refusals.Refused(
        "idempotency_mismatch",
        say("This token has already been shown once and cannot be shown again."),
    )


def derived_texts(desk: Desk, scope: str, key: str, id: str) -> list[str]:
    """Return the texts that a token minted with this key may have, one for each of SECRET_KEYS."""
    return [_derived_text(secret, scope, key, id) for secret in desk.settings.secret_keys]


def lock_account(tx: Transaction, account: str) -> Account:
    """Lock an account's row until the transaction ends, and return the account."""
    accounts.change(tx, account, {"id": account})
    row = accounts.account(tx, account)
    if row is None:
        raise account_deleted()
    return row


def document(token: Token) -> Document:
    """Return a token as its owner sees it, without its text, which is not stored."""
    return {
        "id": token.id,
        "label": token.label,
        "scopes": [scope for scope in token.scopes.split() if scope != SESSION],
        "created": token.created,
        "expires": token.expires,
    }


def _checked_scopes(scopes: Sequence[str]) -> list[str]:
    if not scopes or not set(SCOPES).issuperset(scopes):
        raise refusals.unreadable(
            say("must be one or more of {names}.", names=", ".join(SCOPES)), "scopes"
        )
    return [scope for scope in SCOPES if scope in scopes]


def _checked_expiry(text: str | None, now: str) -> str | None:
    if text is None:
        return None
    try:
        moment = datetime.fromisoformat(text.upper()) if _MOMENT.fullmatch(text) else None
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


def _token_text(bits: bytes) -> str:
    return f"nm_{encoded(int.from_bytes(bits), 32)}"


def _derived_text(secret: str, scope: str, key: str, id: str) -> str:
    """Derive a token from an idempotency key and the token's random id.

    Thanks to the id, a key that is used again after its answer was deleted gives another token.
    """
    message = f"token|{scope}|{key}|{id}".encode()
    return _token_text(hmac.new(secret.encode(), message, hashlib.sha256).digest())
