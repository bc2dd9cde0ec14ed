"""Transports for letters: a mail server with connections that are kept, or a folder."""

import smtplib
import socket
import ssl
import time
from collections.abc import Callable
from contextlib import suppress
from ipaddress import ip_address
from threading import Lock, Timer
from typing import Any, NamedTuple, Protocol
from urllib.parse import unquote, urlsplit

import structlog
from structlog.typing import FilteringBoundLogger

from service.desk import Desk
from service.notify import bounce_kinds, mail_folder
from service.settings import Settings

PORTS = {"smtp": 25, "smtp+starttls": 587, "smtps": 465}
TO_ANSWER = 300.0
"""Seconds for the greeting and the reply to a command (RFC 5321, 4.5.3.2)."""
TO_ACCEPT = 600.0
"""Seconds for the reply to a whole letter: giving up before would send it twice."""
TO_CHECK = 10.0
"""Seconds for the reply to NOOP, with which an idle connection is checked."""
TO_LEAVE = 1.0
"""Seconds for the reply to QUIT."""
IDLE_UNCHECKED = 5.0
"""Seconds for which an idle connection is taken to be open."""
REUSED_FOR = 1800.0
"""Seconds for which a connection is used for further letters."""
CUT_AFTER = 3600.0
"""Seconds after which a connection is cut, even if its server still sends something."""
RETRIED = (bounce_kinds.POLICY, bounce_kinds.FULL, bounce_kinds.OURS)
"""Permanent refusals that pass when the operator mends something, or the reader makes room."""

log: FilteringBoundLogger = structlog.get_logger()


class Posted(NamedTuple):
    """The reply of the server to a letter."""

    state: str
    """sent, failed, or again."""
    status: int | None = None
    error: str | None = None
    """The step and the codes; never the text of the reply, which may name an address."""
    kind: str | None = None
    """What a refusal of the recipient or the letter means: one of `bounce_kinds`."""


class NoEncryption(smtplib.SMTPException):
    """The server offers no encryption, which the settings or a password require."""


class Transport(Protocol):
    def post(self, id: str, sender: str, recipient: str, message: bytes) -> Posted:
        """Send a letter to one recipient."""

    def close(self) -> None:
        """Close the connection."""


def transport_for(desk: Desk) -> Transport:
    """Return the transport that the settings name."""
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
        """Do nothing: no connection is kept."""


class Smtp:
    """A mail server, with connections that are kept between letters.

    Several threads may send at the same time, each over a connection of its own.
    """

    def __init__(self, url: str, own_name: str) -> None:
        parts = urlsplit(url)
        self._scheme = parts.scheme
        self._host = parts.hostname or "localhost"
        self._port = parts.port or PORTS[parts.scheme]
        self._login = unquote(parts.username or ""), unquote(parts.password or "")
        self._own_name = own_name
        self._lock = Lock()
        self._idle: list[_Connection] = []
        self._in_use: set[_Connection] = set()

    def post(self, id: str, sender: str, recipient: str, message: bytes) -> Posted:  # noqa: ARG002  # only Folder needs the id
        """Send a letter; a permanent refusal is `failed`, a temporary one `again`."""
        letter = _Letter(sender, recipient, message)
        while connection := self._kept():
            # Servers close connections that are idle for long, before or after the next command.
            posted = self._posted(connection, letter)
            if posted is not None:
                return posted
        try:
            connection = self._opened()
        except smtplib.SMTPResponseException as error:
            return Posted("again", error.smtp_code, f"greeting: {error.smtp_code}")
        except (OSError, smtplib.SMTPException) as error:
            return Posted("again", error=f"connecting: {type(error).__name__}")
        posted = self._posted(connection, letter)
        return posted or Posted("again", error="the server has hung up")

    def close(self) -> None:
        """Quit idle connections, and cut those over which a letter is being sent."""
        with self._lock:
            idle, self._idle = self._idle, []
            in_use = list(self._in_use)
        for connection in in_use:
            connection.cut()
        for connection in idle:
            connection.leave()

    def _kept(self) -> "_Connection | None":
        """Return an idle connection that is still open; None if there is none."""
        while True:
            with self._lock:
                if not self._idle:
                    return None
                connection = self._idle.pop()
            if connection.is_usable():
                return connection
            connection.leave()

    def _opened(self) -> "_Connection":
        """Return a new connection, encrypted and logged in as the settings say."""
        server = self._host, self._port, self._own_name
        smtp: _Connection
        if self._scheme == "smtps":
            smtp = _TlsConnection(*server, timeout=TO_ANSWER, context=_context(self._host))
        else:
            smtp = _Connection(*server, timeout=TO_ANSWER)
        try:
            smtp.ehlo_or_helo_if_needed()
            if self._scheme != "smtps":
                self._encrypt(smtp)
            if self._login[0]:
                smtp.login(*self._login)
        except BaseException:
            smtp.close()
            raise
        return smtp

    def _encrypt(self, connection: "_Connection") -> None:
        """Use STARTTLS if it is offered; required if the settings say so, or for a password."""
        if connection.has_extn("starttls"):
            connection.starttls(context=_context(self._host))
            connection.ehlo_or_helo_if_needed()
        elif self._scheme == "smtp+starttls" or (self._login[0] and not _is_loopback(self._host)):
            log.error("the mail server offers no STARTTLS; nothing is sent, and no password told")
            raise NoEncryption

    def _posted(self, connection: "_Connection", letter: "_Letter") -> Posted | None:
        """Send a letter, and keep the connection; None if it was closed before the letter."""
        with self._lock:
            self._in_use.add(connection)
        try:
            posted = _handed_over(connection, letter)
        except (OSError, smtplib.SMTPException) as error:
            connection.close()
            return Posted("again", error=f"sending: {type(error).__name__}")
        except BaseException:  # a fault of ours, such as an address that is not ASCII
            connection.close()
            raise
        finally:
            with self._lock:
                self._in_use.discard(connection)
        if posted is None or posted.status == 421 or connection.sock is None:
            connection.close()
        else:
            self._keep(connection)
        return posted

    def _keep(self, connection: "_Connection") -> None:
        connection.idle_since = time.monotonic()
        with self._lock:
            self._idle.append(connection)


class _Letter(NamedTuple):
    """A letter with its envelope."""

    sender: str
    recipient: str
    message: bytes


def _handed_over(connection: "_Connection", letter: _Letter) -> Posted | None:
    """Send MAIL, RCPT, DATA and the letter; None if the server has hung up before that."""
    connection.wait_at_most(TO_ANSWER)
    size = [f"SIZE={len(letter.message)}"] if connection.has_extn("size") else []
    try:
        code, reply = connection.mail(letter.sender, size)
    except (smtplib.SMTPServerDisconnected, ConnectionError):
        return None
    if code == 421:
        return None
    if code != 250:  # a fault of ours, and not of the recipient
        return _refused(connection, Posted("again", code, f"sender: {_codes(code, reply)}"))
    code, reply = connection.rcpt(letter.recipient)
    if code not in (250, 251):
        return _refused(connection, _refusal("recipient", code, reply))
    connection.wait_at_most(TO_ACCEPT)
    try:
        code, reply = connection.data(letter.message)
    except smtplib.SMTPDataError as error:
        return _refused(connection, _refusal("letter", error.smtp_code, _bytes(error.smtp_error)))
    return Posted("sent", code) if code == 250 else _refusal("letter", code, reply)


def _refused(connection: "_Connection", posted: Posted) -> Posted:
    """Make the connection ready for the next letter, unless the server closes it."""
    if posted.status != 421:
        try:
            connection.rset()
        except (OSError, smtplib.SMTPException):
            connection.close()
    return posted


def _refusal(step: str, code: int, reply: bytes) -> Posted:
    """Return the meaning of a refusal of the recipient or of the letter."""
    error = f"{step}: {_codes(code, reply)}"
    if not 500 <= code < 600:
        return Posted("again", code, error)
    kind = bounce_kinds.refusal(code, reply.decode("utf-8", "replace")).kind
    if kind == bounce_kinds.GONE and step != "recipient":
        kind = bounce_kinds.OTHER  # the server has accepted the recipient
    return Posted("again" if kind in RETRIED else "failed", code, error, kind)


def _codes(code: int, reply: bytes) -> str:
    detail = bounce_kinds.enhanced_code(reply[:12].decode("ascii", "replace"))
    return f"{code} {detail}" if detail else str(code)


def _bytes(text: bytes | str) -> bytes:
    return text if isinstance(text, bytes) else text.encode()


def _context(host: str) -> ssl.SSLContext:
    """Return a TLS context that verifies certificates, except for a server on this machine."""
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


class _Connection(smtplib.SMTP):
    """An SMTP connection that is cut after an hour, even if its server sends byte after byte."""

    def __init__(self, *arguments: Any, **more: Any) -> None:
        self.opened = self.idle_since = time.monotonic()
        self._timer = Timer(CUT_AFTER, self.cut)
        self._timer.daemon = True
        self._timer.start()
        try:
            super().__init__(*arguments, **more)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        self._timer.cancel()
        super().close()

    def cut(self) -> None:
        """End the connection from another thread; what waits for the server fails at once."""
        if self.sock is not None:
            with suppress(OSError):
                self.sock.shutdown(socket.SHUT_RDWR)

    def wait_at_most(self, seconds: float) -> None:
        """Set how long to wait for each reply."""
        if self.sock is not None:
            self.sock.settimeout(seconds)

    def is_usable(self) -> bool:
        """Return whether an idle connection is still open, and not too old."""
        now = time.monotonic()
        if now - self.opened > REUSED_FOR:
            return False
        if now - self.idle_since <= IDLE_UNCHECKED:
            return True
        self.wait_at_most(TO_CHECK)
        try:
            return self.noop()[0] == 250
        except (OSError, smtplib.SMTPException):
            return False

    def leave(self) -> None:
        """Quit, and close the connection whatever the server says."""
        self.wait_at_most(TO_LEAVE)
        with suppress(OSError, smtplib.SMTPException):
            self.quit()
        self.close()


class _TlsConnection(_Connection, smtplib.SMTP_SSL):
    """The same, encrypted from the start."""
