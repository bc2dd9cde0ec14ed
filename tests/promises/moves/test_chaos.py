"""Promises 13, 14, 15, 20: whatever process dies, every letter is sent."""

import random
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from redis import Redis as RedisClient

from tests.amounts import amount
from tests.promises.support.correspondents import Correspondents
from tests.promises.support.database_checks import waiting
from tests.promises.support.processes import running
from tests.promises.support.web_server import Web, open_database
from tests.support.child_servers import Child, free_port
from tests.support.servers import Cluster, Redis, own_redis
from tests.support.smtp_server import PostOffice, post_office
from tests.support.waiting import until

MOVES, KILLS, TABLES = amount(150, soak=400), amount(6, soak=13), 24
PATIENCE = 90.0
"""Seconds; the lease of a killed worker's letters expires after 25."""


def _nemesis(
    victims: Sequence[Child], kills: int, seed: int, beside: Callable[[], object] = lambda: None
) -> list[Child]:
    """Kill and restart random victims every now and then; returns those that were killed."""
    rng, killed = random.Random(seed), []
    for _ in range(kills):
        time.sleep(rng.uniform(0.4, 1.2))
        beside()
        victim = rng.choice(victims)
        victim.kill9()
        victim.start()  # type: ignore[attr-defined]  # all of ours can be started again
        killed.append(victim)
    return killed


def _report(name: str, players: Correspondents, kills: int, began: float) -> None:
    copies = players.copies()
    twice = sum(number > 1 for number in copies.values())
    took = time.monotonic() - began
    print(  # noqa: T201  # the figures of the run
        f"\n{name}: {players.moves} moves, {len(copies)} letters, {kills} kills, "
        f"missing 0, twice {twice}, {took:.0f} s"
    )


@pytest.mark.long
def test_nobody_is_left_without_mail(postgres_cluster: Cluster) -> None:
    """Every move gets its letter while web, worker, clock and Redis are killed.

    Redis is also emptied before each kill.
    """
    with post_office() as office, own_redis() as redis, postgres_cluster.fresh_database() as url:
        environ = {"REDIS_URL": redis.url(), "SMTP_URL": office.url}
        with running(url, "worker", "clock", **environ) as (web, beside), open_database(url) as db:
            players, began = Correspondents(web, office, db, TABLES), time.monotonic()
            with players.at_work():
                victims = [web, *beside.values(), redis]
                killed = _nemesis(victims, KILLS, 3, lambda: _emptied(redis))
                players.go_on(MOVES, PATIENCE)
            until(lambda: waiting(db) == 0, "everything to be sent", PATIENCE)
            _report("chaos", players, len(killed), began)
            _check_copies(players, killed.count(beside["worker"]))


def _emptied(redis: Redis) -> None:
    with RedisClient.from_url(redis.url()) as client:
        client.flushall()


def _check_copies(players: Correspondents, sender_kills: int) -> None:
    """Promise 14: a letter comes twice only if a sender was killed, and never three times."""
    copies = players.copies()
    assert sum(number > 1 for number in copies.values()) <= sender_kills
    assert max(copies.values()) <= 2


@pytest.mark.long
def test_embedded_process_is_killed(tmp_path: Path) -> None:
    """Every move gets its letter while the one process of `serve` is killed five times."""
    url = f"sqlite:///{tmp_path}/nightmail.db"
    with post_office() as office, open_database(url) as database:
        serve = Web(url, "serve", SMTP_URL=office.url, INBOX_BIND=f"127.0.0.1:{free_port()}")
        try:
            serve.start()
            players, began = Correspondents(serve, office, database, 8), time.monotonic()
            with players.at_work():
                killed = _nemesis([serve], 5, seed=1)
                players.go_on(60, PATIENCE)
            until(lambda: waiting(database) == 0, "everything to be sent", PATIENCE)
            _report("embedded", players, len(killed), began)
            _check_copies(players, len(killed))
        finally:
            serve.close()


def test_empty_redis_costs_nothing_but_time(postgres_cluster: Cluster) -> None:
    """No letter is lost or sent twice while Redis is emptied again and again."""
    with post_office() as office, own_redis() as redis, postgres_cluster.fresh_database() as url:
        environ = {"REDIS_URL": redis.url(), "SMTP_URL": office.url}
        with running(url, "worker", **environ) as (web, _), open_database(url) as database:
            players, began = Correspondents(web, office, database, 8), time.monotonic()
            with players.at_work():
                while players.moves < 60:
                    _emptied(redis)
                    players.go_on(players.moves + 5, PATIENCE)
            until(lambda: waiting(database) == 0, "everything to be sent", PATIENCE)
            _report("FLUSHALL", players, 0, began)
            assert {1} == set(players.copies().values())


@pytest.mark.parametrize("redis_too", [False, True])
def test_waiting_mail_leaves_within_half_a_minute(
    postgres_cluster: Cluster, *, redis_too: bool
) -> None:
    """After a crash of the worker, also with Redis, the next sends 50 letters within 30 s."""
    with post_office() as office, own_redis() as redis, postgres_cluster.fresh_database() as url:
        environ = {"REDIS_URL": redis.url(), "SMTP_URL": office.url}
        with running(url, "worker", **environ) as (web, beside), open_database(url) as database:
            worker = beside["worker"]
            worker.kill9()
            Correspondents(web, office, database, 25)
            assert waiting(database) >= 50
            worker.start()
            until(lambda: len(office.letters) >= 5, "the first letters")
            worker.kill9()
            if redis_too:
                redis.kill9()
            died = time.monotonic()
            worker.start()
            until(lambda: waiting(database) == 0, "all letters", 60)
            _check_time(office, died)


def _check_time(office: PostOffice, died: float) -> None:
    took = time.monotonic() - died
    print(f"\n{len(office.letters)} letters, the last {took:.1f} s after the crash")  # noqa: T201
    assert took <= 30
