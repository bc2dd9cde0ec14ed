"""Rate limits for letters to strangers: invitations, confirmations, sign-in links, answers.

Counts are stored in the database by fingerprint, in the same transaction as the letter. So all
processes share them, they survive a restart, and they stay for a day when the game or the account
is deleted. A client that asks too often is refused. When a mailbox has had enough letters, or its
reader has opted out, the letter is dropped silently: a stranger must not learn of either.
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
from store.people import mail_limits

HOUR, DAY = 3600, 86_400
TO_ONE_MAILBOX = (Rate(5, HOUR), Rate(10, DAY))
"""Letters that one source may have sent to one mailbox."""
FROM_STRANGERS = ("letter to", Rate(10, DAY))
"""Letters that a mailbox gets from all strangers together: the subject counted, and its rate."""
INVITATIONS = ("invitation to", Rate(3, DAY))
ANSWERS = ("answer to", Rate(5, DAY))
"""Answers to mail from an address without an account; the limit ends a loop with a machine."""
UNPROVEN_MAIL = "unproven mail"
"""The source of all mail whose sender is not proven: anybody could have written its address."""
FROM_UNPROVEN_MAIL = (Rate(100, HOUR), Rate(500, DAY))
"""Letters that all unproven mail together may cause."""
FROM_ONE_DOMAIN = (Rate(300, HOUR), Rate(1000, DAY))
"""Letters that proven mail from all addresses at one domain may cause."""
SIGN_INS = ("sign-in to", Rate(20, DAY))
"""Counted on its own, so that strangers cannot use up the letters that let an owner in."""
TO_MAILBOX = {
    "invited": (INVITATIONS, FROM_STRANGERS),
    "confirm_address": (FROM_STRANGERS,),
    "stranger_answered": (ANSWERS, FROM_STRANGERS),
    "sign_in": (SIGN_INS,),
}
"""The limits of a mailbox by the kind of letter."""


def admit(desk: Desk, tx: Transaction, source: str | None, email: str) -> None:
    """Count a letter for its source, or refuse it.

    The source is the client's IP address, the sender of a mail, or `UNPROVEN_MAIL`. The letter
    counts whether or not an account has this email address. Without a source nothing counts.
    """
    if source is None:
        return
    if "@" in source:
        _admit(desk, tx, f"from domain {source.rpartition('@')[2]}", FROM_ONE_DOMAIN)
        source = f"mailbox {address_fingerprints.mailbox(source)}"
    is_unproven = source == UNPROVEN_MAIL
    rates = FROM_UNPROVEN_MAIL if is_unproven else desk.settings.rate_limit_letters
    _admit(desk, tx, f"from {source}", rates)
    mailbox = address_fingerprints.mailbox(email)
    _admit(desk, tx, f"from {source} to {mailbox}", TO_ONE_MAILBOX)


def admit_invitation(desk: Desk, tx: Transaction, host: str) -> None:
    """Count an invitation for the account that sends it, or refuse it."""
    _admit(desk, tx, f"host {host}", desk.settings.rate_limit_invitations)


def may_send(desk: Desk, tx: Transaction, kind: str, email: str) -> bool:
    """Count a letter for the mailbox that it goes to, and return whether it may be sent."""
    if opt_outs.stops(desk, tx, kind, email):
        return False
    mailbox = address_fingerprints.mailbox(email)
    limits = TO_MAILBOX[kind]
    return all(_spend(desk, tx, f"{name} {mailbox}", (rate,)) is None for name, rate in limits)


def tidy(desk: Desk) -> None:
    """Delete counts that are more than a day old."""
    with desk.database.writing() as tx:
        mail_limits.forget_counts(tx, desk.now())


def _admit(desk: Desk, tx: Transaction, subject: str, rates: tuple[Rate, ...]) -> None:
    wait = _spend(desk, tx, subject, rates)
    if wait is not None:
        seconds = max(1, ceil(wait.total_seconds()))
        raise Refused(
            "rate_limited",
            say(
                "You have asked for too many emails. Please try again in {time}.",
                time=dates.duration(timedelta(seconds=seconds)),
            ),
            retry_after=seconds,
        )


def _spend(desk: Desk, tx: Transaction, subject: str, rates: tuple[Rate, ...]) -> timedelta | None:
    """Count a letter and return None; over the limit, count nothing and return the time to wait."""
    now, hashed = desk.now(), address_fingerprints.keyed_hash(desk, tx, f"count {subject}")
    longest = timedelta(seconds=max(rate.seconds for rate in rates))
    times = [
        at for at in mail_limits.lock_counts(tx, hashed) if at > timestamps.later(now, -longest)
    ]
    for rate in rates:
        window = timedelta(seconds=rate.seconds)
        recent = [at for at in times if at > timestamps.later(now, -window)]
        if len(recent) >= rate.amount:
            return timestamps.read(recent[-rate.amount]) + window - timestamps.read(now)
    mail_limits.store_counts(tx, hashed, [*times, now], timestamps.later(now, longest))
    return None
