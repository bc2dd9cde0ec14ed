"""Nobody but their player can tell that a seat has orders: worlds with and without them."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from engine import Move
from service.games import reading
from store.games import games, orders
from store.games.orders import StoredOrders
from store.tables import notices, seats
from tests.amounts import amount
from tests.api.test_secrets import AT, TABLES, Service
from tests.random_games import Table, played

POINTS = amount(4, soak=40)
TEXT = "draw for 9 turns"


def with_orders(service: Service, owner: int, state: str) -> None:
    """Store orders for a seat."""
    with service.desk.database.writing() as tx:
        account = tx.scalar(select(seats.c.account).where(seats.c.number == owner))
        assert account is not None
        reason = "You wanted to be asked here." if state == "stopped" else None
        ended = None if state == "waiting" else AT
        row = StoredOrders(service.game, account, owner, "x", TEXT, 0, AT, state, reason, ended)
        orders.replace(tx, row)


def without_orders(service: Service) -> None:
    """Delete all orders."""
    with service.desk.database.writing() as tx:
        orders.remove_all(tx, service.game)


def played_by(log: list[Move], owner: int, source: str) -> list[Move]:
    """The same moves, of which those of one seat came from this source."""
    return [
        move._replace(source=source if move.seat == owner else "api" if move.number else None)
        for move in log
    ]


def differences(service: Service) -> Iterator[tuple[str, str]]:
    """The outputs to others that differ between a world with orders and one without."""
    table = service.table
    log = played(table, 0).game.moves
    for point in range(POINTS):
        part = log[: 1 + (len(log) - 2) * (point + 1) // POINTS]
        owner = point % table.seats
        state = ("waiting", "stopped", "finished")[point % 3]
        for eyes in (None, *(seat for seat in range(table.seats) if seat != owner)):
            service.put(played_by(part, owner, "order"), [owner])
            with_orders(service, owner, state)
            here = list(service.outputs(eyes, []))
            service.put(played_by(part, owner, "api"), [owner])
            without_orders(service)
            there = list(service.outputs(eyes, []))
            assert len(here) == len(there)
            yield from ((a, b) for a, b in zip(here, there, strict=True) if a != b)


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_orders_cannot_be_told(table: Table, tmp_path: Path) -> None:
    """Bodies, headers, tags, letters and hooks of the others are the same with and without."""
    assert [] == list(differences(Service(tmp_path, table)))


def _source(tx: Any, table: Any) -> object:
    last = games.moves_between(tx, table.id, table.version, table.version)
    return json.loads(last[0].record).get("source")


LEAKS: dict[str, Callable[[Any, Any], object]] = {
    "whether there are orders": lambda tx, table: len(orders.of_game(tx, table.id)),
    "the source of the last move": _source,
}


@pytest.mark.parametrize("leak", LEAKS)
def test_a_leak_is_found(leak: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted faults: a field that shows orders, or how the last move came in, is noticed."""
    honest = reading.game_document

    def leaky(desk: Any, tx: Any, table: Any, seat: int | None) -> Any:
        table, document = honest(desk, tx, table, seat)
        return table, document | {"more": LEAKS[leak](tx, table)}

    monkeypatch.setattr(reading, "game_document", leaky)

    assert list(differences(Service(tmp_path, TABLES[0])))


def test_giving_and_deleting_changes_nothing_for_others(tmp_path: Path) -> None:
    """Neither the version nor a tag nor anything else changes, and nobody else has news."""
    service = Service(tmp_path, TABLES[0])
    web, address = service.web, f"/v1/games/{service.game}/orders"
    owner, *others = service.order

    def seen() -> list[tuple[str, str]]:
        answers = [
            web.get(f"/v1/games/{service.game}", headers=other) for other in [*others, owner]
        ]
        return [(answer.text, answer.headers["ETag"]) for answer in answers]

    def notified_accounts() -> list[Any]:
        with service.desk.database.reading() as tx:
            return list(tx.scalars(select(notices.c.account)))

    before, news = seen(), notified_accounts()
    body = {"text": "keep all; draw; claim portland-seattle when I can"}
    given = web.put(address, json=body, headers=owner)
    assert 200 == given.status_code
    assert (before, news) == (seen(), notified_accounts())
    for other in others:
        refused = web.get(address, headers=other)
        assert (204, 401)[not other] == refused.status_code
    assert 204 == web.delete(address, headers=owner).status_code
    assert before == seen()
    assert set(notified_accounts()) - set(news) <= {*news}


def test_refusals_tell_nothing(tmp_path: Path) -> None:
    """A refusal names its step and its place, and strangers learn nothing."""
    service = Service(tmp_path, TABLES[0])
    address = f"/v1/games/{service.game}/orders"
    refused = service.web.put(address, json={"text": "draw; clam x"}, headers=service.order[0])

    assert refused.json is not None
    assert (400, "unreadable") == (refused.status_code, refused.json["code"])
    assert {"step": 2, "start": 6, "end": 12} == refused.json["place"]
    assert 401 == service.web.put(address, json={"text": "draw"}).status_code
