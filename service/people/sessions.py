"""Signing in by mail, and the sessions of browsers.

A session is a token that only our own pages accept; it is stored as a hash, listed and revoked like
any other token. Following the link in a sign-in letter proves that somebody reads the mail of an
address. Opening the link changes nothing; a choice on its page does, and each link works once.
"""

import secrets
from collections.abc import Mapping
from datetime import timedelta
from typing import Any, NamedTuple

from engine.text import clean, shortened
from service.desk import Desk
from service.idempotency import NEW, Document, once
from service.links import signed_links
from service.memory.news import of_account
from service.people import accounts, addresses, mail_limits, profile, tokens
from service.people.tokens import LONGEST_LABEL, SCOPES, SESSION, Caller
from store import timestamps
from store.database import Transaction
from store.notify import bounces, notices
from store.notify.notices import Notice
from store.people import accounts as account_rows
from store.people import sign_ins
from store.people.accounts import Account, Token
from store.people.sign_ins import SignIn

LIFETIME = timedelta(days=90)
"""How long a session lasts."""
BATCH = 100
"""Requests for a sign-in link that are answered in one transaction."""
MOST_SESSIONS = 20
"""Sessions of one account; with the next one the oldest ends."""

Payload = Mapping[str, Any]


class _NoLongerOpen(Exception):
    """The account or its address has changed since the page was shown."""


class Visitor(NamedTuple):
    """A person who is signed in, with what every page needs to know about them."""

    caller: Caller
    name: str
    locale: str
    time_zone: str
    email: str | None
    confirmed: bool
    bounced: bool = False
    """Whether nothing about games is sent to the address, because mail to it bounced."""
    has_hooks: bool = False
    """Whether a webhook of the account is switched on."""

    @property
    def account(self) -> str:
        return self.caller.account


class NewSession(NamedTuple):
    """The account of a new session, and the token for the browser's cookie."""

    account: str
    token: str


def sign_up(
    desk: Desk,
    request: Mapping[str, Any],
    browser: str,
    before: Caller | None = None,
    source: str | None = None,
    key: str | None = None,
) -> NewSession:
    """Create an account with its first session, and end the browser's previous session.

    A form that is sent twice has the same idempotency key, and gets the same session again.
    """
    account, name_key = accounts.build(request, desk.now())
    minted = tokens.mint(desk, NEW, key)

    def run(tx: Transaction) -> Document:
        accounts.add(desk, tx, account, name_key, source)
        begin_session(desk, tx, minted, account.id, browser)
        _end(tx, before)
        return {"account": account.id, "token": minted.id}

    record, is_replay = once(desk, NEW, "sign_up", key, {}, run)
    _publish_end(desk, before)
    desk.wakeup.send()
    if is_replay and key is not None:
        return _session_before(desk, key, record)
    return NewSession(account.id, minted.text)


def _session_before(desk: Desk, key: str, record: Document) -> NewSession:
    """Return the session that an earlier request with this key began; refused if it has ended."""
    for text in tokens.derived_texts(desk, NEW, key, record["token"]):
        if tokens.session_of(desk, text):
            return NewSession(record["account"], text)
    raise accounts.name_taken()


def request_link(desk: Desk, address: str, next_page: str = "", source: str | None = None) -> None:
    """Queue a request for a sign-in letter to an address; `next_page` is where to go afterwards.

    A worker looks up whether the address has an account. So neither the response nor its timing
    tells a stranger who has an account here. The worker is not woken, because in the same process
    its work would delay the response.
    """
    email = profile.checked_email(address)
    with desk.database.writing() as tx:
        mail_limits.admit(desk, tx, source, email)
        sign_ins.add(tx, SignIn(email, next_page, desk.now()))


def answer_requests(desk: Desk) -> int:
    """Queue a letter for each request for a sign-in link; return how many there were."""
    with desk.database.reading() as tx:  # usually the queue is empty, and needs no lock
        if not sign_ins.are_any(tx):
            return 0
    with desk.database.writing() as tx:
        requests = sign_ins.take(tx, BATCH)
        for request in requests:
            _owe_link(desk, tx, request)
    return len(requests)


def _owe_link(desk: Desk, tx: Transaction, request: SignIn) -> None:
    """Queue one letter, if an account has the address.

    An address that is not confirmed gets a confirmation letter instead, whose page lists all the
    accounts that wait for it. A bounced address is tried again: else its owner could not get in.
    """
    email = request.email
    confirmed = [account for account in _owners(tx, email) if account.email_confirmed]
    data = {"key": secrets.token_hex(16), "next": request.next}
    owed = [Notice(account.id, "sign_in", data=data) for account in confirmed[:1]]
    if not confirmed:
        owed = [
            Notice(account.id, addresses.CONFIRM_ADDRESS)
            for account in addresses.accounts_to_confirm(desk, tx, email)
        ]
    if owed and mail_limits.may_send(desk, tx, owed[0].kind, email):
        notices.add(tx, owed[:1], request.at)


def _owners(tx: Transaction, email: str) -> list[Account]:
    """Return the accounts with this address, confirmed ones first, without pending addresses."""
    owners = [
        account
        for account in account_rows.with_address(tx, email)
        if (account.email or "").lower() == email.lower()
    ]
    return sorted(owners, key=lambda owner: owner.email_confirmed is None)


def sign_in_page(desk: Desk, payload: Payload) -> Document:
    """Show the page of a sign-in link: the accounts as which its reader can sign in.

    The link is good only for the address that it was sent to; the account may have changed its
    address since.
    """
    with desk.database.reading() as tx:
        return _page(desk, tx, payload)


def _page(desk: Desk, tx: Transaction, payload: Payload) -> Document:
    account = account_rows.account(tx, payload["account"])
    if account is None or account.email is None or account.email_confirmed is None:
        return {"stands": "gone"}
    if signed_links.fingerprint(account.email) != payload["email"]:
        return {"stands": "gone"}
    stands = "late" if signed_links.is_expired(desk, payload) else "open"
    owners = [
        {"id": owner.id, "name": owner.name, "sure": owner.email_confirmed is not None}
        for owner in _owners(tx, account.email)
    ]
    return {"stands": stands, "owners": owners}


def _page_for(desk: Desk, tx: Transaction, payload: Payload, account: str) -> Document:
    """Return the page of a sign-in link, which is open only if it offers this account."""
    page = _page(desk, tx, payload)
    if page["stands"] == "open" and account not in (owner["id"] for owner in page["owners"]):
        return page | {"stands": "unchosen"}
    return page


def sign_in(
    desk: Desk, payload: Payload, account: str, browser: str, before: Caller | None = None
) -> tuple[Document, str | None]:
    """Begin a session for an account that has the address; return the page and the token.

    This also confirms an address that is unconfirmed or has bounced, and ends the browser's
    previous session.
    """
    with desk.database.reading() as tx:
        page = _page_for(desk, tx, payload, account)
    if page["stands"] != "open":
        return page, None
    minted = tokens.mint(desk, account, None)

    def run(tx: Transaction) -> Document:
        owner = tokens.lock_account(tx, account)
        # The address may have changed since it was read; from here on the row is locked.
        if _page_for(desk, tx, payload, account)["stands"] != "open":
            raise _NoLongerOpen
        if owner.email_confirmed is None or owner.bounced:
            addresses.confirm(desk, tx, owner, payload["email"])
        bounces.clear(tx, account)  # the link came by mail, so mail arrives
        begin_session(desk, tx, minted, account, browser)
        _end(tx, before)
        return {}

    try:
        _, is_replay = once(desk, payload["account"], "sign_in", payload["key"], {}, run)
    except _NoLongerOpen:
        with desk.database.reading() as tx:
            return _page_for(desk, tx, payload, account), None
    _publish_end(desk, before)
    desk.news.publish(of_account(account))  # the oldest session may have ended
    return (page | {"stands": "done"}, None) if is_replay else (page, minted.text)


def _end(tx: Transaction, before: Caller | None) -> None:
    """End a browser's previous session: its cookie is about to be replaced."""
    if before is not None:
        account_rows.revoke(tx, before.account, before.token)


def _publish_end(desk: Desk, before: Caller | None) -> None:
    """End what waits with the session before, after the commit."""
    if before is not None:
        desk.news.publish(of_account(before.account))


def begin_session(
    desk: Desk, tx: Transaction, minted: tokens.Minted, account: str, browser: str
) -> None:
    """Store a new session of an account; if there are too many, end the oldest."""
    tokens.lock_account(tx, account)
    at = desk.now()
    account_rows.forget_expired(tx, account, at)
    existing = [token for token in account_rows.tokens_of(tx, account) if tokens.is_session(token)]
    for oldest in existing[: max(0, len(existing) - MOST_SESSIONS + 1)]:
        account_rows.revoke(tx, account, oldest.id)
    label = shortened(clean(browser), LONGEST_LABEL) or "?"
    scopes = " ".join([*SCOPES, SESSION])
    until = timestamps.later(at, LIFETIME)
    tokens.store_token(tx, minted, Token(minted.id, account, label, scopes, at, until))


def visitor_of(desk: Desk, cookie: str) -> Visitor | None:
    """Return the person whose session a browser's cookie names; None if it has ended."""
    caller = tokens.session_of(desk, cookie)
    if caller is None:
        return None
    with desk.database.reading() as tx:
        account = account_rows.account(tx, caller.account)
    if account is None:
        return None
    return Visitor(
        caller,
        account.name,
        account.locale,
        account.time_zone,
        account.email,
        confirmed=account.email_confirmed is not None,
        bounced=account.bounced is not None,
        has_hooks=account.hooks > 0,
    )


def list_sessions(desk: Desk, caller: Caller) -> list[Document]:
    """List the sessions of the caller, the oldest first, and mark the one in use."""
    with desk.database.reading() as tx:
        all_tokens = account_rows.tokens_of(tx, caller.account)
    return [
        tokens.document(token) | {"here": token.id == caller.token}
        for token in all_tokens
        if tokens.is_session(token)
    ]
