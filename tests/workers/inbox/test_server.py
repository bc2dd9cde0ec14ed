import smtplib
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from service.desk import Away, Desk
from service.replies import receive
from store.database import Database
from tests.service.support.post import Post, letter, opened
from tests.service.support.reports import bounce
from tests.support.child_servers import free_port
from workers.inbox import server as inbox
from workers.inbox.server import Inbox


@contextmanager
def _listening(desk: Desk, protocol: str = "smtp") -> Iterator[tuple[Post, int]]:
    """Run an inbox for a game; yields the game and the port."""
    post, port = opened(desk), free_port()
    bound = replace(post.desk.settings, inbox_bind=f"127.0.0.1:{port}", inbox_protocol=protocol)
    post = post._replace(desk=post.desk._replace(settings=bound))
    server = Inbox(post.desk)
    server.start()
    try:
        yield post, port
    finally:
        server.stop()


@contextmanager
def _speaking(protocol: str, port: int) -> Iterator[smtplib.SMTP]:
    speaker = smtplib.LMTP if protocol == "lmtp" else smtplib.SMTP
    with speaker("127.0.0.1", port, local_hostname="mx.example.net", timeout=20) as client:
        yield client


@pytest.mark.parametrize("protocol", ["smtp", "lmtp"])
def test_a_letter_is_taken_in(each_desk: Desk, protocol: str) -> None:
    """SMTP and LMTP reply 250 to a letter once its move and our answer are stored."""
    with _listening(each_desk, protocol) as (post, port):
        before = post.moves()
        with _speaking(protocol, port) as client:
            assert {} == client.sendmail("seat0@example.org", post.address(), letter("keep all"))
            assert before + 1 == post.moves()
        assert [("keep all", True)] == post.results()


@pytest.mark.parametrize("protocol", ["smtp", "lmtp"])
def test_unknown_mailboxes_are_refused_at_the_door(desk: Desk, protocol: str) -> None:
    """An unknown mailbox is refused with 550 at RCPT, before any of the mail is sent."""
    with _listening(desk, protocol) as (_, port), _speaking(protocol, port) as client:
        client.ehlo_or_helo_if_needed()
        client.mail("x@example.org")
        status, reply = client.rcpt(f"{'a' * 26}@nightmail.localhost")

    assert 550 == status
    assert b"no such mailbox" in reply


def test_lmtp_answers_for_each_recipient(desk: Desk) -> None:
    """RFC 2033: after the mail LMTP replies once for each recipient."""
    with _listening(desk, "lmtp") as (post, port):
        addresses = [post.address(0), post.address(1)]
        with socket.create_connection(("127.0.0.1", port), timeout=20) as line:
            heard = line.makefile("rb")
            heard.readline()
            for reply in (
                "LHLO mx.example.net",
                "MAIL FROM:<seat0@example.org>",
                *(f"RCPT TO:<{address}>" for address in addresses),
                "DATA",
            ):
                line.sendall(f"{reply}\r\n".encode())
                while heard.readline()[3:4] == b"-":
                    pass
            line.sendall(letter("keep all") + b"\r\n.\r\n")
            answers = [heard.readline()[:3] for _ in addresses]

    assert [b"250", b"250"] == answers
    assert 1 == len(post.answers())
    assert 1 == len(post.answers("letter_unsure"))


def test_while_the_database_is_away_the_mail_server_tries_again(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """RCPT and DATA get 451 while the database is away; later the same mail is accepted."""
    with _listening(desk) as (post, port):
        address, raw = post.address(), letter("keep all")
        with _speaking("smtp", port) as client:
            client.ehlo()
            client.mail("seat0@example.org")
            client.rcpt(address)
            with monkeypatch.context() as patch:
                patch.setattr(Database, "reading", _away)
                patch.setattr(Database, "writing", _away)
                assert 451 == client.data(raw)[0]
                client.mail("seat0@example.org")
                assert 451 == client.rcpt(address)[0]
            client.rset()
            assert {} == client.sendmail("seat0@example.org", address, raw)
        assert 1 == len(post.answers())


def _away(*_: object) -> None:
    raise Away("away")


def test_our_own_mistake_loses_no_mail(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """An unexpected exception is answered with 451, so the mail server keeps the mail."""
    with _listening(desk) as (post, port), _speaking("smtp", port) as client:
        monkeypatch.setattr(receive, "receive", lambda *_: 1 / 0)
        with pytest.raises(smtplib.SMTPDataError) as refused:
            client.sendmail("seat0@example.org", post.address(), letter("keep all"))

    assert 451 == refused.value.smtp_code


def test_a_mail_that_is_too_large_is_refused(desk: Desk) -> None:
    """552 refuses a mail by its announced size, and by its real one."""
    with _listening(desk) as (post, port), _speaking("smtp", port) as client:
        address = post.address()
        large = letter("keep all") + b"x" * 70 + b"\r\n" + (b"y" * 70 + b"\r\n") * 20_000
        with pytest.raises(smtplib.SMTPSenderRefused) as refused:
            client.sendmail("seat0@example.org", address, large)
        assert 552 == refused.value.smtp_code
        client.rset()
        client.mail("seat0@example.org")
        client.rcpt(address)
        assert 552 == client.data(large)[0]


def test_a_line_without_an_end_is_cut_off(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """A connection is closed when more than MOST_RECEIVED bytes come without a line end."""
    monkeypatch.setattr(inbox, "MOST_RECEIVED", 100_000)
    with (
        _listening(desk) as (post, port),
        socket.create_connection(("127.0.0.1", port), timeout=20) as line,
    ):
        commands = f"EHLO x\r\nMAIL FROM:<a@example.org>\r\nRCPT TO:<{post.address()}>\r\nDATA\r\n"
        line.sendall(commands.encode())
        with pytest.raises(OSError, match=r"reset|pipe"):
            line.sendall(b"x" * 50_000_000)


def test_only_so_many_connections_are_held(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """A connection above the limit gets 421; once others have closed there is room again."""
    monkeypatch.setattr(inbox, "MOST_CONNECTIONS", 2)
    with _listening(desk) as (_, port):
        with _speaking("smtp", port), _speaking("smtp", port):
            with pytest.raises(smtplib.SMTPConnectError) as refused, _speaking("smtp", port):
                pass
            assert 421 == refused.value.smtp_code
        while True:
            try:
                with _speaking("smtp", port) as client:
                    assert 250 == client.noop()[0]
                    break
            except smtplib.SMTPConnectError:
                continue


def test_a_bounce_is_taken_in_and_not_answered(desk: Desk) -> None:
    """A bounce with the null sender is accepted, and no answer is stored."""
    with _listening(desk) as (post, port), _speaking("smtp", port) as client:
        raw = bounce("5.1.1", "seat0@example.org")
        assert {} == client.sendmail("<>", post.address(), raw)

    assert [] == post.answers() + post.answers("letter_unsure")


def test_it_listens_on_a_socket_file(desk: Desk, tmp_path: Path) -> None:
    """`INBOX_BIND=unix:PATH` makes the inbox listen on a socket file."""
    path = tmp_path / "inbox.sock"
    bound = replace(desk.settings, inbox_bind=f"unix:{path}", inbox_protocol="lmtp")
    server = Inbox(desk._replace(settings=bound))
    server.start()
    try:
        with socket.socket(socket.AF_UNIX) as line:
            line.settimeout(20)
            line.connect(str(path))
            assert line.recv(3) == b"220"
        assert f"unix:{path}" == server.address
    finally:
        server.stop()


def test_an_address_that_is_taken_leaves_nothing_open(desk: Desk) -> None:
    """When the port is taken, starting fails and closes the event loop."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        bound = replace(desk.settings, inbox_bind=f"127.0.0.1:{taken.getsockname()[1]}")
        server = Inbox(desk._replace(settings=bound))
        with pytest.raises(OSError, match="in use"):
            server.start()

    assert server._controller.loop.is_closed()
