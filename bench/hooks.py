"""Compare webhook delivery with a bare loop that only signs and posts.

The difference is the cost of claiming, checking and settling deliveries.
"""

import asyncio
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

import requests
from sqlalchemy import func, select
from standardwebhooks import Webhook

from bench.table import Goal, comparison, row
from service.desk import Desk, open_desk
from service.ids import new_id
from service.notify import hook_bodies, hook_deliveries, hooks
from service.notify.hook_types import PING, WEBHOOK
from service.notify.outbox import Delivery
from service.people.tokens import SCOPES, Caller
from service.settings import Settings
from store import schema, tables
from store.notify import deliveries
from tests.service.support.tables import player
from workers.background.background import Background
from workers.background.deliverer import Deliverer
from workers.channels.webhook.channel import WebhookChannel

ROUNDS = 5
MESSAGES = 1000
HANGING, PINGS = 40, 100
KEY = "what signs in a bench of 32 characters"
TIRED = 120.0
"""Timeout in seconds for the delivery of all messages."""


def run() -> Iterator[str]:
    """Measure one webhook, as many as an account may have, and one beside webhooks that hang."""
    yield row("", "nightmail", "bare", "ratio", "spread", "bar", "aim", "")
    with tempfile.TemporaryDirectory(prefix="nightmail-bench-") as folder, _receiver() as url:
        settings = Settings.of(
            {"DATABASE_URL": f"sqlite:///{folder}/hooks.db", "DATA_DIR": folder, "SECRET_KEYS": KEY}
        )
        desk = open_desk(settings)
        schema.upgrade(desk.database)
        for number in (1, hooks.MOST_HOOKS):
            yield _compared(desk, f"Ada {number}", url, number)
        yield _beside(desk, url)
        desk.close()


def _compared(desk: Desk, name: str, url: str, number: int) -> str:
    account = player(desk, name)
    webhooks = [
        hooks.create(desk, Caller(account, "", frozenset(SCOPES)), {"url": f"{url}?{n}"}, None)
        for n in range(number)
    ]
    ids = [hook["id"] for hook in webhooks]
    pairs = [(_nightmail(desk, account, ids), _bare(desk, url, webhooks[0])) for _ in range(ROUNDS)]
    which = "one hook" if number == 1 else f"{number} hooks"
    return comparison(Goal(f"{MESSAGES} webhooks to {which}, SQLite", "a second", 0.5, 1.0), pairs)


def _beside(desk: Desk, url: str) -> str:
    """Compare delivery to a healthy webhook while others hang with delivery alone (promise 18)."""
    healthy, caller = _hooked(desk, "Healthy", url)
    background = Background(desk)
    desk = background.desk
    background.start()
    try:
        with socket.create_server(("127.0.0.1", 0), backlog=4096) as silent:
            quiet = _p95(desk, caller, healthy)
            where = f"http://127.0.0.1:{silent.getsockname()[1]}/"
            for n in range(HANGING):
                hanging, owner = _hooked(desk, f"Hanging {n}", where)
                hook_deliveries.ping(desk, owner, hanging, None)
            pairs = [(_p95(desk, caller, healthy), quiet)]
    finally:
        background.stop()
    what = f"p95 of a healthy hook beside {HANGING} that hang"
    return comparison(Goal(what, "s", 2.0, 1.2, least=False), pairs)


def _hooked(desk: Desk, name: str, url: str) -> tuple[str, Caller]:
    caller = Caller(player(desk, name), "", frozenset(SCOPES))
    return hooks.create(desk, caller, {"url": url}, None)["id"], caller


def _p95(desk: Desk, caller: Caller, hook: str) -> float:
    """Return the 95th percentile of the seconds from a ping until it is recorded as sent."""
    times = []
    for _ in range(PINGS):
        began = time.perf_counter()
        id = hook_deliveries.ping(desk, caller, hook, None)["id"]
        while not _is_sent(desk, id):
            time.sleep(0.002)
        times.append(time.perf_counter() - began)
    return sorted(times)[int(PINGS * 0.95)]


def _is_sent(desk: Desk, id: str) -> bool:
    state = select(tables.deliveries.c.state).where(tables.deliveries.c.id == id)
    with desk.database.reading() as tx:
        return tx.scalar(state) == "sent"


def _fresh(account: str, hook: str, now: str) -> Delivery:
    return Delivery(new_id(), account, WEBHOOK, hook, PING, None, None, None, None, now, 0, now)


def _nightmail(desk: Desk, account: str, ids: Sequence[str]) -> float:
    """Measure messages per second with a deliverer as it runs in a worker.

    It claims, composes, signs, sends and settles every delivery.
    """
    now = desk.now()
    batch = [_fresh(account, ids[n % len(ids)], now) for n in range(MESSAGES)]
    with desk.database.writing() as tx:
        deliveries.add(tx, batch)
    deliverer = Deliverer(desk, [WebhookChannel()])
    began = time.perf_counter()
    deliverer.start()
    while _waiting(desk):
        if time.perf_counter() - began > TIRED:
            raise TimeoutError("the deliverer makes no progress")
        time.sleep(0.01)
    took = time.perf_counter() - began
    deliverer.stop()
    return MESSAGES / took


def _waiting(desk: Desk) -> int:
    left = (
        select(func.count())
        .select_from(tables.deliveries)
        .where(tables.deliveries.c.state == "waiting")
    )
    with desk.database.reading() as tx:
        return tx.scalar(left) or 0


def _bare(desk: Desk, url: str, hook: dict[str, str]) -> float:
    """Measure messages per second in a loop that only signs and posts them one by one."""
    signer = Webhook(hook["secret"])
    body = hook_bodies.body(desk, _fresh("", hook["id"], desk.now())) or b""
    began = time.perf_counter()
    with requests.Session() as session:
        for _ in range(MESSAGES):
            id, at = f"msg_{new_id()}", datetime.now(UTC)
            headers = {
                "content-type": "application/json",
                "webhook-id": id,
                "webhook-timestamp": str(int(at.timestamp())),
                "webhook-signature": signer.sign(id, at, body.decode()),
            }
            session.post(url, data=body, headers=headers, timeout=15).raise_for_status()
    return MESSAGES / (time.perf_counter() - began)


@contextmanager
def _receiver() -> Iterator[str]:
    """Run a webhook receiver in its own process and yield its URL."""
    root, pipe = Path(__file__).parent.parent, subprocess.PIPE
    command = [sys.executable, "-m", "bench.hooks"]  # our own module
    with subprocess.Popen(command, cwd=root, stdin=pipe, stdout=pipe) as child:
        if child.stdout is None or child.stdin is None:
            raise RuntimeError("the receiver has no standard input and output")
        yield f"http://127.0.0.1:{int(child.stdout.readline())}/hook"
        child.stdin.close()


async def _meet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Answer every request with status 204."""
    with suppress(asyncio.IncompleteReadError, ConnectionError):
        while head := (await reader.readuntil(b"\r\n\r\n")).lower():
            length = int(head.partition(b"content-length:")[2].partition(b"\r\n")[0])
            await reader.readexactly(length)
            writer.write(b"HTTP/1.1 204 No Content\r\n\r\n")
    writer.close()


async def _receive() -> None:
    """Receive webhooks until standard input ends."""
    server = await asyncio.start_server(_meet, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await asyncio.to_thread(sys.stdin.read)


if __name__ == "__main__":
    asyncio.run(_receive())
