"""Clients that wait: what thousands of long polls and streams cost the others, and the server."""

import asyncio
import json
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from statistics import quantiles

import psutil

from tests.promises.support.http_calls import ask
from tests.promises.support.web_server import Player, Web, newcomer, opened, running_web

POLLS, STREAMS = 2000, 1000
PLAYERS = 100
IDLE = 10.0
"""Seconds for which everybody waits while the server's processor time is measured."""
SETTLE = 12.0
"""Seconds after which all of them have been asked once, and wait."""
WAKES = 20
READS = 200
LIMITS = {"WAITING_ADDRESS": "5000", "LOG_LEVEL": "warning"}


def run() -> Iterator[str]:
    """Polls and streams of one process, idle and woken."""
    with tempfile.TemporaryDirectory(prefix="nightmail-bench-") as folder:
        url = f"sqlite:///{Path(folder)}/n.db"
        with running_web(url, **LIMITS) as web:
            yield from asyncio.run(_measured(web))


async def _measured(web: Web) -> list[str]:
    if web.process is None:
        raise RuntimeError("the server is not running")
    server = psutil.Process(web.process.pid)
    players = [newcomer(web) for _ in range(PLAYERS)]
    rival = newcomer(web)
    quiet = await _reads(web)
    heads = [
        f"GET /v1/me/decisions?wait=59 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {one.token}"
        for one in players
    ] * (POLLS // PLAYERS)
    heads += [
        f"GET /v1/me/stream HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {one.token}"
        for one in players
    ] * (STREAMS // PLAYERS)
    lines = [await _line(web.port, head) for head in heads]
    await asyncio.sleep(SETTLE)
    before, began = _worked(server), time.perf_counter()
    await asyncio.sleep(IDLE)
    share = (_worked(server) - before) / (time.perf_counter() - began)
    memory = server.memory_info().rss / 2**20
    busy = await _reads(web)
    woken = [await _wake(web, lines[POLLS + n][0], players[n], rival) for n in range(WAKES)]
    for _, writer in lines:
        writer.close()
        with suppress(ConnectionError):
            await writer.wait_closed()
    return [
        f"{POLLS} long polls and {STREAMS} streams, idle: {share:.1%} of a core, {memory:.0f} MB",
        f"GET /v1/boards, p95: {quiet * 1e3:.1f} ms quiet, {busy * 1e3:.1f} ms beside them",
        f"a game that starts reaches its stream, p95: {quantiles(woken, n=20)[-1] * 1e3:.0f} ms",
    ]


def _worked(server: psutil.Process) -> float:
    times = server.cpu_times()
    return float(times.user + times.system)


async def _line(port: int, head: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(f"{head}\r\n\r\n".encode())
    await writer.drain()
    return reader, writer


async def _reads(web: Web) -> float:
    """The p95 of a plain GET."""
    taken = []
    for _ in range(READS):
        began = time.perf_counter()
        await asyncio.to_thread(ask, web, "GET", "/v1/boards")
        taken.append(time.perf_counter() - began)
    return quantiles(taken, n=20)[-1]


async def _wake(web: Web, stream: asyncio.StreamReader, player: Player, rival: Player) -> float:
    """Seconds from the answer to the request that starts a game to the event on the stream."""
    await asyncio.to_thread(opened, web, player, rival)
    began = time.perf_counter()
    async for line in stream:
        if line.startswith(b"data: ") and "game" in json.loads(line[6:]):
            break
    return time.perf_counter() - began
