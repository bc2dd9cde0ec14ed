"""Bounces and complaints about our own mail."""

import pytest
from sqlalchemy import select

from service.desk import Desk
from service.notify import outbox
from service.replies import mailboxes
from store.tables import accounts
from tests.service.support.post import Post, confirm, opened
from tests.service.support.reports import bounce, complaint


def _bounced(post: Post) -> bool:
    with post.desk.database.reading() as tx:
        mine = select(accounts.c.bounced).where(accounts.c.id == post.players[0])
        return tx.scalar(mine) is not None


def test_a_hard_bounce_stops_mail(each_desk: Desk) -> None:
    """A permanent failure marks the account as bounced, and gets no answer."""
    post = opened(each_desk)
    outbox.spread(each_desk)
    back = mailboxes.bounce_address(each_desk, post.players[0], "seat0@example.org")

    assert "bounced" == post.take(bounce("5.1.1", "seat0@example.org"), back, sender="")
    assert _bounced(post)
    assert [] == post.answers() + post.answers("letter_unsure")


@pytest.mark.parametrize(
    ("status", "action"),
    [("4.2.2", "failed"), ("4.4.1", "delayed"), ("5.0.0", "delayed"), ("2.0.0", "delivered")],
)
def test_what_may_still_arrive_stops_nothing(desk: Desk, status: str, action: str) -> None:
    """A soft bounce, a delay or a success counts as automatic mail and stops no mail."""
    post = opened(desk)
    back = mailboxes.bounce_address(desk, post.players[0], "seat0@example.org")
    raw = bounce(status, "seat0@example.org", action)

    assert "automatic" == post.take(raw, back, sender="")
    assert not _bounced(post)


def test_a_bounce_of_an_old_address_stops_nothing(desk: Desk) -> None:
    """A bounce of a former address does not stop mail to the present one."""
    post = opened(desk)
    back = mailboxes.bounce_address(desk, post.players[0], "seat0@example.org")
    confirm(desk, post.players[0], "new@example.org")

    assert "automatic" == post.take(bounce("5.1.1", "seat0@example.org"), back, sender="")
    assert not _bounced(post)


def test_a_bounce_at_a_reply_address_counts_if_it_names_its_account(desk: Desk) -> None:
    """A bounce at a reply address counts only if it names the account's own address."""
    post = opened(desk)
    assert "automatic" == post.take(bounce("5.1.1", "x@example.org"), post.address(), sender="")
    assert not _bounced(post)

    assert "bounced" == post.take(bounce("5.1.1", "Seat0@example.org"), post.address(), sender="")
    assert _bounced(post)


@pytest.mark.parametrize("header", ["Return-Path", "Reply-To"])
def test_a_complaint_stops_mail(desk: Desk, header: str) -> None:
    """A complaint stops mail to the account that the headers of the original mail identify."""
    post = opened(desk)
    named = mailboxes.bounce_address(desk, post.players[0], "seat0@example.org")
    if header == "Reply-To":
        named = f"{post.address()}>\r\nTo: <seat0@example.org"
    raw = complaint("abuse", f"{header}: <{named}>")

    assert "bounced" == post.take(raw, "complaints@nightmail.localhost")
    assert _bounced(post)


@pytest.mark.parametrize("kind", ["not-spam", "auth-failure"])
def test_other_feedback_stops_nothing(desk: Desk, kind: str) -> None:
    """A feedback report that is no complaint counts as automatic mail and stops no mail."""
    post = opened(desk)
    back = mailboxes.bounce_address(desk, post.players[0], "seat0@example.org")
    raw = complaint(kind, f"Return-Path: <{back}>")

    assert "automatic" == post.take(raw, "complaints@nightmail.localhost")
    assert not _bounced(post)


def test_a_person_at_a_bounce_address_is_not_heard(desk: Desk) -> None:
    """A person's mail to a bounce address is neither carried out nor answered."""
    post = opened(desk)
    before = post.moves()
    back = mailboxes.bounce_address(desk, post.players[0], "seat0@example.org")

    assert "held" == post.take(b"From: seat0@example.org\r\n\r\nkeep all\r\n", back)
    assert before == post.moves()
    assert [] == post.answers() + post.answers("letter_unsure")
