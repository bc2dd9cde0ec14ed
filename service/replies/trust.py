"""Whom a letter is from, and how sure that is; and whether a person has written it.

The From header alone says nothing. Our own mail server has looked at the sender (DMARC) and says
so in an Authentication-Results header, which it puts on top of everything that came from outside:
above the first Received header (RFC 8601, sections 4 and 7.1). Anybody can write such a header,
so those further down count for nothing.
"""

from collections.abc import Iterator, Sequence

from service.people import profile
from service.refusals import Refused
from service.replies.incoming_mail import LONGEST_HEADER, Header, Letter

_ODD = frozenset('<>@,;:()[]\\"')
"""In the name before an address each of these can make one address look like another."""
_BULK = ("bulk", "list", "junk", "auto_reply")
_MACHINES = (
    *("x-autoreply", "x-autorespond", "x-autoresponder", "x-auto-reply", "x-mail-autoreply"),
    *("x-failed-recipients", "list-id", "list-post", "list-unsubscribe", "feedback-id"),
)
"""Headers that no mail of a person has."""
_DAEMONS = ("mailer-daemon", "postmaster", "noreply", "no-reply", "bounce", "bounces")
_AWAY = (
    *("out of office", "automatic reply", "auto:", "autoreply", "auto-reply", "away from my mail"),
    *("abwesen", "automatische antwort", "réponse automatique", "absence du bureau"),
    *("respuesta automática", "risposta automatica", "automatisch antwoord", "autosvar"),
    *("undeliver", "delivery status notification", "mail delivery failed", "returned mail"),
)
"""How the subjects begin of letters that nobody wrote, where no header says so."""


def sender_of(letter: Letter) -> str | None:
    """The one address that a letter claims to be from; None if that is not plain."""
    claimed = letter.all("from")
    return address_in(claimed[0]) if len(claimed) == 1 else None


def address_in(said: str) -> str | None:
    """The address in a header, if there is exactly one way to read it."""
    bare = said.strip()
    if bare.endswith(">"):
        name, _, inside = bare[:-1].rpartition("<")
        if not _is_plain(name.strip()):
            return None
        bare = inside
    if bare != bare.strip():
        return None
    try:
        return profile.checked_email(bare).lower()
    except Refused:
        return None


def _is_plain(name: str) -> bool:
    """Whether a name before an address is words, or one quoted string."""
    if len(name) > 1 and name[0] == name[-1] == '"':
        return '"' not in name[1:-1] and "\\" not in name[1:-1]
    return not _ODD.intersection(name)


def is_aligned(letter: Letter, authserv: str | None, domain: str) -> bool:
    """Whether our own mail server says that a letter is from this domain (DMARC passed)."""
    if authserv is None:
        return False
    verdicts = [
        verdict
        for value in _ours(letter.headers)
        for verdict in _dmarc(value, authserv)
        if len(value) < LONGEST_HEADER  # a longer one was cut
    ]
    return bool(verdicts) and all(verdict == ("pass", domain) for verdict in verdicts)


def _ours(headers: Sequence[Header]) -> list[str]:
    """What was put on top of the letter after it had reached our own mail server."""
    found: list[str] = []
    for header in headers:
        if header.name == "received":
            return found
        if header.name == "authentication-results":
            found.append(header.value)
    return []  # no server of ours has ever touched it


def _dmarc(value: str, authserv: str) -> Iterator[tuple[str, str]]:
    """The results of DMARC, each with the domain it is about, if this server says so."""
    server, *results = _sections(value)
    if server.lower().split(" ")[0] != authserv:
        return
    for result in results:
        words = [word.partition("=")[::2] for word in result.lower().split()]
        if words and words[0][0] == "dmarc":
            yield words[0][1], dict(words).get("header.from", "")


def _sections(value: str) -> list[str]:
    """The parts between semicolons, without comments; what is quoted is nothing to us."""
    depth, quoted, skip = 0, False, False
    kept: list[str] = []
    for char in value:
        if skip:
            skip = False
        elif char == "\\":
            skip = True
        elif quoted or (char == '"' and not depth):
            quoted = char != '"' or not quoted
        elif char == "(":
            depth += 1
        elif char == ")":
            depth -= bool(depth)
        elif not depth:
            kept.append(char)
    said = "".join(kept)
    for spaced in (" = ", " =", "= "):
        said = said.replace(spaced, "=")
    return [" ".join(part.split()) for part in said.split(";")]


def is_automatic(letter: Letter, envelope_from: str) -> bool:
    """Whether a machine has sent it: never to be answered, and never a move (RFC 3834)."""
    names = {header.name for header in letter.headers}
    return (
        envelope_from.strip(" <>") == ""
        or any(value.strip(" <>") == "" for value in letter.all("return-path"))
        or any(_first_word(value) != "no" for value in letter.all("auto-submitted"))
        or any(_first_word(value) in _BULK for value in letter.all("precedence"))
        or not names.isdisjoint(_MACHINES)
        or letter.kind == "multipart/report"
        or any(map(_is_daemon, [envelope_from, sender_of(letter) or ""]))
        or any(value.lower().startswith(_AWAY) for value in letter.all("subject"))
    )


def _first_word(value: str) -> str:
    return value.lower().replace(";", " ").partition(" ")[0]


def _is_daemon(address: str) -> bool:
    return address.strip("<>").partition("@")[0].lower() in _DAEMONS
