"""Replies whose sender is certain, and those whose sender is not."""

from dataclasses import replace

import pytest
from sqlalchemy import update

from service.desk import Desk
from service.replies import (
    held_mail,
    receive,
)
from store.tables import accounts
from tests.service.support.post import MX, PASSED, RECEIVED, Post, confirm, letter, opened


@pytest.mark.parametrize(
    "headers",
    [
        {"authentication_results": None},
        {"authentication_results": f"{MX}; dmarc=fail header.from=example.org"},
        {"authentication_results": "mx.example.com; dmarc=pass header.from=example.org"},
        {"authentication_results": f"{MX}; dmarc=pass header.from=evil.example"},
        {"authentication_results": f"{MX}; spf=pass (dmarc=pass header.from=example.org)"},
        {"authentication_results": f'{MX}; spf=pass smtp.mailfrom="; dmarc=pass header.from=x"'},
        {"authentication_results": f"{MX}; dkim=pass; spf=pass"},
        {"from": "seat1@example.org"},
        {"from": "seat0@example.org <mallory@example.org>"},
        {"from": "<seat0@example.org>@evil.example"},
        {"from": "seat0@example.org (mallory@evil.example)"},
        {"from": "seat0@example.org\r\nFrom: mallory@evil.example"},
        {"from": None},
    ],
)
def test_what_is_not_certain_is_asked_about(desk: Desk, headers: dict[str, str | None]) -> None:
    """A reply that may be forged makes no move, and the account's owner is asked about it."""
    post = opened(desk)
    address, before = post.address(), post.moves()

    assert "unsure" == post.take(letter("keep all", **headers), address)
    assert before == post.moves()
    (answer,) = post.answers("letter_unsure")
    assert post.players[0] == answer["account"]
    assert ["keep all"] == answer["lines"]
    assert post.seat().decision_version == answer["row"].version
    assert [] == post.answers()


def test_without_a_name_for_our_mail_server_nobody_is_certain(desk: Desk) -> None:
    """If MAIL_AUTHSERV is not set, no sender is trusted."""
    post = opened(desk)
    bare = post._replace(desk=desk._replace(settings=replace(desk.settings, mail_authserv=None)))

    assert "unsure" == bare.reply("keep all")


def test_only_what_stands_above_the_first_received_counts(desk: Desk) -> None:
    """An Authentication-Results header below the first Received header is not trusted."""
    post = opened(desk)
    raw = letter("keep all", authentication_results=None, received=None)
    below = f"Received: {RECEIVED}\r\nAuthentication-Results: {PASSED}\r\n".encode()

    assert "unsure" == post.take(below + raw, post.address())


def test_a_mail_that_passed_no_server_proves_nothing(desk: Desk) -> None:
    """Without a Received header no Authentication-Results header is trusted."""
    post = opened(desk)

    assert "unsure" == post.reply("keep all", received=None)


def test_whoever_brings_it_can_vouch(desk: Desk) -> None:
    """A mail without DMARC results is trusted if the caller vouches that DMARC has passed."""
    post = opened(desk)
    raw = letter("keep all", authentication_results=None, received=None)
    arrived = receive.IncomingMail(raw, "x@example.org", post.address())

    assert "unsure" == receive.receive(desk, arrived)
    assert ["dmarc_missing"] == _reasons(post)
    assert "answered" == receive.receive(desk, arrived._replace(passed=True))
    assert [] == _reasons(post)


def _reasons(post: Post) -> list[str]:
    return [mail["reason"] for mail in held_mail.listed(post.desk, post.players[0])]


@pytest.mark.parametrize(
    "sender",
    ["Ada <seat0+games@example.org>", "Lovelace, Ada <seat0@example.org>", "SEAT0@EXAMPLE.ORG"],
)
def test_the_owner_may_write_the_address_differently(desk: Desk, sender: str) -> None:
    """A tag after `+`, an unquoted comma in the name and capitals do not matter."""
    post = opened(desk)

    assert "answered" == post.take(letter("keep all", **{"from": sender}), post.address())


def test_an_account_may_have_a_tag(desk: Desk) -> None:
    """If the account has the address with a tag, a reply from the plain address counts."""
    post = opened(desk)
    confirm(desk, post.players[0], "seat0+games@example.org")

    assert "answered" == post.reply("keep all")


def test_an_unconfirmed_address_is_not_written_to(desk: Desk) -> None:
    """A reply from an unconfirmed address is held, and no letter is sent."""
    post = opened(desk)
    with desk.database.writing() as tx:
        tx.execute(update(accounts).values(email_confirmed=None))

    assert "held" == post.reply("keep all")
    assert [] == post.answers() + post.answers("letter_unsure")
    assert ["no_confirmed_address"] == _reasons(post)
