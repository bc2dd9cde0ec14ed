"""Absences: how they move deadlines, and who sees them."""

import json
from typing import Any

import pytest

from service import account_deletion
from service.clocks import deadlines
from service.desk import Desk
from service.games import reading
from service.people.tokens import Caller
from store import tables
from tests.service.support.daily_games import BOTH_DAYS, daily_game, deadline_of, set_absences
from tests.service.support.newcomers import rows
from tests.service.support.tables import keep_tickets, play, play_default, table
from tests.service.support.timing import at, by_hand, seat_at, table_at


def test_a_decision_that_is_asked_in_an_absence_waits(desk: Desk) -> None:
    """The time for a decision that opens during an absence starts at the end of the absence."""
    desk, hands, game, (ada, ben) = daily_game(desk)
    set_absences(desk, ada, BOTH_DAYS)
    keep_tickets(desk, game, [ada, ben])
    hands.to("2030-01-08T12:00:00.000Z")
    play(desk, game, ada, "draw")

    assert "2030-01-11 00:00" == deadline_of(desk, game, ada)


def test_too_late_is_too_late(desk: Desk) -> None:
    """An absence that is added after the deadline does not move it."""
    desk, hands, game, (ada, _) = daily_game(desk)
    hands.on(days=1)
    set_absences(desk, ada, ("2030-01-08", "2030-01-12"))

    assert "2030-01-08 10:00" == deadline_of(desk, game, ada)
    deadlines.sweep(desk)
    assert 1 == seat_at(desk, game, ada).missed


@pytest.mark.parametrize("pace", ["live", {"per_decision": 86400, "absences": False}])
def test_some_games_know_no_absences(desk: Desk, pace: Any) -> None:
    """At a pace without absences, the game says so and deadlines do not move."""
    desk, _, game, (ada, _) = daily_game(desk, pace=pace)
    before = deadline_of(desk, game, ada)
    set_absences(desk, ada, ("2030-01-07", "2030-01-09"))

    assert before == deadline_of(desk, game, ada)
    assert json.loads(reading.game(desk, game, ada)[1])["clock"]["absences"] is False


def test_no_absence_stops_a_table_whose_player_has_vanished(desk: Desk) -> None:
    """An absence does not move the deadline of a player who has missed three in a row."""
    desk, hands, game, (ada, ben) = daily_game(desk)
    while seat_at(desk, game, ada).missed < 3:
        if seat_at(desk, game, ben).awaited_since:
            play_default(desk, game, ben)
        hands.on(days=1)
        deadlines.sweep(desk)
    while not seat_at(desk, game, ada).awaited_since:
        play_default(desk, game, ben)
    before = deadline_of(desk, game, ada)
    set_absences(desk, ada, (hands()[:10], hands()[:10]))

    assert before == deadline_of(desk, game, ada)


def test_the_table_sees_absences(each_desk: Desk) -> None:
    """Players at the table see absences, in UTC; spectators and summaries do not."""
    desk, _, game, (ada, ben) = daily_game(each_desk)
    set_absences(desk, ada, BOTH_DAYS, time_zone="Europe/Paris")
    seen = json.loads(reading.game(desk, game, ben)[1])["players"]

    away = {"from": "2030-01-07T23:00:00.000Z", "to": "2030-01-09T23:00:00.000Z"}
    assert [[away], []] == [player["absences"] for player in seen]
    for page in (
        json.loads(reading.game(desk, game, None)[1]),
        reading.summary(table_at(desk, game)),
    ):
        assert not any("absences" in player for player in page["players"])


def test_old_absences_are_nobodys_business(desk: Desk) -> None:
    """A table of other players, opened after an absence, shows no absences."""
    desk, hands = by_hand(desk)
    first, (ada, _) = table(desk, "Ada", "Ben", pace="daily")
    set_absences(desk, ada, BOTH_DAYS)
    hands.on(days=20)
    second, (cem, _) = table(desk, "Cem", "Dan", pace="daily")

    assert seat_at(desk, first, ada).settings
    assert [] == json.loads(reading.game(desk, second, cem)[1])["players"][0]["absences"]


def test_a_deleted_account_takes_its_absences_with_it(each_desk: Desk) -> None:
    """Deleting an account removes its absences from its row and from the game."""
    desk, _, game, (ada, ben) = daily_game(each_desk)
    set_absences(desk, ada, BOTH_DAYS)
    assert BOTH_DAYS[0] in str(rows(desk, tables.accounts, "settings"))
    account_deletion.delete(desk, Caller(ada, "", frozenset()))

    assert BOTH_DAYS[0] not in str(rows(desk, tables.accounts, "settings"))
    seen = json.loads(reading.game(desk, game, ben)[1])["players"]
    assert [[], []] == [player["absences"] for player in seen]


def test_days_of_last_year_still_count_for_what_is_open(desk: Desk) -> None:
    """An absence over the new year still counts for an open deadline after others were set."""
    desk, hands = by_hand(desk, at("2029-12-27 10:00"))
    game, (ada, _) = table(desk, "Ada", "Ben", pace="week")
    set_absences(desk, ada, ("2029-12-28", "2030-01-03"))
    assert "2030-01-10 10:00" == deadline_of(desk, game, ada)
    hands.to("2030-01-05T10:00:00.000Z")
    set_absences(desk, ada, ("2030-02-01", "2030-02-02"))

    assert "2030-01-10 10:00" == deadline_of(desk, game, ada)
