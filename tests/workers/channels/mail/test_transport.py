"""Sending letters by SMTP or into a folder, and how refusals are told apart."""

import socket
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from urllib.parse import quote

import pytest

from service.notify import mail_folder
from service.settings import Settings
from tests.support.waiting import until
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
    with scripted(dialogue) as (received, place):
        _lead(monkeypatch, place)
        posted = posted_to("smtp://nightmail:s3cret@mail.example.org")

    assert Posted("again", None, "connecting: NoEncryption") == posted
    assert [b"EHLO"] == [line.split()[0].upper() for line in received[:1]]
    assert not any(line.upper().startswith(b"AUTH") for line in received)


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
    ("to_recipient", "550 5.1.1 no", Posted("failed", 550, "recipient: 550 5.1.1", "gone")),
    ("to_recipient", "550 No such user here", Posted("failed", 550, "recipient: 550", "gone")),
    ("to_recipient", "553 5.1.3 bad", Posted("failed", 553, "recipient: 553 5.1.3", "gone")),
    ("to_recipient", "550 go away", Posted("failed", 550, "recipient: 550", "other")),
    ("to_recipient", "550 Blocked, no PTR", Posted("again", 550, "recipient: 550", "policy")),
    ("to_recipient", "550 5.7.1 spam", Posted("again", 550, "recipient: 550 5.7.1", "policy")),
    ("to_recipient", "552 5.2.2 full", Posted("again", 552, "recipient: 552 5.2.2", "full")),
    ("to_recipient", "552 5.3.4 big", Posted("failed", 552, "recipient: 552 5.3.4", "too_large")),
    ("to_recipient", "553 5.1.8 sender", Posted("again", 553, "recipient: 553 5.1.8", "ours")),
    ("to_sender", "550 5.7.1 not you", Posted("again", 550, "sender: 550 5.7.1")),
    ("to_sender", "451 4.3.0 later", Posted("again", 451, "sender: 451 4.3.0")),
    ("to_letter", "554 5.6.0 content", Posted("failed", 554, "letter: 554 5.6.0", "other")),
    ("to_letter", "554 5.7.1 spam", Posted("again", 554, "letter: 554 5.7.1", "policy")),
    ("to_letter", "550 5.1.1 nobody", Posted("failed", 550, "letter: 550 5.1.1", "other")),
    ("to_letter", "451 4.3.0 later", Posted("again", 451, "letter: 451 4.3.0")),
]


@pytest.mark.parametrize(
    ("step", "answer", "posted"), ANSWERS, ids=[" ".join(row[:2]) for row in ANSWERS]
)
def test_refusals_are_told_apart(step: str, answer: str, posted: Posted) -> None:
    """Refusals of a sender, for policy, and 4xx are retried; only a missing mailbox is gone."""
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
    with scripted(WHOLE[:], WHOLE[:]) as (received, place), to(f"smtp://{place}") as smtp:
        assert "sent" == post(smtp).state
        smtp._idle[0].cut()
        assert "sent" == post(smtp).state
    assert 2 == sum(b"words" in text for text in received)


WHOLE = [GREETING, HELLO, FINE, FINE, b"354 go on\r\n", FINE]
"""What a server says while a letter is sent."""
TOO_LATE = b"421 4.4.2 idle for too long\r\n"


@pytest.mark.parametrize("unchecked", [0.0, 60.0], ids=["checked", "unchecked"])
@pytest.mark.parametrize("at_once", [True, False], ids=["unasked", "to the next command"])
def test_an_idle_connection_that_ends_with_421_is_opened_anew(
    monkeypatch: pytest.MonkeyPatch, *, at_once: bool, unchecked: float
) -> None:
    """A server that says 421 to an idle connection gets the next letter at the first attempt."""
    monkeypatch.setattr(transport, "IDLE_UNCHECKED", unchecked)
    first = [*WHOLE[:-1], FINE + TOO_LATE] if at_once else [*WHOLE, TOO_LATE]
    with scripted(first, WHOLE[:]) as (received, place), to(f"smtp://{place}") as smtp:
        assert Posted("sent", 250) == post(smtp)
        assert Posted("sent", 250) == post(smtp)
    assert 2 == sum(b"words" in text for text in received)


def test_a_connection_that_is_idle_is_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    """A connection that was idle for a while is used again if the server answers NOOP."""
    monkeypatch.setattr(transport, "IDLE_UNCHECKED", 0.0)
    dialogue = [*WHOLE, FINE, *WHOLE[2:]]
    with scripted(dialogue) as (received, place), to(f"smtp://{place}") as smtp:
        assert ["sent", "sent"] == [post(smtp).state, post(smtp).state]
    assert b"noop\r\n" in received


def test_an_old_connection_is_not_used_again(
    server: tuple[Post, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A connection is replaced when it is old, long before it is cut."""
    smtp_server, place = server
    monkeypatch.setattr(transport, "REUSED_FOR", 0.0)
    with to(f"smtp://{place}") as smtp:
        assert ["sent", "sent"] == [post(smtp).state, post(smtp).state]
    assert 2 == len(smtp_server.sessions)


def test_letters_go_side_by_side(server: tuple[Post, str]) -> None:
    """While one letter waits for the reply to it, another one goes over a second connection."""
    smtp_server, place = server
    smtp_server.accepting.clear()
    with to(f"smtp://{place}") as smtp, ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(post, smtp)
        until(lambda: bool(smtp_server.held), "the first letter")
        assert Posted("sent", 250) == post(smtp, LETTER + b"second\r\n")
        assert not waiting.done()
        smtp_server.accepting.set()
        assert Posted("sent", 250) == waiting.result(10)


def test_closing_ends_a_letter_that_waits(server: tuple[Post, str]) -> None:
    """A transport that is closed does not wait for a server that takes its time."""
    smtp_server, place = server
    smtp_server.accepting.clear()
    with to(f"smtp://{place}") as smtp, ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(post, smtp)
        until(lambda: bool(smtp_server.held), "the letter")
        smtp.close()
        assert "again" == waiting.result(10).state
    smtp_server.accepting.set()


@pytest.mark.parametrize("steps", range(5))
def test_a_server_that_dies_is_tried_again(steps: int) -> None:
    """A letter is retried if the server hangs up at any step."""
    whole = [GREETING, HELLO, FINE, FINE, b"354 go on\r\n"]
    with scripted(whole[:steps], whole[:steps]) as (_, place):
        assert "again" == posted_to(f"smtp://{place}").state


def test_a_server_that_hangs_up_after_a_refusal_has_refused() -> None:
    """A recipient is refused for good, even if the server closes the connection after it."""
    dialogue = [GREETING, HELLO, FINE, b"550 5.1.1 nobody\r\n"]
    with scripted(dialogue) as (_, place):
        assert Posted("failed", 550, "recipient: 550 5.1.1", "gone") == posted_to(f"smtp://{place}")


def test_no_server_at_all_is_tried_again() -> None:
    """A letter is retried if the connection is refused."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    posted = posted_to(f"smtp://127.0.0.1:{port}")
    assert Posted("again", None, "connecting: ConnectionRefusedError") == posted


def test_a_server_that_drips_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that sends byte after byte is given up after CUT_AFTER seconds in all."""
    monkeypatch.setattr(transport, "CUT_AFTER", 0.5)
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
