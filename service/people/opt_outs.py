"""Opt-outs of readers who want no letters from strangers, stored by fingerprint for ever.

An opt-out stops invitations, confirmation letters, and answers to mail from an address without an
account. If the reader asks for that too, it stops sign-in links, without which they cannot get in
again. It does not stop mail about the games of an account with that confirmed address: the account
has settings of its own for those.
"""

from collections.abc import Mapping
from typing import Any

from service.desk import Desk
from service.links import signed_links
from service.people import address_fingerprints
from service.people.unsubscribing import ONE_CLICK
from store.database import Transaction
from store.people import mail_limits

STOPPED = ("invited", "confirm_address", "stranger_answered")
"""The kinds of letters that an opt-out stops."""
SIGN_IN = "sign_in"
"""The kind of letter that is stopped only if the reader asks for that, too."""
AND_SIGN_IN = " sign_in"
"""Appended to a fingerprint that is stored a second time, to stop sign-in letters."""
STATE_AFTER = {
    "never": "stopped",
    ONE_CLICK: "stopped",
    "all": "closed",
    "again": "resumed",
    "keep": "kept",
}
"""The choices on the page, and the state that the page shows after each."""


def stops(desk: Desk, tx: Transaction, kind: str, email: str) -> bool:
    """Return whether an opt-out stops a letter of this kind; needs a writing transaction."""
    if kind == SIGN_IN:
        mailbox = address_fingerprints.fingerprint(desk, tx, email)
        return bool(mail_limits.find_opt_outs(tx, [f"{mailbox}{AND_SIGN_IN}"]))
    return kind in STOPPED and opted_out(desk, tx, email)


def opted_out(desk: Desk, tx: Transaction, email: str) -> bool:
    """Return whether the reader of an address has opted out; needs a writing transaction.

    Old opt-outs are stored by a plain hash. When one is found, it is replaced by a fingerprint.
    """
    mailbox = address_fingerprints.fingerprint(desk, tx, email)
    plain = signed_links.fingerprint(email)
    stored = mail_limits.find_opt_outs(tx, [mailbox, plain])
    if plain in stored:
        mail_limits.opt_out(tx, mailbox, desk.now())
        mail_limits.opt_in(tx, [plain])
    return bool(stored)


def is_stopped(desk: Desk, kind: str, email: str) -> bool:
    """Return whether an opt-out stops a letter that is about to be sent; changes nothing."""
    if kind not in (*STOPPED, SIGN_IN):
        return False
    mailbox = address_fingerprints.find_fingerprint(desk, email)
    fingerprints = [mailbox, signed_links.fingerprint(email)]
    if kind == SIGN_IN:
        fingerprints = [f"{mailbox}{AND_SIGN_IN}"]
    with desk.database.reading() as tx:
        return bool(mail_limits.find_opt_outs(tx, fingerprints))


def add(desk: Desk, tx: Transaction, email: str) -> None:
    """Store an opt-out for an address."""
    mail_limits.opt_out(tx, address_fingerprints.fingerprint(desk, tx, email), desk.now())


def forget_all(desk: Desk) -> int:
    """Delete all opt-outs and the key of their fingerprints; return how many there were."""
    with desk.database.writing() as tx:
        address_fingerprints.remove_key(tx)
        return mail_limits.forget_opt_outs(tx)


def remove(desk: Desk, email: str) -> bool:
    """Delete the opt-out of an address, and return whether there was one."""
    with desk.database.writing() as tx:
        was_opted_out = opted_out(desk, tx, email)
        _opt_in(tx, address_fingerprints.fingerprint(desk, tx, email))
    return was_opted_out


def _opt_in(tx: Transaction, mailbox: str) -> None:
    mail_limits.opt_in(tx, [mailbox, f"{mailbox}{AND_SIGN_IN}"])


def link(desk: Desk, email: str) -> str:
    """Return the link to opt out and in again, which does not contain the address."""
    return signed_links.opt_out(desk, address_fingerprints.find_fingerprint(desk, email))


def opt_out_page(
    desk: Desk, payload: Mapping[str, Any], choice: str | None = None
) -> dict[str, Any]:
    """Show the page on which a reader opts out or in again, and carry out a choice on it."""
    mailbox = payload["mailbox"]
    result = STATE_AFTER.get(choice or "")
    if result in ("stopped", "closed", "resumed"):
        with desk.database.writing() as tx:
            if result == "resumed":
                _opt_in(tx, mailbox)
            else:
                mail_limits.opt_out(tx, mailbox, desk.now())
            if result == "closed":
                mail_limits.opt_out(tx, f"{mailbox}{AND_SIGN_IN}", desk.now())
    with desk.database.reading() as tx:
        stored = mail_limits.find_opt_outs(tx, [mailbox, f"{mailbox}{AND_SIGN_IN}"])
    page = {
        "stands": "open",
        "opted_out": mailbox in stored,
        "closed": f"{mailbox}{AND_SIGN_IN}" in stored,
    }
    return page if choice is None else page | {"stands": result or "unchosen"}
