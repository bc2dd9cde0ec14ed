"""Measure claims in a very large outbox, and the time from a commit until its mail is sent."""

import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import timedelta
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import insert, text

from bench.table import Goal, comparison, row, verdict
from service.desk import Desk, open_desk
from service.notify import outbox
from service.notify.outbox import Outcome
from service.settings import Settings
from store import schema, timestamps
from store.tables import accounts, deliveries
from tests.promises.support.correspondents import Correspondents
from tests.promises.support.database_checks import waiting
from tests.promises.support.processes import running
from tests.promises.support.web_server import Web, open_database
from tests.service.support.owing import claim_mail
from tests.support.child_servers import free_port
from tests.support.servers import own_postgres, own_redis
from tests.support.smtp_server import PostOffice, post_office
from tests.support.waiting import until

ROUNDS = 9
CLAIMS = 30
WAITING, FINISHED = 100_000, 1_000_000
DUE = 2 * ROUNDS * CLAIMS
BATCH = 20_000
TABLES, MOVES, PACE = 20, 60, 0.2
KEY = "what signs in a bench of 32 characters"


def run() -> Iterator[str]:
    """Run both benchmarks on both databases."""
    yield row("", "nightmail", "bare", "ratio", "spread", "bar", "aim", "")
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="nightmail-bench-")))
        cluster = stack.enter_context(own_postgres())
        for name, urls in (
            ("SQLite", [f"sqlite:///{folder}/{n}.db" for n in range(2)]),
            ("PostgreSQL", [cluster.create_database(f"outbox{n}") for n in range(2)]),
        ):
            yield _claims(name, *urls)
        yield _embedded(f"sqlite:///{folder}/embedded.db")
        yield _with_redis(cluster.create_database("latency"))


def _claims(name: str, small: str, large: str) -> str:
    """Compare single claims in a full table with claims in a nearly empty one."""
    with ExitStack() as stack:
        few, many = (_desk(stack, url) for url in (small, large))
        _fill(few, DUE, 0)
        _fill(many, WAITING, FINISHED)
        pairs = [(_claiming(many), _claiming(few)) for _ in range(ROUNDS)]
    what = f"{name}: claim beside {WAITING} waiting and {FINISHED} finished, against {DUE}"
    return comparison(Goal(what, "ms", 1.5, 1.1, least=False), pairs)


def _desk(stack: ExitStack, url: str) -> Desk:
    desk = open_desk(Settings.of({"DATABASE_URL": url, "SECRET_KEYS": KEY}))
    schema.upgrade(desk.database)
    stack.callback(desk.database.close)
    return desk


def _fill(desk: Desk, waiting: int, finished: int) -> None:
    """Insert waiting and finished deliveries; only the first DUE of them are due."""
    now = desk.now()
    someone = {"id": "a", "name": "Ada", "name_key": "ada", "kind": "person", "locale": "en"}
    settings = '{"notifications": {"mode": "each_turn"}}'
    with desk.database.writing() as tx:
        tx.execute(
            insert(accounts),
            [someone | {"time_zone": "UTC", "settings": settings, "created": now}],
        )
    later = timestamps.later(now, timedelta(days=1))
    for first in range(0, waiting + finished, BATCH):
        last = min(first + BATCH, waiting + finished)
        rows = [_row(n, now if n < DUE else later, waiting=n < waiting) for n in range(first, last)]
        with desk.database.writing() as tx:
            tx.execute(insert(deliveries), rows)
    with desk.database.writing() as tx:
        tx.execute(text("ANALYZE"))


def _row(n: int, when: str, *, waiting: bool) -> dict[str, object]:
    state = "waiting" if waiting else "sent"
    notice = {"id": f"{n:022}", "account": "a", "kind": "game_finished", "game": f"{n % 9999:022}"}
    return notice | {
        "seat": 0,
        "version": n % 300,
        "at": when,
        "state": state,
        "attempts": 0,
        "not_before": when,
        "done": None if waiting else when,
    }


def _claiming(desk: Desk) -> float:
    """Measure the milliseconds to claim the next letter."""
    began = time.perf_counter()
    claimed = [claim_mail(desk, 1)[0][0] for _ in range(CLAIMS)]
    took = time.perf_counter() - began
    outbox.settle(desk, [(delivery, Outcome("sent")) for delivery in claimed])
    return took * 1e3 / CLAIMS


class Handed(NamedTuple):
    """Seconds from the response to a move until the letter about it arrives."""

    times: list[float]

    @property
    def p95(self) -> float:
        """The 95th percentile."""
        return sorted(self.times)[int(len(self.times) * 0.95)]


def _latency(web: Web, office: PostOffice, url: str) -> Handed:
    """Make five moves a second and measure when the letter about each arrives."""
    with open_database(url) as database:
        players = Correspondents(web, office, database, TABLES)
        for at in range(2 * TABLES):  # before all have tickets, not every move sends mail
            players.move_somewhere(at)
        until(lambda: waiting(database) == 0, "the first letters")
        times = []
        for at in range(MOVES):
            began = time.monotonic()
            before = len(office.letters)
            moved = players.move_somewhere(at)
            committed = time.monotonic()
            until(_more(office, before), f"the letter about {moved}")
            times.append(time.monotonic() - committed)
            time.sleep(max(0.0, PACE - (time.monotonic() - began)))
    return Handed(times)


def _more(office: PostOffice, before: int) -> Callable[[], bool]:
    return lambda: len(office.letters) > before


def _embedded(url: str) -> str:
    with post_office() as office:
        serve = Web(url, "serve", SMTP_URL=office.url, INBOX_BIND=f"127.0.0.1:{free_port()}")
        try:
            serve.start()
            return _line("embedded", _latency(serve, office, url), 2.0)
        finally:
            serve.close()


def _with_redis(url: str) -> str:
    with post_office() as office, own_redis() as redis:
        environ = {"REDIS_URL": redis.url(), "SMTP_URL": office.url}
        with running(url, "worker", "clock", **environ) as (web, _):
            return _line("with Redis and PostgreSQL", _latency(web, office, url), 1.0)


def _line(name: str, latency: Handed, bar: float) -> str:
    ok = verdict(Goal("", "s", bar, least=False), latency.p95)
    what = f"from commit to hand-over, {name}, p95 of {MOVES}, s"
    return row(what, f"{latency.p95:.3f}", "–", "–", "–", f"{bar:.2f}", "–", ok)
