from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import select, update

from service.desk import Desk
from service.notify import hook_deliveries, hooks
from service.notify.hook_types import PING
from service.notify.outbox import Outcome
from store import tables, timestamps
from tests.service.support.tables import player
from tests.support.hook_receiver import Receiver, Reply
from tests.support.hooks import Hands, caller, hooked, near, on_its_way, owe, tell
from tests.workers.hooked_game import HookedGame, channel, here, lite, receiver
from workers.calling.connector import NOT_CALLED, Connector
from workers.calling.retry_after import LONGEST_PAUSE
from workers.channels.webhook.sender import Webhooks

__all__ = ["channel", "here", "lite", "receiver"]


def test_nothing_is_told_of_a_private_game_that_was_left(
    lite: Desk, receiver: Receiver, channel: Connector
) -> None:
    """A notice about a missing message or an unknown game is superseded; no hook is called."""
    hooked = HookedGame(lite, receiver, channel)
    owe(lite, hooked.ada, "message_posted", game=hooked.game, seat=0, version=99)
    owe(lite, hooked.ada, "game_moved", game="nowhere", seat=0, version=3)

    assert ["superseded"] * 2 == [outcome.state for outcome in hooked.deliver()]
    assert [] == receiver.calls


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308, 400, 401, 404, 429, 500, 503])
def test_other_answers_are_failures(
    lite: Desk, receiver: Receiver, channel: Connector, status: int
) -> None:
    """Statuses other than 2xx and 410 fail a ping and retry the rest; no redirect is followed."""
    hooked = HookedGame(lite, receiver, channel)
    hook_deliveries.ping(lite, caller(hooked.ada), hooked.hook["id"], None)
    owe(lite, hooked.ada, "game_started", game=hooked.game, seat=0, version=0)
    for _ in range(2):
        receiver.reply(status, b"", location=f"{receiver.url}/elsewhere")
    ping, started = hooked.deliver()

    assert {"failed", "again"} == {ping.state, started.state}
    assert [(status, f"The server answered with status {status}.")] * 2 == [
        (outcome.status, outcome.error) for outcome in (ping, started)
    ]
    assert {"/hook"} == {call.path for call in receiver.calls}
    assert 2 == len(receiver.calls)


@pytest.mark.parametrize(
    ("header", "meant"),
    [
        ("120", timedelta(seconds=120)),
        ("999999999999", LONGEST_PAUSE),
        ("Fri, 31 Dec 9999 23:59:59 GMT", LONGEST_PAUSE),
        ("Thu, 01 Jan 1970 00:00:00 GMT", timedelta(0)),
        ("soon", None),
        ("-1", None),
        ("", None),
    ],
)
def test_retry_after_is_heeded(
    lite: Desk, receiver: Receiver, channel: Connector, header: str, meant: timedelta | None
) -> None:
    """`Retry-After` counts in seconds or as a date, up to LONGEST_PAUSE; other values do not."""
    hooked = HookedGame(lite, receiver, channel)
    owe(lite, hooked.ada, "game_started", game=hooked.game, seat=0, version=0)
    receiver.reply(429, b"", retry_after=header)

    assert meant == hooked.deliver()[0].retry_after


def test_gone_means_gone(here: Desk, receiver: Receiver, channel: Connector) -> None:
    """After 410 the hook is off, its waiting deliveries fail, and its owner gets one notice."""
    hooked = HookedGame(here, receiver, channel)
    for version in range(3):
        owe(here, hooked.ada, "game_started", game=hooked.game, seat=0, version=version)
    receiver.usually = lambda _: Reply(410)
    outcomes = hooked.deliver()

    assert [("failed", 410)] == [(outcome.state, outcome.status) for outcome in outcomes]
    assert 1 == len(receiver.calls)
    assert [("failed", 410), ("failed", None), ("failed", None)] == sorted(
        on_its_way(here, "state", "status"), key=str
    )
    assert not hooks.read(here, caller(hooked.ada), hooked.hook["id"])["on"]
    with here.database.reading() as tx:
        kinds = tx.scalars(select(tables.notices.c.kind)).all()
    assert ["hook_disabled"] == list(kinds)


def test_hook_that_is_off_gets_pings_only(
    lite: Desk, receiver: Receiver, channel: Connector
) -> None:
    """A hook that is off can be pinged, and stays off."""
    hooked = HookedGame(lite, receiver, channel)
    owner, id = caller(hooked.ada), hooked.hook["id"]
    hooks.change(lite, owner, id, {"on": False})
    hook_deliveries.ping(lite, owner, id, None)
    hooked.deliver()

    assert ["webhook.ping"] == [payload["type"] for payload in hooked.payloads()]
    assert not hooks.read(lite, owner, id)["on"]


def test_ping_is_tried_once(lite: Desk, channel: Connector, receiver: Receiver) -> None:
    """A ping that fails is not retried."""
    hooked = HookedGame(lite, receiver, channel)
    receiver.reply(500)
    hook_deliveries.ping(lite, caller(hooked.ada), hooked.hook["id"], None)

    assert ["failed"] == [outcome.state for outcome in hooked.deliver()]
    assert [("failed", 1)] == on_its_way(lite, "state", "attempts")


def test_refused_address_is_told_in_neutral_words(desk: Desk, receiver: Receiver) -> None:
    """A ping to a forbidden address fails with a neutral error, and nothing is called."""
    loose = near(desk)
    ada = player(desk, "Ada")
    hook = hooked(loose, ada, receiver.url)
    hook_deliveries.ping(loose, caller(ada), hook["id"], None)
    owe(loose, ada, "game_started", game="g", seat=0, version=0)
    inside = Connector(lambda _: False)
    outcomes = {
        delivery.kind: outcome for delivery, outcome in tell(loose, Webhooks(loose, inside))
    }

    assert Outcome("failed", error=NOT_CALLED) == outcomes[PING]
    assert [] == receiver.calls


def test_settings_choose_who_may_be_called(desk: Desk, receiver: Receiver) -> None:
    """With `webhook_targets=public` a local hook that was registered before is not called."""
    loose = near(desk)
    ada = player(desk, "Ada")
    hook = hooked(loose, ada, receiver.url)
    hook_deliveries.ping(loose, caller(ada), hook["id"], None)
    strict = desk._replace(settings=replace(desk.settings, webhook_targets="public"))
    outcomes = [outcome for _, outcome in tell(strict, Webhooks(strict))]

    assert [Outcome("failed", error=NOT_CALLED)] == outcomes
    assert [] == receiver.calls


def test_hook_without_a_readable_secret_is_not_called(
    lite: Desk, receiver: Receiver, channel: Connector
) -> None:
    """A hook whose secret cannot be decrypted is not called."""
    hooked = HookedGame(lite, receiver, channel)
    with lite.database.writing() as tx:
        tx.execute(update(tables.hooks).values(secret=b"sealed with another key"))
    hook_deliveries.ping(lite, caller(hooked.ada), hooked.hook["id"], None)

    assert ["failed"] == [outcome.state for outcome in hooked.deliver()]
    assert [] == receiver.calls


def test_time_is_that_of_the_attempt(lite: Desk, receiver: Receiver, channel: Connector) -> None:
    """Each attempt has its own timestamp, under the same id."""
    hands = Hands()
    desk = lite._replace(now=hands.now)
    hooked = HookedGame(desk, receiver, channel)
    owe(desk, hooked.ada, "game_started", game=hooked.game, seat=0, version=0)
    receiver.reply(500)
    hooked.deliver()
    hands.move(seconds=10)
    hooked.deliver()

    first, second = (call.headers for call in receiver.calls)
    assert first["webhook-id"] == second["webhook-id"]
    assert 10 == int(second["webhook-timestamp"]) - int(first["webhook-timestamp"])
    assert timestamps.read(hands.now()).timestamp() // 1 == int(second["webhook-timestamp"])
