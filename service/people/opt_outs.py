"""Readers who want no letters from strangers: stored by the fingerprint of a mailbox, for ever.

An opt-out stops invitations and questions whether an address is somebody's, and, if its reader says
so, links to sign in, without which nobody gets in again. It does not stop mail about the games of
an account with that confirmed address, which has settings of its own for it.
"""

from collections.abc import Mapping
from typing import Any

from service.desk import Desk
from service.links import signed_links
from service.people import address_fingerprints
from service.people.unsubscribing import ONE_CLICK
from store.database import Transaction
from store.people import mail_limits as store

STOPPED = ("invited", "confirm_address")
"""The kinds of letters that an opt-out stops."""
SIGN_IN = "sign_in"
"""The kind that it stops only if its reader says so,"""
AND_SIGN_IN = " sign_in"
"""for which the fingerprint is stored a second time, with this after it."""
DOES = {
    "never": "stopped",
    ONE_CLICK: "stopped",
    "all": "closed",
    "again": "resumed",
    "keep": "kept",
}
"""The choices on the page, and what to call what they do."""


def stops(desk: Desk, tx: Transaction, kind: str, email: str) -> bool:
    """Whether a letter of this kind is unwelcome, in a transaction that may write."""
    if kind == SIGN_IN:
        mailbox = address_fingerprints.fingerprint(desk, tx, email)
        return bool(store.opted_out(tx, [f"{mailbox}{AND_SIGN_IN}"]))
    return kind in STOPPED and opted_out(desk, tx, email)


def opted_out(desk: Desk, tx: Transaction, email: str) -> bool:
    """Whether the reader of an address has opted out, in a transaction that may write.

    Opt-outs from before there was a key are known by a plain hash; it is replaced when it is met.
    """
    mailbox, plain = (
        address_fingerprints.fingerprint(desk, tx, email),
        signed_links.fingerprint(email),
    )
    known = store.opted_out(tx, [mailbox, plain])
    if plain in known:
        store.opt_out(tx, mailbox, desk.now())
        store.opt_in(tx, [plain])
    return bool(known)


def is_stopped(desk: Desk, kind: str, email: str) -> bool:
    """Whether an opt-out stops a letter that is about to be sent."""
    if kind not in (*STOPPED, SIGN_IN):
        return False
    mailbox = address_fingerprints.known_fingerprint(desk, email)
    marks = [mailbox, signed_links.fingerprint(email)]
    if kind == SIGN_IN:
        marks = [f"{mailbox}{AND_SIGN_IN}"]
    with desk.database.reading() as tx:
        return bool(store.opted_out(tx, marks))


def add(desk: Desk, tx: Transaction, email: str) -> None:
    """Write to an address no more on behalf of strangers."""
    store.opt_out(tx, address_fingerprints.fingerprint(desk, tx, email), desk.now())


def forget_all(desk: Desk) -> int:
    """Give up all opt-outs, with the key that nobody can open any more; how many there were."""
    with desk.database.writing() as tx:
        address_fingerprints.remove(tx)
        return store.forget_opt_outs(tx)


def remove(desk: Desk, email: str) -> bool:
    """Take an opt-out back at its reader's wish; whether there was one."""
    with desk.database.writing() as tx:
        known = opted_out(desk, tx, email)
        _opt_in(tx, address_fingerprints.fingerprint(desk, tx, email))
    return known


def _opt_in(tx: Transaction, mailbox: str) -> None:
    store.opt_in(tx, [mailbox, f"{mailbox}{AND_SIGN_IN}"])


def link(desk: Desk, email: str) -> str:
    """Where the reader of an address opts out, and in again; it does not hold the address."""
    return signed_links.opt_out(desk, address_fingerprints.known_fingerprint(desk, email))


def page(desk: Desk, said: Mapping[str, Any], choice: str | None = None) -> dict[str, Any]:
    """The page on which a reader opts out or in again, and what a choice on it does."""
    mailbox = said["mailbox"]
    does = DOES.get(choice or "")
    if does in ("stopped", "closed", "resumed"):
        with desk.database.writing() as tx:
            if does == "resumed":
                _opt_in(tx, mailbox)
            else:
                store.opt_out(tx, mailbox, desk.now())
            if does == "closed":
                store.opt_out(tx, f"{mailbox}{AND_SIGN_IN}", desk.now())
    with desk.database.reading() as tx:
        known = store.opted_out(tx, [mailbox, f"{mailbox}{AND_SIGN_IN}"])
    shown = {
        "stands": "open",
        "opted_out": mailbox in known,
        "closed": f"{mailbox}{AND_SIGN_IN}" in known,
    }
    return shown if choice is None else shown | {"stands": does or "unchosen"}
