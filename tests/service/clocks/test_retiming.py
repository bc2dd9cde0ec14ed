"""Deadlines of open decisions after a change of absences."""

from datetime import timedelta

from service.clocks import deadlines
from service.desk import Desk
from service.games import reading
from service.people import accounts
from service.people.tokens import Caller
from store import timestamps
from tests.service.support.daily_games import BOTH_DAYS, daily_game, deadline_of, set_absences
from tests.service.support.timing import at, due_at, notices_of, seat_at


def test_an_absence_moves_an_open_decision(each_desk: Desk) -> None:
    """An absence moves the deadline of its owner and no other, and changes the game's tag."""
    desk, hands, game, (ada, ben) = daily_game(each_desk)
    tag = reading.game(desk, game, ben)[0]
    set_absences(desk, ada, BOTH_DAYS)

    assert "2030-01-10 10:00" == deadline_of(desk, game, ada)
    assert "2030-01-08 10:00" == deadline_of(desk, game, ben)
    assert timestamps.written(at("2030-01-07 22:00")) == due_at(desk, game)[0]
    assert tag != reading.game(desk, game, ben)[0]
    decision = reading.decision(desk, game, ada)
    assert decision is not None
    assert decision["deadline"] == seat_at(desk, game, ada).deadline
    hands.to("2030-01-10T09:00:00.000Z")
    deadlines.sweep(desk)
    assert [ben] == [notice["account"] for notice in notices_of(desk, "decision_expired")]


def test_days_are_those_of_the_wall(desk: Desk) -> None:
    """An absence lasts from midnight to midnight in its owner's time zone."""
    desk, _, game, (ada, ben) = daily_game(desk)
    set_absences(desk, ada, BOTH_DAYS, time_zone="America/New_York")
    assert "2030-01-10 10:00" == deadline_of(desk, game, ada)
    set_absences(desk, ben, ("2030-01-07", "2030-01-07"), time_zone="America/New_York")
    assert "2030-01-09 05:00" == deadline_of(desk, game, ben)

    accounts.change(desk, Caller(ben, "", frozenset()), {"time_zone": "UTC"})
    assert "2030-01-09 00:00" == deadline_of(desk, game, ben)


def test_an_absence_can_be_made_shorter(each_desk: Desk) -> None:
    """The deadline is what it would have been with the shorter absence."""
    desk, hands, game, (ada, _) = daily_game(each_desk)
    set_absences(desk, ada, ("2030-01-08", "2030-01-20"))
    assert "2030-01-21 10:00" == deadline_of(desk, game, ada)
    hands.to("2030-01-09T08:00:00.000Z")
    set_absences(desk, ada, BOTH_DAYS)
    assert "2030-01-10 10:00" == deadline_of(desk, game, ada)
    set_absences(desk, ada)

    assert "2030-01-09 10:00" == deadline_of(desk, game, ada)


def test_who_takes_an_absence_back_is_not_out_of_time(desk: Desk) -> None:
    """A player who cancels an absence keeps an hour, even if the time would be up without it."""
    desk, hands, game, (ada, _) = daily_game(desk)
    set_absences(desk, ada, BOTH_DAYS)
    hands.to("2030-01-08T23:00:00.000Z")
    set_absences(desk, ada)

    assert "2030-01-09 00:00" == deadline_of(desk, game, ada)
    assert timestamps.written(at("2030-01-09 00:00")) == due_at(desk, game)[0]


def test_coming_and_going_gains_nothing(desk: Desk) -> None:
    """Adding and cancelling absences again and again, in extreme time zones, gains no time."""
    desk, hands, game, (ada, _) = daily_game(desk)
    for _ in range(29):
        today = (hands.moment + timedelta(hours=14)).date().isoformat()
        set_absences(desk, ada, (today, today), time_zone="Pacific/Kiritimati")
        hands.on(minutes=50)
        set_absences(desk, ada, time_zone="Etc/GMT+12")
        assert "2030-01-08 12:00" > deadline_of(desk, game, ada)
    hands.to("2030-01-08T12:00:00.000Z")
    deadlines.sweep(desk)

    assert 1 == seat_at(desk, game, ada).missed


def test_a_change_that_is_no_absence_moves_nothing(desk: Desk) -> None:
    """Changing other settings changes neither tags nor deadlines."""
    desk, _, game, (ada, ben) = daily_game(desk)
    before = reading.game(desk, game, ben)[0], deadline_of(desk, game, ada)
    accounts.change(desk, Caller(ada, "", frozenset()), {"notifications": {"mode": "digest"}})

    assert before == (reading.game(desk, game, ben)[0], deadline_of(desk, game, ada))
