"""The mail address of an account: wanting another, confirming it, and what comes back from it.

An address that is confirmed stays in force until another one is, so nobody loses their mail by a
slip of the keys. What waits stands beside it, for a while; and whoever reads the old address is
told when it is in force no longer.
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
from store.notify import notices
from store.notify.notices import Notice
from store.people import accounts
from store.people.accounts import Account

Said = Mapping[str, Any]
Page = dict[str, Any]

MOST = 5
MOST_SHOWN = 20
"""So many accounts are asked about on one page."""
A_DAY = timedelta(days=1)
ASKS = "confirm_address"
"""The kind of letter that asks whether an address is somebody's."""
NOTHING: dict[str, Any] = {"new_email": None, "new_email_until": None}
"""No address waits to be confirmed."""


def waiting(account: Account, now: str) -> str | None:
    """The address that stands beside the one in force until it is confirmed."""
    until = account.new_email_until
    return account.new_email if until is None or until > now else None


def unconfirmed(account: Account, now: str) -> str | None:
    """Where the letter goes that asks for a confirmation; None if there is nothing to ask.

    Somebody has asked for each of them, so it is tried also where mail has come back before.
    """
    if account.email_confirmed is None:
        return account.email
    return waiting(account, now) if account.new_email_until else None


def in_force(account: Account, kind: str) -> str | None:
    """Where a letter of this kind goes to: nowhere after mail came back, unless it is asked for.

    Whoever wants to sign in may have a mailbox again; others would never know.
    """
    reached = not account.bounced or kind == "sign_in"
    return account.email if account.email_confirmed and reached else None


def changed(account: Account, said: str | None, now: str) -> Account:
    """With another address: at once if none is confirmed, else as soon as the new one is.

    To name the one in force is to take back what waits; after mail came back from it, it is to
    have it asked once more.
    """
    if said is None:
        return account._replace(email=None, email_confirmed=None, bounced=None, **NOTHING)
    email = profile.email(said)
    if email == account.email:
        after = account._replace(**NOTHING)
        return _anew(after, now) if account.bounced else after
    if email == unconfirmed(account, now):
        return account
    settings = account.settings | {"asked": _counted(account, now)}
    if account.email_confirmed is None:
        return account._replace(email=email, bounced=None, settings=settings)
    until = timestamps.later(now, signed_links.FOR_ADDRESS)
    return account._replace(new_email=email, new_email_until=until, settings=settings)


def _anew(account: Account, now: str) -> Account:
    """Whose address mail came back from, when they give it once more: nobody knows if it works."""
    settings = account.settings | {"asked": _counted(account, now)}
    return account._replace(email_confirmed=None, bounced=None, settings=settings)


def _counted(account: Account, now: str) -> list[str]:
    """When an address was asked, with this time: each is a mail to somebody who may be another."""
    since = timestamps.later(now, -A_DAY)
    asked = [at for at in account.settings["asked"] if at > since]
    if len(asked) >= MOST:
        wait = timestamps.read(asked[0]) + A_DAY - timestamps.read(now)
        raise Refused(
            "rate_limited",
            says(
                "An address can be changed {n} time a day.",
                "An address can be changed {n} times a day.",
                MOST,
            ),
            retry_after=int(wait.total_seconds()) + 1,
        )
    return [*asked, now]


def notices_of_change(before: Account, after: Account, now: str) -> Iterator[Notice]:
    """Who is told of a change: whoever has to confirm, and whose address is in force no longer."""
    asked = unconfirmed(after, now)
    anew = before.bounced and not after.bounced
    if asked is not None and (anew or asked != unconfirmed(before, now)):
        yield Notice(after.id, ASKS)
    reached = before.email_confirmed is not None and not before.bounced
    if reached and before.email != after.email:
        data = {"email": before.email or "", "removed": after.email is None}
        yield Notice(after.id, "address_replaced", data=data)


def admitted(
    desk: Desk, tx: Transaction, told: Iterable[Notice], account: Account, source: str | None
) -> list[Notice]:
    """These notices without the letter to an address that must not be asked; counts the letter.

    Whoever asks is refused if that is too often, and is not told if the reader wants no letters.
    """
    kept = []
    for notice in told:
        email = unconfirmed(account, desk.now()) if notice.kind == ASKS else None
        if email is not None:
            mail_limits.admit(desk, tx, source, email)
        if email is None or mail_limits.may_write(desk, tx, ASKS, email):
            kept.append(notice)
    return kept


def again(desk: Desk, caller: Caller, source: str | None = None) -> None:
    """Ask once more whether an address is theirs."""
    tokens.require_every_scope(caller)
    with desk.database.writing() as tx:
        account, now = tokens.held(tx, caller.account), desk.now()
        email = _doubtful(account, now)
        if email is None:
            raise Refused("forbidden", say("There is no address to confirm."))
        mail_limits.admit(desk, tx, source, email)
        if email != account.email:
            until = timestamps.later(now, signed_links.FOR_ADDRESS)
            accounts.change(tx, account.id, {"new_email_until": until})
        elif account.bounced:
            after = _anew(account, now)
            names = ("email_confirmed", "bounced", "settings")
            accounts.change(tx, account.id, {name: getattr(after, name) for name in names})
        if mail_limits.may_write(desk, tx, ASKS, email):
            notices.add(tx, [Notice(account.id, ASKS)], now)
    desk.doorbell.ring()


def _doubtful(account: Account, now: str) -> str | None:
    """The address that can be asked about once more."""
    return unconfirmed(account, now) or (account.email if account.bounced else None)


def page(desk: Desk, said: Said, choice: str | None = None) -> Page:
    """The page on which somebody says whether an address is theirs, and what that does.

    Others may have given the same address, also before its reader did: it is asked for all at
    once, so that a stranger who was quicker keeps nobody out.
    """
    if choice is None:
        with desk.database.reading() as tx:
            return _page(desk, said, _asking(desk, tx, said))
    with desk.database.writing() as tx:
        asking = _asking(desk, tx, said)
        shown = _page(desk, said, asking)
        if shown["stands"] != "open":
            return shown
        names = {"yes": said["account"]} | {f"as {one.id}": one.id for one in asking}
        if choice not in ("no", "never", *names):
            return shown | {"stands": "unchosen"}
        if choice == "never":
            opt_outs.add(desk, tx, shown["email"])
        for one in asking:
            account = tokens.held(tx, one.id)
            if choice in ("no", "never"):
                _refuse(tx, account, said["email"])
            elif account.id == names[choice]:
                confirm(desk, tx, account, said["email"])
    desk.doorbell.ring()
    return shown | {"stands": {"no": "removed", "never": "never"}.get(choice, "confirmed")}


def _asking(desk: Desk, tx: Transaction, said: Said) -> list[Account]:
    """The account of a link, if there is one, and all others that wait for the same address."""
    account = accounts.account(tx, said["account"])
    meant = _meant(account, said["email"]) if account else None
    if account is None or meant is None:
        return [account] if account else []
    return [account, *(one for one in unsure(desk, tx, meant) if one.id != account.id)]


def unsure(desk: Desk, tx: Transaction, email: str) -> list[Account]:
    """The accounts for which this address waits to be confirmed, those that came last first."""
    waits = ((one, unconfirmed(one, desk.now())) for one in accounts.with_address(tx, email))
    same = [one for one, address in waits if address and address.lower() == email.lower()]
    return same[: -MOST_SHOWN - 1 : -1]


def _meant(account: Account, fingerprint: str) -> str | None:
    """Which address of an account a link is about."""
    known = filter(None, (account.new_email, account.email))
    return next((one for one in known if signed_links.fingerprint(one) == fingerprint), None)


def _page(desk: Desk, said: Said, asking: list[Account]) -> Page:
    if not asking:
        return {"stands": "gone"}
    account, *others = asking
    meant = _meant(account, said["email"])
    if meant is None:
        return {"stands": "stale"}
    shown = {"name": account.name, "email": meant}
    if meant == account.email and account.email_confirmed and not account.bounced:
        return shown | {"stands": "done"}
    lapsed = meant == account.new_email and waiting(account, desk.now()) is None
    if lapsed or signed_links.expired(desk, said):
        return shown | {"stands": "late"}
    also = [{"id": one.id, "name": one.name} for one in others]
    return shown | {"stands": "open", "others": also, "waits": meant == account.new_email}


def confirm(desk: Desk, tx: Transaction, account: Account, fingerprint: str) -> None:
    """Let an address of an account be in force, and tell whoever reads the one before."""
    email, now = _meant(account, fingerprint), desk.now()
    after = account._replace(email=email, email_confirmed=now, bounced=None)
    if email == account.new_email:
        after = after._replace(**NOTHING)
    names = ("email", "email_confirmed", "bounced", *NOTHING)
    accounts.change(tx, account.id, {name: getattr(after, name) for name in names})
    notices.add(tx, list(notices_of_change(account, after, now)), now)


def _refuse(tx: Transaction, account: Account, fingerprint: str) -> None:
    """Forget an address whose reader does not want to be asked."""
    if _meant(account, fingerprint) == account.new_email:
        accounts.change(tx, account.id, NOTHING)
    else:
        gone = {"email": None, "email_confirmed": None, "bounced": None}
        accounts.change(tx, account.id, gone)


def came_back(desk: Desk, id: str, email: str) -> None:
    """Nobody reads mail at this address: nothing more goes there until it is given anew."""
    with desk.database.writing() as tx:
        account = accounts.account(tx, id)
        if account and account.email == email and not account.bounced:
            accounts.change(tx, id, {"bounced": desk.now()})
        elif account and account.new_email == email:
            accounts.change(tx, id, {"new_email_until": None})


def tidy(desk: Desk) -> None:
    """Forget addresses that were not confirmed in time."""
    with desk.database.writing() as tx:
        accounts.forget_unconfirmed(tx, desk.now())
