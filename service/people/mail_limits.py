"""How many letters others may cause: invitations, confirmations of an address, links to sign in.

Counts stand in the database by fingerprint, in the transaction of what they count. So they hold
for all processes, survive a restart, and stay for a day when the game or the account goes.
Whoever asks too often is told so. What a mailbox has had, or whether its reader wants letters, is
nobody's business: then nothing is sent, and the answer is the same.
"""

from datetime import timedelta
from math import ceil

from engine.translate import say
from service.desk import Desk
from service.i18n import dates
from service.people import address_fingerprints, opt_outs
from service.refusals import Refused
from service.setting_values import Rate
from store import timestamps
from store.database import Transaction
from store.people import mail_limits as store

HOUR, DAY = 3600, 86_400
TO_ONE_MAILBOX = (Rate(5, HOUR), Rate(10, DAY))
"""Letters that one client address may have sent to one mailbox."""
FROM_STRANGERS = ("letter to", Rate(10, DAY))
"""Letters that a mailbox gets from strangers, whoever asks."""
INVITATIONS = ("invitation to", Rate(3, DAY))
SIGN_INS = ("sign-in to", Rate(20, DAY))
"""Counted apart, so that no stranger uses up the letters with which an owner gets in."""
TO_MAILBOX = {
    "invited": (INVITATIONS, FROM_STRANGERS),
    "confirm_address": (FROM_STRANGERS,),
    "sign_in": (SIGN_INS,),
}


def admit(desk: Desk, tx: Transaction, source: str | None, email: str) -> None:
    """Count a letter for the client address that asks for it, or refuse it.

    It counts alike whether or not anybody has that address. Without a source nobody is counted.
    """
    if source is None:
        return
    _admit(desk, tx, f"from {source}", desk.settings.rate_limit_letters)
    mailbox = address_fingerprints.mailbox(email)
    _admit(desk, tx, f"from {source} to {mailbox}", TO_ONE_MAILBOX)


def admit_invitation(desk: Desk, tx: Transaction, host: str) -> None:
    """Count an invitation for the account that asks, or refuse it."""
    _admit(desk, tx, f"host {host}", desk.settings.rate_limit_invitations)


def may_write(desk: Desk, tx: Transaction, kind: str, email: str) -> bool:
    """Count a letter for the mailbox that it goes to; whether it may go."""
    if opt_outs.stops(desk, tx, kind, email):
        return False
    mailbox = address_fingerprints.mailbox(email)
    limits = TO_MAILBOX[kind]
    return all(_spend(desk, tx, f"{name} {mailbox}", (rate,)) is None for name, rate in limits)


def tidy(desk: Desk) -> None:
    """Forget counts of more than a day ago."""
    with desk.database.writing() as tx:
        store.forget(tx, desk.now())


def _admit(desk: Desk, tx: Transaction, subject: str, rates: tuple[Rate, ...]) -> None:
    wait = _spend(desk, tx, subject, rates)
    if wait is not None:
        seconds = max(1, ceil(wait.total_seconds()))
        raise Refused(
            "rate_limited",
            say(
                "You have asked for too many letters; try again in {time}.",
                time=dates.span(timedelta(seconds=seconds)),
            ),
            retry_after=seconds,
        )


def _spend(desk: Desk, tx: Transaction, subject: str, rates: tuple[Rate, ...]) -> timedelta | None:
    """Count a letter. If that is one too many: how long to wait, and nothing is counted."""
    now, hashed = desk.now(), address_fingerprints.keyed(desk, tx, f"count {subject}")
    longest = timedelta(seconds=max(rate.seconds for rate in rates))
    times = [at for at in store.hold(tx, hashed) if at > timestamps.later(now, -longest)]
    for rate in rates:
        window = timedelta(seconds=rate.seconds)
        recent = [at for at in times if at > timestamps.later(now, -window)]
        if len(recent) >= rate.amount:
            return timestamps.read(recent[-rate.amount]) + window - timestamps.read(now)
    store.keep(tx, hashed, [*times, now], timestamps.later(now, longest))
    return None
