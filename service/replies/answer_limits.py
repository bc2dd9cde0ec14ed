"""Limits how many letters mail can cause that changes nothing, so that no loop goes on.

Replies that were not understood, or refused, are counted for each letter that was replied to. Our
answer to a reply has the same reply address while the decision is the same, so a machine that
answers every mail soon gets none. An address that is not about a decision stays the same, so
letters are counted for each day there.
Questions that were understood, such as `board`, have a generous limit of their own for each day.
A reply with a move that works is always answered and is not counted.
"""

from engine.translate import say
from service.i18n.catalogue import sayable
from service.replies.mailboxes import Mailbox
from store.database import Transaction
from store.notify import received_mail

MOST_ANSWERS = 10
"""Answers to replies to one letter that were not understood, or refused."""
MOST_ANSWERS_A_DAY = 20
"""Answers a day to such mail, to an address that is not about a decision."""
MOST_UNDERSTOOD_A_DAY = 100
"""Answers a day to all mail of an account in which every line was understood, and changed nothing.
"""
MOST_QUESTIONS = 5
"""Replies to one letter about which the owner is asked, if the sender has the owner's address."""
MOST_QUESTIONS_TO_SERVICE = 10
"""The same for a day of mail to the address of the service."""
MOST_STRANGERS_A_DAY = 1
"""Mails a day of other senders about which the owner is asked."""

LAST_ANSWER = sayable(
    "This is our last answer to replies to this letter that we cannot carry out. A move that works "
    "is always answered. Replies that we do not answer are in your settings."
)
LAST_ANSWER_TODAY = sayable(
    "This is our last answer today to mail about this game that we cannot carry out. A command "
    "that changes something is always answered. Mail that we do not answer is in your settings."
)
LAST_UNDERSTOOD = sayable(
    "This is our last answer today to questions such as “board” and “status”. A move that works is "
    "always answered. Mail that we do not answer is in your settings."
)
LAST_QUESTION = sayable(
    "We will not ask you about more replies to this letter. You can see them in your settings, and "
    "play them from there."
)

LAST_QUESTION_SEVERAL = sayable(
    "We will not ask you about more replies to this letter. You can see them in your settings."
)
LAST_ANSWER_OF_SERVICE = sayable(
    "This is our last answer today to mail to this address that changes nothing. A command that "
    "changes something is always answered. Mail that we do not answer is in your settings."
)
LAST_QUESTION_OF_SERVICE = sayable(
    "We will not ask you about more mail to this address today. You can see it in your settings."
)


def spend_answer(tx: Transaction, box: Mailbox, now: str, *, is_understood: bool) -> int | None:
    """Count an answer to a reply that changed nothing; see `_spend` for the result."""
    if is_understood:
        return _spend(tx, box, f"understood {now[:10]}", MOST_UNDERSTOOD_A_DAY, now)
    if _is_about_decision(box):
        return _spend(tx, box, f"in vain {_decision(box)}", MOST_ANSWERS, now)
    return _spend(tx, box, f"in vain {box.game} {now[:10]}", MOST_ANSWERS_A_DAY, now)


def last_answer(box: Mailbox, *, is_understood: bool) -> str:
    """Return what the last answer says about those that will not follow."""
    if is_understood:
        return say(LAST_UNDERSTOOD)
    if _is_about_decision(box):
        return say(LAST_ANSWER)
    return say(LAST_ANSWER_TODAY if box.game else LAST_ANSWER_OF_SERVICE)


def last_question(box: Mailbox) -> str:
    """Return what the last question says about those that will not follow."""
    if box.decisions:
        return say(LAST_QUESTION_SEVERAL)
    return say(LAST_QUESTION if box.game else LAST_QUESTION_OF_SERVICE)


def spend_question(tx: Transaction, box: Mailbox, now: str) -> int | None:
    """Count a question about a reply with the owner's address; see `_spend` for the result."""
    letter = _decision(box) if _is_about_decision(box) else f"{box.game} {now[:10]}"
    is_about_game = bool(box.game or box.decisions)
    limit = MOST_QUESTIONS if is_about_game else MOST_QUESTIONS_TO_SERVICE
    return _spend(tx, box, f"unsure {letter}", limit, now)


def spend_for_stranger(tx: Transaction, box: Mailbox, now: str) -> int | None:
    """Count a question about a mail of another sender; see `_spend` for the result."""
    return _spend(tx, box, f"stranger {now[:10]}", MOST_STRANGERS_A_DAY, now)


def _is_about_decision(box: Mailbox) -> bool:
    return box.decision_version is not None or bool(box.decisions)


def _decision(box: Mailbox) -> str:
    """Return the decision that an address is about, or all of them for several games."""
    if box.decisions:
        return " ".join(f"{item.game} at {item.decision_version}" for item in box.decisions)
    return f"{box.game} at {box.decision_version}"


def _spend(tx: Transaction, box: Mailbox, subject: str, limit: int, now: str) -> int | None:
    """Count a letter to an account; return how many are left, or None if none was left."""
    return received_mail.spend(tx, box.account, subject, limit, now)
