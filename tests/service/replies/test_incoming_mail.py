import base64
import quopri

import pytest

from service.replies import incoming_mail, quoting, trust
from service.replies.incoming_mail import Unreadable
from tests.service.post import MX


def _mail(body: str | bytes, kind: str = "text/plain; charset=utf-8", *more: str) -> bytes:
    head = ["From: ada@example.org", f"Content-Type: {kind}", *more, "", ""]
    return "\r\n".join(head).encode() + (body if isinstance(body, bytes) else body.encode())


def _lines(body: str | bytes, kind: str = "text/plain; charset=utf-8", *more: str) -> list[str]:
    return list(incoming_mail.read(_mail(body, kind, *more)).lines)


QUOTATIONS = [
    "On Fri, 3 Jul 2026 at 10:00, Nightmail <x@example.net> wrote:",
    "On Fri, 3 Jul 2026 at 10:00, Nightmail\r\n<x@example.net> wrote:",
    "On Fri, 3 Jul 2026\r\nat 10:00, Nightmail <x@example.net>\r\nwrote:",
    "Am Fr., 3. Juli 2026 um 10:00 Uhr schrieb Nightmail <x@example.net>:",
    "Am Fr., 3. Juli 2026 um 10:00 Uhr schrieb Nightmail <\r\nx@example.net>:",
    "Le ven. 3 juil. 2026 à 10:00, Nightmail <x@example.net> a écrit :",
    "El vie, 3 jul 2026 a las 10:00, Nightmail (<x@example.net>) escribió:",
    "Op vr 3 jul. 2026 om 10:00 schreef Nightmail <x@example.net>:",
    "Il giorno ven 3 lug 2026 Nightmail <x@example.net> ha scritto:",
    "2026年7月3日 Nightmail <x@example.net> 写道\N{FULLWIDTH COLON}",
    "________________________________\r\nFrom: Nightmail",
    "-----Original Message-----\r\nFrom: Nightmail",
    "From: Nightmail <x@example.net>\r\nSent: Friday\r\nTo: Ada",
    "*Von:* Nightmail <x@example.net>\r\n*Gesendet:* Freitag",
    "De : Nightmail\r\nEnvoyé : vendredi",
    f"--- {quoting.MARKER.capitalize()} ---",
    f"> --- {quoting.MARKER} ---",
    "-- \r\nAda Lovelace",
    "--\r\nAda Lovelace",
    "Sent from my telephone",
    "Gesendet von meinem Telefon",
]


@pytest.mark.parametrize("quotation", QUOTATIONS)
def test_only_what_stands_above_a_quotation_is_read(quotation: str) -> None:
    """However a mail program begins what it quotes, the lines before stay whole."""
    body = f"take 3\r\n\r\n  draw  \r\n\r\n{quotation}\r\nclaim this\r\n> claim that\r\n"

    assert ["take 3", "draw"] == _lines(body)


def test_quoted_lines_are_left_out() -> None:
    """Also where nothing announces them."""
    assert ["draw"] == _lines("> claim this\r\n>> claim that\r\ndraw\r\n")


def test_moves_are_not_taken_for_quotations() -> None:
    """What the notation knows is read, though words of it look like those of headers."""
    moves = ["to-day", "claim de moines-omaha with 2 red", "absence 3 Jul - 10 Jul", "on", "1"]

    assert moves == _lines("\r\n".join(moves))


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        ("<p>take&nbsp;3</p><div>draw</div><blockquote>claim</blockquote>", ["take 3", "draw"]),
        ('<div>draw</div><div class="gmail_quote">On … wrote:<br>claim</div>', ["draw"]),
        ('<div>draw</div><div id="divRplyFwdMsg"><b>From:</b> x</div>', ["draw"]),
        ("<HTML><HEAD><STYLE>p{}</STYLE></HEAD><BODY>draw<BR>draw</BODY>", ["draw", "draw"]),
        ("dr<b>a</b>w<!-- claim --><script>claim</script>", ["draw"]),
        ("draw<script>claim", ["draw"]),
        ("draw<!-- claim", ["draw"]),
        ("draw < claim", ["draw"]),
        ("2 &lt; 3 &amp; &#100;raw &#999999999999;", ["2 < 3 & draw \ufffd"]),
        ("", []),
    ],
)
def test_html_is_read_as_it_is_shown(page: str, expected: list[str]) -> None:
    """Line by line, without what nobody sees and without what is quoted."""
    assert expected == _lines(page, "text/html; charset=utf-8")


def test_plain_text_comes_before_html() -> None:
    """And an attachment is not read at all."""
    parts = [
        'Content-Type: text/plain\r\nContent-Disposition: attachment; filename="a"\r\n\r\nclaim a',
        "Content-Type: text/html\r\n\r\n<p>claim b</p>",
        "Content-Type: text/plain\r\n\r\ndraw",
    ]
    body = "".join(f"--b\r\n{part}\r\n" for part in parts) + "--b--\r\n"

    assert ["draw"] == _lines(body, "multipart/mixed; boundary=b")


def test_a_mail_inside_a_mail_is_not_read() -> None:
    """What somebody else wrote and this mail brings along says nothing."""
    body = (
        "--b\r\nContent-Type: message/rfc822\r\n\r\n"
        "From: eve@example.org\r\nContent-Type: text/plain\r\n\r\nclaim\r\n--b--\r\n"
    )

    assert [] == _lines(body, "multipart/mixed; boundary=b")


def test_broken_lines_are_joined_as_they_were() -> None:
    """RFC 3676: a line that ends with a space goes on in the next."""
    body = "claim zurich-venezia with 2 green and 1 \r\nlocomotive\r\ndraw\r\n"

    assert ["claim zurich-venezia with 2 green and 1 locomotive", "draw"] == _lines(
        body, "text/plain; format=flowed"
    )


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
    """What was written is read, however it was wrapped."""
    coded = f"Content-Transfer-Encoding: {encoding}"

    assert ["zürich"] == _lines(body, "text/plain; charset=utf-8", coded)


@pytest.mark.parametrize(
    "charset", ["utf-8", "no-such", "punycode", "idna", "hex", "zlib", "utf-7", "iso-8859-12", '"']
)
def test_charsets_may_lie(charset: str) -> None:
    """Whatever is claimed, plain letters are read and nothing breaks."""
    assert ["draw \ufffd"] == _lines(b"draw \xff\r\n", f"text/plain; charset={charset}")


def test_controls_become_spaces() -> None:
    """Nothing that turns text around or ends a line reaches an answer."""
    assert ["draw \N{MIDDLE DOT} x y"] == _lines("draw \N{MIDDLE DOT}\u202e x\x1b\x00\u2028y")


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("ada@example.org", "ada@example.org"),
        ("<Ada@Example.ORG>", "ada@example.org"),
        ("Ada Lovelace <ada@example.org>", "ada@example.org"),
        ('"ada@evil.example" <ada@example.org>', "ada@example.org"),
        ("=?utf-8?q?Ad=C3=A1?= <ada@example.org>", "ada@example.org"),
        ("alice@example.org <bob@evil.example>", None),
        ("<alice@example.org>@evil.example", None),
        ("<alice@example.org> <bob@evil.example>", None),
        ("alice@example.org, bob@evil.example", None),
        ("alice@example.org (bob@evil.example)", None),
        ("(comment) alice@example.org", None),
        ('"x" <alice@example.org> "y"', None),
        ('"a"b" <alice@example.org>', None),
        ("Friends: alice@example.org;", None),
        ("alice @example.org", None),
        ("< alice@example.org>", None),
        ('"alice bob"@example.org', None),
        ("", None),
    ],
)
def test_an_address_is_read_in_one_way_or_not_at_all(said: str, expected: str | None) -> None:
    """Threat 6: no display name, comment or second address makes one look like another."""
    assert expected == trust.address_in(said)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (f"{MX}; dmarc=pass header.from=example.org", True),
        (f"{MX} 1; spf=fail; dmarc=pass (p=none) header.from=example.org", True),
        (f"{MX.upper()};\r\n\tdkim=pass;\r\n\tdmarc = pass header.from = Example.org", True),
        (f"{MX}; dmarc=pass", False),
        (f"{MX}; dmarc=pass header.from=example.org; dmarc=fail header.from=example.org", False),
        (f"{MX}; dmarc=pass header.from=sub.example.org", False),
        (f"{MX}; (dmarc=pass header.from=example.org)", False),
        (f"{MX}; spf=pass smtp.mailfrom=x dmarc=pass header.from=example.org", False),
        (f'{MX}; spf=pass reason="; dmarc=pass header.from=example.org"', False),
        (f"{MX}.evil.example; dmarc=pass header.from=example.org", False),
        (f"evil.example ({MX}); dmarc=pass header.from=example.org", False),
        (f"; {MX}; dmarc=pass header.from=example.org", False),
        ("none", False),
    ],
)
def test_a_verdict_is_read_exactly(value: str, expected: bool) -> None:  # noqa: FBT001  # a table
    """RFC 8601: only our own server, only DMARC, only the domain of From."""
    raw = f"Authentication-Results: {value}\r\nReceived: by {MX}\r\nFrom: a@example.org\r\n\r\n"
    letter = incoming_mail.read(raw.encode())

    assert expected == trust.passed_dmarc(letter, MX, "example.org")


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
    """Too many headers, too many parts, or a header of a part that is too long."""
    with pytest.raises(Unreadable):
        incoming_mail.read(raw)
