"""A real SMTP server in a thread of the test, which keeps all letters."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from email import message_from_bytes, policy
from email.message import EmailMessage
from functools import cached_property
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session

from tests.support.child_servers import free_port


@dataclass(frozen=True)
class Letter:
    """A letter that was received."""

    sender: str
    recipient: str
    data: bytes

    @cached_property
    def message(self) -> EmailMessage:
        """The parsed message."""
        return message_from_bytes(self.data, policy=policy.default)

    @property
    def id(self) -> str:
        """Its Message-ID."""
        return str(self.message["Message-ID"])


class PostOffice:
    """Accepts every letter, and lets tests wait for letters."""

    def __init__(self) -> None:
        self.letters: list[Letter] = []
        self.came = threading.Condition()
        self.port = free_port()

    @property
    def url(self) -> str:
        """The SMTP URL at which it listens."""
        return f"smtp://127.0.0.1:{self.port}"

    async def handle_DATA(  # noqa: N802  # aiosmtpd looks for this name
        self, _server: SMTP, _session: Session, envelope: Envelope
    ) -> str:
        """Keep the letter before it is acknowledged."""
        assert isinstance(envelope.content, bytes)
        with self.came:
            for recipient in envelope.rcpt_tos:
                self.letters.append(Letter(envelope.mail_from or "", recipient, envelope.content))
            self.came.notify_all()
        return "250 kept"

    def nth(self, at: int, patience: float = 60) -> Letter:
        """Wait for the letter with this index, counted from 0 in order of arrival."""
        with self.came:
            assert self.came.wait_for(lambda: len(self.letters) > at, patience), "no more mail"
            return self.letters[at]

    def nth_to(self, recipient: str, at: int, patience: float = 60) -> Letter:
        """Wait for the letter to one address with this index, counted from 0."""
        with self.came:
            assert self.came.wait_for(lambda: len(self.to(recipient)) > at, patience), "no mail"
            return self.to(recipient)[at]

    def to(self, recipient: str) -> list[Letter]:
        """The letters to one address."""
        return [letter for letter in self.letters if letter.recipient == recipient]


@contextmanager
def post_office() -> Iterator[PostOffice]:
    """Run a post office."""
    office = PostOffice()
    controller: Any = Controller(office, hostname="127.0.0.1", port=office.port)
    controller.start()
    try:
        yield office
    finally:
        controller.stop()
