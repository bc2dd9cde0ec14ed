"""Hosts of open tables, and the links with which anybody can take a seat."""

from collections.abc import Callable
from typing import Any

import pytest

from engine import Refusal
from service.desk import Desk
from service.games import lobby
from service.games.inviting import invitations
from service.games.seating import hosting
from service.links import signed_links
from tests.service.support.tables import player


@pytest.fixture
def opened(desk: Desk) -> tuple[str, str]:
    """A private table with three seats, and its host."""
    ada = player(desk, "Ada")
    new = lobby.NewGame("usa", (), 3, visibility="private")
    return str(lobby.open_game(desk, ada, new, None)["id"]), ada


def _payload(desk: Desk, link: str) -> dict[str, Any]:
    payload = signed_links.read(desk, "table", link.rsplit("/", 1)[1])
    assert payload is not None
    return payload


def _refused(call: Callable[[], object]) -> str:
    with pytest.raises(Refusal) as refusal:
        call()
    return refusal.value.code


def _sit(desk: Desk, name: str, payload: dict[str, Any]) -> str:
    account = player(desk, name)
    lobby.join(desk, account, payload["game"], "", None, hosting.admission(payload))
    return account


def test_a_link_opens_a_private_table(desk: Desk, opened: tuple[str, str]) -> None:
    """Whoever has the link takes a seat at a private table; without it there is no such table."""
    game, ada = opened
    payload = _payload(desk, hosting.link(desk, ada, game))
    assert "open" == hosting.link_page(desk, payload, None)["stands"]
    eve = player(desk, "Eve")
    assert "not_found" == _refused(lambda: lobby.join(desk, eve, game, "", None))

    ben = _sit(desk, "Ben", payload)
    assert "done" == hosting.link_page(desk, payload, ben)["stands"]
    _sit(desk, "Cem", payload)
    assert {"stands": "stale"} == hosting.link_page(desk, payload, eve)


def test_a_void_link_gives_no_seat(desk: Desk, opened: tuple[str, str]) -> None:
    """A link that was made void shows nothing and gives no seat; the new one does."""
    game, ada = opened
    old = _payload(desk, hosting.link(desk, ada, game))
    new = _payload(desk, hosting.renew_link(desk, ada, game))
    assert {"stands": "void"} == hosting.link_page(desk, old, None)
    assert "forbidden" == _refused(lambda: _sit(desk, "Ben", old))
    _sit(desk, "Cem", new)


def test_a_link_reserves_nothing(desk: Desk, opened: tuple[str, str]) -> None:
    """With the link, too, a seat that is reserved for a guest cannot be taken."""
    game, ada = opened
    payload = _payload(desk, hosting.link(desk, ada, game))
    for name in ("Ben", "Cem"):
        player(desk, name)
        invitations.invite(desk, ada, game, {"name": name}, None)
    assert "seat_reserved" == _refused(lambda: _sit(desk, "Eve", payload))


def test_only_the_host_has_the_link(desk: Desk, opened: tuple[str, str]) -> None:
    """Another player has neither link nor power over it, until the host has left."""
    game, ada = opened
    ben = _sit(desk, "Ben", _payload(desk, hosting.link(desk, ada, game)))
    for call in (hosting.link, hosting.renew_link):
        assert "forbidden" == _refused(lambda call=call: call(desk, ben, game))  # type: ignore[misc]
    lobby.leave(desk, ada, game)
    assert hosting.link(desk, ben, game)


def test_a_link_of_a_table_that_is_gone(desk: Desk, opened: tuple[str, str]) -> None:
    """When the table has been deleted, the page says that the link is gone."""
    game, ada = opened
    payload = _payload(desk, hosting.link(desk, ada, game))
    lobby.leave(desk, ada, game)
    assert {"stands": "gone"} == hosting.link_page(desk, payload, None)
