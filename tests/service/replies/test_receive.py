"""Receiving mail: replies, forgeries and automatic mail."""

import json
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import update

from engine import Refusal
from service.desk import Desk
from service.games import lobby
from service.i18n import catalogue
from service.replies import mailboxes, receive
from service.replies.commands import runner
from store import timestamps
from store.games import games
from store.notify import received_mail
from store.tables import accounts, seats
from tests.service.support.post import MX, PASSED, RECEIVED, letter, opened
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
    assert answer["lines"][0]["result"].startswith("⟦The game is at version 0 and is waiting for")
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


def test_without_a_message_id_the_letter_itself_tells(desk: Desk) -> None:
    """A letter without Message-ID is recognised even if its Received header has changed."""
    post = opened(desk)
    address = post.address()
    raw = letter("keep all", message_id=None)

    assert "answered" == post.take(raw, address)
    assert "seen" == post.take(raw.replace(b"with ESMTPS", b"with ESMTP"), address)


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
    assert "answered" == receive.receive(desk, arrived._replace(passed=True))


def test_others_are_asked_about_once_a_day(desk: Desk) -> None:
    """The owner is asked about one forged reply a day; the others are ignored."""
    post = opened(desk)
    forged = [letter("keep all", **{"from": f"m{n}@evil.example"}) for n in range(5)]
    address = post.address()

    assert ["unsure", *["ignored"] * 4] == [post.take(raw, address) for raw in forged]
    later = post.at(timestamps.later(desk.now(), timedelta(days=1)))
    assert "unsure" == later.take(forged[0], address)
    assert 2 == len(post.answers("letter_unsure"))


def test_an_unconfirmed_address_is_not_written_to(desk: Desk) -> None:
    """A reply from an unconfirmed address is ignored, and no letter is sent."""
    post = opened(desk)
    with desk.database.writing() as tx:
        tx.execute(update(accounts).values(email_confirmed=None))

    assert "ignored" == post.reply("keep all")
    assert [] == post.answers() + post.answers("letter_unsure")


@pytest.mark.parametrize(
    "headers",
    [
        {"auto_submitted": "auto-replied"},
        {"auto_submitted": "auto-generated; owner-email=x"},
        {"precedence": "bulk"},
        {"precedence": "list"},
        {"precedence": "junk"},
        {"return_path": "<>"},
        {"x_autoreply": "yes"},
        {"x_autorespond": "yes"},
        {"list_id": "<a.example.org>"},
        {"x_failed_recipients": "a@example.org"},
        {"content_type": "multipart/report; report-type=disposition-notification"},
        {"subject": "Out of office: Re: your turn"},
        {"subject": "Automatische Antwort: your turn"},
        {"from": "MAILER-DAEMON@example.org"},
    ],
)
def test_machines_are_not_answered(desk: Desk, headers: dict[str, str]) -> None:
    """RFC 3834: automatic mail makes no move and gets no answer."""
    post = opened(desk)
    before = post.moves()

    assert "automatic" == post.take(letter("keep all", **headers), post.address())
    assert before == post.moves()
    assert [] == post.answers() + post.answers("letter_unsure")


def test_the_null_sender_is_not_answered(desk: Desk) -> None:
    """A mail with an empty envelope sender counts as automatic."""
    post = opened(desk)

    assert "automatic" == post.take(letter("keep all"), post.address(), sender="")
    assert "automatic" == post.take(letter("keep all"), post.address(), sender="<>")


def test_a_person_says_that_no_machine_wrote(desk: Desk) -> None:
    """A reply with the header `Auto-Submitted: no` is answered."""
    post = opened(desk)

    assert "answered" == post.reply("keep all", auto_submitted="no")


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
    assert answer["stale"]
    assert runner.OVER == answer["lines"][0]["result"]


def test_what_is_not_meant_for_us_is_answered_once_a_day(desk: Desk) -> None:
    """Mail without a command is answered once; every mistyped command is answered."""
    post = opened(desk)

    assert "answered" == post.reply("Thank you for your mail. I am away.")
    assert "ignored" == post.reply("Thank you for your mail. I am away, still.")
    assert ["answered"] * 3 == [post.reply(f"keep nothing {n}") for n in range(3)]


def test_nobody_is_answered_for_ever(desk: Desk) -> None:
    """Mail whose commands all fail gets a limited number of answers."""
    post = opened(desk)
    became = [post.reply(f"Keep calm, ticket {n} is open") for n in range(30)]

    assert receive.MOST_IN_VAIN == became.count("answered")
    assert 10 == became.count("ignored")


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
    """A move of a resigned player is refused; mail of a former player is ignored."""
    post = opened(desk)
    address = post.address()
    lobby.leave(desk, post.players[0], post.game)
    post.take(letter("keep all"), address)
    assert [False] == [ok for _, ok in post.results()]
    with desk.database.writing() as tx:
        tx.execute(update(seats).where(seats.c.number == 0).values(account=None))

    assert "ignored" == post.take(letter("keep all"), address)


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
