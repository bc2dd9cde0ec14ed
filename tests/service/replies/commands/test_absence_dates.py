"""Dates of an absence, as people write them."""

from contextlib import suppress
from datetime import date

import pytest
from babel.dates import get_month_names
from hypothesis import given
from hypothesis import strategies as st

from engine import Refusal
from engine.errors import Unreadable
from engine.notation import plain
from service.desk import Desk
from service.replies.commands import absence, absence_dates
from service.replies.commands.conversation import Conversation, Line, Reply
from tests.service.support.post import opened


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
        ("absence Jul 3 - Jul 10", "3 Jul 2026 to 10 Jul 2026"),
        ("absence July 3rd to July 10th", "3 Jul 2026 to 10 Jul 2026"),
        ("absence July 3-10, 2026", "3 Jul 2026 to 10 Jul 2026"),
        ("absence 3. Juli bis 10. Juli", "3 Jul 2026 to 10 Jul 2026"),
        ("absence vom 3. bis 10. Juli", "3 Jul 2026 to 10 Jul 2026"),
        ("absence 1. März", "1 Mar 2027 to 1 Mar 2027"),
        ("absence 3 juillet - 10 juillet", "3 Jul 2026 to 10 Jul 2026"),
        ("absence du 1er au 10 août", "1 Aug 2026 to 10 Aug 2026"),
        ("absence del 3 al 10 de julio", "3 Jul 2026 to 10 Jul 2026"),
        ("absence 3-10 iulie", "3 Jul 2026 to 10 Jul 2026"),
        ("absence de 3 a 10 de julho", "3 Jul 2026 to 10 Jul 2026"),
        ("absence 30 Dec - 2 Jan 2028", "30 Dec 2027 to 2 Jan 2028"),
        ("absence 29 Feb", "29 Feb 2028 to 29 Feb 2028"),
        ("absence 12/25", "25 Dec 2026 to 25 Dec 2026"),
        ("absence 12/25/2026", "25 Dec 2026 to 25 Dec 2026"),
        ("absence 25/12", "25 Dec 2026 to 25 Dec 2026"),
        ("absence 7/7", "7 Jul 2026 to 7 Jul 2026"),
        ("absence 12/25 - 1/5", "25 Dec 2026 to 5 Jan 2027"),
        ("absence from 12/25/2026 to 12/31/2026", "25 Dec 2026 to 31 Dec 2026"),
        ("absence 25.12.", "25 Dec 2026 to 25 Dec 2026"),
        ("absence 25.12", "25 Dec 2026 to 25 Dec 2026"),
        ("absence 3.7. - 10.7.", "3 Jul 2026 to 10 Jul 2026"),
        ("absence 3.7.-10.7.2027", "3 Jul 2027 to 10 Jul 2027"),
        ("absence 3.-10.7.", "3 Jul 2026 to 10 Jul 2026"),
        ("absence vom 3.7. bis 10. Juli", "3 Jul 2026 to 10 Jul 2026"),
        ("absence 12.25.", None),
        ("absence 25/13", None),
        ("absence 12/25 - 26/12", None),
        ("absence 12/25/26", None),
        ("absence 2026/07/03", None),
        ("absence 3 #7", None),
        ("absence 31.6.", None),
        ("absence 31 Jun", None),
        ("absence 3 jui", None),
        ("absence 3-10", None),
        ("absence 3 Jul - 5 Jul - 10 Jul", None),
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


def test_every_month_is_read_in_every_language() -> None:
    """The full name of each month means that month, in all languages that are read."""
    today = date(2026, 1, 1)
    for language in absence_dates.LANGUAGES:
        for number, name in get_month_names("wide", locale=language).items():
            first, last = absence_dates.read_days(f"5 {name} - 6 {name}", today)
            assert (date(2026, number, 5), date(2026, number, 6)) == (first, last), name


@given(st.text(max_size=60) | st.text("0123456789 -./jul", max_size=20))
def test_any_text_is_read_or_refused(text: str) -> None:
    """Whatever is written, the result is two days in order, or a refusal."""
    with suppress(Unreadable):
        first, last = absence_dates.read_days(text, date(2026, 5, 1))
        assert isinstance(first, date)
        assert isinstance(last, date)
