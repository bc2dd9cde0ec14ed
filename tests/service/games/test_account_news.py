"""What is new for an account: the beginning of its stream, and what differs since."""

from typing import Any

import pytest

from service.desk import Desk
from service.games import account_news, lobby, reading, talk
from service.games.account_news import Event, StreamState
from tests.service.games.test_lobby import finish
from tests.service.support.tables import play, player, table
from tests.service.support.timing import Hands, by_hand


@pytest.fixture
def clock(desk: Desk) -> tuple[Desk, Hands]:
    """A desk whose clock the test moves."""
    return by_hand(desk)


def _names(events: list[Event]) -> list[str]:
    return [event.name for event in events]


def _begun(desk: Desk, account: str, since: str | None = None) -> list[Event]:
    return account_news.beginning(desk, account, since)[1]


def _begun_state(desk: Desk, account: str) -> StreamState:
    return account_news.beginning(desk, account, None)[0]


def _since(desk: Desk, account: str, state: StreamState) -> list[Event]:
    return account_news.changes_since(desk, account, state)[1]


def _decision(desk: Desk, game: str, account: str) -> dict[str, Any]:
    decision = reading.decision(desk, game, account)
    assert decision is not None
    return decision


def test_a_stream_begins_with_the_open_decisions(desk: Desk) -> None:
    """A new reader gets every open decision, and nothing of the past."""
    game, (ada, ben) = table(desk, "Ada", "Ben")
    talk.say(desk, ben, game, "Hello", None)

    assert [Event("decision", _decision(desk, game, ada))] == _begun(desk, ada)
    assert [] == _begun(desk, player(desk, "Eve"))


def test_after_a_break_the_reader_is_told_what_happened(clock: tuple[Desk, Hands]) -> None:
    """With a cursor the stream tells of starts, messages, decisions that are gone, and ends."""
    desk, hands = clock
    game, (ada, ben) = table(desk, "Ada", "Ben")
    hands.on(minutes=1)
    cursor = desk.now()
    hands.on(minutes=1)
    talk.say(desk, ben, game, "Hello", None)
    play(desk, game, ada, "keep all")
    other = str(lobby.open_game(desk, ada, lobby.NewGame("usa", (), 2), None)["id"])
    lobby.join(desk, ben, other, "", None)
    events = [(event.name, event.data["game"]) for event in _begun(desk, ada, cursor)]

    assert [("message", game), ("decision_gone", game)] == [pair for pair in events if game in pair]
    assert [("game_started", other), ("decision", other)] == [
        pair for pair in events if other in pair
    ]


def test_a_game_that_has_ended_since_is_told(clock: tuple[Desk, Hands]) -> None:
    """After a break it is told with its end; a new reader does not hear of it."""
    desk, hands = clock
    game, (ada,) = table(desk, "Ada", bots={"easy": 1})
    hands.on(minutes=1)
    cursor = desk.now()
    hands.on(minutes=1)
    finish(desk, game, ada)

    assert ["decision_gone", "game_finished"] == _names(_begun(desk, ada, cursor))
    hands.on(minutes=1)
    assert [] == _begun(desk, ada)


@pytest.mark.parametrize(("seconds", "names"), [(4, ["message"]), (6, [])])
def test_what_was_committed_late_is_told(
    clock: tuple[Desk, Hands], seconds: int, names: list[str]
) -> None:
    """What happened up to five seconds before the cursor is told as well."""
    desk, hands = clock
    game, (ada, ben) = table(desk, "Ada", "Ben")
    hands.on(minutes=1)
    talk.say(desk, ben, game, "Hello", None)
    hands.on(seconds=seconds)

    assert [*names, "decision"] == _names(_begun(desk, ada, desk.now()))


def test_of_much_talk_a_part_is_told(
    clock: tuple[Desk, Hands], monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a break the first messages of each game are told; the rest is at the table."""
    monkeypatch.setattr(account_news, "MOST_MESSAGES", 2)
    desk, hands = clock
    game, (ada, ben) = table(desk, "Ada", "Ben")
    cursor = desk.now()
    hands.on(minutes=1)
    for number in range(3):
        talk.say(desk, ben, game, f"Hello {number}", None)
    messages = [event.data for event in _begun(desk, ada, cursor) if event.name == "message"]

    assert [(game, "Hello 0"), (game, "Hello 1")] == [
        (message["game"], message["text"]) for message in messages
    ]


def test_nothing_new_is_no_event(desk: Desk) -> None:
    """A stream has no event if nothing concerns its reader, as after the move of another player."""
    game, (ada, ben) = table(desk, "Ada", "Ben")
    state = _begun_state(desk, ada)
    assert [] == _since(desk, ada, state)

    play(desk, game, ben, "keep all")
    assert [] == _since(desk, ada, state)


def test_each_change_is_told_once(desk: Desk) -> None:
    """A message, a decision that is gone, and the next one; then nothing is new."""
    game, (ada, ben) = table(desk, "Ada", "Ben")
    state = _begun_state(desk, ada)
    talk.say(desk, ben, game, "Hello", None)
    play(desk, game, ada, "keep all")
    state, events = account_news.changes_since(desk, ada, state)
    assert ["message", "decision_gone"] == _names(events)

    play(desk, game, ben, "keep all")
    state, events = account_news.changes_since(desk, ada, state)
    assert [Event("decision", _decision(desk, game, ada))] == events
    assert [] == _since(desk, ada, state)


def test_a_game_is_told_from_its_start_to_its_end(desk: Desk) -> None:
    """A table that was joined since is told when its game starts, and when it is over."""
    ada, ben = player(desk, "Ada"), player(desk, "Ben")
    game = str(lobby.open_game(desk, ada, lobby.NewGame("usa", (), 2), None)["id"])
    state = _begun_state(desk, ben)
    lobby.join(desk, ben, game, "", None)
    state, events = account_news.changes_since(desk, ben, state)
    assert ["game_started", "decision"] == _names(events)
    assert ("running", game) == (events[0].data["status"], events[0].data["game"])

    lobby.leave(desk, ada, game)
    lobby.leave(desk, ben, game)
    assert [Event("decision_gone", {"game": game})] == _since(desk, ben, state)
