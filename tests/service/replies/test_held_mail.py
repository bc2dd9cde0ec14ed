"""Mail that was not carried out: what is kept of it, for how long, and for whom."""

from datetime import timedelta

from service import account_deletion, housekeeping
from service.desk import Desk
from service.people.tokens import SCOPES, Caller
from service.replies import held_mail
from service.replies.held_mail import LONGEST_LINE, MOST, RETENTION
from store import tables, timestamps
from tests.service.support.addresses import bounce_address
from tests.service.support.newcomers import rows
from tests.service.support.post import Post, letter, opened
from tests.service.support.tables import play
from tests.service.support.threads import at_once


def _hold(post: Post, *lines: str, sender: str = "eve@evil.example") -> bytes:
    """Receive a mail of another sender, and return it."""
    raw = letter(*lines, **{"from": sender})
    assert post.take(raw, post.address()) in ("unsure", "held")
    return raw


def test_the_owner_sees_what_came_and_why(each_desk: Desk) -> None:
    """A held mail is listed with time, game, reason, sender and lines, the newest first."""
    post = opened(each_desk)
    now = "2026-03-02T18:30:00.000Z"
    _hold(post.at(now), "keep all", "draw")
    _hold(post.at(timestamps.later(now, timedelta(minutes=1))), "keep 1", sender="nonsense")
    newest, oldest = held_mail.listed(each_desk, post.players[0])

    assert "unclear_sender" == newest["reason"]
    assert newest["sender"] is None
    assert {
        "id": oldest["id"],
        "received": now,
        "game": post.game,
        "reason": "another_sender",
        "sentence": "It came from a different address than the one in your account.",
        "sender": "eve@evil.example",
        "lines": ["keep all", "draw"],
    } == oldest
    assert [] == held_mail.listed(each_desk, post.players[1])


def test_only_the_beginning_is_kept(desk: Desk) -> None:
    """At most twenty short lines are stored, without characters that cannot be printed."""
    post = opened(desk)
    _hold(post, "keep \x07\u202eall", "x" * 300, *(f"draw {n}" for n in range(40)))
    (mail,) = held_mail.listed(desk, post.players[0])

    assert all(line.isprintable() for line in mail["lines"])
    assert LONGEST_LINE == len(mail["lines"][1])
    assert 20 == len(mail["lines"])


def test_a_stranger_can_fill_a_list_and_no_more(each_desk: Desk) -> None:
    """Of any number of mails the newest are kept, up to the limit for an account."""
    post = opened(each_desk)
    for n in range(MOST + 5):
        moment = timestamps.later("2026-03-02T00:00:00.000Z", timedelta(minutes=n))
        _hold(post.at(moment), f"draw {n}")
    mails = held_mail.listed(each_desk, post.players[0])

    assert MOST == len(mails) == len(rows(each_desk, tables.held_mail, "id"))
    assert [f"draw {MOST + 4}"] == mails[0]["lines"]


def test_the_same_mail_at_once_is_held_once(each_desk: Desk) -> None:
    """Concurrent deliveries of one mail are held once, and cause one question."""
    post = opened(each_desk)
    raw, address = letter("keep all", authentication_results=None), post.address()
    became = at_once(4, lambda _: post.take(raw, address))

    assert ["seen"] * 3 + ["unsure"] == sorted(became)
    assert 1 == len(post.answers("letter_unsure"))
    assert 1 == len(held_mail.listed(each_desk, post.players[0]))


def test_the_lines_can_be_played_while_the_decision_is_open(desk: Desk) -> None:
    """There is a link to play the lines until the decision is made, and for its owner only."""
    post = opened(desk)
    _hold(post, "keep all")
    (mail,) = held_mail.listed_with_links(desk, post.players[0])
    assert mail["confirm"].startswith(f"{desk.settings.public_url}/letter/")
    assert "confirm" not in held_mail.listed(desk, post.players[0])[0]

    play(desk, post.game, post.players[0], "keep all")
    (mail,) = held_mail.listed_with_links(desk, post.players[0])
    assert mail["confirm"] is None


def test_mail_about_no_game_has_no_link(desk: Desk) -> None:
    """Mail to a bounce address cannot be played."""
    post = opened(desk)
    bounces = bounce_address(desk, post.players[0], "seat0@example.org")
    eve = {"from": "eve@example.org", "authentication_results": None}
    assert "held" == post.take(letter("keep all", **eve), bounces)
    (mail,) = held_mail.listed_with_links(desk, post.players[0])

    assert ("no_game", None) == (mail["reason"], mail["confirm"])


def test_mail_to_a_lasting_address_has_a_link(desk: Desk) -> None:
    """Its lines can be carried out, unless only a part of a line is kept."""
    post = opened(desk)
    for line in ("keep all", "say " + "Hello! " * 40):
        assert "unsure" == post.write(line, authentication_results=None)
    mails = held_mail.listed_with_links(desk, post.players[0])

    assert {"keep all": True, "say": False} == {
        mail["lines"][0].partition(" Hello")[0]: mail["confirm"] is not None for mail in mails
    }


def test_mail_is_deleted_after_two_weeks(each_desk: Desk) -> None:
    """Housekeeping deletes mail that was kept long enough, and no other."""
    post = opened(each_desk)
    now = "2026-03-02T18:30:00.000Z"
    _hold(post.at(now), "keep all")
    almost, late = (
        post.at(timestamps.later(now, RETENTION + timedelta(minutes=minutes))).desk
        for minutes in (-1, 1)
    )
    housekeeping.tidy(almost)
    assert 1 == len(held_mail.listed(each_desk, post.players[0]))

    housekeeping.tidy(late)
    assert [] == rows(each_desk, tables.held_mail, "id")


def test_mail_is_deleted_with_its_account(each_desk: Desk) -> None:
    """Nothing of a held mail is left when the account is deleted."""
    post = opened(each_desk)
    _hold(post, "keep all")
    account_deletion.delete(each_desk, Caller(post.players[0], "token", frozenset(SCOPES), None))

    assert [] == rows(each_desk, tables.held_mail, "id")
