"""Bounces and complaints about our own mail."""

import pytest
from sqlalchemy import select, update

from service.desk import Desk
from service.notify import outbox
from store.tables import accounts
from tests.service.support.addresses import bounce_address
from tests.service.support.post import Post, confirm, opened
from tests.service.support.reports import bounce, complaint


def _bounced(post: Post) -> bool:
    with post.desk.database.reading() as tx:
        mine = select(accounts.c.bounced).where(accounts.c.id == post.players[0])
        return tx.scalar(mine) is not None


NOON, ONE = "2026-03-02T12:00:00.000Z", "2026-03-02T13:00:00.000Z"


def _bounce(post: Post, letter: str, at: str, recipient: str | None = None) -> str:
    """Receive a report at this time that a letter to the first player found no mailbox."""
    back = bounce_address(post.desk, post.players[0], "seat0@example.org")
    original = f"Message-ID: <{letter}@nightmail.localhost>"
    report = bounce("5.1.1", "seat0@example.org", original=original)
    return post.at(at).take(report, recipient or back, sender="")


def test_a_hard_bounce_stops_mail(each_desk: Desk) -> None:
    """Two letters that found no mailbox, an hour apart, stop mail, and get no answer."""
    post = opened(each_desk)
    outbox.spread(each_desk)

    assert "bounced" == _bounce(post, "one", NOON)
    assert not _bounced(post)
    assert "bounced" == _bounce(post, "two", ONE)
    assert _bounced(post)
    assert [] == post.answers() + post.answers("letter_unsure")


@pytest.mark.parametrize(
    ("letter", "at"),
    [
        ("one", ONE),
        ("two", "2026-03-02T12:59:59.000Z"),
        ("two", "2026-03-16T12:00:01.000Z"),
    ],
    ids=["the same letter", "too soon", "too late"],
)
def test_what_is_not_repeated_stops_nothing(desk: Desk, letter: str, at: str) -> None:
    """A second report about one letter, within an hour, or after two weeks stops no mail."""
    post = opened(desk)
    _bounce(post, "one", NOON)
    _bounce(post, letter, at)
    assert not _bounced(post)


def test_mail_that_arrives_in_between_starts_the_count_again(desk: Desk) -> None:
    """A reply of the player, or a report of success, makes an earlier bounce void."""
    post = opened(desk)
    _bounce(post, "one", NOON)
    assert "answered" == post.reply("status")
    _bounce(post, "two", ONE)
    assert not _bounced(post)

    back = bounce_address(desk, post.players[0], "seat0@example.org")
    post.take(bounce("2.0.0", "seat0@example.org", "delivered"), back, sender="")
    _bounce(post, "three", "2026-03-02T15:00:00.000Z")
    assert not _bounced(post)


def test_an_address_that_was_never_confirmed_is_marked_at_once(desk: Desk) -> None:
    """A bounce of the letter to a mistyped address is shown to its owner at once."""
    post = opened(desk)
    with desk.database.writing() as tx:
        tx.execute(update(accounts).values(email_confirmed=None))
    _bounce(post, "one", NOON)
    assert _bounced(post)


@pytest.mark.parametrize(
    ("status", "action"),
    [("4.2.2", "failed"), ("4.4.1", "delayed"), ("5.0.0", "delayed"), ("2.0.0", "delivered")],
)
def test_what_may_still_arrive_stops_nothing(desk: Desk, status: str, action: str) -> None:
    """A soft bounce, a delay or a success counts as automatic mail and stops no mail."""
    post = opened(desk)
    back = bounce_address(desk, post.players[0], "seat0@example.org")
    raw = bounce(status, "seat0@example.org", action)

    assert "automatic" == post.take(raw, back, sender="")
    assert not _bounced(post)


def test_a_bounce_of_an_old_address_stops_nothing(desk: Desk) -> None:
    """A bounce of a former address does not stop mail to the present one."""
    post = opened(desk)
    _bounce(post, "one", NOON)
    confirm(desk, post.players[0], "new@example.org")

    assert "automatic" == _bounce(post, "two", ONE)
    assert not _bounced(post)


def test_bounces_of_two_addresses_are_counted_apart(desk: Desk) -> None:
    """One bounce of a former address and one of the present address stop no mail."""
    post = opened(desk)
    _bounce(post, "one", NOON)
    confirm(desk, post.players[0], "new@example.org")
    back = bounce_address(desk, post.players[0], "new@example.org")

    assert "bounced" == post.at(ONE).take(bounce("5.1.1", "new@example.org"), back, sender="")
    assert not _bounced(post)


def test_a_bounce_at_a_reply_address_counts_if_it_names_its_account(desk: Desk) -> None:
    """A bounce at a reply address counts only if it names the account's own address."""
    post = opened(desk)
    for at in (NOON, ONE):
        raw = bounce("5.1.1", "x@example.org", original=f"Message-ID: <{at}@x>")
        assert "automatic" == post.at(at).take(raw, post.address(), sender="")
    assert not _bounced(post)

    for at in (NOON, ONE):
        raw = bounce("5.1.1", "Seat0@example.org", original=f"Message-ID: <{at}@x>")
        assert "bounced" == post.at(at).take(raw, post.address(), sender="")
    assert _bounced(post)


@pytest.mark.parametrize("header", ["Return-Path", "Reply-To"])
def test_a_complaint_stops_mail(desk: Desk, header: str) -> None:
    """A complaint stops mail to the account that the headers of the original mail identify."""
    post = opened(desk)
    named = bounce_address(desk, post.players[0], "seat0@example.org")
    if header == "Reply-To":
        named = f"{post.address()}>\r\nTo: <seat0@example.org"
    raw = complaint("abuse", f"{header}: <{named}>")

    assert "bounced" == post.take(raw, "complaints@nightmail.localhost")
    assert _bounced(post)


@pytest.mark.parametrize("kind", ["not-spam", "auth-failure"])
def test_other_feedback_stops_nothing(desk: Desk, kind: str) -> None:
    """A feedback report that is no complaint counts as automatic mail and stops no mail."""
    post = opened(desk)
    back = bounce_address(desk, post.players[0], "seat0@example.org")
    raw = complaint(kind, f"Return-Path: <{back}>")

    assert "automatic" == post.take(raw, "complaints@nightmail.localhost")
    assert not _bounced(post)


def test_a_person_at_a_bounce_address_is_not_heard(desk: Desk) -> None:
    """A person's mail to a bounce address is neither carried out nor answered."""
    post = opened(desk)
    before = post.moves()
    back = bounce_address(desk, post.players[0], "seat0@example.org")

    assert "held" == post.take(b"From: seat0@example.org\r\n\r\nkeep all\r\n", back)
    assert before == post.moves()
    assert [] == post.answers() + post.answers("letter_unsure")
