"""Measure what waiting and badly behaved clients cost, and how they affect other requests."""

import asyncio
import resource
import tempfile
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import ExitStack, asynccontextmanager
from pathlib import Path
from typing import NamedTuple

import psutil

from bench import stock
from bench.load import Lane
from bench.stock import Script
from bench.table import Goal, row, verdict
from tests.promises.support.web_server import Web
from tests.support.servers import own_postgres

POLLS, STREAMS = 2000, 1000
GAMES = 500
SETTLE = 25.0
"""Seconds until every waiting request has been handled once and the slow database poll has run."""
IDLE = 15.0
"""Seconds for which idle waiting is measured; long polls wait longer than SETTLE plus IDLE."""
WAKES = 100
READS = 400
UNREAD, SILENT, HALF = 100, 200, 200
FILES = 8192
LIMITS = dict.fromkeys(("WAITING_ACCOUNT", "WAITING_ADDRESS", "WAITING_PROCESS"), "100000")
STREAM = "text/event-stream"

Connection = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class Setup(NamedTuple):
    """Two servers on one database, and the games in it."""

    name: str
    webs: Sequence[Web]
    scripts: Sequence[Script]

    @property
    def server(self) -> psutil.Process:
        """The process that answers requests to the first server."""
        started = self.webs[0].process
        assert started is not None  # noqa: S101  # it was started
        process = psutil.Process(started.pid)
        return max([process, *process.children(recursive=True)], key=psutil.Process.num_fds)


def run() -> Iterator[str]:
    """Measure idle waiting, wake-ups and badly behaved clients on both databases."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(FILES, most), most))
    yield row("", "nightmail", "quiet", "ratio", "spread", "bar", "aim", "")
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="nightmail-bench-")))
        yield from _on(stack, "SQLite", f"sqlite:///{folder}/waiting.db", folder)
        cluster = stack.enter_context(own_postgres())
        yield from _on(stack, "PostgreSQL", cluster.create_database("waiting"), folder)


def _on(stack: ExitStack, name: str, url: str, folder: Path) -> Iterator[str]:
    with stock.shelf(url, folder) as shelf:
        start = stock.dealt(shelf, 2)
        ids = stock.copied(shelf.desk, start, GAMES)
        scripts = stock.scripts(shelf, start, ids, 1)
        stock.settle(shelf.desk)
    webs = [Web(url, **stock.environ(url, folder), **LIMITS) for _ in range(2)]
    for web in webs:
        stack.callback(web.close)
        web.start()
    setup = Setup(name, webs, scripts)
    yield from asyncio.run(_waiting(setup))
    yield from asyncio.run(_rude(setup))
    for web in webs:
        web.close()


async def _waiting(setup: Setup) -> list[str]:
    """Let all clients wait, then make moves through the same server and through the other one."""
    quiet = await _reads(setup)
    async with _crowd(setup) as crowd:
        await asyncio.sleep(SETTLE)
        before = setup.server.cpu_times()
        await asyncio.sleep(IDLE)
        after = setup.server.cpu_times()
        used = (after.user + after.system - before.user - before.system) / IDLE * 100
        memory = setup.server.memory_info().rss / 1e6
        beside = await _reads(setup)
        same = await _wakes(setup, crowd, setup.webs[0], slice(0, WAKES))
        other = await _wakes(setup, crowd, setup.webs[1], slice(WAKES, 2 * WAKES))
    what = f"{setup.name}: {POLLS} polls and {STREAMS} streams wait"
    here, elsewhere = (
        f"{setup.name}: woken by {where} process" for where in ("the same", "another")
    )
    return [
        _absolute(Goal(what, "% of a core", 3, least=False), used),
        _absolute(Goal(what, "MB", 250, least=False), memory),
        _ratio(Goal(f"{what}, GET beside them", "p95 ms", 1.5, least=False), beside, quiet),
        _absolute(Goal(here, "p95 ms", 50, least=False), same),
        _absolute(Goal(elsewhere, "p95 ms", 150, least=False), other),
    ]


async def _rude(setup: Setup) -> list[str]:
    """Measure reads beside clients that read nothing, send nothing or send half a request."""
    await asyncio.sleep(5)  # the server is still closing the earlier connections
    quiet = await _reads(setup)
    file = b"GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n"
    saying = [file * 40] * UNREAD + [b""] * SILENT + [b"GET /healthz HTTP/1.1\r\nHo"] * HALF
    connections = [await _sent(setup.webs[0], words) for words in saying]
    await asyncio.sleep(1)
    beside = await _reads(setup)
    for _, writer in connections:
        writer.close()
    what = f"{setup.name}: GET beside {UNREAD} unread, {SILENT} silent, {HALF} half requests"
    return [_ratio(Goal(what, "p95 ms", 2, least=False), beside, quiet)]


async def _sent(web: Web, words: bytes) -> Connection:
    reader, writer = await asyncio.open_connection("127.0.0.1", web.port, limit=1 << 16)
    writer.transport.pause_reading()  # type: ignore[attr-defined]  # the base class lacks it
    writer.write(words)
    return reader, writer


@asynccontextmanager
async def _crowd(setup: Setup) -> AsyncIterator[list[list[asyncio.StreamReader]]]:
    """Open all long polls and event streams at the first server; yield them by game."""
    crowd: list[list[asyncio.StreamReader]] = [[] for _ in setup.scripts]
    writers = []
    for number in range(POLLS + STREAMS):
        game = number % len(setup.scripts)
        reader, writer = await _wait_for(setup, game, streams=number >= POLLS)
        crowd[game].append(reader)
        writers.append(writer)
    try:
        yield crowd
    finally:
        for writer in writers:
            writer.close()


async def _wait_for(setup: Setup, game: int, *, streams: bool) -> Connection:
    script = setup.scripts[game]
    path = f"/v1/games/{script.game}/events?after={script.position.seq}"
    path += "" if streams else "&wait=59"
    lane = stock.reading_of(path, script.steps[0][0])
    request = lane.requests[0].replace(b"*/*", STREAM.encode()) if streams else lane.requests[0]
    reader, writer = await asyncio.open_connection("127.0.0.1", setup.webs[0].port)
    writer.write(request)
    return reader, writer


async def _wakes(
    setup: Setup, crowd: list[list[asyncio.StreamReader]], web: Web, games: slice
) -> float:
    """Return the 95th percentile from the response to a move until its streams get the event.

    The unit is milliseconds.
    """
    times: list[float] = []
    connection = await asyncio.open_connection("127.0.0.1", web.port)
    for script, readers in zip(setup.scripts[games], crowd[games], strict=True):
        streams = readers[POLLS // GAMES :]  # a long poll is answered only once
        for reader in streams:
            await _emptied(reader)
        tasks = [asyncio.create_task(_event(reader)) for reader in streams]
        await asyncio.sleep(0)
        await _answered(connection, stock.moving(script).requests[0])
        began = time.perf_counter()
        times += [max(0.0, await task - began) for task in tasks]
    connection[1].close()
    return _p95(times)


async def _emptied(reader: asyncio.StreamReader) -> None:
    """Discard what has arrived so far, for example the event of the open decision."""
    try:
        while True:
            await asyncio.wait_for(reader.read(1 << 16), 0.001)
    except TimeoutError:
        return


async def _event(reader: asyncio.StreamReader) -> float:
    """Wait for the next event and return its time of arrival."""
    while b"data:" not in await reader.readuntil(b"\n"):
        pass
    return time.perf_counter()


async def _reads(setup: Setup) -> float:
    """Return the 95th percentile of plain reads by one client, in milliseconds."""
    script = setup.scripts[0]
    lane: Lane = stock.reading_of(f"/v1/games/{script.game}", script.steps[0][0])
    connection = await asyncio.open_connection("127.0.0.1", setup.webs[0].port)
    times = []
    for _ in range(READS):
        began = time.perf_counter()
        await _answered(connection, lane.requests[0])
        times.append(time.perf_counter() - began)
    connection[1].close()
    return _p95(times)


async def _answered(connection: Connection, request: bytes) -> None:
    reader, writer = connection
    writer.write(request)
    head = (await reader.readuntil(b"\r\n\r\n")).lower()
    if not head.startswith((b"http/1.1 200", b"http/1.1 201")):
        raise RuntimeError(head.decode())
    length = int(head.partition(b"content-length:")[2].split(b"\r", 1)[0])
    await reader.readexactly(length)


def _p95(times: Sequence[float]) -> float:
    return sorted(times)[int(len(times) * 0.95)] * 1e3


def _absolute(goal: Goal, value: float) -> str:
    bar = f"{goal.bar:.0f}" if goal.bar else "–"
    cells = f"{value:.1f}", "–", "–", "–", bar, "–", verdict(goal, value)
    return row(f"{goal.what}, {goal.unit}", *cells)


def _ratio(goal: Goal, busy: float, quiet: float) -> str:
    ratio = busy / quiet
    cells = f"{busy:.2f}", f"{quiet:.2f}", f"{ratio:.2f}", "–", f"{goal.bar:.2f}", "–"
    return row(f"{goal.what}, {goal.unit}", *cells, verdict(goal, ratio))
