"""Promise 25: we never take part in a mail loop."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import select

from service.desk import Desk
from service.replies import mailboxes, receive
from store import timestamps
from store.tables import notices
from tests.amounts import amount
from tests.service.conftest import desk
from tests.service.support.post import MX, Post, confirm, letter
from tests.service.support.reports import bounce
from tests.service.support.tables import table

__all__ = ["desk"]

ROUNDS = amount(250, soak=1000)
AN_HOUR = timedelta(hours=1)


def _machines(desk: Desk) -> Post:
    """A game of machines: autoresponders, and one whose mail bounces."""
    desk = desk._replace(settings=replace(desk.settings, mail_authserv=MX))
    game, players = table(desk, "Ada", "Ben", "Cem", "Dee")
    for number, account in enumerate(players):
        confirm(desk, account, f"seat{number}@example.org")
    return Post(desk, game, players)


def _addresses(post: Post) -> list[str]:
    """The addresses to which they send; they stay valid, since no move is made."""
    back = mailboxes.bounce_address(post.desk, post.players[3], "seat3@example.org")
    return [*map(post.address, range(4)), back]


def _round(post: Post, addresses: list[str], number: int) -> None:
    """Let every machine answer what we may have sent."""
    ada, ben, cem, dee, back = addresses
    text = f"Thank you for your mail, which is number {number} here. I am away."
    sent = [
        # An autoresponder that does not say so, and passes DMARC.
        (ada, letter(text, **{"from": "seat0@example.org"}), "seat0@example.org"),
        # An autoresponder without a DMARC verdict.
        (
            ben,
            letter("draw", text, **{"from": "seat1@example.org"}, authentication_results=None),
            "seat1@example.org",
        ),
        # An autoresponder that says so.
        (
            cem,
            letter(text, **{"from": "seat2@example.org"}, auto_submitted="auto-replied"),
            "seat2@example.org",
        ),
        # A mailbox that does not exist.
        (
            back,
            bounce("5.1.1", "seat3@example.org"),
            "",
        ),
        (dee, bounce("4.4.1", "seat3@example.org", "delayed"), ""),
    ]
    for recipient, raw, sender in sent:
        post.take(raw, recipient, sender)


def _sent(post: Post) -> Iterator[tuple[str, str]]:
    """Account and day of each notice that answers a mail."""
    with post.desk.database.reading() as tx:
        query = select(notices).where(notices.c.kind.in_(["letter_answered", "letter_unsure"]))
        for row in tx.execute(query):
            yield row.account, row.at[:10]


def _talk(post: Post, rounds: int) -> Counter[tuple[str, str]]:
    moment, addresses = "2026-03-02T00:00:00.000Z", _addresses(post)
    for number in range(rounds):
        now = timestamps.later(moment, number * AN_HOUR)
        _round(post.at(now), addresses, number)
    return Counter(_sent(post))


def test_machines_that_talk_to_us_get_a_mail_a_day_at_most(desk: Desk) -> None:
    """In many rounds no autoresponder or bouncing address is sent more than one mail a day."""
    post = _machines(desk)
    before = post.moves()
    counted = _talk(post, ROUNDS)

    assert {1} == set(counted.values())
    assert set(post.players[:2]) == {account for account, _ in counted}
    assert before == post.moves()


def test_answering_everything_is_noticed(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted fault: without the daily limit, 24 mails in a day get 24 answers."""
    monkeypatch.setattr(receive, "_spend", lambda *_: True)
    counted = _talk(_machines(desk), 24)

    assert 24 == max(counted.values())
