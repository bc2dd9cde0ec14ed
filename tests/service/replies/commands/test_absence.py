"""The reply command for an absence."""

import pytest

from engine import Refusal
from engine.notation import plain
from service.desk import Desk
from service.replies.commands import absence
from service.replies.commands.conversation import Conversation, Line, Reply
from tests.service.support.post import opened


def test_an_absence_is_noted(desk: Desk) -> None:
    """The answer confirms an absence with its dates; an absence in the past is refused."""
    post = opened(desk).at("2026-05-01T12:00:00.000Z")
    post.reply("absence 3 Jul - 10 Jul")

    assert [("absence 3 Jul - 10 Jul", True)] == post.results()
    assert "3 Jul 2026 to 10 Jul 2026" in post.answers()[-1]["lines"][0]["result"]
    post.reply("absence 1 Jan 2026 - 2 Jan 2026")
    assert [False] == [ok for _, ok in post.results()]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("absence 3 Jul - 10 Jul", "3 Jul 2026 to 10 Jul 2026"),
        ("Absence: 3. July – 10. July.", "3 Jul 2026 to 10 Jul 2026"),
        ("absence 3-10 Jul", "3 Jul 2026 to 10 Jul 2026"),
        ("absence 3 Jul to 10 Jul 2026", "3 Jul 2026 to 10 Jul 2026"),
        ("absence 30 Dec - 2 Jan", "30 Dec 2026 to 2 Jan 2027"),
        ("absence 3 Mar", "3 Mar 2027 to 3 Mar 2027"),
        ("absence 2026-07-03 - 2026-07-10", "3 Jul 2026 to 10 Jul 2026"),
        ("absence 2026-07-03", "3 Jul 2026 to 3 Jul 2026"),
        ("absence 31 Jun", None),
        ("absence 3 Foo - 10 Foo", None),
        ("absence tomorrow", None),
        ("absence 10 Jul 2026 - 3 Jul 2026", None),
    ],
)
def test_days_are_understood_as_people_write_them(
    desk: Desk, text: str, expected: str | None
) -> None:
    """On 1 May 2026, a day without a year is the next one to come; unclear dates are refused."""
    post = opened(desk).at("2026-05-01T12:00:00.000Z")
    conversation = Conversation(post.desk, Reply(post.players[0], post.game, 0, [text], "key"))
    line = Line(0, text, plain(text))
    if expected is None:
        with pytest.raises(Refusal):
            absence.record(conversation, line)
    else:
        assert expected in absence.record(conversation, line)
        assert expected in absence.record(conversation, line)
