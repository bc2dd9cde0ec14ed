import json
from typing import Any

import pytest

from engine import Action, Refusal, Ruleset, State, default_for
from service import clocks, house, lobby, moves, reading
from service.desk import Desk
from service.moves import Wanted
from service.positions import Positions
from store import clocks as stored_clocks
from tests.service.tables import keep_tickets, let_house_play, owed, play, table
from tests.service.threads import at_once
from tests.service.timing import (
    BEGIN,
    by_hand,
    due_at,
    seat_at,
    sources,
    table_at,
    told,
)

TURNS = ("decision_reminder", "decision_expired", "seat_caretaken")
A_DAY = {"days": 1}


def _seen(desk: Desk, game: str, account: str | None) -> dict[str, Any]:
    seen: dict[str, Any] = json.loads(reading.game(desk, game, account)[1])
    return seen


def test_nothing_happens_before_its_time(each_desk: Desk) -> None:
    """A sweep before the first reminder finds nothing to do."""
    desk, hands = by_hand(each_desk)
    game, _ = table(desk, "Ada", "Ben", pace="daily")
    hands.on(hours=12, milliseconds=-1)

    assert 0 == clocks.sweep(desk)
    assert [] == told(desk, *TURNS)
    assert 0 == table_at(desk, game).version


def test_whoever_is_awaited_is_reminded(each_desk: Desk) -> None:
    """At half of the time and at nine tenths, each once, however often the clock looks."""
    desk, hands = by_hand(each_desk)
    game, (ada, ben) = table(desk, "Ada", "Ben", pace="daily")
    play(desk, game, ben, "keep all")
    until = seat_at(desk, game, ada).deadline
    done = []
    for hours in (11, 2, 1, 6, 3):
        hands.on(hours=hours)
        done += [clocks.sweep(desk), clocks.sweep(desk)]

    assert [0, 0, 1, 0, 0, 0, 0, 0, 1, 0] == done
    found = told(desk, "decision_reminder")
    assert [(ada, game, 0)] * 2 == [(one["account"], one["game"], one["version"]) for one in found]
    assert {until} == {json.loads(one["data"])["deadline"] for one in found}
    assert [] == told(desk, "decision_expired")


def test_who_has_decided_is_not_reminded(desk: Desk) -> None:
    """A decision takes its reminders with it; the next one brings its own."""
    desk, hands = by_hand(desk)
    game, (ada, ben) = table(desk, "Ada", "Ben", pace="daily")
    hands.on(hours=11)
    keep_tickets(desk, game, [ada, ben])
    hands.on(hours=5)

    assert 0 == clocks.sweep(desk)
    hands.on(hours=8)
    assert 1 == clocks.sweep(desk)
    assert [(ada, 2)] == [(one["account"], one["version"]) for one in told(desk, *TURNS)]


def test_when_the_time_is_over_the_default_is_played(each_desk: Desk) -> None:
    """As a move like any other, which the log and the table say to be the clock's."""
    desk, hands = by_hand(each_desk)
    game, (ada, ben) = table(desk, "Ada", "Ben", pace="daily")
    play(desk, game, ben, "keep all")
    asked = reading.decision(desk, game, ada)
    assert asked is not None
    default = asked["options"][asked["default"] - 1]
    hands.on(**A_DAY)

    assert 1 == clocks.sweep(desk)
    assert ["api", "clock"] == sources(desk, game)
    assert 2 == table_at(desk, game).version
    assert 1 == seat_at(desk, game, ada).missed
    (found,) = told(desk, "decision_expired")
    assert (ada, game, 0) == (found["account"], found["game"], found["version"])
    said = {"text": default["text"], "label": default["label"], "deadline": asked["deadline"]}
    assert said == json.loads(found["data"])
    assert (ada, 2) in [one[1:] for one in owed(desk, "decision_opened")]


def test_a_clock_that_was_off_plays_at_once(desk: Desk) -> None:
    """Nobody is reminded of what is over; each open decision is decided once."""
    desk, hands = by_hand(desk)
    game, _ = table(desk, "Ada", "Ben", pace="daily")
    hands.on(days=9)

    assert 2 == clocks.sweep(desk)
    assert 0 == clocks.sweep(desk)
    assert [] == told(desk, "decision_reminder")
    assert ["clock", "clock"] == sources(desk, game)


def test_a_late_move_counts_until_the_clock_has_played(desk: Desk) -> None:
    """Then it is refused like any move for a decision that is over."""
    desk, hands = by_hand(desk)
    game, (ada, ben) = table(desk, "Ada", "Ben", pace="daily")
    hands.on(days=2)
    play(desk, game, ada, "keep all", asked=0)
    clocks.sweep(desk)
    with pytest.raises(Refusal) as refusal:
        play(desk, game, ben, "keep all", asked=0)

    assert "stale" == refusal.value.code
    assert ["api", "clock"] == sources(desk, game)
    assert [0, 1] == [seat_at(desk, game, one).missed for one in (ada, ben)]


def _miss(desk: Desk, hands: Any, game: str, account: str, times: int) -> None:
    """Let somebody miss so many deadlines in a row, while the others play."""
    while seat_at(desk, game, account).missed < times:
        for seat in table_at(desk, game).seated:
            if seat.account and seat.account != account and seat.awaited_since:
                play(desk, game, seat.account, "1")
        hands.on(days=1)
        clocks.sweep(desk)


def test_after_three_misses_the_seat_is_looked_after(each_desk: Desk) -> None:
    """Everybody is told once, sees it, and from then on waits for minutes until the house plays."""
    desk, hands = by_hand(each_desk)
    game, (ada, ben) = table(desk, "Ada", "Ben", pace="daily")
    _miss(desk, hands, game, ada, 2)
    assert [False, False] == [player["away"] for player in _seen(desk, game, ben)["players"]]
    _miss(desk, hands, game, ada, 3)

    found = told(desk, "seat_caretaken")
    assert {ada, ben} == {one["account"] for one in found}
    assert [{"away": 0}] * 2 == [json.loads(one["data"]) for one in found]
    assert [True, False] == [player["away"] for player in _seen(desk, game, None)["players"]]
    while not seat_at(desk, game, ada).awaited_since:
        play(desk, game, ben, "1")
    seat, before = seat_at(desk, game, ada), len(told(desk, *TURNS))
    hands.on(minutes=10, milliseconds=-1)
    assert not house.play_next(desk)
    hands.on(milliseconds=1)
    assert 0 == clocks.sweep(desk)
    assert house.play_next(desk)
    assert seat.asked != seat_at(desk, game, ada).asked
    assert before == len(told(desk, *TURNS))
    assert (ada, seat.asked) in [one[1:] for one in owed(desk, "decision_opened")]
    assert 3 == seat_at(desk, game, ada).missed
    assert "house" == sources(desk, game)[-1]


def _deserted(desk: Desk, hands: Any, **more: Any) -> tuple[str, str]:
    """A game against a house bot whose owner is away and is asked something; and the owner."""
    game, (ada,) = table(desk, "Ada", pace="daily", bots={"easy": 1}, **more)
    while not (seat_at(desk, game, ada).missed == 3 and seat_at(desk, game, ada).awaited_since):
        hands.on(days=1)
        clocks.sweep(desk)
        let_house_play(desk, game)
    assert not house.play_next(desk)
    return game, ada


def test_a_seat_is_given_back_and_taken_over_again(each_desk: Desk) -> None:
    """The house plays on at its own seat at once, whether the owner or a caretaker has moved."""
    desk, hands = by_hand(each_desk)
    game, ada = _deserted(desk, hands)
    hands.on(minutes=9)
    while reading.decision(desk, game, ada):
        moves.submit(desk, ada, game, Wanted(text="draw"))
    assert house.play_next(desk)
    assert 0 == seat_at(desk, game, ada).missed
    hands.on(minutes=30)
    before = sources(desk, game)

    assert not house.play_next(desk)
    assert before == sources(desk, game)


def test_an_owner_who_is_quicker_than_a_caretaker(
    each_desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While the house thinks the owner comes back: the owner's move counts, and no other."""
    desk, hands = by_hand(each_desk)
    game, ada = _deserted(desk, hands)
    hands.on(minutes=10)

    def slow(rules: Ruleset, view: State, seat: int) -> Action:
        moves.submit(desk, ada, game, Wanted(text="draw"))
        return default_for(rules, view, seat)

    monkeypatch.setitem(house.PLAYERS, house.CARETAKER, slow)
    before = sources(desk, game)
    assert house.play(desk, game)

    assert [*before, "api"] == sources(desk, game)


def test_whoever_is_away_and_resigns_is_not_waited_for(desk: Desk) -> None:
    """From then on the house plays there at once."""
    desk, hands = by_hand(desk)
    game, (ada, ben) = table(desk, "Ada", "Ben", pace="daily")
    _miss(desk, hands, game, ada, 3)
    while not seat_at(desk, game, ada).awaited_since:
        play(desk, game, ben, "1")
    assert not house.play_next(desk)
    lobby.leave(desk, ada, game)

    assert house.play_next(desk)


@pytest.mark.parametrize("source", ["api", "mail", "link", "webhook"])
def test_the_owner_comes_back_with_any_move(desk: Desk, source: str) -> None:
    """By whichever door: the table sees it, and the next decision has its whole time."""
    desk, hands = by_hand(desk)
    game, (ada, ben) = table(desk, "Ada", "Ben", pace="daily")
    _miss(desk, hands, game, ada, 3)
    while not seat_at(desk, game, ada).awaited_since:
        play(desk, game, ben, "1")
    tag = reading.game(desk, game, ben)[0]
    made = moves.submit(desk, ada, game, Wanted(text="draw", source=source))

    assert tag != reading.game(desk, game, ben)[0]
    assert [False, False] == [player["away"] for player in _seen(desk, game, ben)["players"]]
    assert 0 == seat_at(desk, game, ada).missed
    hands.on(days=1)
    assert made["decision"]["deadline"] == hands()


def test_two_misses_and_a_move_begin_anew(desk: Desk) -> None:
    """Only deadlines in a row count."""
    desk, hands = by_hand(desk)
    game, (ada, ben) = table(desk, "Ada", "Ben", pace="daily")
    _miss(desk, hands, game, ada, 2)
    play(desk, game, ada, "draw")
    while not seat_at(desk, game, ada).awaited_since:
        play(desk, game, ben, "1")
    hands.on(days=1)
    clocks.sweep(desk)

    assert 1 == seat_at(desk, game, ada).missed
    assert [] == told(desk, "seat_caretaken")


def test_a_game_goes_on_to_its_end_by_the_clock(each_desk: Desk) -> None:
    """Nobody is there, not even a worker, and still it ends with a result and nothing left due."""
    desk, hands = by_hand(each_desk)
    game, (ada, _) = table(desk, "Ada", "Ben", pace="live")
    while table_at(desk, game).status == "running":
        hands.on(minutes=6)
        assert clocks.sweep(desk)

    assert {"clock", "house"} == set(sources(desk, game))
    assert [None, None] == due_at(desk, game)
    assert ada in [one["account"] for one in told(desk, "game_finished")]


def test_without_a_clock_nothing_is_due(desk: Desk) -> None:
    """A game at pace none waits for ever."""
    desk, hands = by_hand(desk)
    game, (ada, _) = table(desk, "Ada", "Ben", pace="none")
    hands.on(days=1000)

    assert [None, None] == due_at(desk, game)
    assert 0 == clocks.sweep(desk)
    assert _seen(desk, game, ada)["clock"] is None


BANKED = {"per_decision": 3600, "bank": 1800, "reminders": []}


def test_a_bank_is_used_up_and_not_filled_again(each_desk: Desk) -> None:
    """A deadline includes what is left of it; whoever misses one has nothing left."""
    desk, hands = by_hand(each_desk)
    game, (ada, ben) = table(desk, "Ada", "Ben", pace=BANKED)
    keep_tickets(desk, game, [ada, ben])
    hands.on(minutes=70)
    assert 0 == clocks.sweep(desk)
    made = play(desk, game, ada, "draw")

    assert 1200 == seat_at(desk, game, ada).bank
    assert made["decision"]["deadline"] == seat_at(desk, game, ada).deadline
    hands.on(minutes=80)
    assert hands() == made["decision"]["deadline"]
    assert 1 == clocks.sweep(desk)
    assert 0 == seat_at(desk, game, ada).bank
    assert seat_at(desk, game, ben).bank in (None, 1800)


def test_a_receipt_names_the_stored_deadline(desk: Desk) -> None:
    """Also when the same request comes again while the decision is open."""
    desk, hands = by_hand(desk)
    game, (ada, ben) = table(desk, "Ada", "Ben", pace=BANKED)
    keep_tickets(desk, game, [ada, ben])
    hands.on(minutes=75)
    made = play(desk, game, ada, "draw", key="k")
    hands.on(minutes=1)

    assert made["decision"]["deadline"] == seat_at(desk, game, ada).deadline
    assert made == play(desk, game, ada, "draw", key="k")
    asked = reading.decision(desk, game, ada)
    assert asked is not None
    assert made["decision"]["deadline"] == asked["deadline"]


def test_a_move_for_a_decision_counts_for_no_other(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also if that decision ends between two looks at the database."""
    desk, hands = by_hand(desk)
    game, (ada, ben) = table(desk, "Ada", "Ben", pace=BANKED)
    keep_tickets(desk, game, [ada, ben])
    position_of = desk.positions.of

    def slow(*args: Any) -> Any:
        monkeypatch.undo()
        hands.on(minutes=90)
        clocks.sweep(desk)
        return position_of(*args)

    monkeypatch.setattr(desk.positions, "of", slow)
    with pytest.raises(Refusal) as refusal:
        play(desk, game, ada, "draw", asked=2)

    assert "stale" == refusal.value.code
    assert ["api", "api", "clock"] == sources(desk, game)
    assert (1, 0) == (seat_at(desk, game, ada).missed, seat_at(desk, game, ada).bank)


def test_two_clocks_do_everything_once(each_desk: Desk) -> None:
    """Side by side they owe one reminder and play one default for each seat."""
    desk, hands = by_hand(each_desk)
    games = [table(desk, f"Ada {n}", f"Ben {n}", pace="daily")[0] for n in range(4)]
    others = [desk._replace(positions=Positions()) for _ in range(4)]
    for hours in (12, 9.6, 2.4):
        hands.on(hours=hours)
        assert 8 == sum(at_once(4, lambda n: clocks.sweep(others[n])))

    assert 16 == len(told(desk, "decision_reminder"))
    assert 8 == len(told(desk, "decision_expired"))
    assert [["clock", "clock"]] * 4 == [sources(desk, game) for game in games]


def test_an_unguarded_reminder_is_noticed(each_desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted fault: a clock that does not look whether another was there reminds twice."""
    unguarded = stored_clocks.look_again

    def always(*args: Any) -> bool:
        unguarded(*args)
        return True

    monkeypatch.setattr(stored_clocks, "look_again", always)
    with pytest.raises(AssertionError):
        test_two_clocks_do_everything_once(each_desk)


def test_a_game_that_cannot_go_on_stops_no_other(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is looked at again a minute later; all others have their turn at once."""
    desk, hands = by_hand(desk)
    broken, _ = table(desk, "Ada", "Ben", pace="daily")
    sound, _ = table(desk, "Cem", "Dan", pace="daily")
    settled = reading.settled

    def failing(desk: Desk, tx: Any, found: Any) -> Any:
        if found.id == broken:
            raise ZeroDivisionError
        return settled(desk, tx, found)

    monkeypatch.setattr(reading, "settled", failing)
    hands.on(days=1)
    assert 2 == clocks.sweep(desk)
    assert ([], ["clock"] * 2) == (sources(desk, broken), sources(desk, sound))
    assert 0 == clocks.sweep(desk)
    monkeypatch.undo()
    hands.on(minutes=1)
    assert 2 == clocks.sweep(desk)
    assert ["clock"] * 2 == sources(desk, broken)


def test_a_crash_before_the_end_leaves_nothing_half_done(
    each_desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither a move without its notice nor a notice without its move; the next sweep does it."""
    desk, hands = by_hand(each_desk)
    game, _ = table(desk, "Ada", "Ben", pace="daily")
    hands.on(days=1)

    def crash(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(clocks, "_told", crash)
    with pytest.raises(KeyboardInterrupt):
        clocks.sweep(desk)
    assert ([], []) == (sources(desk, game), told(desk, *TURNS))
    monkeypatch.undo()
    assert 2 == clocks.sweep(desk)


def test_clocks_that_disagree_change_only_the_schedule(each_desk: Desk) -> None:
    """Processes an hour apart play one game to its end, whose log everybody can check."""
    desk, hands = by_hand(each_desk)
    ahead, behind = (by_hand(desk, BEGIN) for _ in range(2))
    game, players = table(desk, "Ada", "Ben", pace={"per_decision": 3600, "bank": 600})
    turn = 0
    while table_at(desk, game).status == "running":
        turn += 1
        hands.on(minutes=20)
        ahead[1].moment, behind[1].moment = hands.moment, hands.moment
        ahead[1].on(hours=1)
        behind[1].on(hours=-1)
        for other in (ahead[0], behind[0], desk):
            clocks.sweep(other)
        for one in players:
            if turn % 3 and seat_at(desk, game, one).awaited_since:
                moves.submit(behind[0], one, game, Wanted(text="1"))
    lines = reading.log(desk, game, None)

    assert {"api", "clock"} <= set(sources(desk, game))  # who has no luck is away for a while
    assert len(lines) == table_at(desk, game).version + 3


def test_a_resigned_seat_is_not_reminded(desk: Desk) -> None:
    """The house plays there; if nobody plays for it in time, the clock does, and tells nobody."""
    desk, hands = by_hand(desk)
    game, (ada, ben) = table(desk, "Ada", "Ben", pace="daily")
    lobby.leave(desk, ben, game)
    hands.on(hours=13)
    assert 1 == clocks.sweep(desk)
    assert [ada] == [one["account"] for one in told(desk, "decision_reminder")]
    hands.on(hours=11)

    assert 2 == clocks.sweep(desk)
    assert {ada} == {one["account"] for one in told(desk, "decision_expired")}


def test_the_clock_rests_until_something_is_due(desk: Desk) -> None:
    """A second at most, and less if a deadline is nearer."""
    desk, hands = by_hand(desk)
    assert 1.0 == clocks.pause(desk)
    table(desk, "Ada", "Ben", pace={"per_decision": 60, "reminders": []})
    assert 1.0 == clocks.pause(desk)
    hands.on(seconds=59.75)
    assert 0.25 == clocks.pause(desk)
    hands.on(seconds=1)
    assert 1.0 == clocks.pause(desk)
