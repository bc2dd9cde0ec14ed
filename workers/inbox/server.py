"""The inbox: receives mail by SMTP or LMTP, from the mail server in front of it.

Mail that it has answered with 250 is stored. While the database cannot be reached it answers with
4xx, so that the mail server tries again.
"""

import asyncio
import logging
import socket
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, TypeVar

import structlog
from aiosmtpd.controller import BaseThreadedController, Controller, UnixSocketController
from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP, Envelope, Session
from structlog.typing import FilteringBoundLogger

from engine import Refusal
from service.desk import Away, Desk
from service.replies import receive
from service.replies.receive import MOST_BYTES, IncomingMail

T = TypeVar("T")

MOST_CONNECTIONS = 50
MOST_RECIPIENTS = 10
TIMEOUT = 60.0
"""Seconds after which an idle connection is closed."""
THREADS = 4
MOST_RECEIVED = 4 * MOST_BYTES
"""Bytes that may come for one email, even if no line ever ends."""

ACCEPTED = "250 2.0.0 Accepted"
UNKNOWN = "550 5.1.1 There is no such mailbox here"
TOO_MANY = "452 4.5.3 Too many recipients at once"
LATER = "451 4.3.0 Not possible now, please try again later"
BUSY = "421 4.3.2 Too many connections, please try again later"

log: FilteringBoundLogger = structlog.get_logger()


class Inbox:
    """A server in a thread of its own."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._handler = _Handler(desk)
        self._controller = _controller(desk, self._handler)
        # aiosmtpd logs clients and what they send, which is personal.
        logging.getLogger("mail.log").setLevel(logging.CRITICAL)

    @property
    def address(self) -> str:
        """Where it listens, as in the settings."""
        return self._desk.settings.inbox_bind

    def start(self) -> None:
        """Listen; raises OSError if that is not possible there, and leaves nothing open."""
        try:
            self._controller.start()
        except OSError:
            self._controller.loop.close()
            self._handler.pool.shutdown()
            raise

    def stop(self) -> None:
        """Stop listening, and finish what was begun."""
        self._controller.stop()
        self._handler.pool.shutdown()


def _controller(desk: Desk, handler: "_Handler") -> BaseThreadedController:
    settings = desk.settings
    speaker = _Lmtp if settings.inbox_protocol == "lmtp" else _Smtp
    make = partial(
        speaker,
        handler,
        hostname=settings.mail_domain,
        ident="Nightmail",
        data_size_limit=MOST_BYTES,
        timeout=TIMEOUT,
        enable_SMTPUTF8=True,
    )
    if settings.inbox_bind.startswith("unix:"):
        return _UnixController(handler, make, settings.inbox_bind.removeprefix("unix:"))
    host, _, port = settings.inbox_bind.rpartition(":")
    return _InetController(handler, make, host.strip("[]"), int(port))


class _InetController(Controller):
    def __init__(
        self, handler: "_Handler", make: Callable[..., SMTP], host: str, port: int
    ) -> None:
        super().__init__(handler, hostname=host, port=port)
        self._make = make

    def start(self) -> None:
        """Listen, or fail at once; aiosmtpd alone takes five seconds to fail."""
        family = socket.AF_INET6 if ":" in self.hostname else socket.AF_INET
        socket.create_server((self.hostname, self.port), family=family).close()
        super().start()

    def factory(self) -> SMTP:
        return self._make(loop=self.loop)


class _UnixController(UnixSocketController):
    def __init__(self, handler: "_Handler", make: Callable[..., SMTP], path: str) -> None:
        super().__init__(handler, unix_socket=path)
        self._make = make

    def factory(self) -> SMTP:
        return self._make(loop=self.loop)


class _Bounded(SMTP):
    """A connection with a limit on bytes, which is refused if there are too many."""

    def __init__(self, handler: "_Handler", **more: Any) -> None:
        self._handler = handler
        self._received = 0
        super().__init__(handler, **more)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._handler.connections += 1
        if self._handler.connections > MOST_CONNECTIONS and isinstance(
            transport, asyncio.Transport
        ):
            transport.write(f"{BUSY}\r\n".encode())
            transport.close()
        super().connection_made(transport)

    def connection_lost(self, error: Exception | None) -> None:
        self._handler.connections -= 1
        super().connection_lost(error)

    def data_received(self, data: bytes) -> None:
        self._received += len(data)
        if self._received > MOST_RECEIVED and isinstance(self.transport, asyncio.Transport):
            self.transport.abort()
        else:
            super().data_received(data)

    def _set_rset_state(self) -> None:
        self._received = 0
        super()._set_rset_state()  # type: ignore[no-untyped-call]  # untyped in aiosmtpd


class _Smtp(_Bounded):
    """SMTP: one answer for all recipients."""


class _Lmtp(_Bounded, LMTP):
    """LMTP: one answer for each recipient."""


class _Handler:
    """The handler for aiosmtpd; everything that uses the database runs in other threads."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.connections = 0
        self.pool = ThreadPoolExecutor(THREADS, thread_name_prefix="inbox")

    async def handle_RCPT(  # noqa: N802  # aiosmtpd's name, and its arguments
        self, _: SMTP, __: Session, envelope: Envelope, address: str, ___: list[str]
    ) -> str:
        """Accept a recipient if there is such a mailbox."""
        if len(envelope.rcpt_tos) >= MOST_RECIPIENTS:
            return TOO_MANY
        answer = await self._in_thread(partial(self._recipient, address))
        if answer == ACCEPTED:
            envelope.rcpt_tos.append(address)
        return answer

    async def handle_DATA(self, server: SMTP, _: Session, envelope: Envelope) -> str:  # noqa: N802  # aiosmtpd's name
        """Receive an email, for each of its recipients."""
        raw = envelope.content
        if not isinstance(raw, bytes):
            raise TypeError("an email is bytes here")
        sender = envelope.mail_from or ""
        answers = [
            await self._in_thread(partial(self._take, IncomingMail(raw, sender, recipient)))
            for recipient in envelope.rcpt_tos
        ]
        if isinstance(server, LMTP):
            return "\r\n".join(answers)
        # If it comes again, what was done for one recipient is not done twice.
        return next((answer for answer in answers if answer != ACCEPTED), ACCEPTED)

    async def _in_thread(self, run: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self.pool, run)

    def _recipient(self, recipient: str) -> str:
        return self._safely(lambda: ACCEPTED if receive.accepts(self.desk, recipient) else UNKNOWN)

    def _take(self, arrived: IncomingMail) -> str:
        def run() -> str:
            became = receive.receive(self.desk, arrived)
            log.info("letter", became=became)
            return ACCEPTED

        return self._safely(run)

    def _safely(self, run: Callable[[], str]) -> str:
        """Return an answer in any case: after a temporary error the mail server tries again."""
        try:
            return run()
        except Refusal as refusal:
            return UNKNOWN if refusal.code == "not_found" else LATER
        except Away as error:
            log.warning("database", error=type(error.__cause__).__name__)
        except Exception:  # our own mistake, which is only logged
            log.exception("accident")
        return LATER
