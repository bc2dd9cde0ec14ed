"""Sending letters by SMTP or into a folder, and how refusals are told apart."""

import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from urllib.parse import quote

import pytest

from service.notify import mail_folder
from service.settings import Settings
from tests.workers.mailserver import LOGIN, Post, mail_server, scripted
from workers.channels.mail import transport
from workers.channels.mail.transport import Folder, Posted, Smtp

LETTER = b"Subject: hello\r\n\r\n.dotted\r\n..twice\r\nwords\r\n"
GREETING, HELLO, FINE = b"220 here\r\n", b"250 here\r\n", b"250 OK\r\n"


def post(smtp: Smtp, letter: bytes = LETTER) -> Posted:
    """Send a letter."""
    return smtp.post("id", "bounce@example.net", "ada@example.org", letter)


@contextmanager
def to(url: str) -> Iterator[Smtp]:
    """A transport to this server, which is closed afterwards."""
    smtp = Smtp(url, "nightmail.example")
    try:
        yield smtp
    finally:
        smtp.close()


def posted_to(url: str) -> Posted:
    """The result of sending one letter."""
    with to(url) as smtp:
        return post(smtp)


@pytest.fixture
def server() -> Iterator[tuple[Post, str]]:
    """A server without encryption."""
    with mail_server() as started:
        yield started


def test_a_letter_arrives_as_it_was_sent(server: tuple[Post, str]) -> None:
    """Every byte arrives, leading dots included, with its envelope sender and recipient."""
    smtp_server, place = server
    with to(f"smtp://{place}") as smtp:
        assert Posted("sent", 250) == post(smtp)
    (letter,) = smtp_server.letters
    assert LETTER == letter.content
    assert ("bounce@example.net", ["ada@example.org"]) == (letter.mail_from, letter.rcpt_tos)


def test_one_connection_is_kept(server: tuple[Post, str]) -> None:
    """Letter after letter goes over the same connection."""
    smtp_server, place = server
    with to(f"smtp://{place}") as smtp:
        assert ["sent"] * 5 == [post(smtp).state for _ in range(5)]
    assert 1 == len(smtp_server.sessions)


def test_after_a_refusal_the_connection_is_kept(server: tuple[Post, str]) -> None:
    """A refused recipient does not end the connection."""
    smtp_server, place = server
    with to(f"smtp://{place}") as smtp:
        smtp_server.to_recipient.append("550 5.1.1 nobody")
        assert ["failed", "sent"] == [post(smtp).state for _ in range(2)]
    assert 1 == len(smtp_server.sessions)


@pytest.mark.parametrize("scheme", ["smtp", "smtp+starttls", "smtps"])
def test_everything_is_encrypted_where_it_can_be(scheme: str) -> None:
    """Every scheme sends over TLS to a server that offers it."""
    with mail_server(tls=scheme == "smtps", starttls=scheme != "smtps") as (smtp_server, place):
        assert "sent" == posted_to(f"{scheme}://{place}").state
    assert 1 == len(smtp_server.letters)
    assert scheme == "smtps" or [True] == smtp_server.encrypted


def test_without_starttls_nothing_is_sent_where_it_is_required(server: tuple[Post, str]) -> None:
    """A server without STARTTLS gets nothing if it is required, and the letter is retried."""
    smtp_server, place = server
    with to(f"smtp+starttls://{place}") as smtp:
        assert "again" == post(smtp).state
        assert [] == smtp_server.letters


def test_a_certificate_that_nobody_vouches_for_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A self-signed certificate of a server on another host is refused."""
    with mail_server(starttls=True) as (smtp_server, place):
        _lead(monkeypatch, place)
        with to("smtp+starttls://mail.example.org:25") as smtp:
            assert Posted("again", None, "connecting: SSLCertVerificationError") == post(smtp)
    assert [] == smtp_server.letters


def _lead(monkeypatch: pytest.MonkeyPatch, place: str) -> None:
    """Let every connection end at this server, whatever the host name."""
    honest, (host, port) = socket.create_connection, place.split(":")

    def here(_: object, *args: object, **more: object) -> socket.socket:
        return honest((host, int(port)), *args, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(socket, "create_connection", here)


def test_name_and_password_are_given() -> None:
    """User name and password come percent-encoded from the URL, and are sent inside TLS."""
    name, password = (quote(part.decode(), safe="") for part in LOGIN)
    with mail_server(starttls=True, login=True) as (smtp_server, place):
        assert "sent" == posted_to(f"smtp+starttls://{name}:{password}@{place}").state
    assert 1 == len(smtp_server.letters)


def test_a_password_is_never_told_without_encryption(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server on another host that offers no STARTTLS is not sent the password."""
    dialogue = [GREETING, b"250-here\r\n250 AUTH PLAIN LOGIN\r\n", b"235 welcome\r\n"]
    with scripted(dialogue) as (heard, place):
        _lead(monkeypatch, place)
        posted = posted_to("smtp://nightmail:s3cret@mail.example.org")

    assert Posted("again", None, "connecting: NoEncryption") == posted
    assert [b"EHLO"] == [line.split()[0].upper() for line in heard[:1]]
    assert not any(line.upper().startswith(b"AUTH") for line in heard)


@pytest.mark.filterwarnings("ignore:Requiring AUTH")  # aiosmtpd makes no exception for loopback
def test_a_password_may_be_told_to_this_machine() -> None:
    """A server on loopback is sent the password without TLS."""
    name, password = (quote(part.decode(), safe="") for part in LOGIN)
    with mail_server(login=True) as (smtp_server, place):
        assert "sent" == posted_to(f"smtp://{name}:{password}@{place}").state
    assert [False] == smtp_server.encrypted


def test_a_wrong_password_is_our_own_trouble() -> None:
    """After a refused login the letter is retried."""
    with mail_server(starttls=True, login=True) as (smtp_server, place):
        posted = posted_to(f"smtp+starttls://nightmail:wrong@{place}")
    assert ("again", 535) == (posted.state, posted.status)
    assert [] == smtp_server.letters


ANSWERS = [
    ("to_recipient", "451 4.7.1 greylisted", Posted("again", 451, "recipient: 451 4.7.1")),
    ("to_recipient", "450 later", Posted("again", 450, "recipient: 450")),
    ("to_recipient", "452 4.2.2 full", Posted("again", 452, "recipient: 452 4.2.2")),
    ("to_recipient", "550 5.1.1 no", Posted("failed", 550, "recipient: 550 5.1.1", gone=True)),
    ("to_recipient", "550 nobody here", Posted("failed", 550, "recipient: 550", gone=True)),
    ("to_recipient", "553 5.1.3 bad", Posted("failed", 553, "recipient: 553 5.1.3", gone=True)),
    ("to_recipient", "550 5.7.1 spam", Posted("failed", 550, "recipient: 550 5.7.1")),
    ("to_recipient", "552 5.2.2 full", Posted("failed", 552, "recipient: 552 5.2.2")),
    ("to_sender", "550 5.7.1 not you", Posted("again", 550, "sender: 550 5.7.1")),
    ("to_sender", "451 4.3.0 later", Posted("again", 451, "sender: 451 4.3.0")),
    ("to_letter", "554 5.6.0 content", Posted("failed", 554, "letter: 554 5.6.0")),
    ("to_letter", "451 4.3.0 later", Posted("again", 451, "letter: 451 4.3.0")),
]


@pytest.mark.parametrize(
    ("step", "answer", "posted"), ANSWERS, ids=[" ".join(row[:2]) for row in ANSWERS]
)
def test_refusals_are_told_apart(step: str, answer: str, posted: Posted) -> None:
    """Refusals of a sender and 4xx are retried, others fail, and only a missing mailbox is gone."""
    with mail_server() as (smtp_server, place), to(f"smtp://{place}") as smtp:
        getattr(smtp_server, step).append(answer)
        assert posted == post(smtp)
        assert Posted("sent", 250) == post(smtp)


def test_a_greylisted_letter_is_taken_the_second_time(server: tuple[Post, str]) -> None:
    """A letter that was refused with 451 is accepted at the next attempt."""
    smtp_server, place = server
    smtp_server.to_recipient.append("451 4.7.1 come back")
    with to(f"smtp://{place}") as smtp:
        assert ["again", "sent"] == [post(smtp).state, post(smtp).state]


def test_a_connection_that_was_closed_meanwhile_is_opened_anew() -> None:
    """A connection that was closed between two letters is reopened, and the second is sent."""
    whole = [GREETING, HELLO, FINE, FINE, b"354 go on\r\n", FINE]
    with scripted(whole[:], whole[:]) as (heard, place), to(f"smtp://{place}") as smtp:
        assert "sent" == post(smtp).state
        _hang_up(smtp)
        assert "sent" == post(smtp).state
    assert 2 == sum(b"words" in text for text in heard)


def _hang_up(smtp: Smtp) -> None:
    """Shut down the kept connection, as a server does after a while."""
    line = smtp._connection
    assert line is not None
    assert line.sock is not None
    line.sock.shutdown(socket.SHUT_RDWR)


def test_three_steps_are_taken_at_once_where_the_server_can() -> None:
    """With PIPELINING, MAIL, RCPT and DATA are sent together."""
    hello = b"250-here\r\n250 PIPELINING\r\n"
    answers = b"250 OK\r\n250 OK\r\n354 go on\r\n"
    with scripted([GREETING, hello, answers, FINE]) as (heard, place):
        assert "sent" == posted_to(f"smtp://{place}").state
    steps = b"MAIL FROM:<bounce@example.net>\r\nRCPT TO:<ada@example.org>\r\nDATA\r\n"
    assert steps == heard[1]


def test_a_recipient_refused_at_once_is_told_from_the_rest() -> None:
    """With PIPELINING the refusal of the recipient counts, not that of DATA after it."""
    hello = b"250-here\r\n250 PIPELINING\r\n"
    answers = b"250 OK\r\n550 5.1.1 nobody\r\n503 no recipient\r\n"
    with scripted([GREETING, hello, answers, FINE]) as (_, place):
        posted = posted_to(f"smtp://{place}")
    assert Posted("failed", 550, "recipient: 550 5.1.1", gone=True) == posted


@pytest.mark.parametrize("steps", range(5))
def test_a_server_that_dies_is_tried_again(steps: int) -> None:
    """A letter is retried if the server hangs up at any step."""
    whole = [GREETING, HELLO, FINE, FINE, b"354 go on\r\n"]
    with scripted(whole[:steps], whole[:steps]) as (_, place):
        assert "again" == posted_to(f"smtp://{place}").state


def test_no_server_at_all_is_tried_again() -> None:
    """A letter is retried if the connection is refused."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    posted = posted_to(f"smtp://127.0.0.1:{port}")
    assert Posted("again", None, "connecting: ConnectionRefusedError") == posted


def test_a_server_that_drips_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that sends byte after byte is given up after LONGEST seconds in all."""
    monkeypatch.setattr(transport, "LONGEST", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        with to(f"smtp://127.0.0.1:{port}") as smtp:
            results: list[Posted] = []
            sending = Thread(target=lambda: results.append(post(smtp)))
            sending.start()
            connection, _ = listening.accept()
            with connection:
                while sending.is_alive():
                    try:
                        connection.sendall(b"2")
                    except OSError:
                        break
                    time.sleep(0.02)
            sending.join(10)
    assert ["again"] == [posted.state for posted in results]


def test_no_error_names_an_address(server: tuple[Post, str]) -> None:
    """The error leaves out an address that the server's reply contains."""
    smtp_server, place = server
    smtp_server.to_recipient.append("550 5.1.1 <ada@example.org> unknown")
    posted = posted_to(f"smtp://{place}")
    assert "ada" not in (posted.error or "")


def test_a_letter_in_the_folder_is_whole(tmp_path: Path) -> None:
    """Without a mail server a letter is written to the folder as one complete file."""
    settings = Settings.of({"DATA_DIR": str(tmp_path)})
    folder = Folder(settings, lambda: "2026-01-01T12:00:00.000Z")
    assert Posted("sent") == folder.post("abc", "x@example.org", "y@example.org", LETTER)
    (path,) = mail_folder.folder(settings).iterdir()
    assert ("20260101T120000000Z-abc.eml", LETTER) == (path.name, path.read_bytes())
