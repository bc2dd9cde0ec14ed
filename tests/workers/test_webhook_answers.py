from typing import Any

import pytest

from engine import Refusal
from service import moves, outbox, reading, talk
from service.desk import Desk
from tests.hooking import on_its_way, owe
from tests.receiver import Receiver, Reply
from tests.service.tables import play
from tests.workers.told import Told, channel, here, lite, receiver
from workers.connector import Connector
from workers.webhooks import NO_MOVE

__all__ = ["channel", "here", "lite", "receiver"]


@pytest.mark.parametrize("by", ["text", "action"])
def test_answer_is_the_move(here: Desk, receiver: Receiver, channel: Connector, by: str) -> None:
    """200 with a text or an action is the move, and its source is the webhook."""
    told = Told(here, receiver, channel, "decision.opened")
    told.asked()
    move = {"text": "draw"} if by == "text" else {"action": {"type": "draw_blind"}}
    receiver.reply(200, move)
    outcome = told.deliver()[0]

    assert ("sent", 200, None) == (outcome.state, outcome.status, outcome.error)
    assert "webhook" == told.source()


def test_bot_plays_a_turn_by_its_answers(
    lite: Desk, receiver: Receiver, channel: Connector
) -> None:
    """A bot that answers every decision needs no other call to play on."""
    told = Told(lite, receiver, channel, "decision.opened")
    told.asked()
    receiver.usually = lambda _: Reply(200, b'{"text": "draw"}')
    while told.deliver():
        pass

    assert 2 == len(receiver.calls)
    assert {"sent"} == set(on_its_way(lite, "state"))
    assert "webhook" == told.source()


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (202, {"text": "draw"}),
        (204, b""),
        (200, b""),
        (200, b"ok"),
        (200, b"{"),
        (200, b'{"text": "draw"}' + b" " * 5000),
        (200, b"[" * 3000),
        (200, b'{"action": ' + b'{"a":' * 60 + b"1" + b"}" * 61),
        (200, b'{"text": "\xff"}'),
    ],
    ids=["202", "204", "empty", "words", "cut", "long", "deep", "nested", "bytes"],
)
def test_answer_without_a_move_is_fine(
    lite: Desk, receiver: Receiver, channel: Connector, status: int, body: Any
) -> None:
    """Whatever else is answered with success counts as arrived, and nothing is played."""
    told = Told(lite, receiver, channel, "decision.opened")
    told.asked()
    before = told.source()
    receiver.reply(status, body)
    outcome = told.deliver()[0]

    assert ("sent", None) == (outcome.state, outcome.error)
    assert before == told.source()


@pytest.mark.parametrize(
    "body",
    [{}, [], {"move": "draw"}, {"text": 3}, {"action": "draw"}, {"text": "a" * 401}],
    ids=str,
)
def test_answer_that_tries_to_be_a_move_is_explained(
    lite: Desk, receiver: Receiver, channel: Connector, body: Any
) -> None:
    """JSON that is no move arrives, and the owner reads what it should have been."""
    told = Told(lite, receiver, channel, "decision.opened")
    told.asked()
    receiver.reply(200, body)

    assert ("sent", NO_MOVE) == told.deliver()[0][::2][:2]


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ({"text": "keep all"}, "illegal"),
        ({"text": "dance"}, "unreadable"),
        ({"action": {"type": "dance"}}, "unreadable"),
        ({"text": "draw\u0000"}, "unreadable"),
    ],
    ids=str,
)
def test_refused_move_is_written_down(
    here: Desk, receiver: Receiver, channel: Connector, body: Any, says: str
) -> None:
    """A move that is refused changes nothing; the delivery has arrived and says why."""
    told = Told(here, receiver, channel, "decision.opened")
    told.asked()
    receiver.reply(200, body)
    outcome = told.deliver()[0]

    assert "sent" == outcome.state
    assert outcome.error is not None
    assert outcome.error.startswith(f"The move was refused ({says}): ")
    assert "\0" not in outcome.error
    assert "webhook" != told.source()
    assert outcome.error == on_its_way(here, "error", "version")[-1][0]


def test_repeated_delivery_does_not_move_twice(
    here: Desk, receiver: Receiver, channel: Connector
) -> None:
    """A worker that dies after the move sends again; the decision is made, so nobody is asked."""
    told = Told(here, receiver, channel, "decision.opened")
    told.asked()
    receiver.reply(200, {"text": "draw"})
    (delivery,) = outbox.claim_for_hooks(here, 10)
    first = told.channel.deliver(delivery)
    with here.database.reading() as tx:
        version = reading.table_of(tx, told.game, told.ada).version

    assert ("sent", "superseded") == (first.state, told.channel.deliver(delivery).state)
    with here.database.reading() as tx:
        assert version == reading.table_of(tx, told.game, told.ada).version
    other = moves.Wanted(text="draw blue", key=f"webhook {delivery.id}")
    with pytest.raises(Refusal, match="another request"):
        moves.submit(here, told.ada, told.game, other)


def test_answer_to_another_decision_is_refused(
    lite: Desk, receiver: Receiver, channel: Connector
) -> None:
    """While the bot thinks its decision is made by another door; its answer does not count."""
    told = Told(lite, receiver, channel, "decision.opened")
    told.asked()

    def slow(_: object) -> Reply:
        play(lite, told.game, told.ada, "draw")
        receiver.usually = lambda _: Reply()
        return Reply(200, b'{"text": "draw"}')

    receiver.usually = slow
    outcome = told.deliver()[0]

    assert "sent" == outcome.state
    assert outcome.error is not None
    assert "stale" in outcome.error


def test_answer_to_other_types_is_no_move(
    lite: Desk, receiver: Receiver, channel: Connector
) -> None:
    """Only who is asked can answer."""
    told = Told(lite, receiver, channel, "message.posted")
    told.asked()
    before = told.source()
    talk.say(lite, told.ben, told.game, "Hello", None)
    receiver.reply(200, {"text": "draw"})

    assert ("sent", None) == told.deliver()[-1][::2][:2]
    assert before == told.source()


def test_reminder_can_be_answered(lite: Desk, receiver: Receiver, channel: Connector) -> None:
    """`decision.reminder` carries the decision like the first word of it, and can be answered."""
    told = Told(lite, receiver, channel, "decision.reminder")
    told.asked()
    with lite.database.reading() as tx:
        seat = reading.table_of(tx, told.game, told.ada).seat_of(told.ada)
    assert seat is not None
    about = {"game": told.game, "seat": seat.number, "version": seat.asked}
    owe(lite, told.ada, "decision_reminder", **about, data={"deadline": seat.deadline})
    receiver.reply(200, {"text": "draw"})

    assert "sent" == told.deliver()[0].state
    assert "decision.reminder" == told.said()[0]["type"]
    assert "webhook" == told.source()
