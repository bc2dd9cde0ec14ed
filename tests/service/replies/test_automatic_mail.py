"""Mail of machines is neither carried out nor answered."""

import pytest

from service.desk import Desk
from service.replies import (
    held_mail,
)
from tests.service.support.post import Post, letter, opened


def _reasons(post: Post) -> list[str]:
    return [mail["reason"] for mail in held_mail.listed(post.desk, post.players[0])]


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
