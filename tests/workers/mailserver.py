"""A real SMTP server in a thread, with replies that the test chooses."""

import asyncio
import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import cache
from ipaddress import ip_address
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from tests.support.child_servers import free_port

HOST = "127.0.0.1"
LOGIN = LoginPassword(b"nightmail", b"s3cret @ work")


class Post:
    """Accepts letters; replies that were queued beforehand come first, each once."""

    def __init__(self) -> None:
        self.letters: list[Envelope] = []
        self.encrypted: list[bool] = []
        self.sessions: set[int] = set()
        self.to_sender: list[str] = []
        self.to_recipient: list[str] = []
        self.to_letter: list[str] = []
        self.accepting = threading.Event()
        """While it is not set, the first letter that comes waits for its reply."""
        self.accepting.set()
        self.held: list[Envelope] = []

    async def handle_MAIL(  # noqa: N802  # aiosmtpd requires this name
        self, _: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """Handle MAIL FROM."""
        self.sessions.add(id(session))
        if self.to_sender:
            return self.to_sender.pop(0)
        envelope.mail_from = address
        envelope.mail_options.extend(options)
        return "250 OK"

    async def handle_RCPT(  # noqa: N802
        self, _: SMTP, __: Session, envelope: Envelope, address: str, ___: list[str]
    ) -> str:
        """Handle RCPT TO."""
        if self.to_recipient:
            return self.to_recipient.pop(0)
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, _: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        """Handle DATA: keep the letter."""
        if self.to_letter:
            return self.to_letter.pop(0)
        if not self.accepting.is_set() and not self.held:
            self.held.append(envelope)
            await asyncio.to_thread(self.accepting.wait, 30)
        self.letters.append(envelope)
        self.encrypted.append(session.ssl is not None)
        return "250 OK"


def _knows(_: Any, __: Any, ___: Any, ____: Any, login: LoginPassword) -> AuthResult:
    return AuthResult(success=login == LOGIN, handled=False)


@contextmanager
def mail_server(*, tls: bool = False, starttls: bool = False, login: bool = False) -> Iterator[
    tuple[Post, str]
]:  # fmt: skip
    """Run an SMTP server; yields what it receives, and its address."""
    post, port = Post(), free_port()
    more: dict[str, Any] = {}
    if starttls:
        more["tls_context"] = certified()
    if login:
        more |= {"authenticator": _knows, "auth_required": True, "auth_require_tls": starttls}
    server = Controller(
        post, hostname=HOST, port=port, ssl_context=certified() if tls else None, **more
    )
    server.start()
    try:
        yield post, f"{HOST}:{port}"
    finally:
        server.stop()


@cache
def certified() -> ssl.SSLContext:
    """A TLS context for a server, with a self-signed certificate."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=30))
        .add_extension(
            x509.SubjectAlternativeName([x509.IPAddress(ip_address(HOST))]), critical=False
        )
        .sign(key, hashes.SHA256())
    )
    plain = serialization.NoEncryption()
    written = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, plain
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "both.pem"
        path.write_bytes(
            key.private_bytes(*written) + made.public_bytes(serialization.Encoding.PEM)
        )
        context.load_cert_chain(path)
    return context


@contextmanager
def scripted(*dialogues: list[bytes]) -> Iterator[tuple[list[bytes], str]]:
    """Run a server that sends these lines, one for each message it receives, and then hangs up.

    Each list is for one connection and begins with the greeting; received bytes are kept.
    """
    heard: list[bytes] = []
    listening = socket.create_server((HOST, 0))

    def serve() -> None:
        for dialogue in dialogues:
            try:
                connection, _ = listening.accept()
            except OSError:
                return
            with connection:
                for line in dialogue:
                    connection.sendall(line)
                    if not (chunk := connection.recv(65536)):
                        break
                    heard.append(chunk)

    thread = Thread(target=serve, daemon=True)
    thread.start()
    try:
        yield heard, f"{HOST}:{listening.getsockname()[1]}"
    finally:
        listening.shutdown(socket.SHUT_RDWR)  # wakes accept()
        listening.close()
        thread.join(5)
