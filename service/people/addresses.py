"""The email address of an account: changing it, confirming it, and recording bounces.

A confirmed address stays in use until a new one is confirmed, so that a typing error costs nobody
their mail. The new one is stored beside it for a while, as pending. When it is confirmed, the old
address gets a letter about the change.
"""

from collections.abc import Iterable, Iterator, Mapping
from datetime import timedelta
from typing import Any

from engine.translate import say, says
from service.desk import Desk
from service.links import signed_links
from service.people import mail_limits, opt_outs, profile, tokens
from service.people.tokens import Caller
from service.refusals import Refused
from store import timestamps
from store.database import Transaction
from store.notify import bounces, notices
from store.notify.notices import Notice
from store.people import accounts
from store.people.accounts import Account

Payload = Mapping[str, Any]
Page = dict[str, Any]

MOST_CHANGES = 5
"""Changes of its address that an account may ask for in a day; each sends a letter."""
MOST_SHOWN = 20
"""Accounts listed on one confirmation page."""
A_DAY = timedelta(days=1)
BETWEEN_BOUNCES = timedelta(hours=1)
"""The time between two refusals after which an address counts as missing."""
BOUNCES_COUNT_FOR = timedelta(days=14)
"""How long a refusal counts."""
CONFIRM_ADDRESS = "confirm_address"
"""The kind of notice whose letter asks the reader to confirm an address."""
NO_PENDING: dict[str, Any] = {"new_email": None, "new_email_until": None}
"""The columns of an account without a pending address."""


def pending_address(account: Account, now: str) -> str | None:
    """Return the new, unconfirmed address of an account; None if there is none, or too old.

    A pending address without an expiry time has bounced, and is still shown.
    """
    until = account.new_email_until
    return account.new_email if until is None or until > now else None


def unconfirmed_address(account: Account, now: str) -> str | None:
    """Return the address to which a confirmation letter goes; None if there is nothing to confirm.

    The account's owner requests these letters, so they are sent even if mail has bounced before.
    """
    if account.email_confirmed is None:
        return account.email
    return pending_address(account, now) if account.new_email_until else None


def deliverable_address(account: Account, kind: str) -> str | None:
    """Return the confirmed address for a letter of this kind; None without one, or after a bounce.

    A sign-in letter is sent even after a bounce: without it the owner could never get back in.
    """
    reached = not account.bounced or kind == "sign_in"
    return account.email if account.email_confirmed and reached else None


def with_email(account: Account, text: str | None, now: str) -> Account:
    """Return the account with another address, which is pending if one is confirmed already.

    Giving the present address drops the pending one; if mail to it has bounced, it has to be
    confirmed once more.
    """
    if text is None:
        return account._replace(email=None, email_confirmed=None, bounced=None, **NO_PENDING)
    email = profile.checked_email(text)
    if email == account.email:
        after = account._replace(**NO_PENDING)
        return _unconfirm(after, now) if account.bounced else after
    if email == unconfirmed_address(account, now):
        return account
    settings = account.settings | {"asked": _count_request(account, now)}
    if account.email_confirmed is None:
        return account._replace(email=email, bounced=None, settings=settings)
    until = timestamps.later(now, signed_links.FOR_ADDRESS)
    return account._replace(new_email=email, new_email_until=until, settings=settings)


def _unconfirm(account: Account, now: str) -> Account:
    """Return the account with its bounced address waiting for a new confirmation."""
    settings = account.settings | {"asked": _count_request(account, now)}
    return account._replace(email_confirmed=None, bounced=None, settings=settings)


def _count_request(account: Account, now: str) -> list[str]:
    """Add this moment to the times of confirmation letters, or refuse one too many in a day.

    The limit protects strangers: the address need not belong to the account's owner.
    """
    since = timestamps.later(now, -A_DAY)
    times = [at for at in account.settings["asked"] if at > since]
    if len(times) >= MOST_CHANGES:
        wait = timestamps.read(times[0]) + A_DAY - timestamps.read(now)
        raise Refused(
            "rate_limited",
            says(
                "You can change your address at most {n} time a day.",
                "You can change your address at most {n} times a day.",
                MOST_CHANGES,
            ),
            retry_after=int(wait.total_seconds()) + 1,
        )
    return [*times, now]


def notices_of_change(before: Account, after: Account, now: str) -> Iterator[Notice]:
    """Yield the notices for a change: to the address to confirm, and to the one it replaces."""
    unconfirmed = unconfirmed_address(after, now)
    is_given_again = before.bounced and not after.bounced
    if unconfirmed is not None and (
        is_given_again or unconfirmed != unconfirmed_address(before, now)
    ):
        yield Notice(after.id, CONFIRM_ADDRESS)
    reached = before.email_confirmed is not None and not before.bounced
    if reached and before.email != after.email:
        data = {"email": before.email or "", "removed": after.email is None}
        yield Notice(after.id, "address_replaced", data=data)


def allowed_notices(
    desk: Desk, tx: Transaction, owed: Iterable[Notice], account: Account, source: str | None
) -> list[Notice]:
    """Count the confirmation letters among these notices, and leave out those that may not go.

    Too many requests from one client are refused. If the reader has opted out, the letter is left
    out silently: the caller must not learn of it.
    """
    allowed = []
    for notice in owed:
        email = unconfirmed_address(account, desk.now()) if notice.kind == CONFIRM_ADDRESS else None
        if email is not None:
            mail_limits.admit(desk, tx, source, email)
        if email is None or mail_limits.may_send(desk, tx, CONFIRM_ADDRESS, email):
            allowed.append(notice)
    return allowed


def resend_confirmation(desk: Desk, caller: Caller, source: str | None = None) -> None:
    """Send the confirmation letter once more."""
    tokens.require_every_scope(caller)
    with desk.database.writing() as tx:
        account, now = tokens.lock_account(tx, caller.account), desk.now()
        email = _questionable_address(account, now)
        if email is None:
            raise Refused("forbidden", say("You have no address to confirm."))
        mail_limits.admit(desk, tx, source, email)
        if email != account.email:
            until = timestamps.later(now, signed_links.FOR_ADDRESS)
            accounts.change(tx, account.id, {"new_email_until": until})
        elif account.bounced:
            after = _unconfirm(account, now)
            names = ("email_confirmed", "bounced", "settings")
            accounts.change(tx, account.id, {name: getattr(after, name) for name in names})
        if mail_limits.may_send(desk, tx, CONFIRM_ADDRESS, email):
            notices.add(tx, [Notice(account.id, CONFIRM_ADDRESS)], now)
    desk.wakeup.send()


def _questionable_address(account: Account, now: str) -> str | None:
    """Return the address for which a confirmation letter can be sent again."""
    return unconfirmed_address(account, now) or (account.email if account.bounced else None)


def confirmation_page(desk: Desk, payload: Payload, choice: str | None = None) -> Page:
    """Show the page on which a reader confirms an address, and carry out a choice on it.

    Several accounts may have given the same address. The page lists all of them, so that a
    stranger who was first does not keep the reader out.
    """
    if choice is None:
        with desk.database.reading() as tx:
            return _page(desk, payload, _claimants(desk, tx, payload))
    with desk.database.writing() as tx:
        claimants = _claimants(desk, tx, payload)
        page = _page(desk, payload, claimants)
        if page["stands"] != "open":
            return page
        chosen = {f"as {claimant.id}": claimant.id for claimant in claimants}
        chosen["yes"] = payload["account"]
        if choice not in ("no", "never", *chosen):
            return page | {"stands": "unchosen"}
        if choice == "never":
            opt_outs.add(desk, tx, page["email"])
        for claimant in claimants:
            account = tokens.lock_account(tx, claimant.id)
            if choice in ("no", "never"):
                _remove_address(tx, account, payload["email"])
            elif account.id == chosen[choice]:
                confirm(desk, tx, account, payload["email"])
    desk.wakeup.send()
    return page | {"stands": {"no": "removed", "never": "never"}.get(choice, "confirmed")}


def _claimants(desk: Desk, tx: Transaction, payload: Payload) -> list[Account]:
    """Return the account that a link is about, if it exists, and others with the same address."""
    account = accounts.account(tx, payload["account"])
    linked = _linked_address(account, payload["email"]) if account else None
    if account is None or linked is None:
        return [account] if account else []
    waiting = accounts_to_confirm(desk, tx, linked)
    return [account, *(other for other in waiting if other.id != account.id)]


def accounts_to_confirm(desk: Desk, tx: Transaction, email: str) -> list[Account]:
    """Return the accounts for which this address is not confirmed yet, the newest first."""
    now = desk.now()
    waiting = [
        account
        for account in accounts.with_address(tx, email)
        if (unconfirmed_address(account, now) or "").lower() == email.lower()
    ]
    return waiting[: -MOST_SHOWN - 1 : -1]


def _linked_address(account: Account, fingerprint: str) -> str | None:
    """Return the address of an account that has the fingerprint in a link."""
    for email in filter(None, (account.new_email, account.email)):
        if signed_links.fingerprint(email) == fingerprint:
            return email
    return None


def _page(desk: Desk, payload: Payload, claimants: list[Account]) -> Page:
    if not claimants:
        return {"stands": "gone"}
    account, *others = claimants
    linked = _linked_address(account, payload["email"])
    if linked is None:
        return {"stands": "stale"}
    page = {"name": account.name, "email": linked}
    if linked == account.email and account.email_confirmed and not account.bounced:
        return page | {"stands": "done"}
    lapsed = linked == account.new_email and pending_address(account, desk.now()) is None
    if lapsed or signed_links.is_expired(desk, payload):
        return page | {"stands": "late"}
    also_waiting = [{"id": other.id, "name": other.name} for other in others]
    return page | {"stands": "open", "others": also_waiting, "waits": linked == account.new_email}


def confirm(desk: Desk, tx: Transaction, account: Account, fingerprint: str) -> None:
    """Confirm an address of an account, and queue a letter to the address that it replaces."""
    email, now = _linked_address(account, fingerprint), desk.now()
    after = account._replace(email=email, email_confirmed=now, bounced=None)
    if email == account.new_email:
        after = after._replace(**NO_PENDING)
    names = ("email", "email_confirmed", "bounced", *NO_PENDING)
    accounts.change(tx, account.id, {name: getattr(after, name) for name in names})
    bounces.clear(tx, account.id)
    notices.add(tx, list(notices_of_change(account, after, now)), now)


def _remove_address(tx: Transaction, account: Account, fingerprint: str) -> None:
    """Remove an address from an account, because its reader says that it is not theirs."""
    if _linked_address(account, fingerprint) == account.new_email:
        accounts.change(tx, account.id, NO_PENDING)
    else:
        nothing = {"email": None, "email_confirmed": None, "bounced": None}
        accounts.change(tx, account.id, nothing)


def record_missing(desk: Desk, id: str, email: str, letter: str) -> None:
    """Record that a server says that there is no such address, in answer to one of our letters.

    A confirmed address has worked before, and servers err: mail to it stops only when two letters
    were refused with some time in between. An unconfirmed one is marked at once, since its owner
    waits for a letter and has probably mistyped it.
    """
    with desk.database.writing() as tx:
        account, now = accounts.account(tx, id), desk.now()
        if account is None:
            return
        if account.email == email and account.email_confirmed:
            fingerprint = signed_links.fingerprint(email)
            bounces.add(tx, id, letter, fingerprint, now)
            times = bounces.times(tx, id, fingerprint, timestamps.later(now, -BOUNCES_COUNT_FOR))
            if len(times) < 2 or times[0] > timestamps.later(now, -BETWEEN_BOUNCES):
                return
        _stop_mail(tx, account, email, now)


def record_complaint(desk: Desk, id: str, email: str) -> None:
    """Stop mail to an address whose reader has complained, until it is given again."""
    with desk.database.writing() as tx:
        if account := accounts.account(tx, id):
            _stop_mail(tx, account, email, desk.now())


def _stop_mail(tx: Transaction, account: Account, email: str, now: str) -> None:
    if account.email == email and not account.bounced:
        accounts.change(tx, account.id, {"bounced": now})
    elif account.new_email == email:
        accounts.change(tx, account.id, {"new_email_until": None})


def record_arrival(desk: Desk, id: str) -> None:
    """Record that mail to an account arrives: what was refused before does not count any more."""
    with desk.database.reading() as tx:
        if not bounces.any_of(tx, id):
            return
    with desk.database.writing() as tx:
        bounces.clear(tx, id)


def tidy(desk: Desk) -> None:
    """Drop pending addresses that were not confirmed in time, and old bounces."""
    with desk.database.writing() as tx:
        accounts.forget_unconfirmed(tx, desk.now())
        bounces.forget(tx, timestamps.later(desk.now(), -BOUNCES_COUNT_FOR))
