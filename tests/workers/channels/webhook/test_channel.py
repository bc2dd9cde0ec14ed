from standardwebhooks import Webhook

from engine.values import HIDDEN
from service.desk import Desk
from service.games import lobby, reading, table_lookup, talk
from service.notify import hook_deliveries
from tests.service.tables import keep_tickets, play, player, table
from tests.support.hook_receiver import Receiver, Reply, signature
from tests.support.hooks import after, caller, hooked, on_its_way, owe, spread, tell
from tests.workers.told import Told, channel, here, lite, receiver
from workers.channels.webhook.connector import Connector
from workers.channels.webhook.sender import Webhooks

__all__ = ["channel", "here", "lite", "receiver"]


def test_decision_comes_as_everybody_reads_it(
    here: Desk, receiver: Receiver, channel: Connector
) -> None:
    """`decision.opened` carries the decision as the API returns it, and the time it was opened."""
    told = Told(here, receiver, channel, "decision.opened")
    told.asked()

    (outcome,) = told.deliver()
    (said,) = told.said()
    assert ("sent", 204, None) == (outcome.state, outcome.status, outcome.error)
    assert (len(receiver.calls[0].body), 0) == (outcome.sent_bytes, outcome.answer_bytes)
    assert "decision.opened" == said["type"]
    assert reading.decision(here, told.game, told.ada) == said["data"]
    assert said["data"]["since"] == said["timestamp"]


def test_request_is_a_standard_webhook(lite: Desk, receiver: Receiver, channel: Connector) -> None:
    """The request verifies with the reference library and by hand, and has the standard headers."""
    told = Told(lite, receiver, channel)
    hook_deliveries.ping(lite, caller(told.ada), told.hook["id"], None)
    told.deliver()
    (call,) = receiver.calls

    assert {"hook": told.hook["id"]} == Webhook(told.hook["secret"]).verify(
        call.body, call.headers
    )["data"]
    assert signature(told.hook["secret"], call) == call.headers["webhook-signature"]
    assert f"msg_{on_its_way(lite, 'id')[0]}" == call.headers["webhook-id"]
    assert "application/json" == call.headers["content-type"]
    assert "identity" == call.headers["accept-encoding"]
    assert call.headers["user-agent"].startswith("Nightmail")


def test_decision_that_is_made_is_not_told(
    here: Desk, receiver: Receiver, channel: Connector
) -> None:
    """A decision that was made meanwhile is superseded; only the open one is sent."""
    told = Told(here, receiver, channel, "decision.opened")
    told.asked()
    play(here, told.game, told.ada, "draw")
    told.deliver()

    with here.database.reading() as tx:
        asked = table_lookup.table_of(tx, told.game, told.ada).seat_of(told.ada)
    assert asked is not None
    assert [asked.decision_version] == [said["data"]["version"] for said in told.said()]
    assert {"superseded", "sent"} == set(on_its_way(here, "state"))


def test_redelivery_tells_an_old_decision(
    here: Desk, receiver: Receiver, channel: Connector
) -> None:
    """Redelivery sends an old decision under the same id, unchanged but for its deadline."""
    told = Told(here, receiver, channel, "decision.opened")
    told.asked()
    told.deliver()
    first = receiver.calls[0]
    play(here, told.game, told.ada, "draw")
    play(here, told.game, told.ada, "draw")
    play(here, told.game, told.ben, "draw")
    id = first.headers["webhook-id"].removeprefix("msg_")
    hook_deliveries.redeliver(here, caller(told.ada), told.hook["id"], id, None)
    receiver.calls.clear()
    told.deliver()

    again = next(call for call in receiver.calls if call.headers["webhook-id"] == f"msg_{id}")
    unsaid = {"deadline": None}
    assert first.said["data"] | unsaid == again.said["data"] | unsaid
    assert first.said["timestamp"] == again.said["timestamp"]


def test_message_is_told(here: Desk, receiver: Receiver, channel: Connector) -> None:
    """`message.posted` carries the message as the API lists it."""
    told = Told(here, receiver, channel, "message.posted")
    said = talk.say(here, told.ben, told.game, "Hello", None)
    told.deliver()

    assert [("message.posted", {"game": told.game, "message": said})] == [
        (one["type"], one["data"]) for one in told.said()
    ]


def test_moves_are_told_with_the_eyes_of_the_seat(
    here: Desk, receiver: Receiver, channel: Connector
) -> None:
    """`game.moved` carries the events as this seat sees them: cards of others stay hidden."""
    told = Told(here, receiver, channel, "game.moved")
    told.asked()
    for one in (told.ada, told.ben):
        play(here, told.game, one, "draw")
        told.deliver()
        play(here, told.game, one, "draw")
        told.deliver()

    said = sorted((said["data"] for said in told.said()), key=lambda one: one["version"])
    seen = [event for one in said for event in one["events"]]
    read = reading.events(here, told.game, told.ada, 0)["events"]
    assert read[-len(seen) :] == seen
    assert {"game", "title", "version", "seat", "events"} == said[0].keys()
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

    said = [call.said["data"] for call in receiver.calls]
    numbers = sorted(event["seq"] for one in said for event in one["events"])
    read = [event["seq"] for event in reading.events(lite, game, ada, 0)["events"]]
    assert read[-len(numbers) :] == numbers
    assert len(said) == len({one["version"] for one in said})


def test_late_attempt_says_the_same(lite: Desk, receiver: Receiver, channel: Connector) -> None:
    """A retry after the game has moved on has the same id and body."""
    told = Told(lite, receiver, channel, "game.moved")
    keep_tickets(lite, told.game, told.players)
    spread(lite)
    receiver.usually = lambda _: Reply(500)
    told.deliver()
    calls = {call.headers["webhook-id"]: call.body for call in receiver.calls}
    with lite.database.reading() as tx:
        awaited = table_lookup.table_of(tx, told.game, told.ada).seated
    for seat in awaited:
        if seat.awaited_since and seat.account:
            play(lite, told.game, seat.account, "draw")
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
    while asked := reading.decision(lite, game, ada):
        play(lite, game, ada, asked["options"][-1]["text"])
    spread(lite)
    tell(lite, Webhooks(lite, channel))

    started, finished = (call.said for call in receiver.calls)
    assert ("game.started", "game.finished") == (started["type"], finished["type"])
    assert {"game", "title", "version", "seat"} == started["data"].keys()
    assert game == finished["data"]["game"]
    assert {"reason", "winners", "results"} == finished["data"]["result"].keys()


def test_expiry_tells_what_was_played(lite: Desk, receiver: Receiver, channel: Connector) -> None:
    """`decision.expired` carries what was played for the seat, and the deadline."""
    told = Told(lite, receiver, channel, "decision.expired")
    data = {"text": "draw", "label": "Draw a card", "deadline": "2030-01-01T00:00:00.000Z"}
    owe(lite, told.ada, "decision_expired", game=told.game, seat=0, version=0, data=data)
    told.deliver()

    (said,) = told.said()
    assert "decision.expired" == said["type"]
    assert {"text": "draw", "label": "Draw a card"} == said["data"]["played"]
    assert data["deadline"] == said["data"]["deadline"]
