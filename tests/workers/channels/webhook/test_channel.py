import random

from standardwebhooks import Webhook

from engine.values import HIDDEN
from service.desk import Desk
from service.games import lobby, moves, reading, table_lookup, talk
from service.games.move_requests import from_body
from service.notify import hook_deliveries
from tests.service.support.tables import keep_tickets, let_house_play, play, player, table
from tests.support.hook_receiver import Receiver, Reply, signature
from tests.support.hooks import after, caller, hooked, on_its_way, owe, spread, tell
from tests.support.menus import by_choice, preferred
from tests.workers.hooked_game import HookedGame, channel, here, lite, receiver
from workers.calling.connector import Connector
from workers.channels.webhook.sender import Webhooks

__all__ = ["channel", "here", "lite", "receiver"]


def test_decision_comes_as_everybody_reads_it(
    here: Desk, receiver: Receiver, channel: Connector
) -> None:
    """`decision.opened` carries the decision as the API returns it, and the time it was opened."""
    hooked = HookedGame(here, receiver, channel, "decision.opened")
    hooked.open_decision()

    (outcome,) = hooked.deliver()
    (payload,) = hooked.payloads()
    assert ("sent", 204, None) == (outcome.state, outcome.status, outcome.error)
    assert (len(receiver.calls[0].body), 0) == (outcome.sent_bytes, outcome.answer_bytes)
    assert "decision.opened" == payload["type"]
    assert reading.decision(here, hooked.game, hooked.ada) == payload["data"]
    assert payload["data"]["since"] == payload["timestamp"]


def test_request_is_a_standard_webhook(lite: Desk, receiver: Receiver, channel: Connector) -> None:
    """The request verifies with the reference library and by hand, and has the standard headers."""
    hooked = HookedGame(lite, receiver, channel)
    hook_deliveries.ping(lite, caller(hooked.ada), hooked.hook["id"], None)
    hooked.deliver()
    (call,) = receiver.calls

    assert {"hook": hooked.hook["id"]} == Webhook(hooked.hook["secret"]).verify(
        call.body, call.headers
    )["data"]
    assert signature(hooked.hook["secret"], call) == call.headers["webhook-signature"]
    assert f"msg_{on_its_way(lite, 'id')[0]}" == call.headers["webhook-id"]
    assert "application/json" == call.headers["content-type"]
    assert "identity" == call.headers["accept-encoding"]
    assert call.headers["user-agent"].startswith("Nightmail")


def test_decision_that_is_made_is_not_told(
    here: Desk, receiver: Receiver, channel: Connector
) -> None:
    """A decision that was made meanwhile is superseded; only the open one is sent."""
    hooked = HookedGame(here, receiver, channel, "decision.opened")
    hooked.open_decision()
    play(here, hooked.game, hooked.ada, "draw")
    hooked.deliver()

    with here.database.reading() as tx:
        seat = table_lookup.table_of(tx, hooked.game, hooked.ada).seat_of(hooked.ada)
    assert seat is not None
    assert [seat.decision_version] == [payload["data"]["version"] for payload in hooked.payloads()]
    assert {"superseded", "sent"} == set(on_its_way(here, "state"))


def test_redelivery_tells_an_old_decision(
    here: Desk, receiver: Receiver, channel: Connector
) -> None:
    """Redelivery sends an old decision under the same id, unchanged but for its deadline."""
    hooked = HookedGame(here, receiver, channel, "decision.opened")
    hooked.open_decision()
    hooked.deliver()
    first = receiver.calls[0]
    play(here, hooked.game, hooked.ada, "draw")
    play(here, hooked.game, hooked.ada, "draw")
    play(here, hooked.game, hooked.ben, "draw")
    id = first.headers["webhook-id"].removeprefix("msg_")
    hook_deliveries.redeliver(here, caller(hooked.ada), hooked.hook["id"], id, None)
    receiver.calls.clear()
    hooked.deliver()

    again = next(call for call in receiver.calls if call.headers["webhook-id"] == f"msg_{id}")
    unsaid = {"deadline": None}
    assert first.payload["data"] | unsaid == again.payload["data"] | unsaid
    assert first.payload["timestamp"] == again.payload["timestamp"]


def test_message_is_told(here: Desk, receiver: Receiver, channel: Connector) -> None:
    """`message.posted` carries the message as the API lists it."""
    hooked = HookedGame(here, receiver, channel, "message.posted")
    message = talk.say(here, hooked.ben, hooked.game, "Hello", None)
    hooked.deliver()

    assert [("message.posted", {"game": hooked.game, "message": message})] == [
        (payload["type"], payload["data"]) for payload in hooked.payloads()
    ]


def test_moves_are_told_with_the_eyes_of_the_seat(
    here: Desk, receiver: Receiver, channel: Connector
) -> None:
    """`game.moved` carries the events as this seat sees them: cards of others stay hidden."""
    hooked = HookedGame(here, receiver, channel, "game.moved")
    hooked.open_decision()
    for account in (hooked.ada, hooked.ben):
        play(here, hooked.game, account, "draw")
        hooked.deliver()
        play(here, hooked.game, account, "draw")
        hooked.deliver()

    documents = sorted(
        (payload["data"] for payload in hooked.payloads()),
        key=lambda data: data["version"],
    )
    seen = [event for data in documents for event in data["events"]]
    read = reading.events(here, hooked.game, hooked.ada, 0)["events"]
    assert read[-len(seen) :] == seen
    assert {"game", "title", "version", "seat", "events"} == documents[0].keys()
    cards = [event["event"]["card"] for event in seen if "card" in event["event"]]
    assert [HIDDEN, HIDDEN] == cards[2:]
    assert HIDDEN not in cards[:2]


def test_moves_of_the_house_are_told_like_all_others(
    lite: Desk, receiver: Receiver, channel: Connector
) -> None:
    """Moves of the house are sent once each, and no event between them is missing."""
    game, (ada,) = table(lite, "Ada", bots={"easy": 2})
    hooked(lite, ada, receiver.url, types=["game.moved"])
    play(lite, game, ada, "keep all")
    for _ in range(6):
        play(lite, game, ada, "draw")
    spread(lite)
    tell(lite, Webhooks(lite, channel))

    payloads = [call.payload["data"] for call in receiver.calls]
    numbers = sorted(event["seq"] for payload in payloads for event in payload["events"])
    read = [event["seq"] for event in reading.events(lite, game, ada, 0)["events"]]
    assert read[-len(numbers) :] == numbers
    assert len(payloads) == len({payload["version"] for payload in payloads})


def test_late_attempt_says_the_same(lite: Desk, receiver: Receiver, channel: Connector) -> None:
    """A retry after the game has moved on has the same id and body."""
    hooked = HookedGame(lite, receiver, channel, "game.moved")
    keep_tickets(lite, hooked.game, hooked.players)
    spread(lite)
    receiver.usually = lambda _: Reply(500)
    hooked.deliver()
    calls = {call.headers["webhook-id"]: call.body for call in receiver.calls}
    with lite.database.reading() as tx:
        awaited = table_lookup.table_of(tx, hooked.game, hooked.ada).seated
    for seat in awaited:
        if seat.awaited_since and seat.account:
            play(lite, hooked.game, seat.account, "draw")
    receiver.calls.clear()
    late = after(lite, seconds=30)
    tell(late, Webhooks(late, channel))

    again = {call.headers["webhook-id"]: call.body for call in receiver.calls}
    assert calls == {id: again[id] for id in calls}


def test_end_is_told_with_the_result(lite: Desk, receiver: Receiver, channel: Connector) -> None:
    """`game.started` names the game and the seat, `game.finished` the result."""
    ada, ben = player(lite, "Ada"), player(lite, "Ben")
    hooked(lite, ada, receiver.url, types=["game.started", "game.finished"])
    game = lobby.open_game(lite, ada, lobby.NewGame("usa", (), 2), None)["id"]
    lobby.join(lite, ben, game, "", None)
    lobby.leave(lite, ben, game)
    rng = random.Random(5)
    while decision := reading.decision(lite, game, ada):
        request = from_body(by_choice(preferred(decision, rng, "claim"), rng))
        moves.submit(lite, ada, game, request)
        let_house_play(lite, game)
    spread(lite)
    tell(lite, Webhooks(lite, channel))

    started, finished = (call.payload for call in receiver.calls)
    assert ("game.started", "game.finished") == (started["type"], finished["type"])
    assert {"game", "title", "version", "seat"} == started["data"].keys()
    assert game == finished["data"]["game"]
    assert {"reason", "winners", "results"} == finished["data"]["result"].keys()


def test_expiry_tells_what_was_played(lite: Desk, receiver: Receiver, channel: Connector) -> None:
    """`decision.expired` carries what was played for the seat, and the deadline."""
    hooked = HookedGame(lite, receiver, channel, "decision.expired")
    data = {"text": "draw", "label": "Draw a card", "deadline": "2030-01-01T00:00:00.000Z"}
    owe(lite, hooked.ada, "decision_expired", game=hooked.game, seat=0, version=0, data=data)
    hooked.deliver()

    (payload,) = hooked.payloads()
    assert "decision.expired" == payload["type"]
    assert {"text": "draw", "label": "Draw a card"} == payload["data"]["played"]
    assert data["deadline"] == payload["data"]["deadline"]
