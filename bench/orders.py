"""Measure what standing orders cost: judging them, and keeping them while nobody is awaited."""

import random
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import mean

from engine import Game, options
from engine.orders import Progress, judge, read_orders
from service.desk import Desk, open_desk
from service.games.ordering import carrying_out
from service.settings import Settings
from store import schema
from store.games import orders
from store.games.orders import StoredOrders
from store.tables import accounts, games
from tests.random_games import Table, seed_of
from tools.players import anything

TABLES = {
    Table("europe", (), 3): "claim paris-dieppe when I can, if it is gone: claim paris-frankfurt",
    Table(
        "uk", ("advanced_technologies",), 4
    ): "buy booster when I can; collect for london-reading",
    Table("europe", ("dice",), 3): "claim paris-dieppe when I can; station berlin when I can",
}
LONG = "; ".join(
    ["claim paris-dieppe when I can, if it is gone: claim paris-frankfurt, else ask me"] * 20
)
JUDGING, LOOKING = 2, 1
"""The most milliseconds for reading and judging orders, and for seeing that none are due."""
SEATS = 1000
LOOKS = 300


def run() -> Iterator[str]:
    """Measure reading and judging orders, and looking for orders that are due."""
    for table, text in TABLES.items():
        each = 1000 * mean(_judged(table, text))
        yield f"reading and judging orders, {table}: {each:.2f} ms of a core (bar {JUDGING})"
    yield f"reading orders of 20 steps, once in a worker: {1000 * _reading():.2f} ms of a core"
    with tempfile.TemporaryDirectory(prefix="nightmail-bench-") as folder:
        each = 1000 * mean(_looks(Path(folder)))
        yield f"looking for due orders while {SEATS} seats wait: {each:.2f} ms (bar {LOOKING})"


def _judged(table: Table, text: str) -> Iterator[float]:
    """Yield the seconds of a core for orders at each decision, beside listing the options."""
    rng, game = random.Random(0), Game(table.rules, "bench", seed_of("bench"))
    while not game.is_over:
        seat = game.awaited[0]
        view = game.view(seat)
        list(options(table.rules, view, seat).actions)
        began = time.process_time()
        meant = read_orders(table.rules, text)
        judge(table.rules, view, seat, meant, Progress(), is_new_turn=True)
        yield time.process_time() - began
        game.play(seat, anything(rng, game, seat))


def _reading() -> float:
    """Return the mean seconds of a core for reading long orders."""
    rules = next(iter(TABLES)).rules
    read_orders(rules, LONG)
    began = time.process_time()
    for _ in range(LOOKS):
        read_orders(rules, LONG)
    return (time.process_time() - began) / LOOKS


def _looks(folder: Path) -> Iterator[float]:
    """Yield the seconds for finding out that of many waiting orders none are due."""
    environ = {"DATABASE_URL": f"sqlite:///{folder}/orders.db", "DATA_DIR": str(folder)}
    desk = open_desk(Settings.of({**environ, "SECRET_KEYS": "k" * 32}))
    schema.upgrade(desk.database)
    _fill(desk)
    for _ in range(LOOKS):
        began = time.perf_counter()
        if carrying_out.play_next(desk):
            raise RuntimeError("orders of a seat that is not awaited were judged")
        yield time.perf_counter() - began
    desk.close()


def _fill(desk: Desk) -> None:
    """Store orders of many seats, none of which is awaited."""
    at = desk.now()
    with desk.database.writing() as tx:
        account = {"id": "ada", "name": "Ada", "name_key": "ada", "kind": "bot", "locale": "en"}
        tx.execute(
            accounts.insert(), account | {"time_zone": "UTC", "settings": "{}", "created": at}
        )
        blank = {"board": "usa", "variants": "[]", "seats": 2, "status": "running", "version": 9}
        blank |= {"changes": 0, "last_message": 0, "commitment": "", "seed": b"", "rules": 1}
        blank |= {"pace": "daily", "visibility": "public", "title": "", "created": at}
        for number in range(SEATS):
            tx.execute(games.insert(), {"id": f"game {number}", **blank})
            row = StoredOrders(f"game {number}", "ada", 0, "x", "draw", 0, at)
            orders.replace(tx, row)
