"""The reply command for an absence."""

import pytest

from service.desk import Desk
from service.people import accounts
from service.people.tokens import Caller
from tests.service.support.post import Post, opened


def test_an_absence_is_noted(desk: Desk) -> None:
    """The answer confirms an absence with its dates; an absence in the past is refused."""
    post = opened(desk).at("2026-05-01T12:00:00.000Z")
    post.reply("absence 3 Jul - 10 Jul")

    assert [("absence 3 Jul - 10 Jul", True)] == post.results()
    assert "3 Jul 2026 to 10 Jul 2026" in post.answers()[-1]["lines"][0]["result"]
    post.reply("absence 1 Jan 2026 - 2 Jan 2026")
    assert [False] == [ok for _, ok in post.results()]


@pytest.mark.parametrize("days", ["03/07", "3/7 - 10/7", "07/03/2026", "03/07/26"])
def test_an_unclear_month_is_refused(desk: Desk, days: str) -> None:
    """Whether 03/07 is in March or in July nobody can tell; the answer says so."""
    post = opened(desk).at("2026-05-01T12:00:00.000Z")
    post.reply(f"absence {days}")

    assert [(f"absence {days}", False)] == post.results()
    assert "which number is the month" in post.answers()[-1]["lines"][0]["result"]
    assert [] == absences(post)


def absences(post: Post) -> list[dict[str, str]]:
    """The absences of the first player."""
    caller = Caller(post.players[0], "", frozenset())
    listed: list[dict[str, str]] = accounts.me(post.desk, caller)["absences"]
    return listed


def test_absences_are_listed_and_cancelled(desk: Desk) -> None:
    """`absence` lists those to come and changes nothing; `absence cancel` deletes them."""
    post = opened(desk).at("2026-05-01T12:00:00.000Z")
    post.write("absence")
    assert "You have no absences." in post.answers()[-1]["lines"][0]["result"]
    post.write("absence 3 Jul - 10 Jul", "absence 1 Sep", "absence")
    assert "3 Jul 2026 to 10 Jul 2026 and 1 Sep 2026" in post.answers()[-1]["lines"][-1]["result"]
    assert [True, True, False] == [line["changed"] for line in post.answers()[-1]["lines"]]
    post.write("absence cancel")

    assert [] == absences(post)
