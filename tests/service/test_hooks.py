import base64
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import select, update

from service import hooks, outbox
from service.desk import Desk
from service.hooks import MOST_HOOKS, TYPES
from service.idempotency import Document
from service.refusals import Refused
from service.tokens import Caller
from store import clock
from store import tables as stored
from tests.hooking import after, on_its_way, owe
from tests.service.conftest import SIGNING
from tests.service.people import newcomer, rows
from tests.service.tables import table
from tests.service.threads import at_once

KEY = "0123456789abcdef"
SIGNING_NOW = "what signs from now on in 32 characters or more"
URL = "https://example.org/hook"


def made(desk: Desk, caller: Caller, key: str | None = None, **more: Any) -> Document:
    """A new hook."""
    return hooks.create(desk, caller, {"url": URL, **more}, key)


def code(desk: Desk, caller: Caller, **wanted: Any) -> str:
    """The code with which such a hook is refused."""
    with pytest.raises(Refused) as refused:
        made(desk, caller, **wanted)
    return refused.value.code


def counted(desk: Desk, caller: Caller) -> int:
    """How many hooks the account says are switched on."""
    with desk.database.reading() as tx:
        mine = stored.accounts.c.id == caller.account
        return tx.scalar(select(stored.accounts.c.hooks).where(mine)) or 0


def with_keys(desk: Desk, *keys: str) -> Desk:
    """The same desk with other keys."""
    return desk._replace(settings=replace(desk.settings, secret_keys=keys))


def claimed(desk: Desk) -> outbox.Delivery:
    """The one delivery that is due."""
    (one,) = outbox.claim_for_hooks(desk, 10)
    return one


def test_hook_is_shown_with_its_secret_once(each_desk: Desk) -> None:
    """The secret has 32 random bytes and stands in the first answer only."""
    ada = newcomer(each_desk)
    first = made(each_desk, ada, types=["game.moved", "decision.opened"])

    secret = first.pop("secret")
    assert 32 == len(base64.b64decode(secret.removeprefix("whsec_"), validate=True))
    assert [first] == hooks.listed(each_desk, ada)
    assert first == hooks.read(each_desk, ada, first["id"])
    assert (URL, ["decision.opened", "game.moved"], None, True) == (
        first["url"],
        first["types"],
        first["game"],
        first["on"],
    )


def test_hook_is_told_everything_unless_it_says_what(desk: Desk) -> None:
    """Without a filter a hook is told everything but pings, which come when asked for."""
    assert list(TYPES) == made(desk, newcomer(desk))["types"]
    assert "webhook.ping" not in TYPES


@pytest.mark.parametrize("types", [[], ["game.lost"], ["webhook.ping"]])
def test_types_are_ours(desk: Desk, types: list[str]) -> None:
    """What nobody can be told cannot be asked for."""
    assert "unreadable" == code(desk, newcomer(desk), types=types)


def test_game_must_be_known(desk: Desk) -> None:
    """A hook for one game needs a game that its owner may know of."""
    game, _ = table(desk, "Eve", bots={"easy": 1}, visibility="private")
    ada = newcomer(desk)

    assert "unreadable" == code(desk, ada, game=game)
    assert "unreadable" == code(desk, ada, game="nowhere")


def test_secrets_are_encrypted(each_desk: Desk) -> None:
    """Neither the hooks nor the stored answers hold a secret that a thief could read."""
    ada = newcomer(each_desk)
    shown = [
        (first := made(each_desk, ada, KEY))["secret"],
        hooks.rotate(each_desk, ada, first["id"], KEY + "2")["secret"],
    ]
    with each_desk.database.reading() as tx:
        found = [tx.execute(select(one)).all() for one in (stored.hooks, stored.answers)]

    text = repr(found)
    for secret in shown:
        raw = base64.b64decode(secret.removeprefix("whsec_"))
        for said in (secret.removeprefix("whsec_"), raw.hex(), repr(raw)[2:-1]):
            assert said not in text


def test_secret_can_be_read_with_any_key(desk: Desk) -> None:
    """Keys rotate: what an older one has sealed is still read, until it is dropped."""
    ada = newcomer(desk)
    first = made(desk, ada)
    hooks.ping(desk, ada, first["id"], None)
    delivery = claimed(desk)

    def secrets(*keys: str) -> list[str]:
        found = hooks.call(with_keys(desk, *keys), delivery)
        return list(found.secrets) if found else []

    assert [first["secret"]] == secrets(SIGNING)
    assert [first["secret"]] == secrets(SIGNING_NOW, SIGNING)
    assert [] == secrets(SIGNING_NOW)


def test_repeated_request_shows_the_same_secret(each_desk: Desk) -> None:
    """With an Idempotency-Key there is one hook, and its secret is told again, word for word."""
    ada = newcomer(each_desk)
    answers = at_once(4, lambda _: made(each_desk, ada, KEY))

    assert [answers[0]] * 4 == answers
    assert 1 == len(hooks.listed(each_desk, ada))
    renewed = with_keys(each_desk, SIGNING_NOW, SIGNING)
    assert answers[0] == made(renewed, ada, KEY)
    with pytest.raises(Refused, match="cannot be shown again"):
        made(with_keys(each_desk, SIGNING_NOW), ada, KEY)


def test_hooks_are_few(each_desk: Desk) -> None:
    """An account has at most 20 hooks, however many it asks for at once."""
    ada = newcomer(each_desk)
    for _ in range(MOST_HOOKS - 1):
        made(each_desk, ada)

    def one_more(_: int) -> str:
        try:
            made(each_desk, ada)
        except Refused as refused:
            return refused.code
        return "made"

    assert ["forbidden"] * 3 + ["made"] == sorted(at_once(4, one_more))
    assert MOST_HOOKS == counted(each_desk, ada)


def test_account_counts_what_is_on(each_desk: Desk) -> None:
    """The number that moves look at is always that of the hooks that are switched on."""
    ada = newcomer(each_desk)
    first, second = (made(each_desk, ada)["id"] for _ in range(2))
    seen = [counted(each_desk, ada)]
    for change in ({"on": False}, {"on": False}, {"url": URL + "2"}, {"on": True}, {"on": True}):
        hooks.change(each_desk, ada, first, change)
        seen.append(counted(each_desk, ada))
    hooks.delete(each_desk, ada, first)
    seen.append(counted(each_desk, ada))
    hooks.change(each_desk, ada, second, {"on": False})
    hooks.delete(each_desk, ada, second)
    seen.append(counted(each_desk, ada))

    assert [2, 1, 1, 1, 2, 2, 1, 0] == seen


def test_change_what_is_named(each_desk: Desk) -> None:
    """A change leaves alone what it does not name."""
    game, (account,) = table(each_desk, "Ada", bots={"easy": 1})
    ada = Caller(account, "", frozenset())
    first = made(each_desk, ada)
    first.pop("secret")
    id = first["id"]

    assert first | {"game": game} == hooks.change(each_desk, ada, id, {"game": game})
    assert first == hooks.change(each_desk, ada, id, {"game": None})
    only = {"types": ["message.posted"]}
    assert first | only == hooks.change(each_desk, ada, id, only)
    moved = {"url": "https://example.org/elsewhere"}
    assert first | only | moved == hooks.change(each_desk, ada, id, moved)
    with pytest.raises(Refused, match="url"):
        hooks.change(each_desk, ada, id, {"url": "ftp://example.org/"})


def test_hook_of_others_is_not_there(each_desk: Desk) -> None:
    """Nobody can see, change, call or delete the hook of somebody else."""
    ada, eve = newcomer(each_desk), newcomer(each_desk, "Eve")
    id = made(each_desk, ada)["id"]
    ping = hooks.ping(each_desk, ada, id, None)["id"]
    own = made(each_desk, eve)["id"]
    for attempt in (
        lambda: hooks.read(each_desk, eve, id),
        lambda: hooks.change(each_desk, eve, id, {"on": False}),
        lambda: hooks.rotate(each_desk, eve, id, None),
        lambda: hooks.delete(each_desk, eve, id),
        lambda: hooks.ping(each_desk, eve, id, None),
        lambda: hooks.told(each_desk, eve, id, None, 10),
        lambda: hooks.redeliver(each_desk, eve, id, ping, None),
        lambda: hooks.redeliver(each_desk, eve, own, ping, None),
    ):
        with pytest.raises(Refused) as refused:
            attempt()
        assert "not_found" == refused.value.code


def test_two_secrets_sign_for_a_day(desk: Desk) -> None:
    """After a rotation both secrets sign for 24 hours, the new one first."""
    ada = newcomer(desk)
    old = made(desk, ada)
    new = hooks.rotate(desk, ada, old["id"], KEY)
    hooks.ping(desk, ada, old["id"], None)
    delivery = claimed(desk)

    def secrets(**span: float) -> list[str]:
        found = hooks.call(after(desk, **span), delivery)
        return list(found.secrets) if found else []

    assert [new["secret"], old["secret"]] == secrets(hours=23.9)
    assert [new["secret"]] == secrets(hours=24.1)
    assert new == hooks.rotate(desk, ada, old["id"], KEY)
    assert [new["secret"], old["secret"]] == secrets()


def test_ping_is_on_its_way(each_desk: Desk) -> None:
    """A ping is one delivery to this hook, with one key it is one however often it is asked for."""
    ada = newcomer(each_desk)
    id = made(each_desk, ada, types=["game.moved"])["id"]
    first = hooks.ping(each_desk, ada, id, KEY)

    assert first == hooks.ping(each_desk, ada, id, KEY)
    assert [first] == hooks.told(each_desk, ada, id, None, 10)
    assert ("webhook.ping", "waiting", 0) == (first["type"], first["state"], first["attempts"])
    assert f"msg_{first['id']}" == first["webhook_id"]
    assert first["id"] == claimed(each_desk).id


def test_switched_off_hook_forgets_what_waits(each_desk: Desk) -> None:
    """What waited for a hook that its owner switches off fails, and says why."""
    ada = newcomer(each_desk)
    id = made(each_desk, ada)["id"]
    owe(each_desk, ada.account, game="g", version=1)
    off = hooks.change(each_desk, ada, id, {"on": False})

    assert (False, hooks.BY_OWNER) == (off["on"], off["off_reason"])
    assert [("failed", hooks.SWITCHED_OFF)] == [
        (one["state"], one["error"]) for one in hooks.told(each_desk, ada, id, None, 10)
    ]
    assert [] == outbox.claim_for_hooks(each_desk, 10)
    owe(each_desk, ada.account, game="g", version=2)
    assert 1 == len(on_its_way(each_desk, "id"))
    on = hooks.change(each_desk, ada, id, {"on": True})
    assert (True, None, None) == (on["on"], on["off_reason"], on["off_since"])


def test_redelivery_waits_again_under_the_same_id(each_desk: Desk) -> None:
    """What was settled can be sent once more; it starts from the first attempt."""
    ada = newcomer(each_desk)
    id = made(each_desk, ada)["id"]
    hooks.ping(each_desk, ada, id, None)
    delivery = claimed(each_desk)
    outbox.settle(each_desk, [(delivery, outbox.Outcome("sent", 200))])
    again = hooks.redeliver(each_desk, ada, id, delivery.id, KEY)

    assert again == hooks.redeliver(each_desk, ada, id, delivery.id, KEY)
    assert (delivery.id, "waiting", 0) == (again["id"], again["state"], again["attempts"])
    assert delivery.id == claimed(each_desk).id


def test_nothing_is_sent_again_to_a_hook_that_is_off(desk: Desk) -> None:
    """A hook must be switched on before something is sent to it once more."""
    ada = newcomer(desk)
    id = made(desk, ada)["id"]
    ping = hooks.ping(desk, ada, id, None)["id"]
    hooks.change(desk, ada, id, {"on": False})

    with pytest.raises(Refused, match="switched off"):
        hooks.redeliver(desk, ada, id, ping, None)


def test_hook_goes_with_what_it_was_told(each_desk: Desk) -> None:
    """Nothing is left of a hook that was deleted, and a delivery under way finds none."""
    ada = newcomer(each_desk)
    id = made(each_desk, ada)["id"]
    hooks.ping(each_desk, ada, id, None)
    delivery = claimed(each_desk)
    hooks.delete(each_desk, ada, id)

    assert [] == rows(each_desk, stored.hooks, "id")
    assert [] == rows(each_desk, stored.deliveries, "id")
    assert hooks.call(each_desk, delivery) is None
    hooks.arrived(each_desk, delivery)
    assert not hooks.missed(each_desk, delivery, gone=True)


def test_hook_is_patient_for_five_days(each_desk: Desk) -> None:
    """A hook that only fails is switched off after five days, once, and its owner is owed word."""
    ada = newcomer(each_desk)
    id = made(each_desk, ada, url="https://example.org/secret")["id"]
    hooks.ping(each_desk, ada, id, None)
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
        found = tx.execute(select(*stored.notices.c["account", "kind", "data"])).all()
    assert [(ada.account, "hook_disabled")] == [(row.account, row.kind) for row in found]
    assert "example.org" in found[0].data
    assert "secret" not in found[0].data


def test_success_forgives(each_desk: Desk) -> None:
    """One delivery that arrives makes a failing hook as good as new."""
    ada = newcomer(each_desk)
    id = made(each_desk, ada)["id"]
    hooks.ping(each_desk, ada, id, None)
    delivery = claimed(each_desk)
    hooks.missed(each_desk, delivery, gone=False)
    hooks.arrived(after(each_desk, days=4), delivery)
    hooks.missed(after(each_desk, days=6), delivery, gone=False)

    assert hooks.read(each_desk, ada, id)["on"]
    assert (
        clock.later(each_desk.now(), timedelta(days=5))
        < (hooks.read(each_desk, ada, id)["failing_since"])
    )


@pytest.mark.parametrize("state", ["sent", "superseded", "failed", "again"])
def test_hook_is_free_afterwards(each_desk: Desk, state: str) -> None:
    """A hook is told one thing at a time, and the next as soon as the first is settled."""
    ada = newcomer(each_desk)
    id = made(each_desk, ada)["id"]
    for _ in range(2):
        hooks.ping(each_desk, ada, id, None)
    first = claimed(each_desk)
    assert [] == outbox.claim_for_hooks(each_desk, 10)
    outbox.settle(each_desk, [(first, outbox.Outcome(state))])

    assert claimed(each_desk).id != first.id


def test_hook_whose_url_is_not_allowed_any_more_has_no_target(desk: Desk) -> None:
    """Settings that became stricter count for hooks that are there already."""
    ada = newcomer(desk)
    id = made(desk, ada, url="http://127.0.0.1:9/hook")["id"]
    hooks.ping(desk, ada, id, None)
    delivery = claimed(desk)
    strict = desk._replace(settings=replace(desk.settings, webhook_targets="public"))

    loose, tight = hooks.call(desk, delivery), hooks.call(strict, delivery)
    assert loose is not None
    assert tight is not None
    assert loose.target is not None
    assert tight.target is None


def test_account_and_hook_are_locked_in_one_order(each_desk: Desk) -> None:
    """A hook that is switched off while its owner changes it makes nobody wait for ever."""
    ada = newcomer(each_desk)
    id = made(each_desk, ada)["id"]
    hooks.ping(each_desk, ada, id, None)
    delivery = claimed(each_desk)

    def work(n: int) -> None:
        for _ in range(10):
            if n % 2:
                hooks.missed(each_desk, delivery, gone=True)
            else:
                hooks.change(each_desk, ada, id, {"on": True})

    at_once(4, work)
    with each_desk.database.writing() as tx:
        tx.execute(update(stored.hooks).values(off_since=None))
    hooks.change(each_desk, ada, id, {"on": False})
    assert 0 == counted(each_desk, ada)


def test_the_reason_says_how_long_a_hook_was_silent() -> None:
    """It is kept as a text of the catalogue, so the number stands in it."""
    assert f"{hooks.PATIENCE.days} days" in hooks.SILENT
