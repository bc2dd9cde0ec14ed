"""The house at its tables: what its bots see, and when they play."""

import json
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
import structlog
from sqlalchemy import select, update

from bots.player import HOUSE
from engine import Action, Ruleset, State, default_for, log_seen_by, options, replay
from service.desk import Desk
from service.games import lobby, moves, reading, seat_names
from service.games.bots import house
from service.games.move_requests import MoveRequest
from service.games.players import House
from service.memory.positions import events_of
from service.people import accounts
from store import timestamps
from store.games.games import moves_after
from store.tables import games, seats
from tests.service.games.test_lobby import finish
from tests.service.support.tables import keep_tickets, let_house_play, play, player, table
from tests.service.support.timing import by_hand, seat_at, sources, table_at
from tests.support.hooks import after


@pytest.fixture
def log_lines() -> Iterator[list[Any]]:
    """The entries logged during a test."""
    with structlog.testing.capture_logs() as entries:
        yield entries


def waiting(desk: Desk) -> dict[str, str | None]:
    """For each game: since when the house is awaited, or until when a worker has claimed it."""
    with desk.database.reading() as tx:
        return {row.id: row.house_due for row in tx.execute(select(games.c.id, games.c.house_due))}


def opened(desk: Desk, name: str, **more: Any) -> str:
    """Open a game against the house, in which the house has not decided anything yet."""
    bots = more.pop("bots", {"easy": 1})
    new_game = lobby.NewGame("usa", (), 1 + sum(bots.values()), bots=bots, **more)
    game: str = lobby.open_game(desk, player(desk, name), new_game, None)["id"]
    return game


def watched(monkeypatch: pytest.MonkeyPatch, bot: Any, *names: str) -> None:
    """Replace these house bots by another bot."""
    for name in names:
        monkeypatch.setitem(house.PLAYERS, name, bot)


@pytest.mark.parametrize("board", ["usa", "europe", "uk"])
def test_nothing_hidden_reaches_a_house_bot(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, board: str
) -> None:
    """At every decision a house bot gets the replay of its seat's redacted log."""
    game, (ada,) = table(desk, "Ada", board=board, bots={"easy": 1, "medium": 1})
    looked = []

    def look(rules: Ruleset, view: State, seat: int) -> Action:
        with desk.database.reading() as tx:
            log = [event for move in moves_after(tx, game, -1) for event in events_of(move)]
        assert replay(rules, log_seen_by(log, seat)) == view
        assert replay(rules, log) != view
        looked.append(seat)
        return HOUSE["easy"](rules, view, seat)

    watched(monkeypatch, look, "easy", "medium")
    for _ in range(12):
        decision = reading.decision(desk, game, ada)
        assert decision is not None
        play(desk, game, ada, decision["default"]["text"])

    assert 2 == len(set(looked))


def test_each_seat_is_played_by_the_bot_that_was_asked_for(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each seat of the house is played by its own bot, a resigned seat by the caretaker."""
    called: list[tuple[str, int]] = []
    for name, bot in house.PLAYERS.items():

        def noted(rules: Ruleset, view: State, seat: int, *, name: str = name) -> Action:
            called.append((name, seat))
            return default_for(rules, view, seat)

        watched(monkeypatch, noted, name)
        assert bot is HOUSE["medium" if name == "caretaker" else name]
    game, (ada, _) = table(desk, "Ada", "Ben", bots={"easy": 1, "medium": 1, "hard": 1})
    lobby.leave(desk, ada, game)
    let_house_play(desk, game)

    house_seats = {(seat.house, seat.number) for seat in table_at(desk, game).seated if seat.house}
    assert house_seats == set(called)


def test_bots_of_one_strength_are_told_apart(desk: Desk) -> None:
    """Several bots of one strength are numbered by seat, the same everywhere; one is not."""
    ada = player(desk, "Ada")
    new_game = lobby.NewGame("usa", (), 5, bots={"easy": 2, "hard": 1})
    opened = lobby.open_game(desk, ada, new_game, None)
    names = ["Ada", "House (easy) 1", "House (easy) 2", "House (hard)"]
    assert names == [seat["name"] for seat in opened["players"]]
    assert names == seat_names.names_of(table_at(desk, opened["id"]))

    joined = lobby.join(desk, player(desk, "Ben"), opened["id"], "", None)  # seats are drawn
    drawn = seat_names.names_of(table_at(desk, opened["id"]))
    assert drawn == [seat["name"] for seat in joined["players"]]
    assert sorted([*names, "Ben"]) == sorted(drawn)
    assert drawn.index("House (easy) 1") < drawn.index("House (easy) 2")
    shown = json.loads(reading.game(desk, opened["id"], ada)[1])
    assert drawn == [seat["name"] for seat in shown["players"]]


def test_a_move_does_not_wait_for_the_house(
    each_desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A request stores its own move and that the house is awaited; the house plays later."""
    game = opened(each_desk, "Ada", bots={"hard": 1})
    watched(monkeypatch, lambda *_: pytest.fail("thought within a request"), "hard")
    ada = next(seat.account for seat in table_at(each_desk, game).seated if seat.account)
    assert waiting(each_desk)[game] is not None
    moves.submit(each_desk, ada, game, MoveRequest("keep all"))

    assert ["api"] == sources(each_desk, game)
    assert waiting(each_desk)[game] is not None
    monkeypatch.undo()
    let_house_play(each_desk, game)
    assert waiting(each_desk)[game] is None
    assert {"api", "house"} == set(sources(each_desk, game))


@pytest.mark.parametrize("answer", ["raises", "nonsense", "of another seat"])
def test_a_bot_that_fails_stops_no_table(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, log_lines: list[Any], answer: str
) -> None:
    """The default is played instead, an error is logged, and the game comes to its end."""

    def broken(rules: Ruleset, view: State, seat: int) -> Any:
        if answer == "raises":
            raise LookupError("no way to Paris")
        return None if answer == "nonsense" else options(rules, view, 1 - seat).actions[0]

    watched(monkeypatch, broken, "easy")
    game, (ada,) = table(desk, "Ada", bots={"easy": 1})
    finish(desk, game, ada)

    assert "finished" == table_at(desk, game).status
    assert {"easy"} == {entry["bot"] for entry in log_lines if entry["log_level"] == "error"}


def test_two_never_play_for_the_house_at_one_table(
    each_desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While one worker plays for the house at a table, another finds nothing to do."""
    game = opened(each_desk, "Ada")
    others: list[bool] = []

    def thinking(rules: Ruleset, view: State, seat: int) -> Action:
        others.append(house.play_next(each_desk))
        return HOUSE["easy"](rules, view, seat)

    watched(monkeypatch, thinking, "easy")
    assert house.play_next(each_desk)

    assert others
    assert not any(others)
    assert waiting(each_desk)[game] is None


def test_a_decision_counts_once_however_many_think(
    each_desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bot's answer is dropped if its decision was made meanwhile, even if it is still legal."""
    game, (ada,) = table(each_desk, "Ada", bots={"easy": 1})
    keep_tickets(each_desk, game, [ada])
    while reading.decision(each_desk, game, ada):
        moves.submit(each_desk, ada, game, MoveRequest("draw"))
    before = sources(each_desk, game)

    def slow(rules: Ruleset, view: State, seat: int) -> Action:
        watched(monkeypatch, default_for, "easy")
        assert house.play(each_desk, game)
        return default_for(rules, view, seat)

    watched(monkeypatch, slow, "easy")
    assert house.play(each_desk, game)

    assert [*before, "house"] == sources(each_desk, game)
    assert house.play(each_desk, game)


def test_what_a_dead_worker_has_begun_is_taken_up(
    each_desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A dead worker's table is claimed again after its lease, within half a minute."""
    game = opened(each_desk, "Ada")

    def killed(*_: object) -> Action:
        raise KeyboardInterrupt

    watched(monkeypatch, killed, "easy")
    with pytest.raises(KeyboardInterrupt):
        house.play_next(each_desk)
    monkeypatch.undo()
    assert not house.play_next(after(each_desk, seconds=20))
    assert [] == sources(each_desk, game)

    assert house.play_next(after(each_desk, seconds=30))
    assert ["house"] == sources(each_desk, game)


def test_where_people_wait_comes_first(each_desk: Desk) -> None:
    """A table with people is played before one of bots that has waited longer."""
    among_bots, with_ben = opened(each_desk, "Ada"), opened(each_desk, "Ben")
    with each_desk.database.writing() as tx:
        here = update(games).where(games.c.id == among_bots)
        tx.execute(here.values(bot_game=1, house_due="2000-01-01T00:00:00.000Z"))
    assert house.play_next(each_desk)

    assert [with_ben] == [game for game, due in waiting(each_desk).items() if due is None]


def test_nobody_holds_a_worker_for_long(each_desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """A table whose time is used up goes to the end of the queue, still awaiting the house."""
    monkeypatch.setattr(house, "TURN", 0.0)
    game, other = opened(each_desk, "Ada", bots={"easy": 2}), opened(each_desk, "Ben")
    for _ in range(2):
        assert house.play_next(each_desk)

    assert [["house"], ["house"]] == [sources(each_desk, id) for id in (game, other)]
    assert waiting(each_desk)[game] is not None


def test_one_game_that_cannot_go_on_holds_up_no_other(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, log_lines: list[Any]
) -> None:
    """A game that fails is logged, and the house plays the other game."""
    first, second = opened(desk, "Ada"), opened(desk, "Ben")
    really = house._turn

    def play_all_but(desk: Desk, game: str) -> house.Turn | None:
        if game == first:
            raise RuntimeError("a fault of ours")
        return really(desk, game)

    monkeypatch.setattr(house, "_turn", play_all_but)
    while house.play_next(desk):
        pass

    assert [[], ["house"]] == [sources(desk, id) for id in (first, second)]
    assert [first] == [entry["game"] for entry in log_lines if entry["log_level"] == "error"]


def test_the_house_plays_at_private_tables(desk: Desk) -> None:
    """The house plays at a private table, but cannot move at a player's seat."""
    game = opened(desk, "Ada", visibility="private")
    assert house.play_next(desk)
    assert ["house"] == sources(desk, game)
    seat = next(row.number for row in table_at_private(desk, game) if row.account)
    with pytest.raises(Exception, match="have no seat"):
        moves.submit(desk, House(seat), game, MoveRequest("keep all"))


def table_at_private(desk: Desk, game: str) -> Any:
    """The rows of a table's seats, read without a check of access."""
    with desk.database.reading() as tx:
        return tx.execute(select(seats).where(seats.c.game == game)).all()


def test_a_whole_game_against_each_strength(each_desk: Desk) -> None:
    """A whole game is finished, and in its log only the player's moves are not the house's."""
    game, (ada,) = table(each_desk, "Ada", bots={"easy": 1, "medium": 1})
    keep_tickets(each_desk, game, [ada])
    finish(each_desk, game, ada)
    log = [json.loads(line) for line in reading.log(each_desk, game, None)[2:-1]]
    mine = table_at(each_desk, game).seat_of(ada)

    assert mine is not None
    assert {mine.number: {"api"}} == {
        seat: {entry["source"] for entry in log if entry["seat"] == seat}
        for seat in {entry["seat"] for entry in log if entry["source"] != "house"}
    }


def test_whoever_moves_and_is_not_done_is_asked_anew(desk: Desk) -> None:
    """Buying a technology does not end the turn, but opens a new decision."""
    game, (ada,) = table(desk, "Ada", board="uk", bots={"easy": 1})
    for _ in range(80):
        decision = reading.decision(desk, game, ada, all_options=True)
        assert decision is not None
        texts = [option["text"] for option in decision["options"]]
        buying = next((text for text in texts if text.startswith("buy ")), None)
        before = seat_at(desk, game, ada).decision_version
        play(desk, game, ada, buying or texts[0])
        if buying:
            assert before != seat_at(desk, game, ada).decision_version
            return
    raise AssertionError("nothing could be bought")


def thinking(monkeypatch: pytest.MonkeyPatch, hands: Any, milliseconds: int) -> None:
    """Let easy house bots take this many milliseconds for every answer."""

    def slow(rules: Ruleset, view: State, seat: int) -> Action:
        hands.on(milliseconds=milliseconds)
        return default_for(rules, view, seat)

    watched(monkeypatch, slow, "easy")


def last_move(desk: Desk, game: str) -> Any:
    """The last line of a game's log."""
    with desk.database.reading() as tx:
        return json.loads(moves_after(tx, game, -1)[-1].record)


@pytest.mark.parametrize(("takes", "comes"), [(0, 250), (40, 250), (249, 250), (300, 500)])
def test_an_answer_comes_at_a_time_that_tells_nothing(
    each_desk: Desk, monkeypatch: pytest.MonkeyPatch, takes: int, comes: int
) -> None:
    """An answer is delayed to a multiple of 250 ms, so that it hides how long the bot thought."""
    desk, hands = by_hand(each_desk)
    game, opened_at, answers = opened(desk, "Ada"), desk.now(), house.Answers()
    thinking(monkeypatch, hands, takes)
    assert house.play_next(desk, answers)
    assert answers.seconds_left(desk.now()) == (comes - takes) / 1000
    hands.on(milliseconds=comes - takes - 1)
    assert not house.play_next(desk, answers)
    assert 0 == table_at(desk, game).version
    hands.on(milliseconds=1)
    assert house.play_next(desk, answers)

    move = last_move(desk, game)
    assert ("house", timestamps.later(opened_at, timedelta(milliseconds=comes))) == (
        move["source"],
        move["at"],
    )
    assert answers.seconds_left(desk.now()) is None


def test_an_answer_that_is_kept_back_is_not_lost(
    each_desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the process with a delayed answer dies, another one decides again, also delayed."""
    desk, hands = by_hand(each_desk)
    game = opened(desk, "Ada")
    thinking(monkeypatch, hands, 10)
    assert house.play_next(desk, house.Answers())
    hands.on(milliseconds=240)
    answers = house.Answers()
    assert house.play_next(desk, answers)
    assert 0 == table_at(desk, game).version
    hands.on(milliseconds=240)

    assert house.play_next(desk, answers)
    assert "house" == last_move(desk, game)["source"]


def test_from_bots_an_answer_is_kept_back_too(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """An answer to a bot is delayed as well, but only to 50 ms."""
    desk, hands = by_hand(desk)
    owl = accounts.create(desk, {"name": "Owl", "kind": "bot"}, None)["account"]["id"]
    new_game = lobby.NewGame("usa", (), 2, "live", bots={"easy": 1})
    game = lobby.open_game(desk, owl, new_game, None)["id"]
    thinking(monkeypatch, hands, 10)
    answers = house.Answers()

    assert house.play_next(desk, answers)
    assert answers.seconds_left(desk.now()) == 0.04
    hands.on(milliseconds=40)
    assert house.play_next(desk, answers)
    assert "house" == last_move(desk, game)["source"]
