import threading
import time
from datetime import timedelta

import pytest

from service.desk import Desk
from service.notify import outbox
from service.notify.outbox import Delivery, Outcome
from tests.service.support.owing import change, claim_mail, hook, on_its_way, owe, post, reachable
from tests.support.waiting import until
from tests.workers.stubbed_deliverer import Stub, deliverer, delivering, hook_states
from workers.background.deliverer import Deliverer
from workers.lanes import in_order, work_loop
from workers.lanes.work_loop import WorkLoop


class Broken(Stub):
    """Fails for deliveries about one game."""

    def outcome(self, delivery: Delivery) -> Outcome:
        """Raise an error for the game `broken`."""
        if delivery.game == "broken":
            raise ZeroDivisionError
        return Outcome("sent")


def _loops(working: Deliverer) -> list[WorkLoop]:
    """All threads of a deliverer that wait to be woken."""
    lanes = [getattr(lane, "_sending", None) or lane._handing_out for lane in working._lanes]  # type: ignore[attr-defined]  # one or the other
    return [working._spreading, *lanes]


def _states(desk: Desk) -> list[str]:
    return sorted(on_its_way(desk, "state"))


def test_what_is_owed_is_sent(each_desk: Desk) -> None:
    """A notice is sent by mail and to the hook, without a wake-up."""
    ada, mail, hooks = reachable(each_desk), Stub(), Stub()
    hook(each_desk, ada, "game.finished")
    owe(each_desk, ada, "game_finished", game="g")
    with delivering(each_desk, mail, hooks):
        until(lambda: ["sent", "sent"] == _states(each_desk), "deliveries")

    assert (1, 1) == (len(mail.given), len(hooks.given))


def test_bell_makes_it_sooner(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a wake-up a notice is sent before the next poll."""
    monkeypatch.setattr(work_loop, "LOOK_EVERY", 3600.0)
    ada, mail = reachable(desk), Stub()
    with delivering(desk, mail) as working:
        post(desk, ada, "game_started")
        until(lambda: not any(loop._woken.is_set() for loop in _loops(working)), "deliveries")
        owe(desk, ada)
        working.wake()
        until(lambda: ["sent", "sent"] == _states(desk), "deliveries")


def test_fault_of_ours_holds_up_nobody(desk: Desk) -> None:
    """A delivery that raises an exception is retried later, and the next one is sent."""
    ada, mail = reachable(desk), Broken()
    owe(desk, ada, "game_finished", game="broken")
    owe(desk, ada, "game_finished", game="whole")
    with delivering(desk, mail):
        until(lambda: {("broken", "waiting"), ("whole", "sent")} == _tried(desk), "deliveries")
        until(
            lambda: "an error on our side: ZeroDivisionError" in on_its_way(desk, "error"),
            "the fault",
        )


def _tried(desk: Desk) -> set[tuple[str, str]]:
    rows = on_its_way(desk, "game", "state", "attempts")
    return {(game, state) for game, state, attempts in rows if attempts}


def test_letters_are_settled_one_by_one(desk: Desk) -> None:
    """Each letter is settled before the next is sent, so a crash repeats at most one."""
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
    """While a letter hangs, hooks are still called."""
    ada, mail = reachable(desk), Stub()
    mail.open.clear()
    hook(desk, ada, "message.posted")
    owe(desk, ada)
    with delivering(desk, mail):
        until(lambda: ["sent", "waiting"] == _states(desk), "deliveries")
        mail.open.set()


def test_hook_that_hangs_holds_up_no_mail_and_no_other_hook(desk: Desk) -> None:
    """While a hook hangs, letters are sent and other hooks are called."""
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
            lambda: [hanging] == [id for id, state in hook_states(desk) if state == "waiting"],
            "deliveries",
        )
        until(lambda: 7 == _states(desk).count("sent"), "the others, and all letters")
        hooks.open.set()


def test_stopping_finishes_what_is_being_sent(desk: Desk) -> None:
    """A deliverer that stops finishes the current letter and gives the others back at once."""
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
    """A letter that cannot be sent before its lease expires is given back."""
    ada, mail = reachable(desk), Stub()
    owe(desk, ada)
    monkeypatch.setattr(outbox, "is_in_time", lambda *_: bool(mail.given))
    given: list[object] = []

    def give_back(*arguments: object) -> None:
        given.append(arguments)
        mail.given.append("the next time there is time")

    monkeypatch.setattr(outbox, "give_back", give_back)
    with delivering(desk, mail):
        until(lambda: bool(given), "deliveries")

    assert ["waiting"] == _states(desk)


def test_database_that_comes_back(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Deliveries go on after the database has been away."""
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
    """A delivery that was spread before the address was removed still reaches the channel."""
    ada, mail = reachable(desk), Stub()
    post(desk, ada)
    change(desk, ada, email=None)
    with delivering(desk, mail):
        until(lambda: ["sent"] == _states(desk), "deliveries")

    assert 1 == len(mail.given)


def test_a_slow_letter_holds_up_no_other(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Letters go on while one waits for its server, longer than its lease, and it is sent once."""
    monkeypatch.setattr(in_order, "PATIENCE", 0.05)
    monkeypatch.setattr(work_loop, "LOOK_EVERY", 0.05)
    monkeypatch.setattr(outbox, "LEASE", timedelta(seconds=1))
    monkeypatch.setattr(outbox, "LONGEST_ATTEMPT", timedelta(seconds=0.7))
    mail = SlowFor("slow")
    slow, quick = reachable(desk, "Slow"), reachable(desk, "Quick")
    owe(desk, slow, "game_finished", game="slow")
    with delivering(desk, mail):
        until(lambda: bool(mail.given), "the slow letter")
        (lease,) = on_its_way(desk, "not_before")
        for _ in range(5):
            owe(desk, quick, "game_finished", game="quick")
        until(lambda: ["sent"] * 5 + ["waiting"] == _states(desk), "the other letters")
        until(lambda: on_its_way(desk, "not_before")[0] > lease, "a renewed lease")
        until(lambda: desk.now() > lease, "the end of the first lease")
        mail.open.set()
        until(lambda: ["sent"] * 6 == _states(desk), "the slow letter")
    assert 6 == len(mail.given)


def test_slow_letters_are_limited(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """When the server lets all letters wait, some are begun, and the rest is not claimed."""
    monkeypatch.setattr(in_order, "PATIENCE", 0.01)
    monkeypatch.setattr(in_order, "MOST_SLOW", 3)
    mail, ada = SlowFor("slow"), reachable(desk)
    for _ in range(6):
        owe(desk, ada, "game_finished", game="slow")
    with delivering(desk, mail):
        until(lambda: [0, 0, 0, 1, 1, 1] == sorted(on_its_way(desk, "attempts")), "three letters")
        assert 3 == len(mail.given)
        mail.open.set()
        until(lambda: ["sent"] * 6 == _states(desk), "all letters")
    assert 6 == len(mail.given)


def test_stopping_does_not_wait_for_a_server_for_ever(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A letter whose server never answers is left, and is sent again later under the same id."""
    monkeypatch.setattr(in_order, "PATIENCE", 0.01)
    monkeypatch.setattr(in_order, "GRACE", 0.05)
    monkeypatch.setattr(in_order, "TO_END", 0.05)
    mail = SlowFor("slow")
    owe(desk, reachable(desk), "game_finished", game="slow")
    began = time.monotonic()
    with delivering(desk, mail):
        until(lambda: bool(mail.given), "the letter")
    assert time.monotonic() - began < 10
    assert [("waiting", "the worker was stopped")] == on_its_way(desk, "state", "error")
    mail.open.set()


class SlowFor(Stub):
    """Waits while its gate is closed, but only with letters about one game."""

    def __init__(self, game: str) -> None:
        super().__init__()
        self._game = game
        self.open.clear()

    def send(self, delivery: Delivery) -> Outcome:
        """Wait for the gate only in this game."""
        if delivery.game == self._game:
            return super().send(delivery)
        self.given.append(delivery.id)
        return Outcome("sent")
