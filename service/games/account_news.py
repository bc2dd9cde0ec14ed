"""What is new for an account, in all its games: the events of its stream."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any, NamedTuple

from service.desk import Desk
from service.games import reading, talk
from store import timestamps
from store.games import account_games
from store.games.account_games import Standing

OVERLAP = timedelta(seconds=5)
"""How far before a cursor we search: a late commit may have an earlier time."""
MOST_MESSAGES = 100
"""Messages of one game that are sent after a break; older ones can be read at the table."""
OVER = ("finished", "abandoned")


class Event(NamedTuple):
    """Something new."""

    name: str
    data: dict[str, Any]


class StreamState(NamedTuple):
    """What the reader of a stream has been sent: every game as it was at this time."""

    at: str
    games: dict[str, Standing]


def beginning(desk: Desk, account: str, since: str | None) -> tuple[StreamState, list[Event]]:
    """Return the beginning of a stream: every open decision, and after a break what happened."""
    at = desk.now()
    start = timestamps.later(since or at, -OVERLAP)
    standings = _standings(desk, account, start)
    events = [
        event for standing in standings for event in _since(desk, account, standing, start, since)
    ]
    return StreamState(at, {standing.game: standing for standing in standings}), events


def changes_since(desk: Desk, account: str, state: StreamState) -> tuple[StreamState, list[Event]]:
    """Return the events for everything that has changed since this state."""
    at = desk.now()
    standings = _standings(desk, account, timestamps.later(state.at, -OVERLAP))
    current = {standing.game: standing for standing in standings}
    events = [
        Event("decision_gone", {"game": before.game})
        for before in state.games.values()
        if before.decision_version is not None and before.game not in current
    ]
    for standing in standings:
        events += _changed(desk, account, state.games.get(standing.game), standing)
    return StreamState(at, current), events


def _standings(desk: Desk, account: str, since: str) -> list[Standing]:
    with desk.database.reading() as tx:
        return account_games.standings(tx, account, since)


def _since(
    desk: Desk, account: str, standing: Standing, start: str, since: str | None
) -> Iterator[Event]:
    """Yield the news of a game for a reader who has seen all up to `since`, or nothing if None."""
    is_resumed = since is not None
    if is_resumed and standing.started and standing.started > start:
        yield _game("game_started", standing)
    if is_resumed and standing.last_message:
        with desk.database.reading() as tx:
            number = account_games.first_message_since(tx, standing.game, start)
        if number is not None:
            yield from _messages(desk, account, standing.game, number - 1)
    if standing.decision_version is not None:
        yield from _decision(desk, account, standing.game)
    elif is_resumed and standing.started:
        yield Event("decision_gone", {"game": standing.game})
    if is_resumed and standing.status in OVER:
        yield _game("game_finished", standing)


def _changed(desk: Desk, account: str, before: Standing | None, now: Standing) -> Iterator[Event]:
    """Yield what is new in a game; `before` is None if the account has joined its table since."""
    if now.started and (before is None or not before.started):
        yield _game("game_started", now)
    if before is not None and now.last_message > before.last_message:
        yield from _messages(desk, account, now.game, before.last_message)
    version = before.decision_version if before else None
    if version is not None and now.decision_version is None:
        yield Event("decision_gone", {"game": now.game})
    elif now.decision_version != version:
        yield from _decision(desk, account, now.game)
    if now.status in OVER and (before is None or before.status not in OVER):
        yield _game("game_finished", now)


def _game(name: str, standing: Standing) -> Event:
    document = {"game": standing.game, "title": standing.title, "status": standing.status}
    return Event(name, document)


def _messages(desk: Desk, account: str, game: str, after: int) -> Iterator[Event]:
    for message in talk.messages_after(desk, account, game, after, MOST_MESSAGES):
        yield Event("message", {"game": game, **message})


def _decision(desk: Desk, account: str, game: str) -> Iterator[Event]:
    decision = reading.decision(desk, game, account)
    if decision is not None:  # it may have been answered since we looked
        yield Event("decision", decision)
