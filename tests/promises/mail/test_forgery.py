"""Promise 24: no forged, forwarded, replayed or automatic mail ever makes a move."""

from collections.abc import Iterable, Iterator
from datetime import timedelta
from itertools import product
from pathlib import Path
from typing import NamedTuple

import pytest

from engine import Refusal
from service.replies import answer_limits, incoming_mail, receive, trust
from service.replies.incoming_mail import Header
from store import timestamps
from store.notify import held_mail, received_mail
from tests.service.conftest import desk_at
from tests.service.support.post import MX, PASSED, Post, letter, opened

ADDRESSES = ("right", "wrong", "absent", "other player")
SENDERS = {
    "match": "Ada <seat0@example.org>",
    "tag": "Ada <seat0+games@example.org>",
    "comma": "Lovelace, Ada <seat0@example.org>",
    "tag of another": "Mallory <mallory+seat0@example.org>",
    "tag at another domain": "Ada <seat0+games@evil.example>",
    "two behind a comma": "seat0@example.org, Mallory <mallory@example.org>",
    "name and two": "Lovelace, seat0@example.org, Mallory <mallory@example.org>",
    "group": "Ada: seat0@example.org, Mallory <mallory@example.org>;",
    "other": "Mallory <mallory@example.org>",
    "two": "Ada <seat0@example.org>\r\nFrom: Mallory <mallory@example.org>",
    "display name": "seat0@example.org <mallory@example.org>",
    "comment": "mallory@example.org (seat0@example.org)",
}
VERDICTS = {
    "pass": PASSED,
    "fail": f"{MX}; dmarc=fail (p=none) header.from=example.org",
    "absent": None,
    "forged": "mx.evil.example; dmarc=pass header.from=example.org",
}


OWN = ("match", "tag", "comma")
"""Ways to write the address of the account."""


class Cell(NamedTuple):
    """One of 768 kinds of mail."""

    address: str
    sender: str
    verdict: str
    automatic: bool
    seen: bool


CELLS = [
    Cell(*values) for values in product(ADDRESSES, SENDERS, VERDICTS, (True, False), (True, False))
]
LEGITIMATE = [Cell("right", sender, "pass", automatic=False, seen=False) for sender in OWN]
FORGED = [cell for cell in CELLS if cell not in LEGITIMATE]


def _is_near_miss(cell: Cell) -> bool:
    """Whether a mail is new, not automatic, sent to a player's mailbox, but not proved."""
    known = cell.address in ("right", "other player")
    return known and not cell.automatic and not cell.seen and cell not in LEGITIMATE


class Outcome(NamedTuple):
    """Changes caused by a mail: moves, requests to confirm, answers, and mail that is held."""

    moves: int
    confirmations: int
    answers: int
    held: int


def _outcomes(post: Post, cells: Iterable[Cell]) -> Iterator[tuple[Cell, Outcome]]:
    """Send a mail of each kind, a day apart; yields what each changed."""
    moment = post.desk.now()
    for cell in cells:
        moment = timestamps.later(moment, timedelta(days=1))
        before, held = _counted(post), _held(post)
        _send(post.at(moment), cell)
        moves, confirmations, answers = (b - a for a, b in zip(before, _counted(post), strict=True))
        yield cell, Outcome(moves, confirmations, answers, len(_held(post) - held))


def _counted(post: Post) -> tuple[int, int, int]:
    return post.moves(), len(post.answers("letter_unsure")), len(post.answers())


def _held(post: Post) -> set[str]:
    """The ids of the mail that its owners can see."""
    with post.desk.database.reading() as tx:
        return {mail.id for account in post.players for mail in held_mail.of_account(tx, account)}


def _send(post: Post, cell: Cell) -> None:
    raw = letter(
        "keep all",
        **{"from": SENDERS[cell.sender]},
        authentication_results=VERDICTS[cell.verdict],
        auto_submitted="auto-replied" if cell.automatic else None,
    )
    if cell.verdict == "forged":  # under our own server's name it can only stand further down
        raw = raw.replace(b"\r\nfrom:", f"\r\nAuthentication-Results: {PASSED}\r\nfrom:".encode())
    domain = post.desk.settings.mail_domain
    recipient = {
        "right": post.address(0),
        "wrong": f"{'a' * 26}@{domain}",
        "absent": f"@{domain}",
        "other player": post.address(1),
    }[cell.address]
    if cell.seen:
        digest = receive._digest(incoming_mail.read(raw))
        with post.desk.database.writing() as tx:
            for account in post.players:
                received_mail.add(tx, account, digest, post.desk.now())
    if cell.address in ("wrong", "absent"):
        with pytest.raises(Refusal, match="no such mailbox"):
            post.take(raw, recipient)
    else:
        post.take(raw, recipient)


def test_only_the_legitimate_cells_move(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of 768 kinds of mail three make a move; each near miss is held and leads to one question."""
    monkeypatch.setattr(answer_limits, "MOST_QUESTIONS", 100)  # all are about the same letter
    with desk_at(url, tmp_path) as desk:
        post = opened(desk)
        forged = dict(_outcomes(post, FORGED))
        ((_, legitimate),) = _outcomes(post, LEGITIMATE[:1])

    assert 768 == len(CELLS) == len(forged) + 3
    nothing, near_miss = Outcome(0, 0, 0, 0), Outcome(0, 1, 0, 1)
    assert {cell: near_miss if _is_near_miss(cell) else nothing for cell in FORGED} == forged
    assert 93 == sum(map(_is_near_miss, CELLS))
    assert Outcome(1, 0, 1, 0) == legitimate


@pytest.mark.parametrize("cell", LEGITIMATE, ids=OWN)
def test_each_way_to_write_ones_address_moves(tmp_path: Path, cell: Cell) -> None:
    """The owner's mail makes a move, also with a tag or an unquoted comma in From."""
    with desk_at(f"sqlite:///{tmp_path}/nightmail.db", tmp_path) as desk:
        assert {cell: Outcome(1, 0, 1, 0)} == dict(_outcomes(opened(desk), [cell]))


def _all_of_them(headers: tuple[Header, ...]) -> list[str]:
    return [header.value for header in headers if header.name == "authentication-results"]


def _any_server(value: str, _: str) -> Iterator[tuple[str, str]]:
    return _dmarc(value, value.partition(";")[0])


_dmarc = trust._dmarc


@pytest.mark.parametrize(
    ("name", "fault"),
    [("_trusted_results", _all_of_them), ("_dmarc", _any_server)],
    ids=["trusts what came with the mail", "trusts any server"],
)
def test_a_foreign_verdict_that_is_trusted_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, fault: object
) -> None:
    """Planted fault: if verdicts of other servers are trusted, a forged mail makes a move."""
    monkeypatch.setattr(trust, name, fault)
    forged = Cell("right", "match", "forged", automatic=False, seen=False)
    with desk_at(f"sqlite:///{tmp_path}/nightmail.db", tmp_path) as desk:
        post = opened(desk)
        before = post.moves()
        _send(post, forged)
        moved = post.moves() - before

    assert 1 == moved


def test_a_from_header_that_is_trusted_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Planted fault: if only the first From counts, a mail with two of them makes a move."""
    monkeypatch.setattr(trust, "sender_of", lambda mail: trust.address_in(mail.all("from")[0]))
    with desk_at(f"sqlite:///{tmp_path}/nightmail.db", tmp_path) as desk:
        post = opened(desk)
        before = post.moves()
        _send(post, Cell("right", "two", "pass", automatic=False, seen=False))
        moved = post.moves() - before

    assert 1 == moved


@pytest.mark.parametrize("address", ["lasting", "talk"])
def test_only_certain_mail_counts_at_other_addresses(
    url: str, tmp_path: Path, address: str
) -> None:
    """Where no decision is asked for, too, only certain mail plays, posts or is answered."""
    with desk_at(url, tmp_path) as desk:
        post = opened(desk)
        moment = desk.now()
        senders = [sender for sender in SENDERS if sender not in ("tag", "comma")]
        for seat, sender, verdict, automatic in product((0, 1), senders, VERDICTS, (True, False)):
            moment = timestamps.later(moment, timedelta(days=1))
            now = post.at(moment)
            recipient = {"lasting": now.lasting_address, "talk": now.talk_address}[address](seat)
            raw = letter(
                "keep all" if address == "lasting" else "Good luck, everybody!",
                **{"from": SENDERS[sender]},
                authentication_results=VERDICTS[verdict],
                auto_submitted="auto-replied" if automatic else None,
            )
            before = _changes(post)
            now.take(raw, recipient)
            is_certain = (seat, sender, verdict, automatic) == (0, "match", "pass", False)
            changed = (1, 0, 1) if address == "lasting" else (0, 1, 1)
            expected = changed if is_certain else (0, 0, 0)
            assert expected == tuple(b - a for a, b in zip(before, _changes(post), strict=True))


def _changes(post: Post) -> tuple[int, int, int]:
    """The number of moves, messages and answers."""
    return post.moves(), len(post.messages()), len(post.answers())


def test_a_name_that_hides_an_address_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Planted fault: if any name before the address will do, a second address makes a move."""
    monkeypatch.setattr(trust, "_is_plain", lambda _: True)
    monkeypatch.setitem(SENDERS, "two", "mallory@example.org, Ada <seat0@example.org>")
    with desk_at(f"sqlite:///{tmp_path}/nightmail.db", tmp_path) as desk:
        post = opened(desk)
        before = post.moves()
        _send(post, Cell("right", "two", "pass", automatic=False, seen=False))
        moved = post.moves() - before

    assert 1 == moved


def test_a_tag_before_the_plus_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted fault: if only the domain counts, the mail of a neighbour makes a move."""
    monkeypatch.setattr(
        trust, "is_same_mailbox", lambda a, b: a.partition("@")[2] == b.partition("@")[2]
    )
    with desk_at(f"sqlite:///{tmp_path}/nightmail.db", tmp_path) as desk:
        post = opened(desk)
        before = post.moves()
        _send(post, Cell("right", "tag of another", "pass", automatic=False, seen=False))
        moved = post.moves() - before

    assert 1 == moved
