"""Promise 24: no mail that two parsers may read differently ever makes a move."""

from collections.abc import Callable
from pathlib import Path

import pytest

from service.replies import receive
from tests.service.conftest import desk_at
from tests.service.support.post import MX, PASSED, Post, letter, opened

Edit = Callable[[bytes], bytes]

BREAKS = {
    "CR": b"\r",
    "LF": b"\n",
    "VT": b"\x0b",
    "FF": b"\x0c",
    "FS": b"\x1c",
    "NEL": b"\xc2\x85",
    "LINE SEPARATOR": b"\xe2\x80\xa8",
    "PARAGRAPH SEPARATOR": b"\xe2\x80\xa9",
    "NUL": b"\0",
    "blank line": b"\r\n \t\r\n",
}
"""What some parsers take for the end of a line, and others do not."""


def _put(before: bytes, text: bytes) -> Edit:
    """Insert a text before another."""
    return lambda raw: raw.replace(before, text + before, 1)


def _append(text: bytes) -> Edit:
    return lambda raw: raw + text


def _swap(old: bytes, new: bytes) -> Edit:
    return lambda raw: raw.replace(old, new, 1)


RESULTS = b"authentication-results:"
ODD: dict[str, Edit] = {
    **{f"{name} in a header": _put(b"Re: your", end) for name, end in BREAKS.items()},
    **{f"{name} at the end": _append(BREAKS[name] + b"x") for name in ("CR", "LF", "NUL")},
    "LF for the end of the headers": _swap(b"\r\n\r\n", b"\n\n"),
    "space before the colon": _swap(RESULTS, b"Authentication-Results :"),
    "tab before the colon": _swap(RESULTS, b"Authentication-Results\t:"),
    "space before another colon": _swap(b"subject:", b"Subject :"),
    "folded name": _swap(RESULTS, b"Authentication-Results\r\n :"),
    "folded name in the middle": _swap(RESULTS, b"Authentication-\r\n Results:"),
    "space before the name": lambda raw: b" " + raw,
    "vertical tab before the name": lambda raw: b"\x0b" + raw,
    "no-break space before the colon": _swap(RESULTS, b"Authentication-Results\xc2\xa0:"),
    "byte order mark": lambda raw: b"\xef\xbb\xbf" + raw,
    "no name": _put(b"subject:", b": x\r\n"),
    "no colon": _put(b"subject:", b"nonsense\r\n"),
    "name of two words": _put(b"subject:", b"two words: x\r\n"),
    "name that is not ASCII": _put(b"subject:", "Sübject: x\r\n".encode()),
    "envelope line": lambda raw: b"From seat0@example.org Mon Mar  2 18:30:00 2026\r\n" + raw,
    "second verdict that failed": _put(
        b"received:", f"Authentication-Results: {MX}; dmarc=fail header.from=x\r\n".encode()
    ),
    "second verdict for another domain": _put(
        RESULTS, f"Authentication-Results: {MX}; dmarc=pass header.from=evil.example\r\n".encode()
    ),
}  # fmt: skip
"""Edits that make a letter ambiguous."""


def _sent(post: Post, raw: bytes) -> tuple[str, int, int]:
    """The result for a mail, and how many moves and requests to confirm it caused."""
    moves, confirmations = post.moves(), len(post.answers("letter_unsure"))
    became = post.take(raw, post.address(0))
    return became, post.moves() - moves, len(post.answers("letter_unsure")) - confirmations


def _became(folder: Path, raw: bytes) -> tuple[str, int, int]:
    with desk_at(f"sqlite:///{folder}/nightmail.db", folder) as desk:
        return _sent(opened(desk), raw)


@pytest.mark.parametrize("name", ODD)
def test_an_odd_letter_is_asked_about(tmp_path: Path, name: str) -> None:
    """A letter that other parsers may read differently is not played; its player must confirm."""
    raw = ODD[name](letter("keep all"))

    assert raw != letter("keep all")
    assert ("unsure", 0, 1) == _became(tmp_path, raw)


@pytest.mark.parametrize("name", BREAKS)
@pytest.mark.parametrize("ends", [True, False], ids=["ends the headers", "goes on"])
def test_nobody_writes_in_the_name_of_a_neighbour(tmp_path: Path, name: str, ends: bool) -> None:  # noqa: FBT001  # a table
    """Mallory's mail, which passed DMARC for the domain shared with Ada, is not taken for Ada's.

    Our mail server has seen one From, Mallory's. A From of Ada's that is hidden before it must not
    count.
    """
    line = BREAKS[name]
    hidden = (
        line + b"From: seat0@example.org" + (line * 2 + b"keep all" + line * 2 if ends else b"")
    )
    raw = letter("keep all", **{"from": "Mallory <mallory@example.org>"})
    raw = raw.replace(b"\r\nfrom:", b"\r\nX-Note: x" + hidden + b"\r\nfrom:", 1)

    assert ("unsure", 0, 1) == _became(tmp_path, raw)


def test_two_verdicts_that_agree_are_believed(tmp_path: Path) -> None:
    """A letter with the same verdict twice is accepted."""
    raw = f"Authentication-Results: {PASSED}\r\n".encode() + letter("keep all")

    assert ("answered", 1, 0) == _became(tmp_path, raw)


@pytest.mark.parametrize(
    "change",
    [
        lambda raw: raw.replace(b"\r\n", b"\n"),
        lambda raw: raw.replace(b"; dmarc", b";\r\n\tdmarc"),
        lambda raw: raw.replace(b"subject:", b"X-Empty:\r\nsubject:"),
        lambda raw: raw.replace(b"Re: your", "Re: für".encode()),
        lambda raw: raw.replace(b"Re: your", b"Re: \xfc"),
        lambda raw: raw.rstrip(b"\r\n"),
    ],
    ids=["LF throughout", "folded", "empty header", "UTF-8", "Latin-1", "no end of line"],
)
def test_what_mail_servers_do_is_not_odd(tmp_path: Path, change: Edit) -> None:
    """Line feeds throughout, folded headers, non-ASCII subjects and the like are accepted."""
    assert ("answered", 1, 0) == _became(tmp_path, change(letter("keep all")))


def test_a_vouched_letter_can_be_odd(tmp_path: Path) -> None:
    """An odd letter handed in over HTTP with a passed check makes no move either."""
    raw = letter("keep all").replace(b"Re: your", b"Re:\ryour")
    with desk_at(f"sqlite:///{tmp_path}/nightmail.db", tmp_path) as desk:
        post = opened(desk)
        arrived = receive.IncomingMail(raw, "seat0@example.org", post.address(0), passed=True)

        before = post.moves()

        assert ("unsure", before) == (receive.receive(post.desk, arrived), post.moves())
