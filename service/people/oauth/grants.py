"""Grants: what an account allows an app, with one access token and one refresh token at a time.

An access token is a token like others, except that its parent is the grant. A refresh token works
once: it is replaced together with the access token. One that comes again was copied, by the app's
user or by a thief; nobody knows which of them has the newer one, so the whole grant ends.
"""

import secrets
from datetime import timedelta
from hashlib import sha256
from typing import NamedTuple

from engine.text import shortened
from service.desk import Desk
from service.ids import encoded, new_id
from service.memory.news import of_account
from service.people import tokens
from service.people.tokens import APP, LONGEST_LABEL, Minted
from store import timestamps
from store.database import Transaction
from store.people import accounts, oauth_grants
from store.people.accounts import Token
from store.people.oauth_grants import Grant, Hashes

TOKEN_LIFETIME = timedelta(hours=8)
"""How long an access token lasts."""
LIFETIME = timedelta(days=90)
"""How long a grant lasts after its last refresh."""
MOST_GRANTS = 50
"""Grants of one account; with the next one, the one that was refreshed longest ago ends."""

PREFIX = "nmr_"
FAMILY = 22
"""Characters of a refresh token that its successors keep; they find the grant."""
SECRET = 43


class TokenTexts(NamedTuple):
    """The texts of a new access token and of the refresh token that belongs to it."""

    access: str
    refresh: str


class Approval(NamedTuple):
    """What somebody has agreed to, and in which session."""

    account: str
    client: str
    returns_to: str | None
    scopes: str
    session: str


def new_texts(desk: Desk, before: str | None = None) -> TokenTexts:
    """Return texts for new tokens; those after a refresh token keep the family of that one."""
    family = before[len(PREFIX) :][:FAMILY] if before else _random(FAMILY)
    return TokenTexts(tokens.mint(desk, "", None).text, f"{PREFIX}{family}{_random(SECRET)}")


def _random(length: int) -> str:
    return encoded(secrets.randbits(6 * length), length)


def digest_of(text: str) -> bytes:
    """Return the hash by which a code or a refresh token is stored."""
    return sha256(text.encode()).digest()


def _hashes(refresh: str) -> Hashes:
    return Hashes(digest_of(refresh[: len(PREFIX) + FAMILY]), digest_of(refresh))


def begin(desk: Desk, tx: Transaction, approval: Approval, texts: TokenTexts) -> str:
    """Store a new grant with its first tokens, and return its id; its account must be locked."""
    at = desk.now()
    existing = oauth_grants.of_account(tx, approval.account)
    for oldest in existing[: max(0, len(existing) - MOST_GRANTS + 1)]:
        oauth_grants.end(tx, approval.account, oldest.id)
    grant = Grant(
        new_id(), *approval, created=at, refreshed=at, expires=timestamps.later(at, LIFETIME)
    )
    oauth_grants.add(tx, grant, _hashes(texts.refresh))
    _add_token(tx, grant, texts.access, grant.scopes)
    return grant.id


def _add_token(tx: Transaction, grant: Grant, text: str, scopes: str) -> None:
    minted = Minted(new_id(), text)
    token = Token(
        minted.id,
        grant.account,
        shortened(grant.client, LONGEST_LABEL),
        f"{scopes} {APP}",
        grant.refreshed,
        timestamps.later(grant.refreshed, TOKEN_LIFETIME),
        grant.id,
    )
    tokens.store_token(tx, minted, token)


def grant_to_refresh(desk: Desk, refresh: str) -> Grant | None:
    """Return the grant that a refresh token may renew; an older token ends its grant."""
    hashes = _hashes(refresh)
    with desk.database.reading() as tx:
        stored = oauth_grants.by_family(tx, hashes.family)
    if stored is None or stored[0].expires <= desk.now():
        return None
    grant, newest = stored
    if not secrets.compare_digest(newest, hashes.refresh):
        end(desk, grant)
        return None
    return grant


def refresh(desk: Desk, grant: Grant, before: str, texts: TokenTexts, scopes: str) -> bool:
    """Replace the tokens of a grant; if its refresh token was used meanwhile, end it instead.

    The previous access token stays valid until it expires, for requests that are on their way.
    """
    at = desk.now()
    grant = grant._replace(refreshed=at, expires=timestamps.later(at, LIFETIME))
    with desk.database.writing() as tx:
        tokens.lock_account(tx, grant.account)
        rotated = oauth_grants.rotate(tx, grant, digest_of(before), digest_of(texts.refresh))
        if rotated:
            for older in _tokens_of(tx, grant)[:-1]:
                accounts.revoke(tx, grant.account, older.id)
            _add_token(tx, grant, texts.access, scopes)
        else:
            oauth_grants.end(tx, grant.account, grant.id)
    desk.news.publish(of_account(grant.account))
    return rotated


def _tokens_of(tx: Transaction, grant: Grant) -> list[Token]:
    return [token for token in accounts.tokens_of(tx, grant.account) if token.parent == grant.id]


def grant_of_token(desk: Desk, text: str) -> Grant | None:
    """Return the grant to which an access token or refresh token belongs, for revoking it."""
    with desk.database.reading() as tx:
        if text.startswith(PREFIX):
            stored = oauth_grants.by_family(tx, _hashes(text).family)
            return stored[0] if stored else None
        digest = tokens.digest_of(text)
        token = accounts.token_by_hash(tx, digest) if digest else None
        if token is None or token.parent is None or not tokens.is_app(token):
            return None
        return oauth_grants.by_id(tx, token.parent)


def end(desk: Desk, grant: Grant) -> bool:
    """End a grant with all its tokens, and return whether it still existed."""
    with desk.database.writing() as tx:
        ended = oauth_grants.end(tx, grant.account, grant.id)
    desk.news.publish(of_account(grant.account))
    return ended
