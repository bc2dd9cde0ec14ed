"""Pings and redeliveries, and what happens to hooks that fail, are switched off or deleted."""

from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import select, update

from service.desk import Desk
from service.notify import hook_claims, hook_deliveries, hooks, outbox
from service.refusals import Refused
from store import tables, timestamps
from tests.service.support.hooked import KEY, claimed, counted, made
from tests.service.support.newcomers import newcomer, rows
from tests.service.support.threads import at_once
from tests.support.hooks import after, on_its_way, owe


def test_ping_is_on_its_way(each_desk: Desk) -> None:
    """A ping is one waiting delivery to its hook; repeating it with the same key adds none."""
    ada = newcomer(each_desk)
    id = made(each_desk, ada, types=["game.moved"])["id"]
    first = hook_deliveries.ping(each_desk, ada, id, KEY)

    assert first == hook_deliveries.ping(each_desk, ada, id, KEY)
    assert [first] == hook_deliveries.listed(each_desk, ada, id, None, 10)
    assert ("webhook.ping", "waiting", 0) == (first["type"], first["state"], first["attempts"])
    assert f"msg_{first['id']}" == first["webhook_id"]
    assert first["id"] == claimed(each_desk).id


def test_switched_off_hook_forgets_what_waits(each_desk: Desk) -> None:
    """Switching a hook off fails its waiting deliveries with a reason, and it gets no new ones."""
    ada = newcomer(each_desk)
    id = made(each_desk, ada)["id"]
    owe(each_desk, ada.account, game="g", version=1)
    off = hooks.change(each_desk, ada, id, {"on": False})

    assert (False, hooks.BY_OWNER) == (off["on"], off["off_reason"])
    assert [("failed", hooks.SWITCHED_OFF)] == [
        (delivery["state"], delivery["error"])
        for delivery in hook_deliveries.listed(each_desk, ada, id, None, 10)
    ]
    assert [] == hook_claims.claim(each_desk, 10)
    owe(each_desk, ada.account, game="g", version=2)
    assert 1 == len(on_its_way(each_desk, "id"))
    on = hooks.change(each_desk, ada, id, {"on": True})
    assert (True, None, None) == (on["on"], on["off_reason"], on["off_since"])


def test_redelivery_waits_again_under_the_same_id(each_desk: Desk) -> None:
    """A redelivery has the same id and starts again with no attempts."""
    ada = newcomer(each_desk)
    id = made(each_desk, ada)["id"]
    hook_deliveries.ping(each_desk, ada, id, None)
    delivery = claimed(each_desk)
    outbox.settle(each_desk, [(delivery, outbox.Outcome("sent", 200))])
    again = hook_deliveries.redeliver(each_desk, ada, id, delivery.id, KEY)

    assert again == hook_deliveries.redeliver(each_desk, ada, id, delivery.id, KEY)
    assert (delivery.id, "waiting", 0) == (again["id"], again["state"], again["attempts"])
    assert delivery.id == claimed(each_desk).id


def test_nothing_is_sent_again_to_a_hook_that_is_off(desk: Desk) -> None:
    """A redelivery to a hook that is off is refused."""
    ada = newcomer(desk)
    id = made(desk, ada)["id"]
    ping = hook_deliveries.ping(desk, ada, id, None)["id"]
    hooks.change(desk, ada, id, {"on": False})

    with pytest.raises(Refused, match="switched off"):
        hook_deliveries.redeliver(desk, ada, id, ping, None)


def test_hook_goes_with_what_it_was_told(each_desk: Desk) -> None:
    """Deleting a hook deletes its deliveries; one in progress has no target and is not retried."""
    ada = newcomer(each_desk)
    id = made(each_desk, ada)["id"]
    hook_deliveries.ping(each_desk, ada, id, None)
    delivery = claimed(each_desk)
    hooks.delete(each_desk, ada, id)

    assert [] == rows(each_desk, tables.hooks, "id")
    assert [] == rows(each_desk, tables.deliveries, "id")
    assert hooks.call(each_desk, delivery) is None
    hooks.arrived(each_desk, delivery)
    assert not hooks.missed(each_desk, delivery, gone=True)


def test_hook_is_patient_for_five_days(each_desk: Desk) -> None:
    """A hook that fails for five days is switched off, and its owner gets one notice."""
    ada = newcomer(each_desk)
    id = made(each_desk, ada, url="https://example.org/secret")["id"]
    hook_deliveries.ping(each_desk, ada, id, None)
    delivery = claimed(each_desk)
    start = each_desk.now()
    for hours in (0, 60, 119.9):
        hooks.missed(after(each_desk, hours=hours), delivery, gone=False)
        assert (True, start[:16]) == (
            hooks.read(each_desk, ada, id)["on"],
            hooks.read(each_desk, ada, id)["failing_since"][:16],
        )
    for hours in (120.1, 130):
        hooks.missed(after(each_desk, hours=hours), delivery, gone=False)

    assert (False, hooks.SILENT) == (
        hooks.read(each_desk, ada, id)["on"],
        hooks.read(each_desk, ada, id)["off_reason"],
    )
    assert 0 == counted(each_desk, ada)
    with each_desk.database.reading() as tx:
        rows = tx.execute(select(*tables.notices.c["account", "kind", "data"])).all()
    assert [(ada.account, "hook_disabled")] == [(row.account, row.kind) for row in rows]
    assert "example.org" in rows[0].data
    assert "secret" not in rows[0].data


def test_success_forgives(each_desk: Desk) -> None:
    """After a success, the five days begin again with the next failure."""
    ada = newcomer(each_desk)
    id = made(each_desk, ada)["id"]
    hook_deliveries.ping(each_desk, ada, id, None)
    delivery = claimed(each_desk)
    hooks.missed(each_desk, delivery, gone=False)
    hooks.arrived(after(each_desk, days=4), delivery)
    hooks.missed(after(each_desk, days=6), delivery, gone=False)

    assert hooks.read(each_desk, ada, id)["on"]
    assert (
        timestamps.later(each_desk.now(), timedelta(days=5))
        < (hooks.read(each_desk, ada, id)["failing_since"])
    )


def test_hook_whose_url_is_not_allowed_any_more_has_no_target(desk: Desk) -> None:
    """A hook whose URL the settings have come to forbid has no target."""
    ada = newcomer(desk)
    id = made(desk, ada, url="http://127.0.0.1:9/hook")["id"]
    hook_deliveries.ping(desk, ada, id, None)
    delivery = claimed(desk)
    strict = desk._replace(settings=replace(desk.settings, webhook_targets="public"))

    loose, tight = hooks.call(desk, delivery), hooks.call(strict, delivery)
    assert loose is not None
    assert tight is not None
    assert loose.target is not None
    assert tight.target is None


def test_account_and_hook_are_locked_in_one_order(each_desk: Desk) -> None:
    """Switching a hook off and changing it concurrently causes no deadlock."""
    ada = newcomer(each_desk)
    id = made(each_desk, ada)["id"]
    hook_deliveries.ping(each_desk, ada, id, None)
    delivery = claimed(each_desk)

    def work(n: int) -> None:
        for _ in range(10):
            if n % 2:
                hooks.missed(each_desk, delivery, gone=True)
            else:
                hooks.change(each_desk, ada, id, {"on": True})

    at_once(4, work)
    with each_desk.database.writing() as tx:
        tx.execute(update(tables.hooks).values(off_since=None))
    hooks.change(each_desk, ada, id, {"on": False})
    assert 0 == counted(each_desk, ada)


def test_the_reason_says_how_long_a_hook_was_silent() -> None:
    """The number of days in the reason is that of PATIENCE."""
    assert f"{hooks.PATIENCE.days} days" in hooks.SILENT
