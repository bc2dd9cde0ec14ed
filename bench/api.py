"""The interface against bare endpoints in the same server, on both databases."""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import partial
from itertools import count
from pathlib import Path
from statistics import median
from typing import NamedTuple
from urllib.request import urlopen

import orjson
import psutil

from bench import stock
from bench.bare import WAYS
from bench.load import Client, Lane, Load, Order, client, joined
from bench.serve import joint
from bench.stock import Shelf
from bench.table import Goal, row, told, verdict
from tests.children import free_port
from tests.servers import own_postgres

ROUNDS = 5
CONNECTIONS = (16, 4)
SECONDS = 0.5
READ_SECONDS = 0.25
PATIENCE = 30.0
MB = 1e6

GAMES = 96
STEPS = 110
PAGES = 64
ALL_PAGES = 350
"""More than the pages that are kept, fewer than the positions: each page is made anew."""
FEW, MANY = 100, 10_000
EVENTS = 105
"""In each of the many games: over a million in all."""
EARLY, LATE = 20, 500
GROWING = 8
GROWING_STEPS = 50
STORED_EVENTS, STORED = 400, 300
SPREAD_GAMES, SPREAD_MOVES = 1_000, 10

Urls = Callable[[], str]
Part = Callable[["Place"], Iterator[str]]


class Place(NamedTuple):
    """One kind of database."""

    name: str
    fresh: Urls
    folder: Path
    client: Client


class Served(NamedTuple):
    """A server that is running."""

    port: int
    process: psutil.Process

    @property
    def worker(self) -> psutil.Process:
        """The one that answers."""
        (found,) = self.process.children()
        return found

    @property
    def worked(self) -> float:
        """Seconds that it has used a processor."""
        times = self.worker.cpu_times()
        return times.user + times.system


def run() -> Iterator[str]:
    """Every part on both databases, one line for each goal."""
    yield from _run(list(PARTS.values()))


def part(name: str) -> Callable[[], Iterator[str]]:
    """One part of it, on both databases."""
    return lambda: _run([PARTS[name]])


def _run(parts: Sequence[Part]) -> Iterator[str]:
    yield row("", "ours", "bare", "ratio", "spread", "bar", "aim", "")
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="nightmail-bench-")))
        asking = stack.enter_context(client())
        files = (f"sqlite:///{folder}/{number}.db" for number in count())
        yield from _at(Place("SQLite", partial(next, files), folder, asking), parts)
        cluster = stack.enter_context(own_postgres())
        made = (cluster.create_database(f"bench{number}") for number in count())
        yield from _at(Place("PostgreSQL", partial(next, made), folder, asking), parts)


def _at(place: Place, parts: Sequence[Part]) -> Iterator[str]:
    for measured in parts:
        yield from measured(place)


@contextmanager
def served(place: Place, url: str, held: object) -> Iterator[Served]:
    """A server on this database; the bare endpoints hold what they are given."""
    port, home = free_port(), place.folder
    with tempfile.NamedTemporaryFile(dir=home, suffix=".json") as file:
        file.write(orjson.dumps(held))
        file.flush()
        with (home / f"{port}.log").open("wb") as log:
            process = subprocess.Popen(  # noqa: S603  # our own module
                [sys.executable, "-m", "bench.serve", file.name],
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=log,
                env=dict(os.environ) | stock.environ(url, home, port),
            )
        try:
            _await(port, process, home / f"{port}.log")
            yield Served(port, psutil.Process(process.pid))
        finally:
            process.terminate()
            process.communicate()


def _await(port: int, process: subprocess.Popen[bytes], log: Path) -> None:
    end = time.monotonic() + PATIENCE
    while True:
        try:
            urlopen(f"http://127.0.0.1:{port}/hello", timeout=PATIENCE).close()
        except OSError:
            if process.poll() is not None or time.monotonic() > end:
                raise RuntimeError(log.read_text(encoding="utf-8")[-2000:]) from None
            time.sleep(0.05)
        else:
            return


class Round(NamedTuple):
    """What both have done in one round, and the processor's time that it took the worker."""

    ours: Load
    bare: Load
    ours_worked: float
    bare_worked: float

    @property
    def rates(self) -> tuple[float, float]:
        """Requests a second."""
        return self.ours.rate, self.bare.rate

    @property
    def slowest(self) -> tuple[float, float]:
        """Milliseconds within which 99 of 100 are answered."""
        return self.ours.within(0.99) * 1e3, self.bare.within(0.99) * 1e3

    @property
    def worked(self) -> tuple[float, float]:
        """Microseconds of the worker for each request."""
        return (
            self.ours_worked / len(self.ours.answered) * 1e6,
            self.bare_worked / len(self.bare.answered) * 1e6,
        )


def taking_turns(
    asking: Client, ours: tuple[Served, Order], bare: tuple[Served, Order]
) -> list[Round]:
    """Rounds of both; each goes first and last by turns, so that a drift favours none."""
    found = []
    for number in range(ROUNDS):
        done: list[list[tuple[Load, float]]] = [[], []]
        for side in (0, 1, 1, 0) if number % 2 else (1, 0, 0, 1):
            server, order = (ours, bare)[side]
            before = server.worked
            load = asking.run(order)
            done[side].append((load, server.worked - before))
        mine, theirs = (joined([load for load, _ in some]) for some in done)
        found.append(Round(mine, theirs, *(sum(spent for _, spent in some) for some in done)))
    return found


def moves(place: Place) -> Iterator[str]:
    """POST of a move against the same SQL without engine."""
    url = place.fresh()
    with stock.shelf(url, place.folder) as shelf:
        theirs, rows = _bare_tables(shelf)
        lanes = {"ours": _tables(shelf), **theirs}
        if stray := other_sql(shelf, rows):
            yield f"{place.name}: the bare endpoint runs other SQL than a move does: {stray}"
        stock.settle(shelf.desk)
    asking = place.client
    with served(place, url, {"pages": {}, "rows": rows}) as server:
        asking.learn(server.port, lanes)
        for name in lanes:
            asking.run(Order(name, 16, 0.5))
        for connections in CONNECTIONS:
            ours, plain, driver = (
                (server, Order(name, connections, SECONDS)) for name in ("ours", "plain", "driver")
            )
            found = taking_turns(asking, ours, plain)
            what = f"{place.name}: POST move, {connections} connections"
            yield told(Goal(what, "requests/s", 0.6, 0.75), [one.rates for one in found])
            yield told(Goal(what, "p99 ms", 3, None, least=False), [one.slowest for one in found])
            yield told(Goal(what, "worker µs", least=False), [one.worked for one in found])
            found = taking_turns(asking, ours, driver)
            what = f"{place.name}: against SQL put to the driver, {connections} connections"
            yield told(Goal(what, "requests/s"), [one.rates for one in found])


def other_sql(shelf: Shelf, rows: list[dict[str, object]]) -> str | None:
    """A statement that only one of the two runs, so that nobody compares apples with pears."""
    start = stock.dealt(shelf, 3)
    script, *_ = stock.scripts(shelf, start, stock.copied(shelf.desk, start, 1), 20)
    (game,) = stock.copied(shelf.desk, start, 1)
    bare = stock.bare_moving("plain", game, shelf.players[0].token, script.version, 20)
    desk = shelf.desk._replace(settings=replace(shelf.desk.settings, log_level="error"))
    app = joint(desk, {"pages": {}, "rows": rows})
    ours, theirs = (
        longest(stock.heard(app, lane)) for lane in (stock.moving(script, "/ours"), bare)
    )
    return next((one for one in (*ours, *theirs) if (one in ours) != (one in theirs)), None)


def longest(found: Sequence[list[str]]) -> list[str]:
    """What was said in the request that said the most, but for the first, which looks around."""
    return max(found[1:], key=len)


def _tables(shelf: Shelf) -> list[Lane]:
    """Games of two and three seats that go on."""
    found: list[Lane] = []
    for seats in (2, 3, 2, 3):
        start = stock.dealt(shelf, seats)
        ids = stock.copied(shelf.desk, start, GAMES // 4)
        found += [stock.moving(one, "/ours") for one in stock.scripts(shelf, start, ids, STEPS)]
    return found


def _bare_tables(shelf: Shelf) -> tuple[dict[str, list[Lane]], list[dict[str, object]]]:
    """As many games that nobody plays for each way, and what is stored in them."""
    start = stock.dealt(shelf, 3)
    ids = {way: stock.copied(shelf.desk, start, GAMES) for way in WAYS}
    _, position = stock.position_of(shelf.desk, start)
    rows = stock.rows_of(shelf, start, stock.advanced(shelf.desk, start, 10**6))
    token, version = shelf.players[0].token, position.version
    lanes = {
        way: [stock.bare_moving(way, id, token, version, 5 * STEPS) for id in some]
        for way, some in ids.items()
    }
    return lanes, rows


def reads(place: Place) -> Iterator[str]:
    """GET of a game against the same data by orjson, and of nothing new against a greeting."""
    url = place.fresh()
    with stock.shelf(url, place.folder) as shelf:
        start = stock.dealt(shelf, 3)
        stock.advanced(shelf.desk, start, 200)
        ids = stock.copied(shelf.desk, start, ALL_PAGES)
        pages = {id: stock.page_of(shelf, id) for id in ids}
        token = shelf.players[0].token
        stock.settle(shelf.desk)
    paths = [f"/v1/games/{id}" for id in ids]
    ours = [stock.reading_of(f"/ours{path}", token) for path in paths]
    bare = [stock.reading_of(path, token) for path in paths]
    tag = f'"{pages[ids[0]]["version"]}"'
    lanes = {
        "page": ours[:PAGES],
        "new page": ours,
        "dumped": bare,
        "tag": [stock.reading_of(f"/ours{path}", token, tag) for path in paths[:PAGES]],
        "asked": [stock.reading_of(f"/asked/{id}", token) for id in ids[:PAGES]],
        "hello": [stock.reading_of("/hello", token, tag)] * PAGES,
    }
    with served(place, url, {"pages": pages, "rows": []}) as server:
        place.client.learn(server.port, lanes)
        for name in lanes:
            place.client.run(Order(name, 16, 1))
        for connections in CONNECTIONS:
            yield from _reads(place, server, connections)


def _reads(place: Place, server: Served, connections: int) -> Iterator[str]:
    for mine, theirs, bar, aim, says in (
        ("page", "dumped", 0.5, 0.8, "GET game"),
        ("new page", "dumped", None, None, "GET game after a change"),
        ("tag", "hello", 0.8, None, "GET game, 304"),
        ("asked", "hello", None, None, "a greeting after one SELECT"),
    ):
        ours, bare = ((server, Order(name, connections, READ_SECONDS)) for name in (mine, theirs))
        found = taking_turns(place.client, ours, bare)
        what = f"{place.name}: {says}, {connections} connections"
        yield told(Goal(what, "requests/s", bar, aim), [one.rates for one in found])
        yield told(Goal(what, "worker µs", least=False), [one.worked for one in found])


def growth(place: Place) -> Iterator[str]:
    """Late moves against early ones, and many stored games against few."""
    yield from late(place)
    yield from many(place)


def late(place: Place) -> Iterator[str]:
    url = place.fresh()
    found: list[list[stock.Script]] = []
    with stock.shelf(url, place.folder) as shelf:
        start = stock.dealt(shelf, 5)
        for events in (EARLY, LATE):
            stock.advanced(shelf.desk, start, events)
            ids = stock.copied(shelf.desk, start, GROWING)
            found.append(stock.scripts(shelf, start, ids, GROWING_STEPS))
        stock.settle(shelf.desk)
    asked = [one for pair in zip(*found, strict=True) for one in pair]  # an early one, a late one
    with served(place, url, {"pages": {}, "rows": []}) as server:
        place.client.learn(server.port, {"growing": [stock.moving(one, "/ours") for one in asked]})
        place.client.run(Order("growing", 1, most=2 * len(asked)))  # now all are remembered
        each = (GROWING_STEPS - 2) // ROUNDS * len(asked)
        pairs = [
            _by_kind(asked, place.client.run(Order("growing", 1, most=each))) for _ in range(ROUNDS)
        ]
    goal = Goal(f"{place.name}: move at event {LATE} against {EARLY}", "ms", 1.2, 1.05, least=False)
    yield told(goal, pairs)


def _by_kind(asked: Sequence[stock.Script], load: Load) -> tuple[float, float]:
    """What late moves and early ones cost, if both were of the same kinds."""
    times: dict[str, tuple[list[float], list[float]]] = {}
    for lane, step, seconds in load.answered:
        kind = asked[lane].kinds[step]
        times.setdefault(kind, ([], []))[lane % 2].append(seconds)
    both = {kind: some for kind, some in times.items() if all(len(part) >= 5 for part in some)}
    shares = {kind: len(early) + len(later) for kind, (early, later) in both.items()}
    early, later = (
        sum(median(some[at]) * shares[kind] for kind, some in both.items()) / sum(shares.values())
        for at in (0, 1)
    )
    return later * 1e3, early * 1e3


def many(place: Place) -> Iterator[str]:
    asking = place.client
    sides: dict[str, tuple[Served, Order]] = {}
    with ExitStack() as stack:
        for name, number in (("few", FEW), ("many", MANY)):
            url = place.fresh()
            with stock.shelf(url, place.folder) as shelf:
                start = stock.dealt(shelf, 3)
                stock.advanced(shelf.desk, start, EVENTS)
                stock.copied(shelf.desk, start, number)
                lanes = _tables(shelf)
                stock.settle(shelf.desk)
            server = stack.enter_context(served(place, url, {"pages": {}, "rows": []}))
            asking.learn(server.port, {name: lanes})
            sides[name] = server, Order(name, 16, SECONDS)
        for _, order in sides.values():
            asking.run(order)
        found = taking_turns(asking, sides["many"], sides["few"])
    goal = Goal(f"{place.name}: move with {MANY} games against {FEW}", "ms", 1.2, 1.05, least=False)
    yield told(goal, [(1e3 / one.ours.rate, 1e3 / one.bare.rate) for one in found])


def sizes(place: Place) -> Iterator[str]:
    """What a game takes on the disk, and what many moves leave in memory."""
    url = place.fresh()
    with stock.shelf(url, place.folder) as shelf:
        start = stock.dealt(shelf, 3)
        stock.advanced(shelf.desk, start, STORED_EVENTS)
        stock.copied(shelf.desk, start, 10)
        before = stock.size(shelf.desk)
        stock.copied(shelf.desk, start, STORED)
        each = (stock.size(shelf.desk) - before) / STORED
        start = stock.dealt(shelf, 3)
        ids = stock.copied(shelf.desk, start, SPREAD_GAMES)
        lanes = [
            stock.moving(one, "/ours") for one in stock.scripts(shelf, start, ids, SPREAD_MOVES)
        ]
        token = shelf.players[0].token
        stock.settle(shelf.desk)
    goal = Goal("", "kB", 100, least=False)
    what = f"{place.name}: a game of {STORED_EVENTS} events (games, seats, moves), kB"
    yield row(what, f"{each / 1e3:.1f}", "–", "–", "–", "100", "–", verdict(goal, each / 1e3))
    asking = place.client
    with served(place, url, {"pages": {}, "rows": []}) as server:
        pages = [stock.reading_of(f"/ours/v1/games/{id}", token) for id in ids]
        asking.learn(server.port, {"moves": lanes, "pages": pages})
        empty = server.worker.memory_info().rss / MB
        asking.run(Order("moves", 16))
        asking.run(Order("pages", 16, most=SPREAD_GAMES))
        full = server.worker.memory_info().rss / MB
    what = (
        f"{place.name}: worker after {SPREAD_GAMES * SPREAD_MOVES} moves, {SPREAD_GAMES} pages, MB"
    )
    ok = verdict(Goal("", "MB", 150, least=False), full)
    yield row(what, f"{full:.0f}", f"{empty:.0f}", "–", "–", "150", "–", ok)


PARTS: dict[str, Part] = {"moves": moves, "reads": reads, "growth": growth, "size": sizes}
