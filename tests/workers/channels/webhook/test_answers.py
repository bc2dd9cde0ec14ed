from typing import Any

import pytest
from sqlalchemy import update

from engine import Refusal
from service.desk import Desk
from service.games import moves, table_lookup, talk
from service.games.move_requests import MoveRequest
from service.notify import hook_claims, hook_deliveries, hooks
from service.notify.outbox import Outcome
from store import tables
from tests.service.support.tables import owed, play
from tests.support.hook_receiver import Receiver, Reply
from tests.support.hooks import caller, on_its_way, owe, tell
from tests.workers.hooked_game import HookedGame, channel, here, lite, receiver
from workers.calling.connector import Connector
from workers.channels.webhook.sender import NO_MOVE
from workers.lanes.sender import send

__all__ = ["channel", "here", "lite", "receiver"]


@pytest.mark.parametrize("by", ["text", "action"])
def test_answer_is_the_move(here: Desk, receiver: Receiver, channel: Connector, by: str) -> None:
    """A response of 200 with a text or an action makes the move, with the source `webhook`."""
    hooked = HookedGame(here, receiver, channel, "decision.opened")
    hooked.open_decision()
    move = {"text": "draw"} if by == "text" else {"action": {"type": "draw_blind"}}
    receiver.reply(200, move)
    outcome = hooked.deliver()[0]

    assert ("sent", 200, None) == (outcome.state, outcome.status, outcome.error)
    assert "webhook" == hooked.source()


def test_bot_plays_a_turn_by_its_answers(
    lite: Desk, receiver: Receiver, channel: Connector
) -> None:
    """A bot that responds to each decision with a move plays its turn without other requests."""
    hooked = HookedGame(lite, receiver, channel, "decision.opened")
    hooked.open_decision()
    receiver.usually = lambda _: Reply(200, b'{"text": "draw"}')
    while hooked.deliver():
        pass

    assert 2 == len(receiver.calls)
    assert {"sent"} == set(on_its_way(lite, "state"))
    assert "webhook" == hooked.source()


@pytest.mark.parametrize(
    ("status", "body"),
    [(202, {"text": "draw"}), (204, b""), (200, b""), (200, b" \n")],
    ids=["202", "204", "empty", "blank"],
)
def test_answer_without_a_move_is_fine(
    lite: Desk, receiver: Receiver, channel: Connector, status: int, body: Any
) -> None:
    """A response of 202 or 204, or an empty body, is accepted and makes no move."""
    hooked = HookedGame(lite, receiver, channel, "decision.opened")
    hooked.open_decision()
    before = hooked.source()
    receiver.reply(status, body)
    outcome = hooked.deliver()[0]

    assert ("sent", None) == (outcome.state, outcome.error)
    assert before == hooked.source()


NONSENSE: list[tuple[Any, str]] = [
    (b"ok", NO_MOVE),
    (b"<html>Welcome</html>", NO_MOVE),
    (b"{", NO_MOVE),
    (b'{"text": "draw"}' + b" " * 5000, NO_MOVE),
    (b"[" * 3000, NO_MOVE),
    (b'{"action": ' + b'{"a":' * 60 + b"1" + b"}" * 61, NO_MOVE),
    (b'{"text": "\xff"}', NO_MOVE),
    ({}, NO_MOVE),
    ([], NO_MOVE),
    ({"move": "draw"}, NO_MOVE),
    ({"text": 3}, NO_MOVE),
    ({"action": "draw"}, NO_MOVE),
    ({"text": "a" * 401}, NO_MOVE),
    ({"text": "keep all"}, "The move was refused (illegal): "),
    ({"text": "dance"}, "The move was refused (unreadable): "),
    ({"action": {"type": "dance"}}, "The move was refused (unreadable): "),
    ({"text": "draw\u0000"}, "The move was refused (unreadable): "),
]


@pytest.mark.parametrize(("body", "error"), NONSENSE, ids=lambda value: str(value)[:30])
def test_nonsense_is_an_error_with_its_reason(
    lite: Desk, receiver: Receiver, channel: Connector, body: Any, error: str
) -> None:
    """A 200 whose body is no legal move makes no move; the delivery is retried, with a reason."""
    hooked = HookedGame(lite, receiver, channel, "decision.opened")
    hooked.open_decision()
    receiver.reply(200, body)
    outcome = hooked.deliver()[0]

    assert ("again", 200) == (outcome.state, outcome.status)
    assert outcome.error is not None
    assert outcome.error.startswith(error)
    assert "\0" not in outcome.error
    assert "webhook" != hooked.source()
    state, error, _ = on_its_way(lite, "state", "error", "version")[-1]
    assert ("waiting", outcome.error) == (state, error)


def test_nonsense_fails_after_three_attempts(
    here: Desk, receiver: Receiver, channel: Connector
) -> None:
    """Invalid answers fail with a reason, and the owner gets one notice until a move arrives."""
    hooked = HookedGame(here, receiver, channel, "decision.opened")
    hooked.open_decision()
    receiver.usually = lambda _: Reply(200, b"ok")
    assert ["again", "again", "failed"] == [_tried_now(hooked).state for _ in range(3)]
    mine, hook = caller(hooked.ada), hooked.hook["id"]
    (delivery, *_) = hook_deliveries.listed(here, mine, hook, None, 1)
    assert ("failed", NO_MOVE, 3) == (delivery["state"], delivery["error"], delivery["attempts"])
    assert hooks.read(here, mine, hook)["refused_since"]
    hook_deliveries.redeliver(here, mine, hook, delivery["id"], None)
    assert ["again", "again", "failed"] == [_tried_now(hooked).state for _ in range(3)]
    assert [(hooked.ada, "hook_refused")] == [
        (account, kind) for kind, account, _ in owed(here) if kind == "hook_refused"
    ]
    hook_deliveries.redeliver(here, mine, hook, delivery["id"], None)
    receiver.reply(200, {"text": "draw"})
    assert "sent" == _tried_now(hooked).state
    assert hooks.read(here, mine, hook)["refused_since"] is None


def _tried_now(hooked: HookedGame) -> Outcome:
    """The outcome of the next attempt, made now instead of after its pause."""
    with hooked.desk.database.writing() as tx:
        waiting = tables.deliveries.c.state == "waiting"
        now = hooked.desk.now()
        tx.execute(update(tables.deliveries).where(waiting).values(not_before=now))
    ((_, outcome),) = tell(hooked.desk, hooked.channel)
    return outcome


def test_repeated_delivery_does_not_move_twice(
    here: Desk, receiver: Receiver, channel: Connector
) -> None:
    """A delivery that is sent again after its move is superseded and makes no second move."""
    hooked = HookedGame(here, receiver, channel, "decision.opened")
    hooked.open_decision()
    receiver.reply(200, {"text": "draw"})
    (delivery,) = hook_claims.claim(here, 10)
    first = send(hooked.channel, [delivery])
    with here.database.reading() as tx:
        version = table_lookup.table_of(tx, hooked.game, hooked.ada).version

    assert ("sent", "superseded") == (first.state, send(hooked.channel, [delivery]).state)
    with here.database.reading() as tx:
        assert version == table_lookup.table_of(tx, hooked.game, hooked.ada).version
    other = MoveRequest("draw blue", key=f"webhook {delivery.id}")
    with pytest.raises(Refusal, match="a different request"):
        moves.submit(here, hooked.ada, hooked.game, other)


def test_answer_to_another_decision_is_refused(
    lite: Desk, receiver: Receiver, channel: Connector
) -> None:
    """An answer that comes after the decision was made elsewhere is refused as stale."""
    hooked = HookedGame(lite, receiver, channel, "decision.opened")
    hooked.open_decision()

    def slow(_: object) -> Reply:
        play(lite, hooked.game, hooked.ada, "draw")
        receiver.usually = lambda _: Reply()
        return Reply(200, b'{"text": "draw"}')

    receiver.usually = slow
    outcome = hooked.deliver()[0]

    assert "sent" == outcome.state
    assert outcome.error is not None
    assert "stale" in outcome.error


def test_answer_to_other_types_is_no_move(
    lite: Desk, receiver: Receiver, channel: Connector
) -> None:
    """A move in the response to another type than a decision is ignored."""
    hooked = HookedGame(lite, receiver, channel, "message.posted")
    hooked.open_decision()
    before = hooked.source()
    talk.say(lite, hooked.ben, hooked.game, "Hello", None)
    receiver.reply(200, {"text": "draw"})

    assert ("sent", None) == hooked.deliver()[-1][::2][:2]
    assert before == hooked.source()


def test_reminder_can_be_answered(lite: Desk, receiver: Receiver, channel: Connector) -> None:
    """`decision.reminder` can be answered with a move, like `decision.opened`."""
    hooked = HookedGame(lite, receiver, channel, "decision.reminder")
    hooked.open_decision()
    with lite.database.reading() as tx:
        seat = table_lookup.table_of(tx, hooked.game, hooked.ada).seat_of(hooked.ada)
    assert seat is not None
    about = {"game": hooked.game, "seat": seat.number, "version": seat.decision_version}
    owe(lite, hooked.ada, "decision_reminder", **about, data={"deadline": seat.deadline})
    receiver.reply(200, {"text": "draw"})

    assert "sent" == hooked.deliver()[0].state
    assert "decision.reminder" == hooked.payloads()[0]["type"]
    assert "webhook" == hooked.source()
