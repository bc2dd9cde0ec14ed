from datetime import date
from typing import Any

import pytest
from icalendar import Calendar

from service import account_deletion
from service.clocks import calendar
from service.desk import Desk
from service.links import signed_links
from service.people import accounts
from service.people.tokens import Caller
from service.refusals import Refused
from tests.service.support.tables import keep_tickets, play, table
from tests.service.support.timing import at, by_hand


def _token(desk: Desk, account: str, number: int = 0) -> str:
    return _in(signed_links.calendar(desk, account, number))


def _in(link: str) -> str:
    return link.rpartition("/")[2].removesuffix(".ics")


def _events(desk: Desk, account: str) -> list[Any]:
    text = calendar.feed(desk, _token(desk, account)).text.decode()
    return list(Calendar.from_ical(text).walk("VEVENT"))


def test_a_deadline_is_an_event(each_desk: Desk) -> None:
    """The event has the game's title, URL and deadline; a player who is not awaited has none."""
    desk, _ = by_hand(each_desk)
    game, (ada, ben) = table(desk, "Ada", "Ben", pace="daily", title="Evening, train; 9")
    keep_tickets(desk, game, [ada, ben])
    (event,) = _events(desk, ada)

    assert "Your move in Evening, train; 9" == event["summary"]
    assert at("2030-01-08 10:00") == event["dtstart"].dt
    assert f"http://127.0.0.1:8000/v1/games/{game}" == event["url"]
    assert f"{game}-0-2@{desk.settings.mail_domain}" == event["uid"]
    assert [] == _events(desk, ben)


def test_an_absence_is_an_event_of_whole_days(desk: Desk) -> None:
    """An absence is an all-day event that ends on the day after its last day, as in iCalendar."""
    desk, _ = by_hand(desk)
    _, (ada, _) = table(desk, "Ada", "Ben", pace="none")
    away = [{"from": "2030-07-01", "to": "2030-07-03"}]
    accounts.change(desk, Caller(ada, "", frozenset()), {"absences": away})
    (event,) = _events(desk, ada)

    assert (date(2030, 7, 1), date(2030, 7, 4)) == (event["dtstart"].dt, event["dtend"].dt)


def test_a_calendar_has_the_same_tag_until_it_changes(desk: Desk) -> None:
    """The tag changes with a move, not with time, and the next decision is another event."""
    desk, hands = by_hand(desk)
    game, (ada, ben) = table(desk, "Ada", "Ben", pace="daily")
    keep_tickets(desk, game, [ada, ben])
    before, uid = calendar.feed(desk, _token(desk, ada)), _events(desk, ada)[0]["uid"]
    hands.on(hours=5)
    assert before == calendar.feed(desk, _token(desk, ada))
    play(desk, game, ada, "draw")

    assert before.tag != calendar.feed(desk, _token(desk, ada)).tag
    assert uid != _events(desk, ada)[0]["uid"]


def test_a_moved_deadline_is_the_same_event(desk: Desk) -> None:
    """An event whose deadline has moved keeps its UID."""
    desk, _ = by_hand(desk)
    _, (ada, _) = table(desk, "Ada", "Ben", pace="daily")
    before = _events(desk, ada)[0]
    away = [{"from": "2030-01-08", "to": "2030-01-08"}]
    accounts.change(desk, Caller(ada, "", frozenset()), {"absences": away})
    after = _events(desk, ada)[0]

    assert before["uid"] == after["uid"]
    assert (8, 9) == (before["dtstart"].dt.day, after["dtstart"].dt.day)


def test_only_a_signed_link_opens_a_calendar(desk: Desk) -> None:
    """Forged links, links of another kind and those of a deleted account are refused."""
    _, (ada, _) = table(desk, "Ada", "Ben")
    token = _token(desk, ada)
    other = signed_links.unsubscribe(desk, ada, None).rpartition("/")[2]
    assert calendar.feed(desk, token)
    account_deletion.delete(desk, Caller(ada, "", frozenset()))
    for wrong in (token, token[:-1], "x" + token, other, ada, ""):
        with pytest.raises(Refused) as refused:
            calendar.feed(desk, wrong)
        assert "not_found" == refused.value.code


def test_a_new_link_makes_the_old_one_void(each_desk: Desk) -> None:
    """Only an account's newest link opens; repeating a request adds none; others' links stay."""
    _, (ada, ben) = table(each_desk, "Ada", "Ben")
    caller = Caller(ada, "", frozenset())
    accounts.change(each_desk, caller, {"challenges": True})
    old, bens = _token(each_desk, ada), _token(each_desk, ben)
    first = calendar.renew(each_desk, caller, "a key")
    assert first == calendar.renew(each_desk, caller, "a key")
    fresh = calendar.renew(each_desk, caller, None)

    assert fresh["calendar"] == accounts.me(each_desk, caller)["calendar"]
    assert calendar.feed(each_desk, _in(fresh["calendar"]))
    assert calendar.feed(each_desk, bens)
    for void in (old, _in(first["calendar"]), _token(each_desk, ada, 3)):
        with pytest.raises(Refused) as refused:
            calendar.feed(each_desk, void)
        assert "not_found" == refused.value.code
    changed = accounts.change(each_desk, caller, {"challenges": False})
    assert fresh["calendar"] == changed["calendar"]


def test_nothing_private_stands_in_a_calendar(desk: Desk) -> None:
    """A calendar contains no name, mail address, token or option."""
    made = accounts.create(desk, {"name": "Ada Byron", "email": "ada@example.org"}, None)
    game, (ada, _) = table(desk, "Cem", "Dan", pace="daily")
    text = calendar.feed(desk, _token(desk, ada)).text.decode()

    assert game in text
    for secret in ("Cem", "Dan", "Ada", "example.org", made["token"]["token"], "tickets"):
        assert secret not in text
