"""Hooks of an account: creating, changing and limiting them, and their secrets."""

import base64
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import select

from service.desk import Desk
from service.notify import hook_deliveries, hooks
from service.notify.hook_types import TYPES
from service.notify.hooks import MOST_HOOKS
from service.people.tokens import SCOPES, Caller
from service.refusals import Refused
from store import tables
from tests.service.conftest import SIGNING
from tests.service.support.hooked import KEY, URL, claimed, counted, made
from tests.service.support.newcomers import newcomer
from tests.service.support.tables import table
from tests.service.support.threads import at_once
from tests.support.hooks import after

SIGNING_NOW = "what signs from now on in 32 characters or more"


def code(desk: Desk, caller: Caller, **body: Any) -> str:
    """The code with which creating this hook is refused."""
    with pytest.raises(Refused) as refused:
        made(desk, caller, **body)
    return refused.value.code


def with_keys(desk: Desk, *keys: str) -> Desk:
    """The same desk with these SECRET_KEYS."""
    return desk._replace(settings=replace(desk.settings, secret_keys=keys))


def test_hook_is_shown_with_its_secret_once(each_desk: Desk) -> None:
    """The secret has 32 bytes, and only the response to the creation contains it."""
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
    """Without `types` a hook gets all types of events; pings are not among them."""
    assert list(TYPES) == made(desk, newcomer(desk))["types"]
    assert "webhook.ping" not in TYPES


@pytest.mark.parametrize("types", [[], ["game.lost"], ["webhook.ping"]])
def test_types_are_ours(desk: Desk, types: list[str]) -> None:
    """An empty list of types, an unknown type and `webhook.ping` are refused."""
    assert "unreadable" == code(desk, newcomer(desk), types=types)


def test_game_must_be_known(desk: Desk) -> None:
    """A hook for an unknown game, or for one that its owner may not see, is refused."""
    game, _ = table(desk, "Eve", bots={"easy": 1}, visibility="private")
    ada = newcomer(desk)

    assert "unreadable" == code(desk, ada, game=game)
    assert "unreadable" == code(desk, ada, game="nowhere")


def test_secrets_are_encrypted(each_desk: Desk) -> None:
    """Neither hooks nor recorded answers contain a secret in readable form."""
    ada = newcomer(each_desk)
    shown = [
        (first := made(each_desk, ada, KEY))["secret"],
        hooks.rotate(each_desk, ada, first["id"], KEY + "2")["secret"],
    ]
    with each_desk.database.reading() as tx:
        rows = [tx.execute(select(relation)).all() for relation in (tables.hooks, tables.answers)]

    text = repr(rows)
    for secret in shown:
        raw = base64.b64decode(secret.removeprefix("whsec_"))
        for spelling in (secret.removeprefix("whsec_"), raw.hex(), repr(raw)[2:-1]):
            assert spelling not in text


def test_secret_can_be_read_with_any_key(desk: Desk) -> None:
    """A secret encrypted with an older key can be read until that key is dropped."""
    ada = newcomer(desk)
    first = made(desk, ada)
    hook_deliveries.ping(desk, ada, first["id"], None)
    delivery = claimed(desk)

    def secrets(*keys: str) -> list[str]:
        call = hooks.call(with_keys(desk, *keys), delivery)
        return list(call.secrets) if call else []

    assert [first["secret"]] == secrets(SIGNING)
    assert [first["secret"]] == secrets(SIGNING_NOW, SIGNING)
    assert [] == secrets(SIGNING_NOW)


def test_repeated_request_shows_the_same_secret(each_desk: Desk) -> None:
    """Requests with the same Idempotency-Key create one hook and get the same secret."""
    ada = newcomer(each_desk)
    answers = at_once(4, lambda _: made(each_desk, ada, KEY))

    assert [answers[0]] * 4 == answers
    assert 1 == len(hooks.listed(each_desk, ada))
    renewed = with_keys(each_desk, SIGNING_NOW, SIGNING)
    assert answers[0] == made(renewed, ada, KEY)
    with pytest.raises(Refused, match="cannot be shown again"):
        made(with_keys(each_desk, SIGNING_NOW), ada, KEY)


def test_hooks_are_few(each_desk: Desk) -> None:
    """An account has at most 20 hooks, even if it creates several concurrently."""
    ada = newcomer(each_desk)
    for number in range(MOST_HOOKS - 1):
        made(each_desk, ada, url=f"{URL}/{number}")

    def one_more(number: int) -> str:
        try:
            made(each_desk, ada, url=f"{URL}/more/{number}")
        except Refused as refused:
            return refused.code
        return "made"

    assert ["forbidden"] * 3 + ["made"] == sorted(at_once(4, one_more))
    assert MOST_HOOKS == counted(each_desk, ada)


def test_account_counts_what_is_on(each_desk: Desk) -> None:
    """The number of hooks in the account's row is always that of the hooks switched on."""
    ada = newcomer(each_desk)
    first, second = (made(each_desk, ada, url=f"{URL}/{n}")["id"] for n in range(2))
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
    """A change leaves alone the fields that it does not name."""
    game, (account,) = table(each_desk, "Ada", bots={"easy": 1})
    ada = Caller(account, "", frozenset(SCOPES))
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


def test_an_account_has_one_hook_for_each_url_and_game(each_desk: Desk) -> None:
    """A second hook for an equivalent URL is refused, except for another account."""
    game, (account,) = table(each_desk, "Ada", bots={"easy": 1})
    ada, ben = Caller(account, "", frozenset(SCOPES)), newcomer(each_desk, "Ben")
    made(each_desk, ada)
    other = made(each_desk, ada, url="https://example.org/other")["id"]
    assert "hook_exists" == code(each_desk, ada, game=game)
    made(each_desk, ben)
    for url in (URL, "https://EXAMPLE.org:443/hook"):
        assert "hook_exists" == code(each_desk, ada, url=url)
        with pytest.raises(Refused) as refused:
            hooks.change(each_desk, ada, other, {"url": url})
        assert "hook_exists" == refused.value.code

    assert 2 == counted(each_desk, ada)
    assert hooks.change(each_desk, ada, other, {"url": "https://example.org/other"})["on"]


def test_hooks_from_before_stay_and_can_be_changed(desk: Desk) -> None:
    """Two hooks with the same URL, stored by an older version, can be listed and changed."""
    ada = newcomer(desk)
    first = made(desk, ada)["id"]
    twin = made(desk, ada, url="https://example.org/twin")["id"]
    with desk.database.writing() as tx:
        tx.execute(tables.hooks.update().values(url=URL))

    assert {URL} == {hook["url"] for hook in hooks.listed(desk, ada)}
    assert not hooks.change(desk, ada, twin, {"on": False, "types": ["game.moved"]})["on"]
    assert hooks.change(desk, ada, first, {"url": "https://example.org/new"})["url"] != URL


def test_hook_of_others_is_not_there(each_desk: Desk) -> None:
    """Reading, changing, calling or deleting another account's hook is refused as not found."""
    ada, eve = newcomer(each_desk), newcomer(each_desk, "Eve")
    id = made(each_desk, ada)["id"]
    ping = hook_deliveries.ping(each_desk, ada, id, None)["id"]
    own = made(each_desk, eve)["id"]
    for attempt in (
        lambda: hooks.read(each_desk, eve, id),
        lambda: hooks.change(each_desk, eve, id, {"on": False}),
        lambda: hooks.rotate(each_desk, eve, id, None),
        lambda: hooks.delete(each_desk, eve, id),
        lambda: hook_deliveries.ping(each_desk, eve, id, None),
        lambda: hook_deliveries.listed(each_desk, eve, id, None, 10),
        lambda: hook_deliveries.redeliver(each_desk, eve, id, ping, None),
        lambda: hook_deliveries.redeliver(each_desk, eve, own, ping, None),
    ):
        with pytest.raises(Refused) as refused:
            attempt()
        assert "not_found" == refused.value.code


def test_two_secrets_sign_for_a_day(desk: Desk) -> None:
    """After a rotation both secrets sign for 24 hours, the new one first."""
    ada = newcomer(desk)
    old = made(desk, ada)
    new = hooks.rotate(desk, ada, old["id"], KEY)
    hook_deliveries.ping(desk, ada, old["id"], None)
    delivery = claimed(desk)

    def secrets(**span: float) -> list[str]:
        call = hooks.call(after(desk, **span), delivery)
        return list(call.secrets) if call else []

    assert [new["secret"], old["secret"]] == secrets(hours=23.9)
    assert [new["secret"]] == secrets(hours=24.1)
    assert new == hooks.rotate(desk, ada, old["id"], KEY)
    assert [new["secret"], old["secret"]] == secrets()
