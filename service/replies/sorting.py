"""Sorts incoming mail: one table decides what is done with each mail, and why.

The rules are read from top to bottom, and the first one that applies decides. So every mail has
exactly one fate, with a reason: a code that is stored and does not change, and a sentence for the
owner of the account. The rules of `MACHINES` need nothing but the mail itself.
"""

from collections.abc import Callable
from enum import StrEnum
from typing import NamedTuple

from service.desk import Desk
from service.i18n.catalogue import sayable
from service.replies import automatic_mail, trust
from service.replies.arrival import Arrival, Destination
from service.replies.incoming_mail import Letter
from service.replies.trust import Verdict


class Fate(StrEnum):
    """What is done with a mail."""

    CARRY_OUT = "carry out"
    CONFIRM = "confirm"
    """Nothing is played; the owner is asked with a link whether they wrote it."""
    HOLD = "hold"
    """It is kept for its owner to see, and not answered."""
    DROP = "drop"


class Rule(NamedTuple):
    """A row of the table: the fate of the mail that it applies to."""

    reason: str
    applies: Callable[[Arrival], bool]
    fate: Fate
    sentence: str
    """The reason in words, for the owner of the account."""
    asks_each: bool = False
    """Whether the owner is asked about each such mail, and not about one a day."""


MACHINES = (
    Rule(
        "report",
        lambda mail: automatic_mail.is_report(mail.letter),
        Fate.DROP,
        sayable("It is a report about another email."),
    ),
    Rule(
        "null_sender",
        lambda mail: automatic_mail.has_null_sender(mail.letter, mail.envelope_from),
        Fate.DROP,
        sayable("A machine sent it: it has no sender that could be answered."),
    ),
    Rule(
        "auto_submitted",
        lambda mail: automatic_mail.is_auto_submitted(mail.letter),
        Fate.DROP,
        sayable("It says that it was sent automatically."),
    ),
    Rule(
        "bulk",
        lambda mail: automatic_mail.is_bulk(mail.letter),
        Fate.DROP,
        sayable("It says that it was sent to many people."),
    ),
    Rule(
        "autoresponder",
        lambda mail: automatic_mail.is_from_autoresponder(mail.letter),
        Fate.DROP,
        sayable("An autoresponder sent it."),
    ),
    Rule(
        "mailing_list",
        lambda mail: automatic_mail.is_from_list(mail.letter),
        Fate.DROP,
        sayable("It came from a mailing list."),
    ),
    Rule(
        "daemon",
        lambda mail: any(map(automatic_mail.is_daemon, mail.senders)) and not mail.is_from_owner,
        Fate.DROP,
        sayable("A mail server sent it."),
    ),
    Rule(
        "automatic_subject",
        lambda mail: automatic_mail.has_automatic_subject(mail.letter),
        Fate.HOLD,
        sayable("Its subject is that of an automatic reply."),
    ),
)
"""Mail of machines: it is never answered (RFC 3834), and nothing is played."""

RULES = (
    Rule(
        "beyond_limits",
        lambda mail: not mail.is_readable,
        Fate.HOLD,
        sayable("It has too many parts or headers to be read."),
    ),
    *MACHINES,
    Rule(
        "no_report",
        lambda mail: mail.destination is Destination.COMPLAINTS,
        Fate.DROP,
        sayable("Only reports are read at the address that it was sent to."),
    ),
    Rule(
        "to_service",
        lambda mail: mail.destination is Destination.SERVICE,
        Fate.DROP,
        sayable("It was sent to the address of the service, which found nothing to do."),
    ),
    Rule(
        "no_game",
        lambda mail: mail.destination is Destination.ACCOUNT,
        Fate.HOLD,
        sayable("It was sent to an address that is about no game, and we found nothing to do."),
    ),
    Rule(
        "received_before",
        lambda mail: mail.is_copy,
        Fate.DROP,
        sayable("It was received before."),
    ),
    Rule(
        "no_seat",
        lambda mail: (
            mail.destination is Destination.NO_SEAT and not (mail.is_certain and mail.leaves_table)
        ),
        Fate.HOLD,
        sayable("You are not in this game any more, or it no longer exists."),
    ),
    Rule(
        "no_confirmed_address",
        lambda mail: mail.owner is None,
        Fate.HOLD,
        sayable("Your account has no confirmed email address, so we cannot know who wrote it."),
    ),
    Rule(
        "certain",
        lambda mail: mail.is_certain,
        Fate.CARRY_OUT,
        sayable("It certainly comes from you."),
    ),
    # From here on it is not certain who wrote it.
    Rule(
        "too_late",
        lambda mail: mail.destination is Destination.NO_DECISION,
        Fate.HOLD,
        sayable("We could not be sure that you wrote it, and it answers no open decision."),
    ),
    Rule(
        "bouncing",
        lambda mail: mail.is_bouncing,
        Fate.HOLD,
        sayable(
            "We could not be sure that you wrote it, and could not ask you, because mail to your "
            "address bounces."
        ),
    ),
    Rule(
        "no_lines",
        lambda mail: not mail.letter.lines,
        Fate.HOLD,
        sayable("We could not be sure that you wrote it, and found nothing to read in it."),
    ),
    Rule(
        "no_commands",
        lambda mail: mail.may_be_forged and not mail.has_commands,
        Fate.HOLD,
        sayable("Somebody else may have written it, and it does not begin with a move."),
    ),
    Rule(
        "unclear_sender",
        lambda mail: mail.sender is None,
        Fate.CONFIRM,
        sayable("It does not say clearly who wrote it: its “From” can be read in several ways."),
    ),
    Rule(
        "another_sender",
        lambda mail: not mail.is_from_owner,
        Fate.CONFIRM,
        sayable("It came from a different address than the one in your account."),
    ),
    Rule(
        "dmarc_failed",
        lambda mail: mail.verdict is Verdict.FAIL,
        Fate.CONFIRM,
        sayable("It has your address, but the mail server of that address did not send it."),
    ),
    Rule(
        "odd",
        lambda mail: mail.letter.is_odd,
        Fate.CONFIRM,
        sayable("It breaks the rules of email, so that others could read something else in it."),
        asks_each=True,
    ),
    Rule(
        "dmarc_missing",
        lambda _: True,
        Fate.CONFIRM,
        sayable(
            "It has your address, but there is no proof that your mail provider sent it (DMARC)."
        ),
        asks_each=True,
    ),
)
"""Every incoming mail has the fate of the first rule that applies."""

FOR_SERVICE = ("to_service", "no_game")
"""Reasons of mail that `service_mail` carries out first; only the rest has the fate of its rule."""

ANSWERED_ENOUGH = Rule(
    "answered_enough",
    lambda _: False,
    Fate.HOLD,
    sayable(
        "It changed nothing, and we had written before that we would not answer more of these."
    ),
)
"""Known only after a mail was read: it changed nothing, and no answer is left."""
UNREACHABLE = Rule(
    "unreachable",
    lambda _: False,
    Fate.HOLD,
    sayable(
        "We could not carry it out, and could not answer, because mail to your address bounces."
    ),
)
"""Known only after a mail was read: it changed nothing, and its owner cannot be answered."""

_SENTENCES = {rule.reason: rule.sentence for rule in (*RULES, ANSWERED_ENOUGH, UNREACHABLE)}


def sort(mail: Arrival) -> Rule:
    """Return the rule that decides about a mail."""
    return next(rule for rule in RULES if rule.applies(mail))


def sentence_of(reason: str) -> str:
    """Return the reason in English; an unknown code of an earlier release stays as it is."""
    return _SENTENCES.get(reason, reason)


def verdict_on(desk: Desk, letter: Letter) -> Verdict:
    """Return what our own mail server says about the sender of a letter."""
    domain = (trust.sender_of(letter) or "").rpartition("@")[2]
    return trust.dmarc_verdict(letter, desk.settings.mail_authserv, domain)
