import json
from datetime import timedelta
from typing import Any

import pytest

from service import account_deletion
from service.clocks import deadlines
from service.desk import Desk
from service.games import reading
from service.people import accounts
from service.people.tokens import Caller
from store import tables, timestamps
from tests.service.newcomers import rows
from tests.service.tables import keep_tickets, play, table
from tests.service.timing import Hands, at, by_hand, due_at, seat_at, table_at, told

BOTH = ("2030-01-08", "2030-01-09")
"""Tuesday and Wednesday; the clock of these tests begins on Monday at ten."""


def _away(desk: Desk, account: str, *spans: tuple[str, str], **more: str) -> None:
    said = [{"from": first, "to": last} for first, last in spans]
    caller = Caller(account, "", frozenset())
    accounts.change(desk, caller, {"absences": said, **more})


def _until(desk: Desk, game: str, account: str) -> str:
    """A deadline, to the minute."""
    found = seat_at(desk, game, account).deadline
    assert found is not None
    return found[:16].replace("T", " ")


def _daily(desk: Desk, **more: Any) -> tuple[Desk, Hands, str, list[str]]:
    desk, hands = by_hand(desk)
    game, players = table(desk, "Ada", "Ben", **{"pace": "daily", **more})
    return desk, hands, game, players


def test_an_absence_moves_an_open_decision(each_desk: Desk) -> None:
    """And what the clock does about it: the reminders come later, and the deadline too."""
    desk, hands, game, (ada, ben) = _daily(each_desk)
    tag = reading.game(desk, game, ben)[0]
    _away(desk, ada, BOTH)

    assert "2030-01-10 10:00" == _until(desk, game, ada)
    assert "2030-01-08 10:00" == _until(desk, game, ben)
    assert timestamps.written(at("2030-01-07 22:00")) == due_at(desk, game)[0]
    assert tag != reading.game(desk, game, ben)[0]
    asked = reading.decision(desk, game, ada)
    assert asked is not None
    assert asked["deadline"] == seat_at(desk, game, ada).deadline
    hands.to("2030-01-10T09:00:00.000Z")
    deadlines.sweep(desk)
    assert [ben] == [one["account"] for one in told(desk, "decision_expired")]


def test_a_decision_that_is_asked_in_an_absence_waits(desk: Desk) -> None:
    """Its time begins when whoever has to decide is back."""
    desk, hands, game, (ada, ben) = _daily(desk)
    _away(desk, ada, BOTH)
    keep_tickets(desk, game, [ada, ben])
    hands.to("2030-01-08T12:00:00.000Z")
    play(desk, game, ada, "draw")

    assert "2030-01-11 00:00" == _until(desk, game, ada)


def test_days_are_those_of_the_wall(desk: Desk) -> None:
    """An absence lasts from midnight to midnight where its owner lives."""
    desk, _, game, (ada, ben) = _daily(desk)
    _away(desk, ada, BOTH, time_zone="America/New_York")
    assert "2030-01-10 10:00" == _until(desk, game, ada)
    _away(desk, ben, ("2030-01-07", "2030-01-07"), time_zone="America/New_York")
    assert "2030-01-09 05:00" == _until(desk, game, ben)

    accounts.change(desk, Caller(ben, "", frozenset()), {"time_zone": "UTC"})
    assert "2030-01-09 00:00" == _until(desk, game, ben)


def test_an_absence_can_be_made_shorter(each_desk: Desk) -> None:
    """The deadline comes nearer again, as if it had never been so long."""
    desk, hands, game, (ada, _) = _daily(each_desk)
    _away(desk, ada, ("2030-01-08", "2030-01-20"))
    assert "2030-01-21 10:00" == _until(desk, game, ada)
    hands.to("2030-01-09T08:00:00.000Z")
    _away(desk, ada, BOTH)
    assert "2030-01-10 10:00" == _until(desk, game, ada)
    _away(desk, ada)

    assert "2030-01-09 10:00" == _until(desk, game, ada)


def test_who_takes_an_absence_back_is_not_out_of_time(desk: Desk) -> None:
    """There is an hour left, even if the time would be over without the absence."""
    desk, hands, game, (ada, _) = _daily(desk)
    _away(desk, ada, BOTH)
    hands.to("2030-01-08T23:00:00.000Z")
    _away(desk, ada)

    assert "2030-01-09 00:00" == _until(desk, game, ada)
    assert timestamps.written(at("2030-01-09 00:00")) == due_at(desk, game)[0]


def test_coming_and_going_gains_nothing(desk: Desk) -> None:
    """Whoever announces and takes back all the time, from both ends of the world, has no more."""
    desk, hands, game, (ada, _) = _daily(desk)
    for _ in range(29):
        today = (hands.moment + timedelta(hours=14)).date().isoformat()
        _away(desk, ada, (today, today), time_zone="Pacific/Kiritimati")
        hands.on(minutes=50)
        _away(desk, ada, time_zone="Etc/GMT+12")
        assert "2030-01-08 12:00" > _until(desk, game, ada)
    hands.to("2030-01-08T12:00:00.000Z")
    deadlines.sweep(desk)

    assert 1 == seat_at(desk, game, ada).missed


def test_too_late_is_too_late(desk: Desk) -> None:
    """An absence that is announced when the time is over changes nothing."""
    desk, hands, game, (ada, _) = _daily(desk)
    hands.on(days=1)
    _away(desk, ada, ("2030-01-08", "2030-01-12"))

    assert "2030-01-08 10:00" == _until(desk, game, ada)
    deadlines.sweep(desk)
    assert 1 == seat_at(desk, game, ada).missed


@pytest.mark.parametrize("pace", ["live", {"per_decision": 86400, "absences": False}])
def test_some_games_know_no_absences(desk: Desk, pace: Any) -> None:
    """They say so in their clock, and keep their deadlines."""
    desk, _, game, (ada, _) = _daily(desk, pace=pace)
    before = _until(desk, game, ada)
    _away(desk, ada, ("2030-01-07", "2030-01-09"))

    assert before == _until(desk, game, ada)
    assert json.loads(reading.game(desk, game, ada)[1])["clock"]["absences"] is False


def test_no_absence_stops_a_table_whose_player_has_vanished(desk: Desk) -> None:
    """After three missed deadlines the table does not wait any longer than an hour."""
    desk, hands, game, (ada, ben) = _daily(desk)
    while seat_at(desk, game, ada).missed < 3:
        if seat_at(desk, game, ben).awaited_since:
            play(desk, game, ben, "1")
        hands.on(days=1)
        deadlines.sweep(desk)
    while not seat_at(desk, game, ada).awaited_since:
        play(desk, game, ben, "1")
    before = _until(desk, game, ada)
    _away(desk, ada, (hands()[:10], hands()[:10]))

    assert before == _until(desk, game, ada)


def test_the_table_sees_absences(each_desk: Desk) -> None:
    """Those who sit there do, in UTC; nobody else does, and not in lists."""
    desk, _, game, (ada, ben) = _daily(each_desk)
    _away(desk, ada, BOTH, time_zone="Europe/Paris")
    seen = json.loads(reading.game(desk, game, ben)[1])["players"]

    away = {"from": "2030-01-07T23:00:00.000Z", "to": "2030-01-09T23:00:00.000Z"}
    assert [[away], []] == [player["absences"] for player in seen]
    for page in (
        json.loads(reading.game(desk, game, None)[1]),
        reading.summary(table_at(desk, game)),
    ):
        assert not any("absences" in player for player in page["players"])


def test_old_absences_are_nobodys_business(desk: Desk) -> None:
    """What was over before the game was opened is not shown at its table."""
    desk, hands = by_hand(desk)
    first, (ada, _) = table(desk, "Ada", "Ben", pace="daily")
    _away(desk, ada, BOTH)
    hands.on(days=20)
    second, (cem, _) = table(desk, "Cem", "Dan", pace="daily")

    assert seat_at(desk, first, ada).settings
    assert [] == json.loads(reading.game(desk, second, cem)[1])["players"][0]["absences"]


def test_a_deleted_account_takes_its_absences_with_it(each_desk: Desk) -> None:
    """Nobody sees them any more, and no row holds them."""
    desk, _, game, (ada, ben) = _daily(each_desk)
    _away(desk, ada, BOTH)
    assert BOTH[0] in str(rows(desk, tables.accounts, "settings"))
    account_deletion.delete(desk, Caller(ada, "", frozenset()))

    assert BOTH[0] not in str(rows(desk, tables.accounts, "settings"))
    seen = json.loads(reading.game(desk, game, ben)[1])["players"]
    assert [[], []] == [player["absences"] for player in seen]


def test_days_of_last_year_still_count_for_what_is_open(desk: Desk) -> None:
    """Whoever names only new absences in January loses none of December's days."""
    desk, hands = by_hand(desk, at("2029-12-27 10:00"))
    game, (ada, _) = table(desk, "Ada", "Ben", pace="week")
    _away(desk, ada, ("2029-12-28", "2030-01-03"))
    assert "2030-01-10 10:00" == _until(desk, game, ada)
    hands.to("2030-01-05T10:00:00.000Z")
    _away(desk, ada, ("2030-02-01", "2030-02-02"))

    assert "2030-01-10 10:00" == _until(desk, game, ada)


def test_a_change_that_is_no_absence_moves_nothing(desk: Desk) -> None:
    """No tag changes, and no deadline, when somebody wants fewer mails."""
    desk, _, game, (ada, ben) = _daily(desk)
    before = reading.game(desk, game, ben)[0], _until(desk, game, ada)
    accounts.change(desk, Caller(ada, "", frozenset()), {"notifications": {"mode": "digest"}})

    assert before == (reading.game(desk, game, ben)[0], _until(desk, game, ada))
