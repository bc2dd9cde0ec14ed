"""Ways for a letter to leave: a mail server to which one connection is kept, or a folder."""

import re
import smtplib
import ssl
import time
from collections.abc import Callable
from ipaddress import ip_address
from typing import NamedTuple, Protocol
from urllib.parse import unquote, urlsplit

import structlog
from structlog.typing import FilteringBoundLogger

from service.desk import Desk
from service.notify import mail_folder
from service.settings import Settings

PORTS = {"smtp": 25, "smtp+starttls": 587, "smtps": 465}
LONGEST = 15.0
"""Seconds for one letter, whatever the server does: less than its claim lasts."""
TO_CONNECT = 8.0
_ENHANCED = re.compile(rb"^[245]\.\d{1,3}\.\d{1,3}")
_NO_SUCH_ADDRESS = re.compile(r"5\.1\.(0|1|2|3|6|10)|5\.2\.1")
_NO_SUCH_MAILBOX = (550, 551, 553)

log: FilteringBoundLogger = structlog.get_logger()


class Posted(NamedTuple):
    """What the other side has said to a letter."""

    state: str
    """sent, failed, or again."""
    status: int | None = None
    error: str | None = None
    """The place and the codes; never the server's words, which may name somebody's address."""
    gone: bool = False
    """Whether there is nobody at this address."""


class NoEncryption(smtplib.SMTPException):
    """A mail server that would get letters or a password unencrypted, against the settings."""


class Transport(Protocol):
    def post(self, id: str, sender: str, recipient: str, message: bytes) -> Posted:
        """Send a letter to one recipient."""

    def close(self) -> None:
        """Give back what is held open."""


def transport_for(desk: Desk) -> Transport:
    """The way that the settings name."""
    url = desk.settings.smtp_url
    return Smtp(url, desk.settings.mail_domain) if url else Folder(desk.settings, desk.now)


class Folder:
    """Lays letters into a folder."""

    def __init__(self, settings: Settings, now: Callable[[], str]) -> None:
        self._settings = settings
        self._now = now

    def post(self, id: str, sender: str, recipient: str, message: bytes) -> Posted:  # noqa: ARG002  # whoever it is for reads it there
        mail_folder.write(self._settings, id, message, self._now())
        return Posted("sent")

    def close(self) -> None:
        """Nothing is held open."""


class Smtp:
    """A mail server, to which one connection is kept for letter after letter."""

    def __init__(self, url: str, own_name: str) -> None:
        parts = urlsplit(url)
        self._scheme = parts.scheme
        self._host = parts.hostname or "localhost"
        self._port = parts.port or PORTS[parts.scheme]
        self._login = unquote(parts.username or ""), unquote(parts.password or "")
        self._own_name = own_name
        self._line: _Line | None = None

    def post(self, id: str, sender: str, recipient: str, message: bytes) -> Posted:  # noqa: ARG002  # it stands in the letter
        """Send a letter; what the server refuses for good is told from what it cannot do now."""
        until = time.monotonic() + LONGEST
        kept = self._line is not None
        try:
            return self._posted(until, sender, recipient, message)
        except _Unheard:
            if not kept:
                return Posted("again", error="the server has hung up")
        # It has hung up while nothing was sent, which servers do when it takes long.
        try:
            return self._posted(until, sender, recipient, message)
        except _Unheard:
            return Posted("again", error="the server has hung up")

    def close(self) -> None:
        """Say goodbye."""
        line, self._line = self._line, None
        if line is not None:
            line.until = time.monotonic() + 1
            try:
                line.quit()
            except (OSError, smtplib.SMTPException):
                line.close()

    def _posted(self, until: float, sender: str, recipient: str, message: bytes) -> Posted:
        try:
            line = self._line or self._opened(until)
        except smtplib.SMTPResponseException as error:
            return Posted("again", error.smtp_code, f"greeting: {error.smtp_code}")
        except (OSError, smtplib.SMTPException) as error:
            return Posted("again", error=f"connecting: {type(error).__name__}")
        self._line, line.until = None, until  # put back when all has gone well
        try:
            posted = _handed_over(line, sender, recipient, message)
        except _Unheard:
            line.close()
            raise
        except (OSError, smtplib.SMTPException) as error:
            line.close()
            return Posted("again", error=f"sending: {type(error).__name__}")
        if line.sock is not None and posted.status != 421:
            self._line = line
        else:
            line.close()
        return posted

    def _opened(self, until: float) -> "_Line":
        """A new connection, encrypted and logged in as the settings want it."""
        line = _Line(self._own_name, until)
        try:
            if self._scheme == "smtps":
                line.within = _context(self._host)
            line.greeted(self._host, self._port)
            line.ehlo_or_helo_if_needed()
            if self._scheme != "smtps":
                self._encrypt(line)
            if self._login[0]:
                line.login(*self._login)
        except BaseException:
            line.close()
            raise
        return line

    def _encrypt(self, line: "_Line") -> None:
        """Take STARTTLS if it is offered, and insist on it where the settings or a password do."""
        if line.has_extn("starttls"):
            line.starttls(context=_context(self._host))
            line.ehlo_or_helo_if_needed()
        elif self._scheme == "smtp+starttls" or (self._login[0] and not _is_loopback(self._host)):
            log.error("the mail server offers no STARTTLS; nothing is sent, and no password told")
            raise NoEncryption


def _context(host: str) -> ssl.SSLContext:
    """Certificates are checked, but for a server on this machine, which nobody can stand before."""
    context = ssl.create_default_context()
    if _is_loopback(host):
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    return context


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def _handed_over(line: "_Line", sender: str, recipient: str, message: bytes) -> Posted:
    """A letter in its four steps."""
    size = f" SIZE={len(message)}" if line.has_extn("size") else ""
    answers = _asked(line, [f"MAIL FROM:<{sender}>{size}", f"RCPT TO:<{recipient}>", "DATA"])
    refused = [found for n, answer in enumerate(answers) if (found := _refused(n, *answer))]
    if not refused:
        return _delivered(line, message)
    if answers[-1][0] == 354:  # it waits for a letter that has no recipient
        line.close()
    elif refused[0].status != 421:
        line.tell("RSET\r\n")
        line.getreply()
    return refused[0]


def _asked(line: "_Line", steps: list[str]) -> list[tuple[int, bytes]]:
    """The answers to some steps, which are taken at once where the server can do that.

    One by one, the first refusal is the last answer.
    """
    at_once = line.has_extn("pipelining")
    answers: list[tuple[int, bytes]] = []
    try:
        if at_once:
            line.tell("".join(f"{step}\r\n" for step in steps))
        for number, step in enumerate(steps):
            if not at_once:
                line.tell(f"{step}\r\n")
            answers.append(line.getreply())
            if not at_once and _refused(number, *answers[-1]):
                break
    except (smtplib.SMTPServerDisconnected, ConnectionError):
        if not answers and time.monotonic() < line.until:
            raise _Unheard from None
        raise
    return answers


def _delivered(line: "_Line", message: bytes) -> Posted:
    body = message.replace(b"\n.", b"\n..")
    line.tell_bytes((b"." if body.startswith(b".") else b"") + body + b".\r\n")
    code, said = line.getreply()
    if code == 250:
        return Posted("sent", code)
    return Posted(_state(code), code, f"letter: {_codes(code, said)}")


def _refused(number: int, code: int, said: bytes) -> Posted | None:
    """What a refusal of one of the steps means; None if it is none."""
    if code in ((250,), (250, 251), (354,))[number]:
        return None
    place = ("sender", "recipient", "letter")[number]
    error = f"{place}: {_codes(code, said)}"
    if number == 0:
        return Posted("again", code, error)  # our own trouble, and no fault of the recipient's
    found = _ENHANCED.match(said)
    detail = found[0].decode() if found else ""
    gone = number == 1 and (
        bool(_NO_SUCH_ADDRESS.fullmatch(detail)) if detail else code in _NO_SUCH_MAILBOX
    )
    return Posted(_state(code), code, error, gone=gone)


def _state(code: int) -> str:
    """Refusals with 5 are for good; all others may go better later."""
    return "failed" if 500 <= code < 600 else "again"


def _codes(code: int, said: bytes) -> str:
    found = _ENHANCED.match(said)
    return f"{code} {found[0].decode()}" if found else str(code)


class _Unheard(Exception):
    """The connection was dead before the first command was answered."""


class _Line(smtplib.SMTP):
    """A connection on which everything together has to be done before a moment."""

    within: ssl.SSLContext | None = None
    """What everything is encrypted with from the start, if it is."""

    def __init__(self, own_name: str, until: float) -> None:
        super().__init__(local_hostname=own_name, timeout=TO_CONNECT)
        self.until = until

    def _get_socket(self, host: str, port: int, timeout: float) -> object:
        made = super()._get_socket(host, port, timeout)  # type: ignore[misc]  # the joint that SMTP_SSL uses
        return made if self.within is None else self.within.wrap_socket(made, server_hostname=host)

    def greeted(self, host: str, port: int) -> None:
        """Connect, and be welcome."""
        self._host = host  # where smtplib looks for the name that a certificate must bear
        code, said = self.connect(host, port)
        if code != 220:
            raise smtplib.SMTPConnectError(code, said)

    def getreply(self) -> tuple[int, bytes]:
        """The next answer; a server that lets it drip gets no more time for that."""
        if self.file is None:
            self.file = _Answers(self)
        return super().getreply()

    def send(self, s: "bytes | str") -> None:  # type: ignore[override]  # typeshed allows more
        self.hurry()
        super().send(s)

    def hurry(self) -> None:
        """Give the socket the time that is left."""
        left = self.until - time.monotonic()
        if left <= 0:
            raise TimeoutError
        if self.sock is not None:
            self.sock.settimeout(left)

    def tell(self, text: str) -> None:
        self.tell_bytes(text.encode("ascii"))

    def tell_bytes(self, said: bytes) -> None:
        if self.sock is None:
            raise smtplib.SMTPServerDisconnected("hung up")
        self.hurry()
        self.sock.sendall(said)


class _Answers:
    """What smtplib reads answers from: a file whose reading ends in time."""

    def __init__(self, line: _Line) -> None:
        self._line = line
        self._rest = b""

    def readline(self, most: int) -> bytes:
        while b"\n" not in self._rest and len(self._rest) < most:
            self._line.hurry()
            sock = self._line.sock
            more = sock.recv(4096) if sock is not None else b""
            if not more:
                break
            self._rest += more
        end = self._rest.find(b"\n") + 1 or len(self._rest)
        found, self._rest = self._rest[:end], self._rest[end:]
        return found

    def close(self) -> None:
        self._rest = b""
