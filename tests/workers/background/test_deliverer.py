import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import pytest
from sqlalchemy import update

from service.desk import Desk
from service.notify import hook_claims, outbox
from service.notify.channels import Lane
from service.notify.hook_claims import EACH
from service.notify.outbox import Delivery, Outcome
from store.tables import hooks
from tests.service.owing import change, claim_mail, hook, on_its_way, owe, post, reachable
from tests.support.waiting import until
from workers.background.deliverer import Deliverer
from workers.channels.mail.channel import MailChannel
from workers.channels.webhook.channel import WebhookChannel
from workers.channels.webhook.crews import CREWS, Crews
from workers.lanes import work_loop
from workers.lanes.in_order import InOrder
from workers.lanes.work_loop import WorkLoop


class Stub:
    """A sender that remembers what it was given, and does with it what the test says."""

    def __init__(self) -> None:
        self.given: list[str] = []
        self.open = threading.Event()
        self.open.set()

    def compose(self, deliveries: Sequence[Delivery]) -> str:
        """The words of a message."""
        return deliveries[0].id

    def deliver(self, deliveries: Sequence[Delivery], message: str) -> Outcome:
        """Send a message with its own words, as soon as the door is open."""
        assert message == deliveries[0].id
        return self.send(deliveries[0])

    def send(self, delivery: Delivery) -> Outcome:
        """Wait until the door is open; then it is sent."""
        self.given.append(delivery.id)
        assert self.open.wait(30)
        return self.outcome(delivery)

    def close(self) -> None:
        """Nothing is kept."""

    def outcome(self, _: Delivery) -> Outcome:
        """It arrives."""
        return Outcome("sent")


class StubbedMail(MailChannel):
    """Mail with a sender of the test's own."""

    def __init__(self, sender: Stub) -> None:
        self.sender = sender

    def lane(self, desk: Desk, stopping: threading.Event) -> Lane:
        """Sends in order, as mail does."""
        return InOrder(desk, stopping, self, self.sender)


class StubbedHooks(WebhookChannel):
    """Webhooks with a sender of the test's own."""

    def __init__(self, sender: Stub) -> None:
        self.sender = sender

    def lane(self, desk: Desk, stopping: threading.Event) -> Lane:
        """Sends by crews, as webhooks do."""
        return Crews(desk, stopping, self.sender)


def deliverer(desk: Desk, mail: Stub | None = None, hooks: Stub | None = None) -> Deliverer:
    """A deliverer with these senders."""
    return Deliverer(desk, [StubbedMail(mail or Stub()), StubbedHooks(hooks or Stub())])


def crews(working: Deliverer) -> Crews:
    """The lane of its hooks."""
    (lane,) = (lane for lane in working._lanes if isinstance(lane, Crews))
    return lane


class Broken(Stub):
    """Has a fault of its own with whatever is about this game."""

    def outcome(self, one: Delivery) -> Outcome:
        """A fault."""
        if one.game == "broken":
            raise ZeroDivisionError
        return Outcome("sent")


@contextmanager
def delivering(
    desk: Desk, mail: Stub | None = None, hooks: Stub | None = None
) -> Iterator[Deliverer]:
    """A deliverer that runs."""
    made = deliverer(desk, mail, hooks)
    made.start()
    try:
        yield made
    finally:
        made.stop()


def _loops(working: Deliverer) -> list[WorkLoop]:
    """All its threads that wait to be woken."""
    lanes = [getattr(lane, "_sending", None) or lane._handing_out for lane in working._lanes]  # type: ignore[attr-defined]  # one or the other
    return [working._spreading, *lanes]


def _states(desk: Desk) -> list[str]:
    return sorted(on_its_way(desk, "state"))


def test_what_is_owed_is_sent(each_desk: Desk) -> None:
    """A notice ends as mail and at the hook, without anybody ringing."""
    ada, mail, hooks = reachable(each_desk), Stub(), Stub()
    hook(each_desk, ada, "game.finished")
    owe(each_desk, ada, "game_finished", game="g")
    with delivering(each_desk, mail, hooks):
        until(lambda: ["sent", "sent"] == _states(each_desk), "deliveries")

    assert (1, 1) == (len(mail.given), len(hooks.given))


def test_bell_makes_it_sooner(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever rings need not wait for the next look."""
    monkeypatch.setattr(work_loop, "LOOK_EVERY", 3600.0)
    ada, mail = reachable(desk), Stub()
    with delivering(desk, mail) as working:
        post(desk, ada, "game_started")
        until(lambda: not any(loop._woken.is_set() for loop in _loops(working)), "deliveries")
        owe(desk, ada)
        working.wake()
        until(lambda: ["sent", "sent"] == _states(desk), "deliveries")


def test_fault_of_ours_holds_up_nobody(desk: Desk) -> None:
    """A delivery that breaks our own program is tried again later, and the next one is sent."""
    ada, mail = reachable(desk), Broken()
    owe(desk, ada, "game_finished", game="broken")
    owe(desk, ada, "game_finished", game="whole")
    with delivering(desk, mail):
        until(lambda: {("broken", "waiting"), ("whole", "sent")} == _tried(desk), "deliveries")
        until(lambda: "our own fault: ZeroDivisionError" in on_its_way(desk, "error"), "the fault")


def _tried(desk: Desk) -> set[tuple[str, str]]:
    rows = on_its_way(desk, "game", "state", "attempts")
    return {(game, state) for game, state, attempts in rows if attempts}


def test_letters_are_settled_one_by_one(desk: Desk) -> None:
    """Each letter is written down as sent before the next leaves: a crash repeats one at most."""
    ada = reachable(desk)
    unsettled: list[int] = []

    class Counting(Stub):
        def outcome(self, _: Delivery) -> Outcome:
            unsettled.append(len(self.given) - on_its_way(desk, "state").count("sent"))
            return Outcome("sent")

    for _ in range(25):
        owe(desk, ada)
    with delivering(desk, Counting()):
        until(lambda: ["sent"] * 25 == _states(desk), "deliveries")

    assert {1} == set(unsettled)


def test_mail_server_that_hangs_holds_up_no_hook(desk: Desk) -> None:
    """While a letter hangs, hooks are told."""
    ada, mail = reachable(desk), Stub()
    mail.open.clear()
    hook(desk, ada, "message.posted")
    owe(desk, ada)
    with delivering(desk, mail):
        until(lambda: ["sent", "waiting"] == _states(desk), "deliveries")
        mail.open.set()


def test_hook_that_hangs_holds_up_no_mail_and_no_other_hook(desk: Desk) -> None:
    """While a hook hangs, letters go and other hooks are told."""
    slow, quick = reachable(desk, "Slow"), reachable(desk, "Quick")
    hanging = hook(desk, slow, "message.posted")
    hook(desk, quick, "message.posted")

    class Hanging(Stub):
        def send(self, delivery: Delivery) -> Outcome:
            return super().send(delivery) if delivery.hook == hanging else Outcome("sent")

    hooks = Hanging()
    hooks.open.clear()
    for account in (slow, quick, quick, quick):
        owe(desk, account)
    with delivering(desk, hooks=hooks):
        until(
            lambda: [hanging] == [one for one, state in _hooks(desk) if state == "waiting"],
            "deliveries",
        )
        until(lambda: 7 == _states(desk).count("sent"), "the others, and all letters")
        hooks.open.set()


class Slow(Stub):
    """Takes its time with some hooks."""

    def __init__(self, slow: set[str]) -> None:
        super().__init__()
        self.slow = slow
        self.open.clear()

    def send(self, delivery: Delivery) -> Outcome:
        """At once, or when the door is opened."""
        return super().send(delivery) if delivery.hook in self.slow else Outcome("sent")


@pytest.mark.parametrize(
    ("people", "failing", "most"),
    [(8, True, CREWS["failing"]), (8, False, CREWS["new"]), (1, False, EACH)],
)
def test_slow_hooks_never_take_the_whole_crew(
    desk: Desk, people: int, most: int, *, failing: bool
) -> None:
    """However many fail, hang for the first time, or are one account's: the quick are told."""
    ada = reachable(desk, "Ada")
    good = hook(desk, ada, "message.posted")
    channel = Slow(set())
    with delivering(desk, hooks=channel) as working:
        owe(desk, ada)
        until(lambda: [(good, "sent")] == _hooks(desk), "a hook that shows that it works")
        _hang(desk, channel, people, failing=failing)
        working.wake()
        until(lambda: len(channel.given) == most, "as many as may hang")
        owe(desk, ada)
        working.wake()
        until(lambda: 2 == _hooks(desk).count((good, "sent")), "the hook that works")
        assert most == len(channel.given)
        channel.open.set()


def _hang(desk: Desk, channel: Slow, people: int, *, failing: bool = False) -> None:
    """More hooks than any crew can tell something, of so many accounts, hang from now on."""
    others = [reachable(desk, f"Mallory {n}") for n in range(people)]
    slow = [hook(desk, one, "message.posted") for one in others for _ in range(32 // people)]
    channel.slow |= set(slow)
    if failing:
        with desk.database.writing() as tx:
            failed = update(hooks).where(hooks.c.id.in_(slow))
            tx.execute(failed.values(failing_since=desk.now()))
    for one in others:
        owe(desk, one)


def test_hooks_that_wait_too_long_are_given_back(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What could not be begun in time, or before the end, is left to the next who claims it."""
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
    """Nothing is told that had not begun."""
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
    """Both take a place, and each gives back its own."""
    monkeypatch.setattr(work_loop, "PAUSE", 600.0)
    ada, channel, settle = reachable(desk), Stub(), outbox.settle
    hook(desk, ada, "message.posted")
    with delivering(desk, hooks=channel) as working:

        def settle_and_dawdle(*told: Any, **more: Any) -> None:
            settle(*told, **more)
            if told[1][0][0].hook and len(channel.given) == 1:
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
    return sum(attempts for one, attempts in on_its_way(desk, "hook", "attempts") if one)


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
    """Whatever it was before; what was not told shows nothing."""
    ada = reachable(desk)
    hook(desk, ada, "message.posted")
    post(desk, ada)
    (delivery,) = hook_claims.claim(desk, 1)
    for before in (True, False):
        lane = crews(deliverer(desk))
        lane._quick |= {str(delivery.hook)} if before else set()
        lane._learn(delivery, outcome, seconds)
        assert (before if quick is None else quick) == bool(lane._quick)


def _hooks(desk: Desk) -> list[tuple[str, str]]:
    return [(one, state) for one, state in on_its_way(desk, "hook", "state") if one]


def test_stopping_finishes_what_is_being_sent(desk: Desk) -> None:
    """Whoever is stopped finishes the letter in hand, and gives the others back at once."""
    ada, mail = reachable(desk), Stub()
    for _ in range(5):
        owe(desk, ada)
    outbox.spread(desk)
    mail.open.clear()
    working = deliverer(desk, mail)
    working.start()
    until(lambda: bool(mail.given), "deliveries")
    stopping = threading.Thread(target=working.stop)
    stopping.start()
    mail.open.set()
    stopping.join(30)

    assert ["sent", *["waiting"] * 4] == _states(desk)
    assert 4 == len(claim_mail(desk, 9))


def test_late_letters_are_given_back(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """What can no longer be sent before its claim lapses is left to the next."""
    ada, mail = reachable(desk), Stub()
    owe(desk, ada)
    monkeypatch.setattr(outbox, "is_in_time", lambda *_: bool(mail.given))
    given: list[object] = []

    def give_back(*said: object) -> None:
        given.append(said)
        mail.given.append("the next time there is time")

    monkeypatch.setattr(outbox, "give_back", give_back)
    with delivering(desk, mail):
        until(lambda: bool(given), "deliveries")

    assert ["waiting"] == _states(desk)


def test_database_that_comes_back(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """A database that is away for a while costs time and nothing else."""
    monkeypatch.setattr(work_loop, "PAUSE", 0.01)
    spread, away = outbox.spread, [True, True, True]

    def flaky(there: Desk) -> int:
        if away:
            away.pop()
            raise OSError("the database is away")
        return spread(there)

    monkeypatch.setattr(outbox, "spread", flaky)
    owe(desk, reachable(desk))
    with delivering(desk):
        until(lambda: ["sent"] == _states(desk), "deliveries")


def test_address_that_is_lost_meanwhile(desk: Desk) -> None:
    """What was spread before an address went is still the channel's to judge."""
    ada, mail = reachable(desk), Stub()
    post(desk, ada)
    change(desk, ada, email=None)
    with delivering(desk, mail):
        until(lambda: ["sent"] == _states(desk), "deliveries")

    assert 1 == len(mail.given)
