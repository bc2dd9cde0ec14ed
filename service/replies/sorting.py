"""Sorts incoming mail: who wrote it, whether that is certain, and whether a person did."""

from service.desk import Desk
from service.replies import trust
from service.replies.incoming_mail import Letter

_BULK = ("bulk", "list", "junk", "auto_reply")
"""Values of the Precedence header of automatic mail."""
_AUTOMATIC_HEADERS = (
    *("x-autoreply", "x-autorespond", "x-autoresponder", "x-auto-reply", "x-mail-autoreply"),
    *("x-failed-recipients", "list-id", "list-post", "list-unsubscribe", "feedback-id"),
)
"""Headers that mail written by a person does not have."""
_DAEMONS = ("mailer-daemon", "postmaster", "noreply", "no-reply", "bounce", "bounces")
"""Local parts of senders that are machines."""
_AUTOMATIC_SUBJECTS = (
    *("out of office", "automatic reply", "auto:", "autoreply", "auto-reply", "away from my mail"),
    *("abwesen", "automatische antwort", "réponse automatique", "absence du bureau"),
    *("respuesta automática", "risposta automatica", "automatisch antwoord", "autosvar"),
    *("undeliver", "delivery status notification", "mail delivery failed", "returned mail"),
)
"""How subjects of automatic mail begin, where no header marks it as such."""


def is_from(desk: Desk, letter: Letter, email: str | None, *, vouched: bool) -> bool:
    """Whether a letter certainly comes from this address.

    `vouched` says that the caller of the API has checked DMARC itself.
    """
    if letter.is_odd:
        return False  # the server that checked DMARC may have read another From header
    sender = trust.sender_of(letter)
    if sender is None or email is None or sender != email.lower():
        return False
    domain = sender.rpartition("@")[2]
    return vouched or trust.passed_dmarc(letter, desk.settings.mail_authserv, domain)


def is_automatic(letter: Letter, envelope_from: str) -> bool:
    """Whether a machine has sent a letter; it is neither answered nor carried out (RFC 3834)."""
    names = {header.name for header in letter.headers}
    return (
        envelope_from.strip(" <>") == ""
        or any(value.strip(" <>") == "" for value in letter.all("return-path"))
        or any(_first_word(value) != "no" for value in letter.all("auto-submitted"))
        or any(_first_word(value) in _BULK for value in letter.all("precedence"))
        or not names.isdisjoint(_AUTOMATIC_HEADERS)
        or letter.kind == "multipart/report"
        or any(map(_is_daemon, [envelope_from, trust.sender_of(letter) or ""]))
        or any(value.lower().startswith(_AUTOMATIC_SUBJECTS) for value in letter.all("subject"))
    )


def _first_word(value: str) -> str:
    return value.lower().replace(";", " ").partition(" ")[0]


def _is_daemon(address: str) -> bool:
    return address.strip("<>").partition("@")[0].lower() in _DAEMONS
