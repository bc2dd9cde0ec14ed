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

from engine.tongue import say
from engine.words import clean, shortened
from service import accounts as people
from service import links, profile, refusals, tokens
from service.desk import Desk
from service.idempotency import NEW, Document, once
from service.tokens import LONGEST_LABEL, SCOPES, SESSION, Caller
from store import accounts, clock, invitations
from store import notices as outbox
from store.accounts import Token
from store.notices import Notice

LASTS = timedelta(days=90)
MOST = 20
"""So many browsers an account is signed in with; then the one that began first has to again."""

Said = Mapping[str, Any]


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


def sign_up(desk: Desk, wanted: Said, browser: str) -> str:
    """A new account with its first session, whose token this is."""
    account, name_key = people.new(wanted, desk.now())
    minted = tokens.mint(desk, account.id, None)

    def run(tx: Connection) -> Document:
        people.add(tx, account, name_key)
        begin(desk, tx, minted, account.id, browser)
        return {}

    once(desk, NEW, "sign_up", None, {}, run)
    desk.doorbell.ring()
    return minted.text


def ask(desk: Desk, said: str, wanted: str = "") -> None:
    """Send a letter with which whoever reads the mail of an address can sign in, and go on there.

    Nobody is told whether it has an account. Until an address is confirmed nothing else goes
    there, so then it is asked for that once more.
    """
    email = profile.email(said)
    with desk.database.writing() as tx:
        owners = accounts.with_address(tx, email)
        sure = [one for one in owners if one.email_confirmed and not one.bounced]
        asked = {"key": secrets.token_hex(16), "next": wanted}
        told = [Notice(one.id, "sign_in", data=asked) for one in sure[:1]]
        if not sure:
            told = [Notice(one.id, "confirm_address") for one in owners[:1] if not one.bounced]
        outbox.add(tx, told, desk.now())
    desk.doorbell.ring()


def page(desk: Desk, said: Said) -> Document:
    """What the page of a sign-in link shows: as whom one can go on.

    The link proves that somebody reads the mail of the address that it went to, and of no other:
    the account may have got another one since.
    """
    with desk.database.reading() as tx:
        account = accounts.account(tx, said["account"])
        if account is None or account.email is None or account.email_confirmed is None:
            return {"stands": "gone"}
        if links.fingerprint(account.email) != said["email"]:
            return {"stands": "gone"}
        owners = invitations.owners(tx, account.email)
    stands = "late" if links.expired(desk, said) else "open"
    return {"stands": stands, "owners": [{"id": id, "name": name} for id, name in owners]}


def enter(desk: Desk, said: Said, account: str, browser: str) -> tuple[Document, str | None]:
    """Begin a session as one of those who have the address; the page after that, and its token."""
    before = page(desk, said)
    if before["stands"] != "open":
        return before, None
    if account not in (owner["id"] for owner in before["owners"]):
        return before | {"stands": "unchosen"}, None
    minted = tokens.mint(desk, account, None)

    def run(tx: Connection) -> Document:
        begin(desk, tx, minted, account, browser)
        return {}

    _, used = once(desk, said["account"], "sign_in", said["key"], {}, run)
    return (before | {"stands": "done"}, None) if used else (before, minted.text)


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


def again(desk: Desk, caller: Caller) -> None:
    """Ask once more whether an address is theirs."""
    with desk.database.writing() as tx:
        account = tokens.held(tx, caller.account)
        if account.email is None or account.email_confirmed:
            raise refusals.Refused("forbidden", say("There is no address to confirm."))
        outbox.add(tx, [Notice(account.id, "confirm_address")], desk.now())
    desk.doorbell.ring()
