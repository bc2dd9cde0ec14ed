import threading
from collections.abc import Sequence
from typing import Any

import pytest
from sqlalchemy import update

from service.desk import Desk
from service.notify import hook_claims, outbox
from service.notify.hook_claims import EACH
from service.notify.outbox import Delivery, Outcome
from store.tables import hooks
from tests.service.support.owing import hook, on_its_way, owe, post, reachable
from tests.support.waiting import until
from tests.workers.stubbed_deliverer import Stub, crews, deliverer, delivering, hook_states
from workers.channels.webhook.crews import CREWS
from workers.lanes import work_loop


class Slow(Stub):
    """Hangs with some hooks until its gate is open."""

    def __init__(self, slow: set[str]) -> None:
        super().__init__()
        self.slow = slow
        self.open.clear()

    def send(self, delivery: Delivery) -> Outcome:
        """Send at once, or wait for the gate if the hook is slow."""
        return super().send(delivery) if delivery.hook in self.slow else Outcome("sent")


@pytest.mark.parametrize(
    ("people", "failing", "most"),
    [(8, True, CREWS["failing"]), (8, False, CREWS["new"]), (1, False, EACH)],
)
def test_slow_hooks_never_take_the_whole_crew(
    desk: Desk, people: int, most: int, *, failing: bool
) -> None:
    """A hook that works is called, however many failing, new or one account's hooks hang."""
    ada = reachable(desk, "Ada")
    good = hook(desk, ada, "message.posted")
    channel = Slow(set())
    with delivering(desk, hooks=channel) as working:
        owe(desk, ada)
        until(lambda: [(good, "sent")] == hook_states(desk), "a hook that shows that it works")
        _hang(desk, channel, people, failing=failing)
        working.wake()
        until(lambda: len(channel.given) == most, "as many as may hang")
        owe(desk, ada)
        working.wake()
        until(lambda: 2 == hook_states(desk).count((good, "sent")), "the hook that works")
        assert most == len(channel.given)
        channel.open.set()


def _hang(desk: Desk, channel: Slow, people: int, *, failing: bool = False) -> None:
    """Give this many accounts more slow hooks than a crew can call, and notify all of them."""
    others = [reachable(desk, f"Mallory {n}") for n in range(people)]
    slow = [hook(desk, other, "message.posted") for other in others for _ in range(32 // people)]
    channel.slow |= set(slow)
    if failing:
        with desk.database.writing() as tx:
            failed = update(hooks).where(hooks.c.id.in_(slow))
            tx.execute(failed.values(failing_since=desk.now()))
    for other in others:
        owe(desk, other)


def test_hooks_that_wait_too_long_are_given_back(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Deliveries that could not begin in time are given back."""
    monkeypatch.setattr(work_loop, "LOOK_EVERY", 0.01)
    channel, over = Slow(set()), threading.Event()
    is_in_time = outbox.is_in_time

    def in_time(desk: Desk, run: Sequence[Delivery]) -> bool:
        return not over.is_set() and is_in_time(desk, run)

    monkeypatch.setattr(outbox, "is_in_time", in_time)
    _hang(desk, channel, 8)
    with delivering(desk, hooks=channel):
        until(lambda: 32 == _attempts(desk), "all that are claimed")
        over.set()
        until(lambda: CREWS["new"] == _attempts(desk), "those that have begun")
        channel.open.set()

    assert CREWS["new"] == len(channel.given)


def test_hooks_that_wait_are_given_back_in_the_end(desk: Desk) -> None:
    """On stopping, deliveries that have not begun are given back unsent."""
    channel = Slow(set())
    _hang(desk, channel, 8)
    with delivering(desk, hooks=channel) as working:
        until(lambda: 32 == _attempts(desk), "all that are claimed")
        working._stopping.set()
        channel.open.set()

    assert CREWS["new"] == len(channel.given) == _attempts(desk)


def test_next_run_of_a_hook_begins_before_the_last_is_counted(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A hook's next run may begin before the last has ended; each frees its own place."""
    monkeypatch.setattr(work_loop, "PAUSE", 600.0)
    ada, channel, settle = reachable(desk), Stub(), outbox.settle
    hook(desk, ada, "message.posted")
    with delivering(desk, hooks=channel) as working:

        def settle_and_dawdle(*arguments: Any, **more: Any) -> None:
            settle(*arguments, **more)
            if arguments[1][0][0].hook and len(channel.given) == 1:
                owe(desk, ada)
                working.wake()
                until(lambda: len(channel.given) == 2, "the next run")

        monkeypatch.setattr(outbox, "settle", settle_and_dawdle)
        owe(desk, ada)
        until(lambda: 2 == len(channel.given), "both runs")
        until(
            lambda: not crews(working)._accounts and not crews(working)._crew_of,
            "all places to be free",
        )
        owe(desk, ada)
        until(lambda: 3 == len(channel.given), "one more")


def _attempts(desk: Desk) -> int:
    return sum(attempts for hook, attempts in on_its_way(desk, "hook", "attempts") if hook)


@pytest.mark.parametrize(
    ("outcome", "seconds", "quick"),
    [
        (Outcome("sent"), 1.0, True),
        (Outcome("sent"), 1.1, False),
        (Outcome("again"), 0.1, False),
        (Outcome("failed"), 0.1, False),
        (Outcome("superseded"), 0.1, None),
    ],
)
def test_only_a_quick_answer_shows_that_a_hook_is_quick(
    desk: Desk, outcome: Outcome, seconds: float, *, quick: bool | None
) -> None:
    """Success within a second makes a hook quick, other results slow; superseded has no effect."""
    ada = reachable(desk)
    hook(desk, ada, "message.posted")
    post(desk, ada)
    (delivery,) = hook_claims.claim(desk, 1)
    for before in (True, False):
        lane = crews(deliverer(desk))
        lane._quick |= {str(delivery.hook)} if before else set()
        lane._learn(delivery, outcome, seconds)
        assert (before if quick is None else quick) == bool(lane._quick)
