"""Signing in by mail, and the sessions of browsers.

A session is a token that only our own pages take: stored as a hash, listed, and revoked like any
other. The letter with its link proves that somebody reads the mail of an address; nothing happens
before they choose on its page, and a link counts once.
"""

import secrets
from collections.abc import Mapping
from datetime import timedelta
from typing import Any, NamedTuple

from sqlalchemy import Connection

from engine.words import clean, shortened
from service import accounts as people
from service import addresses, links, profile, tokens
from service.desk import Desk
from service.idempotency import NEW, Document, once
from service.tokens import LONGEST_LABEL, SCOPES, SESSION, Caller
from store import accounts, clock
from store import notices as outbox
from store.accounts import Account, Token
from store.notices import Notice

LASTS = timedelta(days=90)
MOST = 20
"""So many browsers an account is signed in with; then the one that began first has to again."""

Said = Mapping[str, Any]


class _Changed(Exception):
    """What a link was about is not so any more."""


class Visitor(NamedTuple):
    """Somebody who is signed in, with what every page needs to know of them."""

    caller: Caller
    name: str
    locale: str
    time_zone: str
    email: str | None
    confirmed: bool

    @property
    def account(self) -> str:
        return self.caller.account


def sign_up(desk: Desk, wanted: Said, browser: str, before: Caller | None = None) -> str:
    """A new account with its first session, whose token this is; the browser's one before ends."""
    account, name_key = people.new(wanted, desk.now())
    minted = tokens.mint(desk, account.id, None)

    def run(tx: Connection) -> Document:
        people.add(tx, account, name_key)
        begin(desk, tx, minted, account.id, browser)
        _end(tx, before)
        return {}

    once(desk, NEW, "sign_up", None, {}, run)
    desk.doorbell.ring()
    return minted.text


def ask(desk: Desk, said: str, wanted: str = "") -> None:
    """Send a letter with which whoever reads the mail of an address can sign in, and go on there.

    Nobody is told whether it has an account. Until an address is confirmed nothing else goes
    there, so then it is asked for that once more; the page of one letter names all who wait.
    Where mail has come back it is tried again, for whoever asks: else they never got in.
    """
    email = profile.email(said)
    with desk.database.writing() as tx:
        sure = [one for one in _owners(tx, email) if one.email_confirmed]
        asked = {"key": secrets.token_hex(16), "next": wanted}
        told = [Notice(one.id, "sign_in", data=asked) for one in sure[:1]]
        if not sure:
            told = [Notice(one.id, "confirm_address") for one in addresses.unsure(desk, tx, email)]
        outbox.add(tx, told[:1], desk.now())
    desk.doorbell.ring()


def _owners(tx: Connection, email: str) -> list[Account]:
    """The accounts that have this address, those first that have confirmed it."""
    found = accounts.with_address(tx, email)
    mine = [one for one in found if (one.email or "").lower() == email.lower()]
    return sorted(mine, key=lambda one: one.email_confirmed is None)


def page(desk: Desk, said: Said) -> Document:
    """What the page of a sign-in link shows: as whom one can go on.

    The link proves that somebody reads the mail of the address that it went to, and of no other:
    the account may have got another one since.
    """
    with desk.database.reading() as tx:
        return _page(desk, tx, said)


def _page(desk: Desk, tx: Connection, said: Said) -> Document:
    account = accounts.account(tx, said["account"])
    if account is None or account.email is None or account.email_confirmed is None:
        return {"stands": "gone"}
    if links.fingerprint(account.email) != said["email"]:
        return {"stands": "gone"}
    stands = "late" if links.expired(desk, said) else "open"
    shown = [
        {"id": one.id, "name": one.name, "sure": one.email_confirmed is not None}
        for one in _owners(tx, account.email)
    ]
    return {"stands": stands, "owners": shown}


def _chosen(desk: Desk, tx: Connection, said: Said, account: str) -> Document:
    """The page, which is open still if one can go on as this account."""
    shown = _page(desk, tx, said)
    if shown["stands"] == "open" and account not in (owner["id"] for owner in shown["owners"]):
        return shown | {"stands": "unchosen"}
    return shown


def enter(
    desk: Desk, said: Said, account: str, browser: str, before: Caller | None = None
) -> tuple[Document, str | None]:
    """Begin a session as one of those who have the address; the page after that, and its token.

    Whoever has not confirmed the address yet, or had mail come back from it, does so by this, and
    the session before ends.
    """
    with desk.database.reading() as tx:
        shown = _chosen(desk, tx, said, account)
    if shown["stands"] != "open":
        return shown, None
    minted = tokens.mint(desk, account, None)

    def run(tx: Connection) -> Document:
        entered = tokens.held(tx, account)
        # The address may have changed since we looked; from here on it cannot.
        if _chosen(desk, tx, said, account)["stands"] != "open":
            raise _Changed
        if entered.email_confirmed is None or entered.bounced:
            addresses.confirm(desk, tx, entered, said["email"])
        begin(desk, tx, minted, account, browser)
        _end(tx, before)
        return {}

    try:
        _, used = once(desk, said["account"], "sign_in", said["key"], {}, run)
    except _Changed:
        with desk.database.reading() as tx:
            return _chosen(desk, tx, said, account), None
    return (shown | {"stands": "done"}, None) if used else (shown, minted.text)


def _end(tx: Connection, before: Caller | None) -> None:
    """Let a browser's session before this one be over: nobody holds its cookie any more."""
    if before is not None:
        accounts.revoke(tx, before.account, before.token)


def begin(desk: Desk, tx: Connection, minted: tokens.Minted, account: str, browser: str) -> None:
    """Store another session of an account; if there are too many, the oldest ends."""
    tokens.held(tx, account)
    at = desk.now()
    accounts.forget_expired(tx, account, at)
    known = [token for token in accounts.tokens_of(tx, account) if tokens.is_session(token)]
    for oldest in known[: max(0, len(known) - MOST + 1)]:
        accounts.revoke(tx, account, oldest.id)
    label = shortened(clean(browser), LONGEST_LABEL) or "?"
    scopes = " ".join([*SCOPES, SESSION])
    until = clock.later(at, LASTS)
    tokens.keep(tx, minted, Token(minted.id, account, label, scopes, at, until))


def visitor_of(desk: Desk, cookie: str) -> Visitor | None:
    """Whoever a browser's cookie stands for."""
    caller = tokens.session_of(desk, cookie)
    if caller is None:
        return None
    with desk.database.reading() as tx:
        found = accounts.account(tx, caller.account)
    if found is None:
        return None
    confirmed = found.email_confirmed is not None
    return Visitor(caller, found.name, found.locale, found.time_zone, found.email, confirmed)


def listed(desk: Desk, caller: Caller) -> list[Document]:
    """The browsers that are signed in, the oldest first; and which of them asks."""
    with desk.database.reading() as tx:
        known = accounts.tokens_of(tx, caller.account)
    return [
        tokens.document(token) | {"here": token.id == caller.token}
        for token in known
        if tokens.is_session(token)
    ]
