"""Promise 16: the schedule of Standard Webhooks, and what ends it."""

import random
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import select

from service.desk import Desk
from service.notify import hook_claims, hook_deliveries, hooks
from service.notify.outbox import JITTER
from store import tables, timestamps
from tests.service.conftest import desk, each_desk
from tests.service.support.tables import player, table
from tests.support.hook_receiver import Receiver, Reply, behaving, receiving
from tests.support.hooks import Hands, caller, hooked, near, on_its_way, owe, spread, tell
from workers.calling import connector
from workers.calling.connector import Answer, Connector, anywhere
from workers.channels.webhook.sender import Webhooks

__all__ = ["desk", "each_desk"]

PAUSES = [
    timedelta(seconds=5),
    timedelta(minutes=5),
    timedelta(minutes=30),
    *(timedelta(hours=n) for n in (2, 5, 10, 14, 20, 24)),
]
"""The pauses of the specification, written down a second time."""
STEP = timedelta(milliseconds=1)


class Scene:
    """A hook, its receiver, and a worker whose clock jumps from one attempt to the next."""

    def __init__(self, desk: Desk, receiver: Receiver, connector: Connector) -> None:
        self.hands = Hands()
        self.desk = near(desk)._replace(now=self.hands.now)
        self.receiver = receiver
        self.channel = Webhooks(self.desk, connector)
        self.game, (self.ada, _) = table(self.desk, "Ada", "Ben")
        spread(self.desk)
        self.hook = hooked(self.desk, self.ada, receiver.url)["id"]

    def owe(self) -> None:
        """Add a notice that is never superseded."""
        owe(self.desk, self.ada, "game_started", game=self.game, seat=0, version=0)

    def run(self, until: timedelta) -> list[timedelta]:
        """Times of the attempts, counted from now."""
        start, attempts = self.hands.moment, []
        while True:
            made = len(tell(self.desk, self.channel))
            attempts += [self.hands.moment - start] * made
            with self.desk.database.reading() as tx:
                waiting = tables.deliveries.c.state == "waiting"
                due = tx.scalar(
                    select(tables.deliveries.c.not_before)
                    .where(waiting)
                    .order_by(tables.deliveries.c.not_before)
                )
            if due is None or timestamps.read(due) - start > until:
                return attempts
            self.hands.moment = max(timestamps.read(due), self.hands.moment + STEP)

    def notices(self) -> list[Any]:
        """Kinds of the notices that are stored."""
        with self.desk.database.reading() as tx:
            return list(tx.scalars(select(tables.notices.c.kind)))


@pytest.fixture
def scene(desk: Desk) -> Iterator[Scene]:
    """A scene with an honest receiver on this machine."""
    channel = Connector(anywhere)
    with receiving() as receiver:
        yield Scene(desk, receiver, channel)
    channel.close()


def check_schedule(attempts: list[timedelta]) -> None:
    """Check for ten attempts with the pauses of the specification, within a jitter of a fifth."""
    assert 10 == len(attempts)
    assert timedelta(0) == attempts[0]
    for pause, before, after in zip(PAUSES, attempts[:-1], attempts[1:], strict=True):
        assert pause * 0.8 - STEP <= after - before <= pause * 1.2 + STEP


@pytest.mark.parametrize("status", [500, 302, 404])
def test_failures_follow_the_schedule(scene: Scene, status: int) -> None:
    """500, 302 and 404 lead to ten attempts by the schedule, and no redirect is followed."""
    there = {"location": f"{scene.receiver.url}/elsewhere"}
    scene.receiver.usually = lambda _: Reply(status, b"", there)
    scene.owe()

    check_schedule(scene.run(timedelta(days=30)))
    assert {"/hook"} == {call.path for call in scene.receiver.calls}
    assert [("failed", 10, status)] == on_its_way(scene.desk, "state", "attempts", "status")
    assert 1 == len({call.headers["webhook-id"] for call in scene.receiver.calls})


def test_time_out_follows_the_schedule(desk: Desk) -> None:
    """A receiver that never responds gets the same ten attempts."""

    def silent(guest: Any) -> None:
        while guest.recv(65536):
            pass

    with receiving() as receiver, behaving(silent) as port:
        channel = Connector(anywhere, deadline=0.05)
        scene = Scene(desk, receiver, channel)
        url = {"url": f"http://127.0.0.1:{port}/"}
        hooks.change(scene.desk, caller(scene.ada), scene.hook, url)
        scene.owe()
        check_schedule(scene.run(timedelta(days=30)))
    assert [connector.NO_ANSWER.format(0.05)] == on_its_way(scene.desk, "error")


def test_attempts_are_spread(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pauses reach both ends of the jitter, so that retries are spread out."""
    assert JITTER == 0.2
    for end in (0.8, 1.2):
        monkeypatch.setattr(random, "uniform", lambda *_, end=end: end)
        scene.receiver.usually = lambda _: Reply(500)
        scene.owe()
        attempts = scene.run(timedelta(days=30))
        check_schedule(attempts)
        whole = sum(PAUSES, timedelta())
        assert abs(attempts[-1] - whole * end) < timedelta(seconds=1)
        hooks.change(scene.desk, caller(scene.ada), scene.hook, {"on": False})
        hooks.change(scene.desk, caller(scene.ada), scene.hook, {"on": True})


def test_success_ends_it(scene: Scene) -> None:
    """One success settles a delivery after failures, and the hook is not failing any more."""
    for _ in range(3):
        scene.receiver.reply(503)
    scene.owe()

    assert 4 == len(scene.run(timedelta(days=30)))
    assert [("sent", 4, 204)] == on_its_way(scene.desk, "state", "attempts", "status")
    assert hooks.read(scene.desk, caller(scene.ada), scene.hook)["failing_since"] is None


def test_gone_ends_it_at_once(scene: Scene) -> None:
    """After 410 there are no further attempts, not even for new notices."""
    scene.receiver.usually = lambda _: Reply(410)
    scene.owe()

    assert [timedelta(0)] == scene.run(timedelta(days=30))
    scene.owe()
    assert [] == scene.run(timedelta(days=30))
    assert 1 == len(scene.receiver.calls)
    assert [(1, "failed")] == on_its_way(scene.desk, "attempts", "state")


@pytest.mark.parametrize("status", [429, 503])
def test_server_may_ask_for_more_time(scene: Scene, status: int) -> None:
    """`Retry-After` delays the next attempt, and the schedule goes on from there."""
    scene.receiver.reply(status, b"", retry_after="3600")
    scene.receiver.reply(status, b"", retry_after="1")
    scene.owe()
    first, second, third = scene.run(timedelta(days=30))

    assert timedelta(0) == first
    assert timedelta(hours=1) <= second <= timedelta(hours=1, minutes=1)
    assert PAUSES[1] * 0.8 - STEP <= third - second <= PAUSES[1] * 1.2 + STEP


def test_hook_that_only_fails_for_five_days_is_switched_off(scene: Scene) -> None:
    """After five days of failures the hook is off, deliveries fail, and one notice is stored."""
    scene.receiver.usually = lambda _: Reply(500)
    start = scene.hands.moment
    while hooks.read(scene.desk, caller(scene.ada), scene.hook)["on"]:
        scene.owe()
        scene.run(timedelta(hours=6))
        scene.hands.move(hours=6)
        assert scene.hands.moment - start < timedelta(days=5, hours=13)

    seen = hooks.read(scene.desk, caller(scene.ada), scene.hook)
    lasted = timestamps.read(seen["off_since"]) - timestamps.read(seen["failing_since"])
    assert timedelta(days=5) <= lasted <= timedelta(days=5, hours=12)
    assert hooks.SILENT == seen["off_reason"]
    assert {"failed"} == set(on_its_way(scene.desk, "state"))
    assert ["hook_disabled"] == scene.notices()
    calls = len(scene.receiver.calls)
    scene.hands.move(days=1)
    scene.owe()
    scene.run(timedelta(days=30))
    assert calls == len(scene.receiver.calls)


def test_five_days_with_one_success_are_fine(scene: Scene) -> None:
    """A hook that fails for days but succeeds in between stays on."""
    scene.receiver.usually = lambda _: Reply(500)
    for _ in range(4):
        scene.owe()
        scene.run(timedelta(days=2))
        scene.hands.move(days=2)
        scene.receiver.reply(204)
        hook_deliveries.ping(scene.desk, caller(scene.ada), scene.hook, None)
        tell(scene.desk, scene.channel)

    assert hooks.read(scene.desk, caller(scene.ada), scene.hook)["on"]
    assert [] == scene.notices()


def test_every_delivery_can_be_listed_and_sent_again(scene: Scene) -> None:
    """The list shows the result of each delivery, and a redelivery has the same id."""
    scene.receiver.usually = lambda _: Reply(500)
    scene.owe()
    scene.run(timedelta(days=30))
    (failed,) = hook_deliveries.listed(scene.desk, caller(scene.ada), scene.hook, None, 10)
    scene.receiver.usually = lambda _: Reply(200, b"thanks")
    owner = caller(scene.ada)
    hook_deliveries.redeliver(scene.desk, owner, scene.hook, failed["id"], None)
    scene.run(timedelta(days=30))
    (sent,) = hook_deliveries.listed(scene.desk, owner, scene.hook, None, 10)

    assert ("failed", 500, 10, 0) == (
        failed["state"],
        failed["status"],
        failed["attempts"],
        failed["answer_bytes"],
    )
    assert ("sent", 200, 1, 6) == (
        sent["state"],
        sent["status"],
        sent["attempts"],
        sent["answer_bytes"],
    )
    assert {failed["webhook_id"]} == {call.headers["webhook-id"] for call in scene.receiver.calls}
    assert len(scene.receiver.calls[-1].body) == sent["sent_bytes"]


def test_following_redirects_would_be_seen(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    """The mutant: a connector that follows redirects makes a second call, which the test sees."""
    plain = Connector.post

    def follow(self: Connector, whose: str, target: Any, *request: Any) -> Answer:
        answer = plain(self, whose, target, *request)
        if 300 <= answer.status < 400:
            return plain(self, whose, target._replace(path="/hook/elsewhere"), *request)
        return answer

    monkeypatch.setattr(Connector, "post", follow)
    there = {"location": f"{scene.receiver.url}/elsewhere"}
    scene.receiver.usually = lambda call: (
        Reply(307, b"", there) if call.path == "/hook" else Reply()
    )
    scene.owe()
    scene.run(timedelta(minutes=1))

    assert ["/hook", "/hook/elsewhere"] == [call.path for call in scene.receiver.calls]
    assert {"webhook-signature"} < scene.receiver.calls[1].headers.keys()


def test_one_hook_at_a_time(each_desk: Desk) -> None:
    """Of each hook one delivery is claimed at a time, and hooks do not block each other."""
    ada = player(each_desk, "Ada")
    first, second = (hooked(each_desk, ada, f"https://example.org/{n}")["id"] for n in range(2))
    for _ in range(3):
        owe(each_desk, ada, "game_started", game="g", seat=0, version=0)
    claimed = hook_claims.claim(each_desk, 10)

    assert {first, second} == {delivery.hook for delivery in claimed}
    assert 2 == len(claimed)
    assert [] == hook_claims.claim(each_desk, 10)
