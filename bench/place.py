"""Databases and servers for the benchmarks, and rounds that alternate between two servers."""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple
from urllib.request import urlopen

import orjson
import psutil

from bench import stock
from bench.bare import ROOT
from bench.load import Client, Lane, Load, Order, joined
from bench.stock import Shelf
from tests.support.child_servers import free_port

ROUNDS = 5
SECONDS = 0.5
PATIENCE = 30.0
GAMES = 96
STEPS = 110


class Place(NamedTuple):
    """A kind of database, with what a benchmark needs to use it."""

    name: str
    fresh: Callable[[], str]
    folder: Path
    client: Client


class Served(NamedTuple):
    """A running server."""

    port: int
    process: psutil.Process

    @property
    def worker(self) -> psutil.Process:
        """The process that answers requests."""
        children = self.process.children()
        return children[0] if children else self.process

    @property
    def worked(self) -> float:
        """CPU seconds that the worker has used."""
        times = self.worker.cpu_times()
        return times.user + times.system


@contextmanager
def served(place: Place, url: str, held: object, kind: str = "nightmail") -> Iterator[Served]:
    """Run a server on this database; `held` is the data for its bare endpoints."""
    port, home = free_port(), place.folder
    with tempfile.NamedTemporaryFile(dir=home, suffix=".json") as file:
        file.write(orjson.dumps(held))
        file.flush()
        with (home / f"{port}.log").open("wb") as log:
            process = subprocess.Popen(
                [sys.executable, "-m", "bench.serve", kind, file.name],
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
            urlopen(f"http://127.0.0.1:{port}{ROOT}/hello", timeout=PATIENCE).close()
        except OSError:
            if process.poll() is not None or time.monotonic() > end:
                raise RuntimeError(log.read_text(encoding="utf-8")[-2000:]) from None
            time.sleep(0.05)
        else:
            return


class Round(NamedTuple):
    """The loads of both sides in one round, and the worker's CPU seconds for each."""

    nightmail: Load
    bare: Load
    nightmail_worked: float
    bare_worked: float

    @property
    def rates(self) -> tuple[float, float]:
        """Requests per second of both sides."""
        return self.nightmail.rate, self.bare.rate

    @property
    def slowest(self) -> tuple[float, float]:
        """The 99th percentile of response times in milliseconds, of both sides."""
        return self.nightmail.within(0.99) * 1e3, self.bare.within(0.99) * 1e3

    @property
    def worked(self) -> tuple[float, float]:
        """CPU microseconds of the worker per request, of both sides."""
        return (
            self.nightmail_worked / len(self.nightmail.answered) * 1e6,
            self.bare_worked / len(self.bare.answered) * 1e6,
        )


def taking_turns(
    asking: Client, nightmail: tuple[Served, Order], bare: tuple[Served, Order]
) -> list[Round]:
    """Run alternating rounds of both sides.

    The sides take turns to go first and last, so that drift favours neither.
    """
    turns = []
    for number in range(ROUNDS):
        done: list[list[tuple[Load, float]]] = [[], []]
        for side in (0, 1, 1, 0) if number % 2 else (1, 0, 0, 1):
            server, order = (nightmail, bare)[side]
            before = server.worked
            load = asking.run(order)
            done[side].append((load, server.worked - before))
        loads, bare_loads = (joined([load for load, _ in some]) for some in done)
        seconds, bare_seconds = (sum(spent for _, spent in some) for some in done)
        turns.append(Round(loads, bare_loads, seconds, bare_seconds))
    return turns


def tables(shelf: Shelf) -> list[Lane]:
    """Prepare games of two and three seats, and return their moves as lanes."""
    lanes: list[Lane] = []
    for seats in (2, 3, 2, 3):
        start = stock.dealt(shelf, seats)
        ids = stock.copied(shelf.desk, start, GAMES // 4)
        lanes += [stock.moving(script) for script in stock.scripts(shelf, start, ids, STEPS)]
    return lanes
