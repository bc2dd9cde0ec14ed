"""Transports for letters: a mail server with one kept connection, or a folder."""

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
"""Seconds for one letter, whatever the server does; shorter than the lease of a delivery."""
TO_CONNECT = 8.0
"""Seconds to connect."""
_ENHANCED = re.compile(rb"^[245]\.\d{1,3}\.\d{1,3}")
_NO_SUCH_ADDRESS = re.compile(r"5\.1\.(0|1|2|3|6|10)|5\.2\.1")
_NO_SUCH_MAILBOX = (550, 551, 553)

log: FilteringBoundLogger = structlog.get_logger()


class Posted(NamedTuple):
    """The reply of the server to a letter."""

    state: str
    """sent, failed, or again."""
    status: int | None = None
    error: str | None = None
    """The step and the codes; never the text of the reply, which may name an address."""
    gone: bool = False
    """Whether the address does not exist."""


class NoEncryption(smtplib.SMTPException):
    """The server offers no encryption, which the settings or a password require."""


class Transport(Protocol):
    def post(self, id: str, sender: str, recipient: str, message: bytes) -> Posted:
        """Send a letter to one recipient."""

    def close(self) -> None:
        """Close the connection."""


def transport_for(desk: Desk) -> Transport:
    """The transport that the settings name."""
    url = desk.settings.smtp_url
    return Smtp(url, desk.settings.mail_domain) if url else Folder(desk.settings, desk.now)


class Folder:
    """Writes letters into a folder."""

    def __init__(self, settings: Settings, now: Callable[[], str]) -> None:
        self._settings = settings
        self._now = now

    def post(self, id: str, sender: str, recipient: str, message: bytes) -> Posted:  # noqa: ARG002  # the message names both
        mail_folder.write(self._settings, id, message, self._now())
        return Posted("sent")

    def close(self) -> None:
        """Does nothing: no connection is kept."""


class Smtp:
    """A mail server, with one connection that is kept between letters."""

    def __init__(self, url: str, own_name: str) -> None:
        parts = urlsplit(url)
        self._scheme = parts.scheme
        self._host = parts.hostname or "localhost"
        self._port = parts.port or PORTS[parts.scheme]
        self._login = unquote(parts.username or ""), unquote(parts.password or "")
        self._own_name = own_name
        self._connection: _Connection | None = None

    def post(self, id: str, sender: str, recipient: str, message: bytes) -> Posted:  # noqa: ARG002  # only Folder needs the id
        """Send a letter; a permanent refusal is `failed`, a temporary one `again`."""
        until = time.monotonic() + LONGEST
        was_open = self._connection is not None
        try:
            return self._posted(until, sender, recipient, message)
        except _ClosedEarly:
            if not was_open:
                return Posted("again", error="the server has hung up")
        # Servers close connections that are idle for long; a new one is worth a try.
        try:
            return self._posted(until, sender, recipient, message)
        except _ClosedEarly:
            return Posted("again", error="the server has hung up")

    def close(self) -> None:
        """Quit and close the connection."""
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.until = time.monotonic() + 1
            try:
                connection.quit()
            except (OSError, smtplib.SMTPException):
                connection.close()

    def _posted(self, until: float, sender: str, recipient: str, message: bytes) -> Posted:
        try:
            connection = self._connection or self._opened(until)
        except smtplib.SMTPResponseException as error:
            return Posted("again", error.smtp_code, f"greeting: {error.smtp_code}")
        except (OSError, smtplib.SMTPException) as error:
            return Posted("again", error=f"connecting: {type(error).__name__}")
        self._connection, connection.until = None, until  # put back when all has gone well
        try:
            posted = _handed_over(connection, sender, recipient, message)
        except _ClosedEarly:
            connection.close()
            raise
        except (OSError, smtplib.SMTPException) as error:
            connection.close()
            return Posted("again", error=f"sending: {type(error).__name__}")
        if connection.sock is not None and posted.status != 421:
            self._connection = connection
        else:
            connection.close()
        return posted

    def _opened(self, until: float) -> "_Connection":
        """A new connection, encrypted and logged in as the settings say."""
        connection = _Connection(self._own_name, until)
        try:
            if self._scheme == "smtps":
                connection.within = _context(self._host)
            connection.greeted(self._host, self._port)
            connection.ehlo_or_helo_if_needed()
            if self._scheme != "smtps":
                self._encrypt(connection)
            if self._login[0]:
                connection.login(*self._login)
        except BaseException:
            connection.close()
            raise
        return connection

    def _encrypt(self, connection: "_Connection") -> None:
        """Use STARTTLS if it is offered; required if the settings say so, or for a password."""
        if connection.has_extn("starttls"):
            connection.starttls(context=_context(self._host))
            connection.ehlo_or_helo_if_needed()
        elif self._scheme == "smtp+starttls" or (self._login[0] and not _is_loopback(self._host)):
            log.error("the mail server offers no STARTTLS; nothing is sent, and no password told")
            raise NoEncryption


def _context(host: str) -> ssl.SSLContext:
    """A TLS context that verifies certificates, except for a server on this machine."""
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


def _handed_over(connection: "_Connection", sender: str, recipient: str, message: bytes) -> Posted:
    """Send MAIL, RCPT, DATA and the letter itself."""
    size = f" SIZE={len(message)}" if connection.has_extn("size") else ""
    replies = _replies(
        connection, [f"MAIL FROM:<{sender}>{size}", f"RCPT TO:<{recipient}>", "DATA"]
    )
    refused = [refusal for n, reply in enumerate(replies) if (refusal := _refused(n, *reply))]
    if not refused:
        return _delivered(connection, message)
    if replies[-1][0] == 354:  # it waits for a letter that has no recipient
        connection.close()
    elif refused[0].status != 421:
        connection.tell("RSET\r\n")
        connection.getreply()
    return refused[0]


def _replies(connection: "_Connection", steps: list[str]) -> list[tuple[int, bytes]]:
    """The replies to some commands, which are sent at once to a server with PIPELINING.

    Sent one by one, they end with the first refusal.
    """
    at_once = connection.has_extn("pipelining")
    replies: list[tuple[int, bytes]] = []
    try:
        if at_once:
            connection.tell("".join(f"{step}\r\n" for step in steps))
        for number, step in enumerate(steps):
            if not at_once:
                connection.tell(f"{step}\r\n")
            replies.append(connection.getreply())
            if not at_once and _refused(number, *replies[-1]):
                break
    except (smtplib.SMTPServerDisconnected, ConnectionError):
        if not replies and time.monotonic() < connection.until:
            raise _ClosedEarly from None
        raise
    return replies


def _delivered(connection: "_Connection", message: bytes) -> Posted:
    body = message.replace(b"\n.", b"\n..")
    connection.tell_bytes((b"." if body.startswith(b".") else b"") + body + b".\r\n")
    code, reply = connection.getreply()
    if code == 250:
        return Posted("sent", code)
    return Posted(_state(code), code, f"letter: {_codes(code, reply)}")


def _refused(number: int, code: int, reply: bytes) -> Posted | None:
    """The meaning of a refusal; None if the reply is none."""
    if code in ((250,), (250, 251), (354,))[number]:
        return None
    place = ("sender", "recipient", "letter")[number]
    error = f"{place}: {_codes(code, reply)}"
    if number == 0:
        return Posted("again", code, error)  # a fault of ours, and not of the recipient
    match = _ENHANCED.match(reply)
    detail = match[0].decode() if match else ""
    gone = number == 1 and (
        bool(_NO_SUCH_ADDRESS.fullmatch(detail)) if detail else code in _NO_SUCH_MAILBOX
    )
    return Posted(_state(code), code, error, gone=gone)


def _state(code: int) -> str:
    """5xx is permanent, everything else temporary."""
    return "failed" if 500 <= code < 600 else "again"


def _codes(code: int, reply: bytes) -> str:
    match = _ENHANCED.match(reply)
    return f"{code} {match[0].decode()}" if match else str(code)


class _ClosedEarly(Exception):
    """The connection was closed before the first command was answered."""


class _Connection(smtplib.SMTP):
    """An SMTP connection with a deadline for all of its reads and writes together."""

    within: ssl.SSLContext | None = None
    """The TLS context of `smtps`, where encryption begins with the connection."""

    def __init__(self, own_name: str, until: float) -> None:
        super().__init__(local_hostname=own_name, timeout=TO_CONNECT)
        self.until = until

    def _get_socket(self, host: str, port: int, timeout: float) -> object:
        sock = super()._get_socket(host, port, timeout)  # type: ignore[misc]  # SMTP_SSL overrides it, too
        return sock if self.within is None else self.within.wrap_socket(sock, server_hostname=host)

    def greeted(self, host: str, port: int) -> None:
        """Connect and read the greeting."""
        self._host = host  # where smtplib looks for the name that a certificate must bear
        code, reply = self.connect(host, port)
        if code != 220:
            raise smtplib.SMTPConnectError(code, reply)

    def getreply(self) -> tuple[int, bytes]:
        """The next reply, read before the deadline even if it comes byte by byte."""
        if self.file is None:
            self.file = _Replies(self)
        return super().getreply()

    def send(self, s: "bytes | str") -> None:  # type: ignore[override]  # typeshed allows more
        self.hurry()
        super().send(s)

    def hurry(self) -> None:
        """Set the socket's timeout to the time that is left."""
        left = self.until - time.monotonic()
        if left <= 0:
            raise TimeoutError
        if self.sock is not None:
            self.sock.settimeout(left)

    def tell(self, text: str) -> None:
        self.tell_bytes(text.encode("ascii"))

    def tell_bytes(self, data: bytes) -> None:
        if self.sock is None:
            raise smtplib.SMTPServerDisconnected("hung up")
        self.hurry()
        self.sock.sendall(data)


class _Replies:
    """A file for smtplib to read replies from, which keeps the deadline."""

    def __init__(self, connection: _Connection) -> None:
        self._connection = connection
        self._rest = b""

    def readline(self, most: int) -> bytes:
        while b"\n" not in self._rest and len(self._rest) < most:
            self._connection.hurry()
            sock = self._connection.sock
            more = sock.recv(4096) if sock is not None else b""
            if not more:
                break
            self._rest += more
        end = self._rest.find(b"\n") + 1 or len(self._rest)
        line, self._rest = self._rest[:end], self._rest[end:]
        return line

    def close(self) -> None:
        self._rest = b""
