import json
from typing import Any

import pytest

from engine import Refusal
from service.clocks import deadlines
from service.desk import Desk
from service.games import lobby, reading
from tests.service.support.tables import keep_tickets, owed, play, table
from tests.service.support.timing import (
    TURNS,
    by_hand,
    due_at,
    notices_of,
    seat_at,
    seen_by,
    sources,
    table_at,
)

A_DAY = {"days": 1}


def test_nothing_happens_before_its_time(each_desk: Desk) -> None:
    """A sweep before the first reminder finds nothing to do."""
    desk, hands = by_hand(each_desk)
    game, _ = table(desk, "Ada", "Ben", pace="daily")
    hands.on(hours=12, milliseconds=-1)

    assert 0 == deadlines.sweep(desk)
    assert [] == notices_of(desk, *TURNS)
    assert 0 == table_at(desk, game).version


def test_whoever_is_awaited_is_reminded(each_desk: Desk) -> None:
    """A player is reminded at half and at nine tenths of the time, once each."""
    desk, hands = by_hand(each_desk)
    game, (ada, ben) = table(desk, "Ada", "Ben", pace="daily")
    play(desk, game, ben, "keep all")
    until = seat_at(desk, game, ada).deadline
    done = []
    for hours in (11, 2, 1, 6, 3):
        hands.on(hours=hours)
        done += [deadlines.sweep(desk), deadlines.sweep(desk)]

    assert [0, 0, 1, 0, 0, 0, 0, 0, 1, 0] == done
    notices = notices_of(desk, "decision_reminder")
    assert [(ada, game, 0)] * 2 == [
        (notice["account"], notice["game"], notice["version"]) for notice in notices
    ]
    assert {until} == {json.loads(notice["data"])["deadline"] for notice in notices}
    assert [] == notices_of(desk, "decision_expired")


def test_who_has_decided_is_not_reminded(desk: Desk) -> None:
    """A decision that was made causes no reminder; the next decision has its own."""
    desk, hands = by_hand(desk)
    game, (ada, ben) = table(desk, "Ada", "Ben", pace="daily")
    hands.on(hours=11)
    keep_tickets(desk, game, [ada, ben])
    hands.on(hours=5)

    assert 0 == deadlines.sweep(desk)
    hands.on(hours=8)
    assert 1 == deadlines.sweep(desk)
    assert [(ada, 2)] == [
        (notice["account"], notice["version"]) for notice in notices_of(desk, *TURNS)
    ]


def test_when_the_time_is_over_the_default_is_played(each_desk: Desk) -> None:
    """At the deadline the clock makes the default move, and the player is notified of it."""
    desk, hands = by_hand(each_desk)
    game, (ada, ben) = table(desk, "Ada", "Ben", pace="daily")
    play(desk, game, ben, "keep all")
    decision = reading.decision(desk, game, ada)
    assert decision is not None
    default = decision["default"]
    hands.on(**A_DAY)

    assert 1 == deadlines.sweep(desk)
    assert ["api", "clock"] == sources(desk, game)
    assert 2 == table_at(desk, game).version
    assert 1 == seat_at(desk, game, ada).missed
    (notice,) = notices_of(desk, "decision_expired")
    assert (ada, game, 0) == (notice["account"], notice["game"], notice["version"])
    body = {"text": default["text"], "label": default["label"], "deadline": decision["deadline"]}
    assert body == json.loads(notice["data"])
    assert (ada, 2) in [row[1:] for row in owed(desk, "decision_opened")]


def test_a_clock_that_was_off_plays_at_once(desk: Desk) -> None:
    """After nine days a sweep decides each open decision once, and reminds nobody."""
    desk, hands = by_hand(desk)
    game, _ = table(desk, "Ada", "Ben", pace="daily")
    hands.on(days=9)

    assert 2 == deadlines.sweep(desk)
    assert 0 == deadlines.sweep(desk)
    assert [] == notices_of(desk, "decision_reminder")
    assert ["clock", "clock"] == sources(desk, game)


def test_a_late_move_counts_until_the_clock_has_played(desk: Desk) -> None:
    """A late move counts until the clock has made its own; then it is refused as stale."""
    desk, hands = by_hand(desk)
    game, (ada, ben) = table(desk, "Ada", "Ben", pace="daily")
    hands.on(days=2)
    play(desk, game, ada, "keep all", decision_version=0)
    deadlines.sweep(desk)
    with pytest.raises(Refusal) as refusal:
        play(desk, game, ben, "keep all", decision_version=0)

    assert "stale" == refusal.value.code
    assert ["api", "clock"] == sources(desk, game)
    assert [0, 1] == [seat_at(desk, game, account).missed for account in (ada, ben)]


def test_a_game_goes_on_to_its_end_by_the_clock(each_desk: Desk) -> None:
    """Sweeps alone bring a game to its end, and leave nothing due."""
    desk, hands = by_hand(each_desk)
    game, (ada, _) = table(desk, "Ada", "Ben", pace="live")
    while table_at(desk, game).status == "running":
        hands.on(minutes=6)
        assert deadlines.sweep(desk)

    assert {"clock", "house"} == set(sources(desk, game))
    assert [None, None] == due_at(desk, game)
    assert ada in [notice["account"] for notice in notices_of(desk, "game_finished")]


def test_without_a_clock_nothing_is_due(desk: Desk) -> None:
    """A game at pace none waits for ever."""
    desk, hands = by_hand(desk)
    game, (ada, _) = table(desk, "Ada", "Ben", pace="none")
    hands.on(days=1000)

    assert [None, None] == due_at(desk, game)
    assert 0 == deadlines.sweep(desk)
    assert seen_by(desk, game, ada)["clock"] is None


BANKED = {"per_decision": 3600, "bank": 1800, "reminders": []}


def test_a_bank_is_used_up_and_not_filled_again(each_desk: Desk) -> None:
    """A deadline includes what is left of the bank, and a missed deadline empties the bank."""
    desk, hands = by_hand(each_desk)
    game, (ada, ben) = table(desk, "Ada", "Ben", pace=BANKED)
    keep_tickets(desk, game, [ada, ben])
    hands.on(minutes=70)
    assert 0 == deadlines.sweep(desk)
    made = play(desk, game, ada, "draw")

    assert 1200 == seat_at(desk, game, ada).bank
    assert made["decision"]["deadline"] == seat_at(desk, game, ada).deadline
    hands.on(minutes=80)
    assert hands() == made["decision"]["deadline"]
    assert 1 == deadlines.sweep(desk)
    assert 0 == seat_at(desk, game, ada).bank
    assert seat_at(desk, game, ben).bank in (None, 1800)


def test_a_receipt_names_the_stored_deadline(desk: Desk) -> None:
    """A receipt has the stored deadline of the next decision, also if it is repeated."""
    desk, hands = by_hand(desk)
    game, (ada, ben) = table(desk, "Ada", "Ben", pace=BANKED)
    keep_tickets(desk, game, [ada, ben])
    hands.on(minutes=75)
    made = play(desk, game, ada, "draw", key="k")
    hands.on(minutes=1)

    assert made["decision"]["deadline"] == seat_at(desk, game, ada).deadline
    assert made == play(desk, game, ada, "draw", key="k")
    decision = reading.decision(desk, game, ada)
    assert decision is not None
    assert made["decision"]["deadline"] == decision["deadline"]


def test_a_move_for_a_decision_counts_for_no_other(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A move is refused as stale if the clock decides between its two database queries."""
    desk, hands = by_hand(desk)
    game, (ada, ben) = table(desk, "Ada", "Ben", pace=BANKED)
    keep_tickets(desk, game, [ada, ben])
    position_of = desk.positions.of

    def slow(*args: Any) -> Any:
        monkeypatch.undo()
        hands.on(minutes=90)
        deadlines.sweep(desk)
        return position_of(*args)

    monkeypatch.setattr(desk.positions, "of", slow)
    with pytest.raises(Refusal) as refusal:
        play(desk, game, ada, "draw", decision_version=2)

    assert "stale" == refusal.value.code
    assert ["api", "api", "clock"] == sources(desk, game)
    assert (1, 0) == (seat_at(desk, game, ada).missed, seat_at(desk, game, ada).bank)


def test_a_resigned_seat_is_not_reminded(desk: Desk) -> None:
    """A player who has resigned gets neither a reminder nor a notice of the clock's move."""
    desk, hands = by_hand(desk)
    game, (ada, ben) = table(desk, "Ada", "Ben", pace="daily")
    lobby.leave(desk, ben, game)
    hands.on(hours=13)
    assert 1 == deadlines.sweep(desk)
    assert [ada] == [notice["account"] for notice in notices_of(desk, "decision_reminder")]
    hands.on(hours=11)

    assert 2 == deadlines.sweep(desk)
    assert {ada} == {notice["account"] for notice in notices_of(desk, "decision_expired")}


def test_the_clock_rests_until_something_is_due(desk: Desk) -> None:
    """The clock pauses for a second at most, and less if a deadline is nearer."""
    desk, hands = by_hand(desk)
    assert 1.0 == deadlines.pause(desk)
    table(desk, "Ada", "Ben", pace={"per_decision": 60, "reminders": []})
    assert 1.0 == deadlines.pause(desk)
    hands.on(seconds=59.75)
    assert 0.25 == deadlines.pause(desk)
    hands.on(seconds=1)
    assert 1.0 == deadlines.pause(desk)
