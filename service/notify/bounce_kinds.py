"""What the refusal of a letter means, by its codes (RFC 3463, RFC 5321) or else by its text.

The same table serves for replies of the server to which we send, and for reports that come back.
Only a refusal of the kind `gone` says something about an address. All others concern one letter, or
the way in which we send.
"""

import re
from typing import NamedTuple

GONE = "gone"
"""The address does not exist, or nobody reads it any more."""
FULL = "full"
"""The mailbox takes no mail for the moment, because it is full or gets too much at once."""
TOO_LARGE = "too_large"
"""The letter is larger than the server or the mailbox allows."""
POLICY = "policy"
"""The server wants no mail from us: reputation, blocklists, SPF, DKIM, DMARC, reverse DNS."""
OURS = "ours"
"""The server refuses the sender or the way in which we speak to it."""
OTHER = "other"
"""Anything else; the letter alone is concerned."""

KINDS = {
    "1.1": GONE,
    "1.2": GONE,
    "1.3": GONE,
    "1.6": GONE,
    "1.10": GONE,
    "2.1": GONE,
    "1.7": OURS,
    "1.8": OURS,
    "5.1": OURS,
    "5.2": OURS,
    "5.4": OURS,
    "2.2": FULL,
    "2.3": TOO_LARGE,
    "3.4": TOO_LARGE,
}
"""The kind of a refusal by the subject and detail of its enhanced status code, without the class.

All codes of the subject 7 (security and policy) are `policy`. A code that is not listed, such as
1.0 or 5.0, says too little: the text decides.
"""
_SECURITY = "7."
_DISABLED = ".2.1"
"""The end of a code that servers also use for a mailbox that gets too much at once."""

PHRASES = {
    POLICY: (
        *("policy", "spam", "spoof", "unsolicited", "bulk mail", "reputation", "complain"),
        *("blocked", "blocklist", "block list", "blacklist", "denylist", "dnsbl", "banned"),
        *(" spf", "dkim", "dmarc", "authenticat", "reverse dns", " ptr ", "virus"),
        *("relay access", "relay denied", "relay not", "relaying", "to relay", "open relay"),
        *("not permitted", "not authorized", "not authorised", "sender address", "bad sender"),
        *("sender rejected", "invalid sender", "malware"),
    ),
    FULL: (
        *("over quota", "overquota", "quota exceeded", "exceeded its quota", "mailbox full"),
        *("mailbox is full", "mailbox for user is full", "inbox is full", "account is full"),
        *("out of storage", "insufficient storage", "exceeded storage", "too quickly"),
        *("at a rate", "rate limit", "too many"),
    ),
    TOO_LARGE: ("too large", "too big", "message size", "size limit", "maximum size"),
    GONE: (
        *("user unknown", "unknown user", "unknown local user", "no such user", "user not found"),
        *("no such local user", "user does not exist", "user doesn't exist", "inactive user"),
        *("user doesn't have a", "user is no longer", "no such recipient", "unknown recipient"),
        *("recipient unknown", "invalid recipient", "recipient not found", "recipientnotfound"),
        *("recipient does not exist", "no such mailbox", "no mailbox here"),
        "5.5.0 requested action not taken: mailbox unavailable",  # Outlook.com, for no such user
        *("mailbox not found", "mailbox does not exist", "mailbox is disabled", "invalid mailbox"),
        *("mailbox disabled", "mailbox is inactive", "unknown mailbox", "mailbox is no longer"),
        *("account does not exist", "tried to reach does not exist", "account is disabled"),
        *("account is inactive", "account is no longer", "no such account", "unknown account"),
        *("unrouteable address", "unknown address", "address unknown", "address does not exist"),
        *("inactive email address", "address couldn't be found", "address could not be found"),
        *("wasn't found at", "unknown or illegal alias", "no longer on server", "no such address"),
        *("not our customer", "recipient address rejected: access denied"),
    ),
}
"""Phrases in the text of refusals, by kind; the first kind that has one counts.

Policy comes first: a text that names both, as many do, must not cost anybody their mail. “Mailbox
unavailable” alone is not among them: it is the text of RFC 5321 for any 550, refusals by policy
included.
"""

_ENHANCED = re.compile(r"(?<![\d.])([245])\.(\d{1,3}\.\d{1,3})(?!\.?\d)")
_SMTP_CODE = re.compile(r"(?<![\d.])([45])\d\d(?=[ \-#]|$)")


class Refusal(NamedTuple):
    """The meaning of a refusal."""

    kind: str
    is_permanent: bool


def kind_of_code(status: str) -> str | None:
    """Return the kind of an enhanced status code such as 5.1.1; None if it says too little."""
    detail = status.strip().partition(".")[2]
    if detail.startswith(_SECURITY):
        return POLICY
    return KINDS.get(detail)


def kind_of_text(text: str) -> str:
    """Return the kind of a refusal whose codes say too little."""
    words = [word for word in text.lower().replace("’", "'").split() if "@" not in word]
    plain = " ".join(["", *words, ""])
    for kind, phrases in PHRASES.items():
        if any(phrase in plain for phrase in phrases):
            return kind
    return OTHER


def refusal(code: int | None, text: str, status: str = "") -> Refusal:
    """Return the meaning of a refusal by its SMTP code, its enhanced status code, and its text.

    The enhanced code is the given one or, if it is missing or says too little, one in the text. A
    code that says there is no such address counts more than any words beside it.
    """
    codes = [status.strip()] if _ENHANCED.fullmatch(status.strip()) else []
    codes += [match[0] for match in _ENHANCED.finditer(text)]
    telling = [each for each in codes if kind_of_code(each)]
    kinds = [kind_of_code(each) for each in telling]
    kind = POLICY if POLICY in kinds else next(iter(kinds), None) or kind_of_text(text)
    if kind == GONE and telling and telling[0].endswith(_DISABLED):
        by_text = kind_of_text(text)
        kind = by_text if by_text in (POLICY, FULL) else kind
    return Refusal(kind, _is_permanent(code, codes, text))


def _is_permanent(code: int | None, codes: list[str], text: str) -> bool:
    """Return whether a refusal is final: 5xx, or 5.x.x where there is no SMTP code."""
    if code is not None:
        return 500 <= code < 600
    classes = [code[0] for code in codes] or [match[1] for match in _SMTP_CODE.finditer(text)]
    return not classes or classes[0] == "5"


def enhanced_code(text: str) -> str | None:
    """Return the first enhanced status code in a text."""
    match = _ENHANCED.search(text)
    return match[0] if match else None
