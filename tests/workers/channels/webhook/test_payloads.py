"""The owner of a hook reads what it was sent, and why it has not answered a decision."""

import json

import pytest
from flask.testing import FlaskClient
from sqlalchemy import update

from api.wsgi import app_at
from service.desk import Desk
from service.notify import hook_deliveries, hook_payloads
from service.refusals import Refused
from store import tables as stored
from tests.api.serving import signed_in
from tests.service.support.tables import play
from tests.support.hook_receiver import Receiver, Reply
from tests.support.hooks import caller, owe, tell
from tests.workers.hooked_game import HookedGame, channel, here, lite, receiver
from workers.calling.connector import Connector
from workers.channels.webhook.sender import NO_MOVE

__all__ = ["channel", "here", "lite", "receiver"]


def latest(hooked: HookedGame) -> str:
    """The id of the newest delivery."""
    mine, hook = caller(hooked.ada), hooked.hook["id"]
    (delivery, *_) = hook_deliveries.listed(hooked.desk, mine, hook, None, 1)
    id: str = delivery["id"]
    return id


def tried_now(hooked: HookedGame) -> None:
    """Make the next attempt now instead of after its pause."""
    with hooked.desk.database.writing() as tx:
        waiting = stored.deliveries.c.state == "waiting"
        tx.execute(update(stored.deliveries).where(waiting).values(not_before=hooked.desk.now()))
    tell(hooked.desk, hooked.channel)


def fault_of(hooked: HookedGame, account: str | None = None) -> hook_payloads.Fault | None:
    """What the page of the game says about hooks."""
    with hooked.desk.database.reading() as tx:
        seats = tx.execute(stored.seats.select().where(stored.seats.c.account == hooked.ada))
        seat = seats.one()
    who = account or hooked.ada
    return hook_payloads.fault(
        hooked.desk, who, hooked.game, seat.decision_version, seat.awaited_since
    )


def page_of(hooked: HookedGame, path: str, account: str | None = None) -> str:
    """A page as a signed-in account sees it."""
    web: FlaskClient = app_at(hooked.desk).test_client()
    web.set_cookie("nightmail", signed_in(hooked.desk, account or hooked.ada))
    return web.get(path).text


def test_the_payload_is_the_message_that_was_sent(
    here: Desk, receiver: Receiver, channel: Connector
) -> None:
    """While the decision is open, the payload is what the receiver got, byte for byte."""
    hooked = HookedGame(here, receiver, channel, "decision.opened")
    hooked.open_decision()
    hooked.deliver()
    mine, hook = caller(hooked.ada), hooked.hook["id"]
    delivery, payload = hook_payloads.read(here, mine, hook, latest(hooked))

    assert receiver.calls[-1].body == payload
    assert ("sent", "decision.opened") == (delivery["state"], delivery["type"])


def test_the_payload_of_a_past_decision_has_no_deadline(
    here: Desk, receiver: Receiver, channel: Connector
) -> None:
    """Once the decision is made, its menu can still be read; there is no deadline any more."""
    hooked = HookedGame(here, receiver, channel, "decision.opened")
    hooked.open_decision()
    receiver.reply(200, {"text": "draw"})
    hooked.deliver()
    _, payload = hook_payloads.read(here, caller(hooked.ada), hooked.hook["id"], latest(hooked))
    now, sent = json.loads(payload or b""), receiver.calls[-1].payload

    assert sent["data"]["menu"] == now["data"]["menu"]
    assert (True, None) == (bool(sent["data"]["deadline"]), now["data"]["deadline"])


def test_a_payload_is_for_its_owner_only(
    lite: Desk, receiver: Receiver, channel: Connector
) -> None:
    """Another player at the table finds neither the hook nor the delivery."""
    hooked = HookedGame(lite, receiver, channel, "decision.opened")
    hooked.open_decision()
    hooked.deliver()

    with pytest.raises(Refused) as refusal:
        hook_payloads.read(lite, caller(hooked.ben), hooked.hook["id"], latest(hooked))
    assert "not_found" == refusal.value.code
    with pytest.raises(Refused):
        hook_payloads.read(lite, caller(hooked.ada), hooked.hook["id"], "no-such-delivery")


def test_a_hook_that_answers_nonsense_is_a_fault(
    here: Desk, receiver: Receiver, channel: Connector
) -> None:
    """The fault has the reason and the next attempt; it ends with the decision."""
    hooked = HookedGame(here, receiver, channel, "decision.opened")
    hooked.open_decision()
    assert fault_of(hooked) is None
    receiver.usually = lambda _: Reply(200, b"ok")
    hooked.deliver()
    first = fault_of(hooked)
    assert first is not None
    assert (NO_MOVE, "127.0.0.1", True) == (first.error, first.host, bool(first.next_attempt))
    for _ in range(2):
        tried_now(hooked)
    last = fault_of(hooked)
    assert last is not None
    assert (NO_MOVE, None) == (last.error, last.next_attempt)
    assert fault_of(hooked, hooked.ben) is None
    play(here, hooked.game, hooked.ada, "draw")
    assert fault_of(hooked) is None


def test_a_hook_that_answers_later_is_no_fault(
    lite: Desk, receiver: Receiver, channel: Connector
) -> None:
    """A hook that takes the decision, or that answers at last, has no fault."""
    hooked = HookedGame(lite, receiver, channel, "decision.opened")
    hooked.open_decision()
    receiver.reply(500)
    hooked.deliver()
    assert fault_of(hooked) is not None
    receiver.reply(204)
    tried_now(hooked)

    assert fault_of(hooked) is None


def test_only_the_latest_delivery_counts(
    lite: Desk, receiver: Receiver, channel: Connector
) -> None:
    """A hook that failed at first, and takes the decision when it is reminded, has no fault."""
    hooked = HookedGame(lite, receiver, channel, "decision.opened", "decision.reminder")
    hooked.open_decision()
    receiver.usually = lambda call: Reply(500 if "opened" in call.payload["type"] else 204)
    hooked.deliver()
    assert fault_of(hooked) is not None
    with lite.database.reading() as tx:
        seat = tx.execute(stored.seats.select().where(stored.seats.c.account == hooked.ada)).one()
    about = {"game": hooked.game, "seat": seat.number, "version": seat.decision_version}
    owe(lite, hooked.ada, "decision_reminder", **about)
    tell(lite, hooked.channel)

    assert "decision.reminder" == receiver.calls[-1].payload["type"]
    assert fault_of(hooked) is None


def test_the_pages_show_outcome_reason_and_message(
    lite: Desk, receiver: Receiver, channel: Connector
) -> None:
    """The hook's page, the delivery's and the owner's game page say why; Ben's says nothing."""
    hooked = HookedGame(lite, receiver, channel, "decision.opened")
    hooked.open_decision()
    receiver.reply(200, b"ok")
    hooked.deliver()
    hook = f"/settings/webhooks/{hooked.hook['id']}"
    delivery = f"{hook}/deliveries/{latest(hooked)}"
    listed, shown = page_of(hooked, hook), page_of(hooked, delivery)
    game = page_of(hooked, f"/games/{hooked.game}")

    assert NO_MOVE in listed
    assert delivery in listed
    assert NO_MOVE in shown
    assert "&#34;type&#34;: &#34;decision.opened&#34;" in shown
    assert "has not answered this decision with a move" in game
    assert delivery in game
    for path in (f"/games/{hooked.game}", hook, delivery):
        assert NO_MOVE not in page_of(hooked, path, hooked.ben)
