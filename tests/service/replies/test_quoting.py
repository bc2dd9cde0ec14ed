"""The lines of a reply above the quotation and the signature."""

import pytest

from service.replies import quoting
from tests.service.support.post import written_lines

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
    f"*--- {quoting.MARKER} ---*",
    "-- \r\nAda Lovelace",
    "--\r\nAda Lovelace",
    "Sent from my telephone",
    "Gesendet von meinem Telefon",
]


@pytest.mark.parametrize("quotation", QUOTATIONS)
def test_only_what_stands_above_a_quotation_is_read(quotation: str) -> None:
    """The lines above the quotation are read, however a mail program introduces it."""
    body = f"take 3\r\n\r\n  draw  \r\n\r\n{quotation}\r\nclaim this\r\n> claim that\r\n"

    assert ["take 3", "draw"] == written_lines(body)


def test_quoted_lines_are_left_out() -> None:
    """Lines that begin with > are left out, even without an introduction."""
    assert ["draw"] == written_lines("> claim this\r\n>> claim that\r\ndraw\r\n")


def test_moves_are_not_taken_for_quotations() -> None:
    """Moves are read even if they contain words that look like headers."""
    moves = ["to-day", "claim de moines-omaha with 2 red", "absence 3 Jul - 10 Jul", "on", "1"]

    assert moves == written_lines("\r\n".join(moves))


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
        ("draw < claim", ["draw < claim"]),
        ("2 &lt; 3 &amp; &#100;raw &#999999999999;", ["2 < 3 & draw \ufffd"]),
        ("", []),
    ],
)
def test_html_is_read_as_it_is_shown(page: str, expected: list[str]) -> None:
    """HTML is read line by line, without hidden elements and quotations."""
    assert expected == written_lines(page, "text/html; charset=utf-8")


def test_broken_lines_are_joined_as_they_were() -> None:
    """RFC 3676: a line that ends with a space goes on in the next."""
    body = "claim zurich-venezia with 2 green and 1 \r\nlocomotive\r\ndraw\r\n"

    assert ["claim zurich-venezia with 2 green and 1 locomotive", "draw"] == written_lines(
        body, "text/plain; format=flowed"
    )


def test_controls_become_spaces() -> None:
    """Control characters, direction overrides and line separators become spaces."""
    assert ["draw \N{MIDDLE DOT} x y"] == written_lines(
        "draw \N{MIDDLE DOT}\u202e x\x1b\x00\u2028y"
    )
