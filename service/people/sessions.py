"""Signing in by mail, and the sessions of browsers.

A session is a token that only our own pages take: stored as a hash, listed, and revoked like any
other. The letter with its link proves that somebody reads the mail of an address; nothing happens
before they choose on its page, and a link counts once.
"""

import secrets
from collections.abc import Mapping
from datetime import timedelta
from typing import Any, NamedTuple

from engine.words import clean, shortened
from service.desk import Desk
from service.idempotency import NEW, Document, once
from service.links import signed_links
from service.memory.news import of_account
from service.people import accounts as people
from service.people import addresses, mail_limits, profile, tokens
from service.people.tokens import LONGEST_LABEL, SCOPES, SESSION, Caller
from store import timestamps
from store.database import Transaction
from store.notify import notices as outbox
from store.notify.notices import Notice
from store.people import accounts, sign_ins
from store.people.accounts import Account, Token
from store.people.sign_ins import SignIn

LASTS = timedelta(days=90)
AT_ONCE = 100
"""Requests for a link that are answered in one transaction."""
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


class Entered(NamedTuple):
    """Whom a session is for, and the token that the browser keeps."""

    account: str
    token: str


def sign_up(
    desk: Desk,
    wanted: Said,
    browser: str,
    before: Caller | None = None,
    source: str | None = None,
    key: str | None = None,
) -> Entered:
    """Make an account with its first session; the browser's session before it ends.

    A form that is sent twice has the same key, and is told the same session again.
    """
    account, name_key = people.new(wanted, desk.now())
    minted = tokens.mint(desk, NEW, key)

    def run(tx: Transaction) -> Document:
        people.add(desk, tx, account, name_key, source)
        begin(desk, tx, minted, account.id, browser)
        _end(tx, before)
        return {"account": account.id, "token": minted.id}

    made, is_replay = once(desk, NEW, "sign_up", key, {}, run)
    _publish_end(desk, before)
    desk.doorbell.ring()
    if is_replay and key is not None:
        return _entered_before(desk, key, made)
    return Entered(account.id, minted.text)


def _entered_before(desk: Desk, key: str, made: Document) -> Entered:
    """The session that a form with this key has begun; refused if it is over."""
    for text in tokens.told_again(desk, NEW, key, made["token"]):
        if tokens.session_of(desk, text):
            return Entered(made["account"], text)
    raise people.name_taken()


def ask(desk: Desk, said: str, wanted: str = "", source: str | None = None) -> None:
    """Store a request for a letter with which the reader of an address can sign in, and go on.

    Whether the address has an account is looked up by a worker. So the request does the same in
    both cases, and neither its answer nor the time it takes tells strangers who is here. No worker
    is woken: in the same process its work would slow the answer down.
    """
    email = profile.email(said)
    with desk.database.writing() as tx:
        mail_limits.admit(desk, tx, source, email)
        sign_ins.add(tx, SignIn(email, wanted, desk.now()))


def answer_asked(desk: Desk) -> int:
    """Owe a letter for each request for a link to sign in; how many requests there were."""
    with desk.database.reading() as tx:  # most of the time there is none, and no lock to take
        if not sign_ins.are_any(tx):
            return 0
    with desk.database.writing() as tx:
        requests = sign_ins.take(tx, AT_ONCE)
        for request in requests:
            _owe_link(desk, tx, request)
    return len(requests)


def _owe_link(desk: Desk, tx: Transaction, request: SignIn) -> None:
    """Owe one letter, if anybody has the address.

    Until an address is confirmed nothing else goes there, so then it is asked for that once more;
    the page of one letter names all who wait. Where mail has come back it is tried again, for
    whoever asks: else they never got in.
    """
    email = request.email
    sure = [one for one in _owners(tx, email) if one.email_confirmed]
    data = {"key": secrets.token_hex(16), "next": request.next}
    told = [Notice(one.id, "sign_in", data=data) for one in sure[:1]]
    if not sure:
        told = [Notice(one.id, addresses.ASKS) for one in addresses.unsure(desk, tx, email)]
    if told and mail_limits.may_write(desk, tx, told[0].kind, email):
        outbox.add(tx, told[:1], request.at)


def _owners(tx: Transaction, email: str) -> list[Account]:
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


def _page(desk: Desk, tx: Transaction, said: Said) -> Document:
    account = accounts.account(tx, said["account"])
    if account is None or account.email is None or account.email_confirmed is None:
        return {"stands": "gone"}
    if signed_links.fingerprint(account.email) != said["email"]:
        return {"stands": "gone"}
    stands = "late" if signed_links.expired(desk, said) else "open"
    shown = [
        {"id": one.id, "name": one.name, "sure": one.email_confirmed is not None}
        for one in _owners(tx, account.email)
    ]
    return {"stands": stands, "owners": shown}


def _chosen(desk: Desk, tx: Transaction, said: Said, account: str) -> Document:
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

    def run(tx: Transaction) -> Document:
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
    _publish_end(desk, before)
    desk.news.publish(of_account(account))  # the oldest session may have ended
    return (shown | {"stands": "done"}, None) if used else (shown, minted.text)


def _end(tx: Transaction, before: Caller | None) -> None:
    """Let a browser's session before this one be over: nobody holds its cookie any more."""
    if before is not None:
        accounts.revoke(tx, before.account, before.token)


def _publish_end(desk: Desk, before: Caller | None) -> None:
    """End what waits with the session before, after the commit."""
    if before is not None:
        desk.news.publish(of_account(before.account))


def begin(desk: Desk, tx: Transaction, minted: tokens.Minted, account: str, browser: str) -> None:
    """Store another session of an account; if there are too many, the oldest ends."""
    tokens.held(tx, account)
    at = desk.now()
    accounts.forget_expired(tx, account, at)
    known = [token for token in accounts.tokens_of(tx, account) if tokens.is_session(token)]
    for oldest in known[: max(0, len(known) - MOST + 1)]:
        accounts.revoke(tx, account, oldest.id)
    label = shortened(clean(browser), LONGEST_LABEL) or "?"
    scopes = " ".join([*SCOPES, SESSION])
    until = timestamps.later(at, LASTS)
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
