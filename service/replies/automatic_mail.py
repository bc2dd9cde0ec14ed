"""Recognises mail that no person has written, by its headers alone."""

from email.errors import HeaderParseError
from email.header import decode_header

from service.replies.incoming_mail import Letter

_BULK = ("bulk", "list", "junk", "auto_reply")
"""Values of the Precedence header of automatic mail."""
_AUTORESPONDERS = (
    *("x-autoreply", "x-autorespond", "x-autoresponder", "x-auto-reply", "x-mail-autoreply"),
    *("x-autoreply-from", "x-auto-reply-from", "x-vacation"),
)
"""Headers that only autoresponders add."""
_LISTS = ("list-id", "list-post", "list-unsubscribe")
"""Headers of mailing lists and newsletters.

Feedback-ID is not among them: some providers add it to all mail, also to what a person writes.
"""
_DAEMONS = ("mailer-daemon", "postmaster", "noreply", "no-reply", "bounce", "bounces")
"""Local parts of senders that are machines."""
_AUTOMATIC_SUBJECTS = (
    *("out of office", "automatic reply", "auto:", "autoreply", "auto-reply", "away from my mail"),
    *("abwesen", "automatische antwort", "réponse automatique", "absence du bureau"),
    *("respuesta automática", "resposta automática", "risposta automatica", "fuori sede"),
    *("automatisch antwoord", "autosvar", "automaattinen vastaus", "automatická odpověď"),
    *("autoodpowiedź", "odpowiedź automatyczna", "автоответ", "автоматический ответ"),
    *("otomatik yan\N{LATIN SMALL LETTER DOTLESS I}t", "自动回复", "自動回覆", "自動返信"),
    *("undeliver", "delivery status notification", "mail delivery failed", "returned mail"),
)
"""How subjects of automatic mail begin, where no header marks it as such."""
_SUBJECT_START = 300
"""Characters of a subject that are decoded, which limits the cost."""


def is_report(letter: Letter) -> bool:
    """Return whether it is about another mail: a bounce, a complaint or a receipt."""
    return letter.kind == "multipart/report" or _has_header(letter, ("x-failed-recipients",))


def has_null_sender(letter: Letter, envelope_from: str) -> bool:
    """Return whether its envelope has no sender, so that no answer can come back to it."""
    senders = (envelope_from, *letter.all("return-path"))
    return any(sender.strip(" <>") == "" for sender in senders)


def is_auto_submitted(letter: Letter) -> bool:
    """Return whether its Auto-Submitted header says that a machine sent it (RFC 3834)."""
    return any(_first_word(value) != "no" for value in letter.all("auto-submitted"))


def is_bulk(letter: Letter) -> bool:
    """Return whether its Precedence header says that it went to many, or is automatic."""
    return any(_first_word(value) in _BULK for value in letter.all("precedence"))


def is_from_autoresponder(letter: Letter) -> bool:
    """Return whether it has a header that only autoresponders add."""
    return _has_header(letter, _AUTORESPONDERS)


def is_from_list(letter: Letter) -> bool:
    """Return whether it has a header of mailing lists."""
    return _has_header(letter, _LISTS)


def is_daemon(address: str) -> bool:
    """Return whether an address is that of a machine."""
    return address.strip("<>").partition("@")[0].lower() in _DAEMONS


def has_automatic_subject(letter: Letter) -> bool:
    """Return whether its subject begins like that of an automatic reply."""
    subjects = map(_decoded, letter.all("subject"))
    return any(subject.lower().startswith(_AUTOMATIC_SUBJECTS) for subject in subjects)


def _has_header(letter: Letter, names: tuple[str, ...]) -> bool:
    return any(header.name in names for header in letter.headers)


def _first_word(value: str) -> str:
    return value.lower().replace(";", " ").partition(" ")[0]


def _decoded(subject: str) -> str:
    """Return the beginning of a subject, without the encoding of RFC 2047."""
    start = subject[:_SUBJECT_START]
    try:
        return "".join(
            part if isinstance(part, str) else part.decode(charset or "ascii", "replace")
            for part, charset in decode_header(start)
        )
    except (HeaderParseError, LookupError, UnicodeError):
        return start  # an unknown charset, or a broken encoding
