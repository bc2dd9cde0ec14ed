"""Promise 25: we never take part in a mail loop."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import select

from service.desk import Desk
from service.replies import answer_limits, mailboxes
from store import timestamps
from store.tables import notices
from tests.amounts import amount
from tests.service.conftest import desk
from tests.service.support.addresses import bounce_address
from tests.service.support.post import MX, Post, confirm, letter
from tests.service.support.reports import bounce
from tests.service.support.tables import play, table

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
    back = bounce_address(post.desk, post.players[3], "seat3@example.org")
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


def _talk(post: Post, rounds: int) -> Counter[str]:
    """Let the machines talk to us every hour; count the letters to each account."""
    moment, addresses = "2026-03-02T00:00:00.000Z", _addresses(post)
    for number in range(rounds):
        now = timestamps.later(moment, number * AN_HOUR)
        _round(post.at(now), addresses, number)
    return Counter(account for account, _ in _sent(post))


def test_machines_that_talk_to_us_get_few_letters(desk: Desk) -> None:
    """However often they write, replies of machines to one letter get a fixed number of letters."""
    post = _machines(desk)
    before = post.moves()
    counted = _talk(post, ROUNDS)

    ada, ben = post.players[:2]
    assert {ada: answer_limits.MOST_ANSWERS, ben: answer_limits.MOST_QUESTIONS} == counted
    assert before == post.moves()


def test_a_machine_at_a_lasting_address_gets_few_letters_a_day(desk: Desk) -> None:
    """An autoresponder that writes to the address of a seat is answered a few times a day."""
    post = _machines(desk)
    lasting = mailboxes.lasting(post.desk, post.players[0], post.game, 0, links=0)
    mailboxes.store(post.desk, [lasting])
    for number in range(72):
        now = timestamps.later("2026-03-02T00:00:00.000Z", number * AN_HOUR)
        text = f"I am away, for the {number}th time."
        post.at(now).take(letter(text, **{"from": "seat0@example.org"}), lasting.email)

    assert [answer_limits.MOST_ANSWERS_A_DAY] * 3 == list(Counter(_sent(post)).values())


def test_an_answer_about_the_next_decision_starts_no_loop(desk: Desk) -> None:
    """A machine that answers letters about every decision of a game gets a fixed number for each.

    Its replies to a decision that is over are answered with the address of the next one.
    """
    post = _machines(desk)
    addresses = [post.address(0)]
    for account in post.players:
        play(desk, post.game, account, "keep all")
    addresses.append(post.address(0))
    for number in range(30):
        for address in addresses:
            text = f"I am away, for the {number}th time."
            post.take(letter(text, **{"from": "seat0@example.org"}), address)

    assert {post.players[0]: 2 * answer_limits.MOST_ANSWERS} == Counter(
        account for account, _ in _sent(post)
    )


def test_answering_everything_is_noticed(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted fault: without the limits, 24 mails get 24 letters."""
    monkeypatch.setattr(answer_limits, "_spend", lambda *_: 1)
    counted = _talk(_machines(desk), 24)

    assert [24, 24] == list(counted.values())
