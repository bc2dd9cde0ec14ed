"""Receiving mail: replies, forgeries and automatic mail."""

import json

import pytest
from sqlalchemy import update

from engine import Refusal
from service.desk import Desk
from service.games import lobby
from service.i18n import catalogue
from service.replies import (
    held_mail,
    incoming_mail,
    mailboxes,
    receive,
    sorting,
)
from service.replies.commands import runner
from store.games import games
from store.notify import received_mail
from store.tables import accounts, seats
from tests.service.support.post import PASSED, Post, letter, opened
from tests.service.support.tables import keep_tickets, play
from tests.service.support.threads import at_once
from tests.support.foreign_readers import foreign

__all__ = ["foreign"]


def test_a_reply_makes_a_move(each_desk: Desk) -> None:
    """The move is made, it is recorded that it came by mail, and the answer says what happened."""
    post = opened(each_desk)
    before = post.moves()

    assert "answered" == post.reply("keep all")
    assert before + 1 == post.moves()
    (answer,) = post.answers()
    assert post.players[0] == answer["account"]
    assert [("keep all", True)] == post.results()
    assert "keeps" in answer["lines"][0]["result"]
    assert "mail" == _last_source(each_desk, post.game)


def test_what_came_of_a_reply_is_told_in_the_language_of_its_writer(
    desk: Desk, foreign: str
) -> None:
    """The results of a reply are in the language of its sender."""
    post = opened(desk)
    with desk.database.writing() as tx:
        tx.execute(update(accounts).where(accounts.c.id == post.players[0]).values(locale=foreign))
    assert "answered" == post.reply("status")
    (answer,) = post.answers()
    assert answer["lines"][0]["result"].startswith("⟦The game is waiting for")
    assert "en" == catalogue.current_language()


def _last_source(desk: Desk, game: str) -> str:
    with desk.database.reading() as tx:
        line = json.loads(games.moves_after(tx, game, -1)[-1].record)
    source: str = line["source"]
    return source


def test_the_same_letter_counts_once(each_desk: Desk) -> None:
    """A letter that is delivered again does nothing and gets no second answer."""
    post = opened(each_desk)
    keep_tickets(each_desk, post.game, post.players)
    raw, address = letter("draw", "draw"), post.address()

    assert "answered" == post.take(raw, address)
    after = post.moves()
    assert ["seen"] * 3 == [post.take(raw, address) for _ in range(3)]
    assert after == post.moves()
    assert 1 == len(post.answers())


def test_the_same_letter_at_once_counts_once(each_desk: Desk) -> None:
    """Eight concurrent deliveries of one letter make one move and one answer."""
    post = opened(each_desk)
    keep_tickets(each_desk, post.game, post.players)
    raw, address = letter("draw"), post.address()
    became = at_once(8, lambda _: post.take(raw, address))

    assert 1 == became.count("answered")
    assert 7 == became.count("seen")
    assert 4 == post.moves()
    assert 1 == len(post.answers())


def test_a_crash_in_the_middle_costs_no_line(
    each_desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If a crash loses the answer, the next delivery sends it and repeats no move."""
    post = opened(each_desk)
    keep_tickets(each_desk, post.game, post.players)
    raw, address = letter("draw", "draw"), post.address()
    with monkeypatch.context() as patch:
        patch.setattr(received_mail, "add", _dies)
        with pytest.raises(SystemError):
            post.take(raw, address)
    assert [] == post.answers()
    assert 5 == post.moves()

    assert "answered" == post.take(raw, address)
    assert 5 == post.moves()
    assert [("draw", True), ("draw", True)] == post.results()


def _dies(*_: object) -> None:
    raise SystemError("killed")


def test_a_letter_to_two_addresses_is_read_at_both(each_desk: Desk) -> None:
    """One mail to two of the player's games is carried out in each, once."""
    post = opened(each_desk)
    other = post.at_open_table()
    raw, boxes = letter("say Hello"), [post.lasting_address(), other.lasting_address()]

    assert ["answered"] * 2 == [post.take(raw, box) for box in boxes]
    assert ["seen"] * 2 == [post.take(raw, box.upper()) for box in boxes]
    assert [["Hello"], ["Hello"]] == [post.messages(), other.messages()]


@pytest.mark.parametrize("results", [PASSED, None])
def test_a_letter_that_an_earlier_release_has_stored_is_recognised(
    desk: Desk, results: str | None
) -> None:
    """A mail that is stored without its address, as carried out or as held, is not read again."""
    post, now = opened(desk), desk.now()
    raw, address = letter("keep all", authentication_results=results), post.address()
    read, box = incoming_mail.read(raw), mailboxes.find(post.desk, address)
    assert box is not None
    with desk.database.writing() as tx:
        if results:
            received_mail.add(tx, post.players[0], receive._digest(read), now)
        else:
            held_mail.hold(tx, box, read, receive._digest(read), sorting.RULES[-1], now)

    assert "seen" == post.take(raw, address)
    assert 1 == post.moves()


def test_without_a_message_id_the_letter_itself_tells(desk: Desk) -> None:
    """A letter without Message-ID is recognised even if its Received header has changed."""
    post = opened(desk)
    address = post.address()
    raw = letter("keep all", message_id=None)

    assert "answered" == post.take(raw, address)
    assert "seen" == post.take(raw.replace(b"with ESMTPS", b"with ESMTP"), address)


def _reasons(post: Post) -> list[str]:
    return [mail["reason"] for mail in held_mail.listed(post.desk, post.players[0])]


def test_an_unknown_mailbox_is_refused(desk: Desk) -> None:
    """Mail to an unknown or malformed address is refused as not found."""
    post = opened(desk)
    local_part, _, domain = post.address().partition("@")
    for recipient in (f"{'a' * 26}@{domain}", f"{local_part}@example.com", local_part, "", "@"):
        with pytest.raises(Refusal) as refusal:
            post.take(letter("keep all"), recipient)
        assert "not_found" == refusal.value.code


def test_an_address_may_come_in_capitals(desk: Desk) -> None:
    """A reply address works in capitals, because some mail servers change the case."""
    post = opened(desk)

    assert "answered" == post.take(letter("keep all"), post.address().upper())


def test_a_late_letter_moves_nothing(desk: Desk) -> None:
    """A reply to an earlier decision makes no move, and the answer says that it is over."""
    post = opened(desk)
    old = post.address()
    keep_tickets(desk, post.game, post.players)
    before = post.moves()

    assert "answered" == post.take(letter("draw"), old)
    assert before == post.moves()
    answer = post.answers()[-1]
    assert runner.OVER == answer["lines"][0]["result"]
    assert runner.OVER == answer["lines"][0]["result"]


def test_a_bouncing_owner_is_played_for_and_not_written_to(desk: Desk) -> None:
    """A move counts although its answer cannot be sent; what changes nothing is held."""
    post = opened(desk)
    with desk.database.writing() as tx:
        tx.execute(update(accounts).values(bounced=desk.now()))
    before = post.moves()

    assert "held" == post.reply("keep calm")
    assert "held" == post.reply("keep all", authentication_results=None)
    assert "unanswered" == post.reply("keep all")
    assert before + 1 == post.moves()
    assert [] == post.answers() + post.answers("letter_unsure")
    assert {"bouncing", "unreachable"} == set(_reasons(post))


def test_a_mail_beyond_the_limits_is_held_without_its_text(desk: Desk) -> None:
    """Of a mail with too many headers nothing is stored but that it came."""
    post = opened(desk)
    raw = b"X: y\r\n" * 600 + letter("keep all")

    assert "held" == post.take(raw, post.address())
    assert "seen" == post.take(raw, post.address())
    (mail,) = held_mail.listed_with_links(post.desk, post.players[0])
    assert ("beyond_limits", [], None) == (mail["reason"], mail["lines"], mail["confirm"])
    assert "ignored" == post.take(raw, "complaints@nightmail.localhost")


def test_a_late_reply_that_is_not_certain_is_held(desk: Desk) -> None:
    """Nobody is asked about a reply to a decision that is over."""
    post = opened(desk)
    old = post.address()
    keep_tickets(desk, post.game, post.players)

    assert "held" == post.take(letter("keep all", authentication_results=None), old)
    assert [] == post.answers("letter_unsure")
    assert ["too_late"] == _reasons(post)


def test_void_addresses_are_unknown(each_desk: Desk) -> None:
    """When a seat's links are made void, its older reply addresses are refused."""
    post = opened(each_desk)
    old = post.address()
    with each_desk.database.writing() as tx:
        tx.execute(update(seats).where(seats.c.number == 0).values(links=1))
        mailboxes.void(tx, post.game, 0)

    assert not receive.accepts(each_desk, old)
    assert old != post.address()
    assert "answered" == post.reply("keep all")


def test_a_seat_that_is_left_answers_nothing(desk: Desk) -> None:
    """A move of a resigned player is refused; mail of a former player is held."""
    post = opened(desk)
    address = post.address()
    lobby.leave(desk, post.players[0], post.game)
    post.take(letter("keep all"), address)
    assert [False] == [ok for _, ok in post.results()]
    with desk.database.writing() as tx:
        tx.execute(update(seats).where(seats.c.number == 0).values(account=None))

    assert "held" == post.take(letter("keep all"), address)
    assert ["no_seat"] == _reasons(post)


def test_a_move_made_elsewhere_in_between_is_not_repeated(desk: Desk) -> None:
    """A reply to a decision that was made elsewhere is refused, although its move is legal."""
    post = opened(desk)
    keep_tickets(desk, post.game, post.players)
    address = post.address()
    play(desk, post.game, post.players[0], "draw")
    before = post.moves()
    post.take(letter("draw"), address)

    assert before == post.moves()
    assert [("draw", False)] == post.results()
