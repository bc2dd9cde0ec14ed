"""Orders at their seat's decisions: moves, delays, stops, and other players of the seat."""

from datetime import timedelta

import pytest

from engine import Refusal
from service import account_deletion
from service.clocks import deadlines
from service.desk import Desk
from service.games import lobby, log_files, moves, reading
from service.games.bots import house
from service.games.move_requests import MoveRequest
from service.games.ordering import carrying_out, giving, schedule
from service.people.tokens import Caller
from store import timestamps
from store.games.orders import StoredOrders
from tests.service.games.ordering.waiting import carry_out, due_of, ordered_game, state_of, stored
from tests.service.support.meanwhile import meanwhile
from tests.service.support.tables import default_text, let_house_play, owed, play
from tests.service.support.timing import (
    Hands,
    notices_of,
    seat_at,
    seen_by,
    sources,
    table_at,
)

DRAWS = "draw for 9 turns"


def opened(desk: Desk) -> list[str]:
    """The accounts that are told of a decision, in order."""
    return [account for kind, account, _ in owed(desk) if kind == "decision_opened"]


def ben_draws(desk: Desk, game: str, ben: str) -> None:
    """Ben takes a turn by hand."""
    play(desk, game, ben, "draw")
    play(desk, game, ben, "draw")


def test_open_decision_is_played_at_once(each_desk: Desk) -> None:
    """Orders given while a decision is open are judged now, for the whole turn."""
    desk, _, game, (ada, _) = ordered_game(each_desk)
    giving.give(desk, ada, game, "draw; draw; draw")

    assert 1 == carry_out(desk)
    assert ["order", "order"] == sources(desk, game)[-2:]
    shown = giving.shown(desk, ada, game)
    assert shown is not None
    assert ["draw", "draw"] == [move["move"] for move in shown["played"]]
    assert ["done", "done", "current"] == [step["state"] for step in shown["steps"]]
    assert due_of(desk, game, ada) is None


def test_turn_waits_for_a_random_delay(desk: Desk) -> None:
    """A turn that another player opens is played after a delay, and its player is not told."""
    desk, hands, game, (ada, ben) = ordered_game(desk)
    giving.give(desk, ada, game, DRAWS)
    carry_out(desk)
    notified = opened(desk)
    ben_draws(desk, game, ben)
    due = due_of(desk, game, ada)
    assert due is not None

    assert hands() < due < str(seat_at(desk, game, ada).deadline)
    assert 0 == carry_out(desk)
    assert notified.count(ada) == opened(desk).count(ada)
    hands.to(due)
    assert 1 == carry_out(desk)
    assert ["order", "order"] == sources(desk, game)[-2:]


def test_delays_are_spread_and_in_time(desk: Desk) -> None:
    """Delays differ, lie within the bounds of the pace, and leave a part of the time."""
    desk, hands, game, _ = ordered_game(desk)
    at, deadline = hands(), timestamps.later(hands(), timedelta(days=1))
    drawn = {schedule.after_delay(table_at(desk, game), deadline, at) for _ in range(200)}
    seconds = [(timestamps.read(moment) - timestamps.read(at)).total_seconds() for moment in drawn]

    assert len(drawn) > 190
    assert 60 <= min(seconds) < 600
    assert 3600 < max(seconds) <= 3 * 3600
    soon = timestamps.later(at, timedelta(seconds=30))
    hurried = {schedule.after_delay(table_at(desk, game), soon, at) for _ in range(200)}
    assert at < min(hurried) < max(hurried) < soon
    assert len(hurried) > 20
    assert at == schedule.after_delay(table_at(desk, game), at, at)


def test_at_once(desk: Desk) -> None:
    """“At once” leaves out the delay."""
    desk, _, game, (ada, ben) = ordered_game(desk)
    giving.give(desk, ada, game, DRAWS, at_once=True)
    carry_out(desk)
    ben_draws(desk, game, ben)

    assert 1 == carry_out(desk)
    assert ["order"] * 2 == sources(desk, game)[-2:]


def test_stopped_orders_ask_with_the_reason(desk: Desk) -> None:
    """Orders that no longer fit stop; the player is told, and nothing else is played."""
    desk, _, game, (ada, _) = ordered_game(desk)
    before = opened(desk).count(ada)
    giving.give(desk, ada, game, "ask me; draw")
    version = table_at(desk, game).version

    carry_out(desk)

    shown = giving.shown(desk, ada, game)
    assert shown is not None
    assert ("stopped", "You wanted to be asked here.") == (shown["state"], shown["reason"])
    assert version == table_at(desk, game).version
    assert before + 1 == opened(desk).count(ada)
    assert 0 == carry_out(desk)


def test_used_up_orders_ask(desk: Desk) -> None:
    """Orders of which nothing is left ask in the middle of a turn, and are over after it."""
    desk, _, game, (ada, ben) = ordered_game(desk)
    giving.give(desk, ada, game, "draw")
    carry_out(desk)
    assert "finished" == state_of(desk, game, ada)
    play(desk, game, ada, "draw")
    before = opened(desk).count(ada)
    ben_draws(desk, game, ben)

    assert before + 1 == opened(desk).count(ada)
    giving.give(desk, ada, game, "draw; draw")
    carry_out(desk)
    assert "finished" == state_of(desk, game, ada)


def test_hand_made_move_keeps_the_turn(desk: Desk) -> None:
    """Who begins a turn by hand goes on by hand; the orders wait for the next turn."""
    desk, hands, game, (ada, ben) = ordered_game(desk)
    giving.give(desk, ada, game, DRAWS)
    carry_out(desk)
    ben_draws(desk, game, ben)
    play(desk, game, ada, "draw")

    hands.on(hours=5)
    assert 0 == carry_out(desk)
    assert ada == opened(desk)[-1]
    play(desk, game, ada, "draw")
    ben_draws(desk, game, ben)
    hands.on(hours=5)
    assert 1 == carry_out(desk)


def test_replaced_orders_make_no_move(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Orders that are replaced between their judgement and their move play nothing."""
    desk, _, game, (ada, _) = ordered_game(desk)
    giving.give(desk, ada, game, "draw; draw")
    version = table_at(desk, game).version
    meanwhile(monkeypatch, lambda: giving.take_back(desk, ada, game))

    carry_out(desk)

    assert version == table_at(desk, game).version
    assert giving.shown(desk, ada, game) is None
    assert ada == opened(desk)[-1]


def test_killed_between_decision_and_move(each_desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker that dies has done nothing; after its lease another one makes the move, once."""
    desk, hands, game, (ada, _) = ordered_game(each_desk)
    giving.give(desk, ada, game, "draw; draw")
    version = table_at(desk, game).version

    class Killed(BaseException):
        pass

    def die() -> None:
        raise Killed

    meanwhile(monkeypatch, die)
    with pytest.raises(Killed):
        carrying_out.play_next(desk)
    assert version == table_at(desk, game).version
    assert 0 == carry_out(desk)
    hands.on(seconds=26)

    assert 1 == carry_out(desk)
    assert version + 2 == table_at(desk, game).version
    assert "finished" == state_of(desk, game, ada)


def test_killed_after_the_move(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker that dies after its first move leaves the rest of the turn to another one."""
    desk, hands, game, (ada, _) = ordered_game(desk)
    giving.give(desk, ada, game, "draw; draw; draw")
    version = table_at(desk, game).version

    class Killed(BaseException):
        pass

    def announced(*_: object) -> None:
        raise Killed

    monkeypatch.setattr(moves, "announce", announced)
    with pytest.raises(Killed):
        carrying_out.play_next(desk)
    monkeypatch.undo()

    assert version + 1 == table_at(desk, game).version
    hands.on(seconds=1)
    assert 1 == carry_out(desk)
    assert version + 2 == table_at(desk, game).version
    row = stored(desk, game, ada)
    assert row is not None
    assert 2 == row.steps_done


def test_two_workers_make_one_move(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """A second worker finds the orders claimed."""
    desk, _, game, (ada, _) = ordered_game(desk)
    giving.give(desk, ada, game, "draw; draw")
    inner = carrying_out._carry_out
    seen: list[bool] = []

    def beside(of: Desk, row: StoredOrders) -> None:
        seen.append(carrying_out.play_next(of))
        inner(of, row)

    monkeypatch.setattr(carrying_out, "_carry_out", beside)
    carrying_out.play_next(desk)

    assert [False] == seen
    assert ["order", "order"] == sources(desk, game)[-2:]


def test_orders_that_fail_ask(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """An error of ours stops the orders, and their player is asked."""
    desk, _, game, (ada, _) = ordered_game(desk)
    giving.give(desk, ada, game, "draw")
    monkeypatch.setattr(carrying_out, "_verdict", lambda *_, **__: 1 / 0)

    carry_out(desk)

    shown = giving.shown(desk, ada, game)
    assert shown is not None
    assert ("stopped", "Something went wrong on our side.") == (shown["state"], shown["reason"])
    assert ada == opened(desk)[-1]


def miss_three(desk: Desk, hands: Hands, game: str, ada: str, ben: str) -> None:
    """Let Ada miss deadlines until a caretaker plays for her."""
    while not seen_by(desk, game, ben)["players"][seat_at(desk, game, ada).number]["away"]:
        if table_at(desk, game).seat_of(ben).awaited_since:  # type: ignore[union-attr]
            play(desk, game, ben, default_text(desk, game, ben))
        else:
            hands.on(days=1, minutes=1)
            deadlines.sweep(desk)


def test_orders_go_before_the_caretaker(desk: Desk) -> None:
    """At a seat that is away they are played at the caretaker's moment, and it stays away."""
    desk, hands, game, (ada, ben) = ordered_game(desk)
    miss_three(desk, hands, game, ada, ben)
    giving.give(desk, ada, game, DRAWS)
    while seat_at(desk, game, ben).awaited_since:
        play(desk, game, ben, "draw")
    assert 0 == carry_out(desk)
    assert not house.play(desk, game)
    hands.to(str(seat_at(desk, game, ada).deadline))

    let_house_play(desk, game)

    assert "order" == sources(desk, game)[-1]
    assert seen_by(desk, game, ben)["players"][seat_at(desk, game, ada).number]["away"]


def test_orders_go_before_the_caretaker_when_the_house_is_late(desk: Desk) -> None:
    """The clock, which plays where no worker does, knows of orders, too."""
    desk, hands, game, (ada, ben) = ordered_game(desk)
    miss_three(desk, hands, game, ada, ben)
    giving.give(desk, ada, game, DRAWS)
    while seat_at(desk, game, ben).awaited_since:
        play(desk, game, ben, "draw")
    hands.on(days=1)

    deadlines.sweep(desk)

    assert "order" == sources(desk, game)[-1]
    assert seen_by(desk, game, ben)["players"][seat_at(desk, game, ada).number]["away"]


def test_no_reminder_of_what_orders_play(desk: Desk) -> None:
    """A decision that is left to orders is not reminded of; one at which they stopped is."""
    clock = {"per_decision": 86400, "reminders": [0.01, 0.5]}
    desk, hands, game, (ada, ben) = ordered_game(desk, pace=clock)
    giving.give(desk, ada, game, "draw; draw; ask me")
    carry_out(desk)
    ben_draws(desk, game, ben)
    hands.on(minutes=15)
    deadlines.sweep(desk)
    assert not [each for each in notices_of(desk, "decision_reminder") if each["account"] == ada]

    hands.on(hours=4)
    carry_out(desk)
    hands.on(hours=8)
    deadlines.sweep(desk)

    assert [each for each in notices_of(desk, "decision_reminder") if each["account"] == ada]


def test_orders_go_on_if_their_player_moves_while_they_are_judged(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A stop at a decision that the player has just made by hand is forgotten."""
    desk, _, game, (ada, _) = ordered_game(desk)
    giving.give(desk, ada, game, "claim portland-seattle; draw")
    judge = carrying_out._verdict

    def beside(*args: object, **options: object) -> object:
        verdict = judge(*args, **options)  # type: ignore[arg-type]
        play(desk, game, ada, "draw")
        return verdict

    monkeypatch.setattr(carrying_out, "_verdict", beside)
    carry_out(desk)

    assert "waiting" == state_of(desk, game, ada)
    assert ada == opened(desk)[-1]


def test_failure_keeps_the_moves_that_were_made(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the second decision of a turn fails, the first move is still told of."""
    desk, _, game, (ada, _) = ordered_game(desk)
    giving.give(desk, ada, game, "draw; draw")
    judge, calls = carrying_out._verdict, list[int]()

    def fails_second(*args: object, **options: object) -> object:
        calls.append(1)
        return judge(*args, **options) if len(calls) == 1 else 1 / 0  # type: ignore[arg-type]

    monkeypatch.setattr(carrying_out, "_verdict", fails_second)
    carry_out(desk)

    shown = giving.shown(desk, ada, game)
    assert shown is not None
    assert ("stopped", ["draw"]) == (shown["state"], [move["move"] for move in shown["played"]])


def test_caretaker_plays_where_orders_stop(desk: Desk) -> None:
    """Where the orders of an absent player stop, the caretaker decides."""
    desk, hands, game, (ada, ben) = ordered_game(desk)
    miss_three(desk, hands, game, ada, ben)
    giving.give(desk, ada, game, "ask me")
    while seat_at(desk, game, ben).awaited_since:
        play(desk, game, ben, "draw")
    hands.to(str(seat_at(desk, game, ada).deadline))

    let_house_play(desk, game)

    assert "house" == sources(desk, game)[-1]
    assert "stopped" == state_of(desk, game, ada)


def test_move_by_orders_ends_a_row_of_missed_deadlines(desk: Desk) -> None:
    """Like a move by hand, one by orders in time begins a new count."""
    desk, hands, game, (ada, ben) = ordered_game(desk)
    hands.on(days=1, minutes=1)
    deadlines.sweep(desk)
    while seat_at(desk, game, ada).awaited_since:
        hands.on(days=1, minutes=1)
        deadlines.sweep(desk)
    assert seat_at(desk, game, ada).missed in (1, 2)
    giving.give(desk, ada, game, DRAWS, at_once=True)
    ben_draws(desk, game, ben)
    carry_out(desk)

    assert 0 == seat_at(desk, game, ada).missed


def test_bank_is_used_as_by_hand(desk: Desk) -> None:
    """A move by orders within the time leaves the bank as it is."""
    clock = {"per_decision": 3600, "bank": 600, "reminders": []}
    desk, hands, game, (ada, ben) = ordered_game(desk, pace=clock)
    giving.give(desk, ada, game, DRAWS)
    carry_out(desk)
    ben_draws(desk, game, ben)
    hands.to(str(due_of(desk, game, ada)))
    carry_out(desk)

    assert 600 == (seat_at(desk, game, ada).bank or 600)
    assert not notices_of(desk, "decision_expired")


def test_resigning_deletes_orders(desk: Desk) -> None:
    """Orders end with the seat: the caretaker does not carry them out."""
    desk, hands, game, (ada, ben) = ordered_game(desk)
    giving.give(desk, ada, game, "draw; draw; claim portland-seattle when I can")
    carry_out(desk)
    lobby.leave(desk, ada, game)
    ben_draws(desk, game, ben)
    hands.on(hours=4)

    assert stored(desk, game, ada) is None
    assert 0 == carry_out(desk)
    assert "house" == sources(desk, game)[-1]


def test_orders_are_deleted_with_the_account(each_desk: Desk) -> None:
    """Nothing of them is left."""
    desk, _, game, (ada, _) = ordered_game(each_desk)
    giving.give(desk, ada, game, DRAWS)
    account_deletion.delete(desk, Caller(ada, "", frozenset()))

    assert stored(desk, game, ada) is None


@pytest.mark.parametrize("text", ["clam x", "claim denver-paris", "draw for 0 turns"])
def test_refused_orders_change_nothing(desk: Desk, text: str) -> None:
    """Orders that cannot be read leave the earlier ones in place."""
    desk, _, game, (ada, _) = ordered_game(desk)
    giving.give(desk, ada, game, "draw")
    with pytest.raises(Refusal):
        giving.give(desk, ada, game, text)

    row = stored(desk, game, ada)
    assert row is not None
    assert "draw" == row.text


def test_who_may_give_orders(desk: Desk) -> None:
    """Only players of a running game, and each only for their own seat."""
    desk, _, game, (ada, ben) = ordered_game(desk)
    lobby.leave(desk, ben, game)
    with pytest.raises(Refusal) as caught:
        giving.give(desk, ben, game, "draw")
    assert "forbidden" == caught.value.code
    assert reading.decision(desk, game, ada) is not None


def test_published_log_names_orders(desk: Desk) -> None:
    """The source of a move by orders is in the log, which is published when the game is over."""
    desk, _, game, (ada, ben) = ordered_game(desk)
    giving.give(desk, ada, game, "draw; draw")
    carry_out(desk)
    for player in (ada, ben):
        lobby.leave(desk, player, game)
    data = "\n".join(reading.log(desk, game, ada)).encode()

    assert 2 == data.count(b'"source":"order"')
    assert log_files.checked(data).log.abandoned
    assert stored(desk, game, ada) is None


def test_second_request_is_no_second_move(desk: Desk) -> None:
    """A move by hand that comes first wins; the orders look again."""
    desk, hands, game, (ada, ben) = ordered_game(desk)
    giving.give(desk, ada, game, "draw for 3 turns")
    carry_out(desk)
    ben_draws(desk, game, ben)
    hands.to(str(due_of(desk, game, ada)))
    moves.submit(desk, ada, game, MoveRequest("draw"))
    carry_out(desk)

    assert "api" == sources(desk, game)[-1]
