"""The headers and the bytes of letters."""

from service.desk import Desk
from service.links import signed_links
from tests.service.support.addresses import bounce_address, reply_address
from tests.workers.correspondence import (
    composed,
    mail,
    room,
)


def test_the_headers_of_a_turn(desk: Desk) -> None:
    """The headers name thread, list, unsubscribe link, reply address, and `auto-generated`."""
    here = room(desk, title="Sunday – übers Land")
    about = here.about("decision_opened")
    letter = composed(desk, about)
    message = mail(desk, about)
    assert letter is not None
    account, seat = here.players[here.awaited], here.awaited
    root = f"<{here.game}.{seat}@nightmail.localhost>"
    assert about.version is not None
    expected = {
        "From": "Nightmail <nightmail@nightmail.localhost>",
        "Reply-To": reply_address(desk, account, here.game, seat, about.version),
        "Message-ID": f"<{about.id}@nightmail.localhost>",
        "In-Reply-To": root,
        "References": root,
        "List-Id": f"<{here.game}.games.nightmail.localhost>",
        "List-Unsubscribe": f"<{signed_links.unsubscribe(desk, account, here.game)}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        "Auto-Submitted": "auto-generated",
        "X-Auto-Response-Suppress": "All",
    }
    assert expected == {name: message[name] for name in expected}
    assert "Sunday – übers Land: Keep at least 2 of these tickets" == message["Subject"]
    assert bounce_address(desk, account, letter.recipient) == letter.sender
    assert message["To"] == letter.recipient


def test_long_headers_are_not_broken(desk: Desk) -> None:
    """`List-Unsubscribe` is neither folded nor encoded, and no line is longer than 998 bytes."""
    here = room(desk)
    letter = composed(desk, here.about("decision_opened"))
    assert letter is not None
    account = here.players[here.awaited]
    link = signed_links.unsubscribe(desk, account, here.game)
    assert f"\r\nList-Unsubscribe: <{link}>\r\n".encode() in letter.message
    assert max(map(len, letter.message.split(b"\r\n"))) <= 998


def test_no_letter_has_a_bare_line_end(desk: Desk) -> None:
    """Every line ends with CRLF, and every byte is ASCII."""
    letter = composed(desk, room(desk).about("decision_opened"), pictures=True)
    assert letter is not None
    assert letter.message.isascii()
    assert b"\n" not in letter.message.replace(b"\r\n", b"")
    assert b"\r" not in letter.message.replace(b"\r\n", b"")


def test_the_same_delivery_is_the_same_letter(desk: Desk) -> None:
    """A delivery that is composed twice gives the same letter with the same id."""
    still = desk._replace(now=lambda: "2026-01-01T12:00:00.000Z")
    here = room(still)
    here.play(12)
    about = here.about("decision_opened")
    first, again = composed(still, about), composed(still, about)
    assert first is not None
    assert again is not None
    assert first._replace(addresses=()) == again._replace(addresses=())
    assert {address.is_stored for address in again.addresses} == {True}
