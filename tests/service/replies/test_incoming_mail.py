"""Parsing incoming mail."""

import base64
import quopri

import pytest

from service.replies import incoming_mail
from service.replies.incoming_mail import Unreadable
from tests.service.support.post import written_lines


def test_plain_text_comes_before_html() -> None:
    """The plain text is read, the HTML and the attachment are not."""
    parts = [
        'Content-Type: text/plain\r\nContent-Disposition: attachment; filename="a"\r\n\r\nclaim a',
        "Content-Type: text/html\r\n\r\n<p>claim b</p>",
        "Content-Type: text/plain\r\n\r\ndraw",
    ]
    body = "".join(f"--b\r\n{part}\r\n" for part in parts) + "--b--\r\n"

    assert ["draw"] == written_lines(body, "multipart/mixed; boundary=b")


def test_a_mail_inside_a_mail_is_not_read() -> None:
    """Lines of an attached mail are not read."""
    body = (
        "--b\r\nContent-Type: message/rfc822\r\n\r\n"
        "From: eve@example.org\r\nContent-Type: text/plain\r\n\r\nclaim\r\n--b--\r\n"
    )

    assert [] == written_lines(body, "multipart/mixed; boundary=b")


@pytest.mark.parametrize(
    ("body", "encoding"),
    [
        (base64.encodebytes("zürich\n".encode()), "base64"),
        (quopri.encodestring("zürich\n".encode()), "quoted-printable"),
        ("zürich\n".encode(), "8bit"),
        ("zürich\n".encode(), "no such encoding"),
    ],
)
def test_encodings_are_undone(body: bytes, encoding: str) -> None:
    """Transfer encodings are decoded; with an unknown one the bytes are read as they are."""
    coded = f"Content-Transfer-Encoding: {encoding}"

    assert ["zürich"] == written_lines(body, "text/plain; charset=utf-8", coded)


@pytest.mark.parametrize(
    "charset", ["utf-8", "no-such", "punycode", "idna", "hex", "zlib", "utf-7", "iso-8859-12", '"']
)
def test_charsets_may_lie(charset: str) -> None:
    """Text that is not in its charset, or in an unknown one, is read as Windows-1252."""
    assert ["draw ÿ"] == written_lines(b"draw \xff\r\n", f"text/plain; charset={charset}")


@pytest.mark.parametrize(
    "raw",
    [
        b"Subject: x\r\n" * 501,
        b"Content-Type: text/plain\r\n" * 51,
        b"Content-Type: multipart/mixed; boundary=" + b"x" * 3000,
        b"Content-Type: text/plain;\r\n" + b' x="y";\r\n' * 400,
    ],
)
def test_what_no_program_sends_is_not_read(raw: bytes) -> None:
    """Mail with too many headers, too many parts or too long a Content-Type is not read."""
    with pytest.raises(Unreadable):
        incoming_mail.read(raw)
