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
from service.replies import answer_limits, held_mail, mailboxes, receive
from service.replies.commands import runner
from store import timestamps
from store.games import games
from store.notify import received_mail
from store.tables import accounts, seats
from tests.service.support.post import MX, PASSED, RECEIVED, Post, confirm, letter, opened
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
    assert ["dmarc_missing"] == _reasons(post)
    assert "answered" == receive.receive(desk, arrived._replace(passed=True))
    assert [] == _reasons(post)


def test_others_are_asked_about_once_a_day(desk: Desk) -> None:
    """The owner is asked about one forged reply a day; the others are held."""
    post = opened(desk)
    forged = [letter("keep all", **{"from": f"m{n}@evil.example"}) for n in range(6)]
    address = post.address()

    assert ["unsure", *["held"] * 4] == [post.take(raw, address) for raw in forged[:5]]
    later = post.at(timestamps.later(desk.now(), timedelta(days=1)))
    assert "seen" == later.take(forged[0], address)
    assert "unsure" == later.take(forged[5], address)
    assert 2 == len(post.answers("letter_unsure"))
    assert ["another_sender"] * 6 == _reasons(post)


@pytest.mark.parametrize("results", [None, f"{MX}; dmarc=none header.from=example.org"])
def test_each_reply_without_dmarc_gets_its_link(desk: Desk, results: str | None) -> None:
    """A sender whose domain has no DMARC is asked about each reply, within the limit of a letter.

    The last question says that it is the last; further replies are held.
    """
    post = opened(desk)
    most = answer_limits.MOST_QUESTIONS
    became = [
        post.reply(f"keep {n}", authentication_results=results, message_id=f"<{n}@x>")
        for n in range(most + 2)
    ]

    assert ["unsure"] * most + ["held"] * 2 == became
    questions = post.answers("letter_unsure")
    assert [[f"keep {n}"] for n in range(most)] == [question["lines"] for question in questions]
    assert [None] * (most - 1) == [question["note"] for question in questions[:-1]]
    assert answer_limits.LAST_QUESTION == questions[-1]["note"]
    assert ["dmarc_missing"] * (most + 2) == _reasons(post)
    assert "seen" == post.reply("keep 0", authentication_results=results, message_id="<0@x>")


def test_questions_are_counted_for_each_letter(desk: Desk) -> None:
    """Replies to one letter do not use up the questions about another."""
    post = opened(desk)
    for n in range(answer_limits.MOST_QUESTIONS + 1):
        post.reply(f"keep {n}", authentication_results=None)
    play(desk, post.game, post.players[0], "keep all")
    play(desk, post.game, post.players[1], "keep all")

    assert "unsure" == post.reply("draw", authentication_results=None)


def test_a_failed_check_is_asked_about_once_a_day(desk: Desk) -> None:
    """A reply with the owner's address that failed DMARC counts as a stranger's."""
    post = opened(desk)
    failed = f"{MX}; dmarc=fail header.from=example.org"

    became = [post.reply(f"keep {n}", authentication_results=failed) for n in range(3)]
    assert ["unsure", "held", "held"] == became
    assert "held" == post.take(letter("keep all", **{"from": "eve@evil.example"}), post.address())
    vouched = receive.IncomingMail(letter("keep all"), "x@example.org", post.address(), failed=True)
    assert "held" == receive.receive(post.desk, vouched)
    assert "dmarc_failed" == _reasons(post)[0]


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
    assert [] == _reasons(post)


def test_what_only_looks_automatic_is_held(desk: Desk) -> None:
    """A mail that only its subject marks as automatic is not answered, but its owner can see it."""
    post = opened(desk)
    before = post.moves()

    assert "held" == post.reply("keep all", subject="Automatische Antwort: your turn")
    assert before == post.moves()
    assert [] == post.answers() + post.answers("letter_unsure")
    assert ["automatic_subject"] == _reasons(post)


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


def test_answers_in_vain_are_counted_for_each_letter(desk: Desk) -> None:
    """Replies that change nothing are answered within the limit of the letter that they answer.

    The last answer says that it is the last; further ones are held.
    """
    post = opened(desk)
    most = answer_limits.MOST_ANSWERS
    became = [post.reply(f"Thank you, this is number {n}.") for n in range(most + 3)]

    assert ["answered"] * most + ["held"] * 3 == became
    notes = [answer["note"] for answer in post.answers()]
    assert [None] * (most - 1) + [answer_limits.LAST_ANSWER] == notes
    assert ["answered_enough"] * 3 == _reasons(post)
    assert "answered" == post.reply("help", number=1)


def test_questions_have_a_limit_of_their_own(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Questions that are understood are counted for each day, whatever letter they answer.

    They use up nothing of what is left for replies that are not understood, and the other way
    round. The last answer says that it is the last; further ones are held.
    """
    most = answer_limits.MOST_ANSWERS + 2
    monkeypatch.setattr(answer_limits, "MOST_UNDERSTOOD_A_DAY", most)
    post = opened(desk).at("2026-03-02T00:00:00.000Z")
    commands = ["board", "status", "help"] * most
    became = [post.reply(command) for command in commands[: most + 1]]

    assert ["answered"] * most + ["held"] == became
    notes = [answer["note"] for answer in post.answers()]
    assert [None] * (most - 1) + [answer_limits.LAST_UNDERSTOOD] == notes
    assert "held" == post.write("status")
    assert "answered" == post.reply("status", "I am away for a while.")
    assert "answered" == post.at("2026-03-03T00:00:00.000Z").reply("status")
    assert "answered" == post.reply("keep all")


def test_a_move_is_answered_after_any_number_of_unreadable_replies(desk: Desk) -> None:
    """A reply with a move that works is always answered, and the next letter has its own limit."""
    post = opened(desk)
    for n in range(answer_limits.MOST_ANSWERS + 3):
        post.reply(f"keep calm, ticket {n} is open")

    assert "answered" == post.reply("keep all")
    assert [("keep all", True)] == post.results()
    assert post.answers()[-1]["note"] is None
    post.reply("keep all", number=1)
    assert "answered" == post.reply("I draw a card, please, thank you")


def test_answers_at_a_lasting_address_are_counted_for_each_day(desk: Desk) -> None:
    """Mail to the address of a seat that is not understood is answered some times a day."""
    post = opened(desk)
    lasting = mailboxes.lasting(desk, post.players[0], post.game, 0, links=0)
    mailboxes.store(desk, [lasting])
    most, day = answer_limits.MOST_ANSWERS_A_DAY, "2026-03-02T00:00:00.000Z"
    today, tomorrow = post.at(day), post.at(timestamps.later(day, timedelta(days=1)))
    became = [today.take(letter(f"I am away {n}"), lasting.email) for n in range(most + 1)]

    assert ["answered"] * most + ["held"] == became
    assert answer_limits.LAST_ANSWER_TODAY == post.answers()[-1]["note"]
    assert "answered" == tomorrow.take(letter("status"), lasting.email)
    unsure = tomorrow.take(letter("status", authentication_results=None), lasting.email)
    assert ("unsure", "dmarc_missing") == (unsure, _reasons(post)[0])


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
