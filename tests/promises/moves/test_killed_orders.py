"""Promise 1: a worker that is killed while orders run plays nothing twice, and loses nothing."""

import json
from collections.abc import Callable, Sequence
from functools import partial

from store.database import Database
from tests.amounts import amount
from tests.promises.support.database_checks import head_of, moves_of
from tests.promises.support.http_calls import Reachable, ask
from tests.promises.support.processes import Process, running
from tests.promises.support.web_server import Player, newcomer, open_database, opened
from tests.support.servers import Cluster, own_redis
from tests.support.waiting import until

TABLES, KILLS, TURNS = amount(4, soak=12), amount(2, soak=10), 10
ORDERS = f"keep all; draw for {TURNS} turns"
MOVES = 1 + 2 * TURNS
"""The moves that these orders make: no more, no fewer."""
PATIENCE = 90.0
"""Seconds; the lease of the orders that a killed worker had claimed ends after 25."""


def _ordered(database: Database, game: str) -> list[tuple[int, int | None]]:
    """The version and seat of each move that orders have made."""
    records = [json.loads(move.record) | {"n": move.number} for move in moves_of(database, game)]
    return [(record["n"], record["seat"]) for record in records if record.get("source") == "order"]


def _table(web: Reachable) -> tuple[str, list[Player]]:
    """A game whose two players leave everything to their orders."""
    players = [newcomer(web), newcomer(web)]
    game = opened(web, *players)
    body = {"text": ORDERS, "at_once": True}
    for player in players:
        assert 200 == ask(web, "PUT", f"/v1/games/{game}/orders", body, player.token).status
    return game, players


def _played(web: Reachable, game: str, player: Player) -> list[int]:
    """The versions that the orders of a player say that they have made."""
    shown = ask(web, "GET", f"/v1/games/{game}/orders", None, player.token)
    assert 200 == shown.status, shown.body
    return [move["version"] for move in shown.json["played"]]


def _finish(worker: Process, database: Database, tables: Sequence[str]) -> None:
    """Start and kill the worker while orders run, and let the last one finish them."""
    whole = 2 * MOVES * len(tables)

    def made() -> int:
        return sum(len(_ordered(database, game)) for game in tables)

    for kill in range(1, KILLS + 1):
        worker.start()
        until(partial(_has_made, made, whole * kill // (KILLS + 1)), "orders to run", PATIENCE)
        worker.kill9()
        assert made() < whole, "everything was played before the worker was killed"
    worker.start()
    until(partial(_has_made, made, whole), "all orders to be carried out", PATIENCE)


def _has_made(made: Callable[[], int], number: int) -> bool:
    return made() >= number


def _check(web: Reachable, database: Database, game: str, players: Sequence[Player]) -> None:
    """Check that the game is whole, and that its orders made what they say."""
    head_of(database, game)
    made = _ordered(database, game)
    assert [MOVES, MOVES] == [sum(seat == number for _, seat in made) for number in (0, 1)]
    played = [version for player in players for version in _played(web, game, player)]
    assert [version for version, _ in made] == sorted(played)


def test_worker_is_killed_while_orders_run(postgres_cluster: Cluster) -> None:
    """Every order makes exactly its moves, and its progress names exactly those."""
    with own_redis() as redis, postgres_cluster.fresh_database() as url:
        environ = {"REDIS_URL": redis.url()}
        with running(url, "worker", **environ) as (web, beside), open_database(url) as database:
            beside["worker"].kill9()
            tables = dict(_table(web) for _ in range(TABLES))
            _finish(beside["worker"], database, [*tables])
            for game, players in tables.items():
                _check(web, database, game, players)
