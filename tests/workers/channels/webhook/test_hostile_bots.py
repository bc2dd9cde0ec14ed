"""Whatever a bot behind a hook does, its game goes on: by the clock, then by a caretaker."""

import json
import threading
from collections.abc import Callable

import pytest

from service.clocks import deadlines
from service.desk import Desk
from tests.service.support.tables import let_house_play, table
from tests.service.support.timing import seat_at, sources, table_at
from tests.support.hook_receiver import Call, Receiver, Reply
from tests.support.hooks import Hands, hooked, near, spread, tell
from tests.workers.hooked_game import receiver
from workers.calling.connector import Connector, anywhere
from workers.channels.webhook.sender import Webhooks

__all__ = ["receiver"]

SHORT = 0.1
"""Seconds until a call of a hook times out here; the real deadline is tested elsewhere."""
LONGEST = 500
"""Turns after which a game must be over."""


def _hangs(_: Call) -> Reply:
    threading.Event().wait(5 * SHORT)
    return Reply(200, b'{"text": "1"}')


def _crashes(_: Call) -> Reply:
    raise ConnectionAbortedError


def _answering(content: bytes, status: int = 200) -> Callable[[Call], Reply]:
    return lambda _: Reply(status, content)


def _of_another_game(call: Call) -> Reply:
    about = call.payload["data"]
    return Reply(200, json.dumps({**about, "version": 99, "text": "claim the moon"}).encode())


BEHAVIOURS: dict[str, Callable[[Call], Reply]] = {
    "hangs": _hangs,
    "crashes": _crashes,
    "breaks": _answering(b"oops", 500),
    "has no JSON": _answering(b"<h1>1</h1>"),
    "says nothing legal": _answering(b'{"text": "claim the moon"}'),
    "names no action": _answering(b'{"action": {"type": "win"}}'),
    "says too much": _answering(b'{"text": "1", "because": "' + b"x" * 5_000_000 + b'"}'),
    "answers something else": _of_another_game,
}


@pytest.mark.parametrize("behaviour", BEHAVIOURS)
def test_a_hostile_bot_stops_no_table(desk: Desk, receiver: Receiver, behaviour: str) -> None:
    """The bot misses three deadlines, then a caretaker decides, and the game keeps running."""
    hands = Hands()
    desk = near(desk)._replace(now=hands.now)
    game, (bot,) = table(desk, "Bot", bots={"easy": 1}, pace="live")
    hooked(desk, bot, receiver.url, types=["decision.opened"])
    receiver.usually = BEHAVIOURS[behaviour]
    connector = Connector(anywhere, deadline=SHORT)
    channel = Webhooks(desk, connector)
    seen: list[tuple[int, int]] = []
    while len(seen) < 6:
        spread(desk)
        tell(desk, channel)
        hands.move(minutes=5)
        late = deadlines.sweep(desk)
        let_house_play(desk, game)
        seen.append((late, seat_at(desk, game, bot).missed))
    connector.close()

    assert [(1, 1), (1, 2), (1, 3), (0, 3), (0, 3), (0, 3)] == seen
    assert 3 == sources(desk, game).count("clock")
    assert receiver.calls
    assert "running" == table_at(desk, game).status


def test_a_game_of_a_slow_and_a_lying_bot_ends(desk: Desk, receiver: Receiver) -> None:
    """The clock and the house alone play the game to its end."""
    hands = Hands()
    desk = near(desk)._replace(now=hands.now)
    game, (slow, liar) = table(desk, "Slow", "Liar", bots={"hard": 1}, pace="live")
    for bot in (slow, liar):
        hooked(desk, bot, f"{receiver.url}?{bot}", types=["decision.opened"])
    behaviours = {slow: "hangs", liar: "says nothing legal"}
    receiver.usually = lambda call: BEHAVIOURS[behaviours[call.path.partition("?")[2]]](call)
    connector = Connector(anywhere, deadline=SHORT / 5)
    channel = Webhooks(desk, connector)
    turns = 0
    while table_at(desk, game).status == "running":
        turns += 1
        assert turns < LONGEST
        spread(desk)
        tell(desk, channel)
        hands.move(minutes=5)
        deadlines.sweep(desk)
        let_house_play(desk, game)
    connector.close()

    assert "finished" == table_at(desk, game).status
    assert (3, 3) == tuple(seat_at(desk, game, bot).missed for bot in (slow, liar))
    assert behaviours.keys() == {call.path.partition("?")[2] for call in receiver.calls}
    assert {"clock", "house"} == set(sources(desk, game))
