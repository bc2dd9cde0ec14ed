"""Limits on the letters that mail can cause."""

from datetime import timedelta

import pytest

from service.desk import Desk
from service.replies import (
    answer_limits,
    held_mail,
    mailboxes,
    receive,
)
from store import timestamps
from tests.service.support.post import MX, Post, letter, opened
from tests.service.support.tables import play


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
