"""Claiming deliveries to hooks: which hooks, how many, and for how long."""

import pytest
from sqlalchemy import update

from service.desk import Desk
from service.notify import hook_claims, hook_deliveries, outbox
from service.notify.hook_claims import EACH
from service.notify.outbox import LEASE, Outcome
from store import timestamps
from store.tables import hooks
from tests.service.support.hooked import claimed, made
from tests.service.support.newcomers import newcomer
from tests.service.support.owing import after, at, hook, owe, post, reachable
from tests.service.support.threads import at_once

NOW = "2030-05-04T12:00:00.000Z"


def _hooked(desk: Desk, name: str, hooks: int = 1, talks: int = 1) -> tuple[str, list[str]]:
    """An account with this many hooks, and this many waiting deliveries to each."""
    account = reachable(desk, name)
    ids = [hook(desk, account, "message.posted") for _ in range(hooks)]
    for version in range(talks):
        owe(desk, account, version=version)
    while outbox.spread(desk):
        pass
    return account, ids


def test_nothing_is_claimed_when_nothing_is_due(desk: Desk) -> None:
    """Nothing is claimed without deliveries, nor before they are due."""
    assert [] == hook_claims.claim(desk, 10)
    _hooked(at(desk, NOW), "Ada")

    assert [] == hook_claims.claim(at(desk, timestamps.later(NOW, -LEASE)), 10)
    assert 1 == len(hook_claims.claim(at(desk, NOW), 10))


def test_a_claim_is_a_lease(each_desk: Desk) -> None:
    """A delivery that was claimed by a process that died is claimed again when the lease ends."""
    _hooked(each_desk, "Ada")
    now = at(each_desk, each_desk.now())
    first = claimed(now)

    assert timestamps.later(now.now(), LEASE) == first.not_before
    assert [] == hook_claims.claim(after(now, seconds=24), 10)
    again = claimed(after(now, seconds=26))
    assert (first.id, 2) == (again.id, again.attempts)


def test_a_claim_is_for_so_many_hooks(each_desk: Desk) -> None:
    """A claim takes deliveries of at most the requested number of hooks."""
    for name in ("Ada", "Ben", "Cem"):
        _hooked(each_desk, name)

    assert [2, 1, 0] == [len(hook_claims.claim(each_desk, 2)) for _ in range(3)]


def test_an_account_has_few_hooks_called_at_a_time(each_desk: Desk) -> None:
    """An account has at most EACH hooks called at a time, including those being called already."""
    ada, _ = _hooked(each_desk, "Ada", hooks=EACH + 2)
    ben, _ = _hooked(each_desk, "Ben")
    assert [ben] == [
        delivery.account for delivery in hook_claims.claim(each_desk, 10, calling={ada: EACH})
    ]

    assert [ada] == [
        delivery.account for delivery in hook_claims.claim(each_desk, 10, calling={ada: EACH - 1})
    ]
    assert EACH == len(hook_claims.claim(each_desk, 10))


def test_failing_hooks_are_claimed_apart(each_desk: Desk) -> None:
    """Failing hooks and working hooks are claimed separately."""
    _, (failing, working) = _hooked(each_desk, "Ada", hooks=2)
    with each_desk.database.writing() as tx:
        tx.execute(update(hooks).where(hooks.c.id == failing).values(failing_since=NOW))

    assert [failing] == [
        delivery.hook for delivery in hook_claims.claim(each_desk, 10, failing=True)
    ]
    assert [working] == [delivery.hook for delivery in hook_claims.claim(each_desk, 10)]


def test_a_run_is_in_order(each_desk: Desk) -> None:
    """Several deliveries to one hook are claimed together, the oldest first."""
    account, _ = _hooked(each_desk, "Ada")
    for version in (1, 2, 3):
        later = after(each_desk, seconds=version)
        owe(later, account, version=version)
        while outbox.spread(later):
            pass

    now = after(each_desk, seconds=4)
    assert [0, 1, 2] == [delivery.version for delivery in hook_claims.claim(now, 10, run=3)]
    assert [] == hook_claims.claim(now, 10, run=3)


def test_hook_has_one_delivery_at_a_time(each_desk: Desk) -> None:
    """A hook with a claimed delivery gets no other until it is settled; other hooks do."""
    ada = reachable(each_desk)
    slow, quick = hook(each_desk, ada, "game.started"), hook(each_desk, ada, "message.posted")
    for _ in range(2):
        post(each_desk, ada, "game_started", game="g")
        post(each_desk, ada, game="g")

    first = hook_claims.claim(each_desk, 9)
    assert {slow, quick} == {delivery.hook for delivery in first}
    assert [] == hook_claims.claim(each_desk, 9)
    done = next(delivery for delivery in first if delivery.hook == quick)
    outbox.settle(each_desk, [(done, Outcome("sent"))])
    (second,) = hook_claims.claim(each_desk, 9)
    assert quick == second.hook
    assert done.id != second.id


def test_many_workers_keep_to_one_delivery_a_hook(each_desk: Desk) -> None:
    """Of eight workers that claim concurrently, one gets a delivery of the hook."""
    ada = reachable(each_desk)
    hook(each_desk, ada, "message.posted")
    for _ in range(9):
        post(each_desk, ada)

    claimed = at_once(8, lambda _: hook_claims.claim(each_desk, 4))
    assert 1 == sum(map(len, claimed))


@pytest.mark.parametrize("state", ["sent", "superseded", "failed", "again"])
def test_hook_is_free_afterwards(each_desk: Desk, state: str) -> None:
    """The next delivery of a hook can be claimed once the first is settled, whatever its state."""
    ada = newcomer(each_desk)
    id = made(each_desk, ada)["id"]
    for _ in range(2):
        hook_deliveries.ping(each_desk, ada, id, None)
    first = claimed(each_desk)
    assert [] == hook_claims.claim(each_desk, 10)
    outbox.settle(each_desk, [(first, outbox.Outcome(state))])

    assert claimed(each_desk).id != first.id
