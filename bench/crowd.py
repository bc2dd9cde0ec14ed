"""Play many games at once on two web processes and PostgreSQL with its default limits.

Usage: `python -m bench.crowd [FOLDER]`

The benchmark starts `nightmail web` and talks HTTP to it, so it can measure any version of the
server. FOLDER is the source folder of another version; the default is this one.
"""

import http.client
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import orjson
import psycopg

from tests.support import machine
from tests.support.child_servers import free_port
from tests.support.databases import upgrade
from tests.support.servers import own_postgres

GAMES = 200
SECONDS = 25.0
WEBS = 2
SETTLED = 1.0
"""Seconds after the start from which no request may get status 503."""
BAR = 2.0
"""Limit for the 99th percentile of response times, in seconds."""
PATIENCE = 60.0
AGAIN = 0.1
"""Seconds that a client waits after status 503 before it retries."""
UNLIMITED = {
    f"RATE_LIMIT_{name}": "100000000/minute"
    for name in ("TOKEN", "ADDRESS", "ACCOUNTS", "INVITATIONS", "LETTERS", "MESSAGES")
}
HERE = Path(__file__).parents[1]


class Answer(NamedTuple):
    """When a request was sent, how long the response took, and its status."""

    sent: float
    seconds: float
    status: int


@contextmanager
def web(url: str, folder: Path, program: Path) -> Iterator[int]:
    """Run `nightmail web`, with default settings but without rate limits, and yield its port."""
    port = free_port()
    environ = dict(os.environ) | UNLIMITED
    environ |= {"DATABASE_URL": url, "DATA_DIR": str(folder), "BIND": f"127.0.0.1:{port}"}
    environ |= {"SECRET_KEYS": "k" * 32, "LOG_LEVEL": "error", "PYTHONPATH": str(program)}
    with (folder / f"{port}.log").open("wb") as log:
        process = subprocess.Popen(  # our own program
            [sys.executable, "-c", "from cli.main import nightmail; nightmail()", "web"],
            cwd=program,
            env=environ,
            stdout=log,
            stderr=log,
        )
    try:
        _await_ready(port, process)
        yield port
    finally:
        process.terminate()
        process.wait(PATIENCE)


def _await_ready(port: int, process: "subprocess.Popen[bytes]") -> None:
    end = time.monotonic() + PATIENCE
    while process.poll() is None and time.monotonic() < end:
        try:
            if Client(port, []).send("GET", "/readyz").status == 200:
                return
        except (OSError, http.client.HTTPException):
            time.sleep(0.05)
    raise RuntimeError("nightmail web does not start")


class Reply(NamedTuple):
    """The status and the JSON body of a response."""

    status: int
    body: Any


class Client:
    """A player's persistent connection to a web process."""

    def __init__(self, port: int, answers: list[Answer], token: str = "") -> None:
        self._answers = answers
        self._connection = http.client.HTTPConnection("127.0.0.1", port, PATIENCE)
        self.headers = {"Content-Type": "application/json"}
        if token:
            self.headers["Authorization"] = f"Bearer {token}"

    def send(self, method: str, path: str, body: Any = None) -> Reply:
        """Send a request once."""
        content = None if body is None else orjson.dumps(body)
        sent = time.monotonic()
        self._connection.request(method, path, content, self.headers)
        response = self._connection.getresponse()
        read = response.read()
        self._answers.append(Answer(sent, time.monotonic() - sent, response.status))
        return Reply(response.status, orjson.loads(read) if read else None)

    def insist(self, until: float, method: str, path: str, body: Any = None) -> Reply:
        """Send a request, and retry after status 503 or a lost connection until the time is up."""
        while True:
            try:
                reply = self.send(method, path, body)
            except (OSError, http.client.HTTPException):
                self._connection.close()
                reply = Reply(503, None)
            if reply.status != 503 or time.monotonic() > until:
                return reply
            time.sleep(AGAIN)


class Table:
    """Two players and their game; each player uses a different web process."""

    def __init__(self, ports: Sequence[int], number: int, answers: list[Answer]) -> None:
        self._players = []
        until = time.monotonic() + PATIENCE
        for seat, port in enumerate(ports):
            client, name = Client(port, answers), {"name": f"Player {number} {seat}"}
            token = client.insist(until, "POST", "/v1/accounts", name).body["token"]["token"]
            client.headers["Authorization"] = f"Bearer {token}"
            self._players.append(client)
        first, *others = self._players
        opened = {"board": "usa", "seats": len(self._players)}
        self._path = f"/v1/games/{first.insist(until, 'POST', '/v1/games', opened).body['id']}"
        for player in others:
            player.insist(until, "POST", f"{self._path}/seats", {})

    def play(self, until: float) -> int:
        """Let the players take turns to fetch a decision and answer it; return the move count."""
        moves = 0
        while time.monotonic() < until:
            for player in self._players:
                decision = player.insist(until, "GET", f"{self._path}/decision")
                if decision.status != 200 or not decision.body.get("menu"):
                    continue
                move = {"action": decision.body["default"]["action"]}
                moves += player.insist(until, "POST", f"{self._path}/moves", move).status == 201
        return moves


class Outcome(NamedTuple):
    """The result of a run."""

    answers: list[Answer]
    began: float
    moves: int
    most_connections: int


def crowd(ports: Sequence[int], url: str) -> Outcome:
    """Play all games at the same time."""
    answers: list[Answer] = []
    with ThreadPoolExecutor(8) as threads:  # creating accounts is not measured
        tables = list(threads.map(lambda n: Table(ports, n, answers), range(GAMES)))
    answers.clear()
    began = time.monotonic()
    with ThreadPoolExecutor(GAMES) as threads, _counted(url) as most:
        moves = sum(threads.map(lambda table: table.play(began + SECONDS), tables))
    return Outcome(answers, began, moves, max(most))


@contextmanager
def _counted(url: str) -> Iterator[list[int]]:
    """Sample the number of database connections every half second."""
    counts, stop = [0], threading.Event()
    question = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'nightmail'"

    def count(connection: "psycopg.Connection[Any]") -> None:
        while not stop.wait(0.5):
            row = connection.execute(question).fetchone()
            counts.append(row[0] if row else 0)

    with psycopg.connect(url.replace("+psycopg", ""), autocommit=True) as connection:
        thread = threading.Thread(target=count, args=(connection,))
        thread.start()
        try:
            yield counts
        finally:
            stop.set()
            thread.join()


def report(outcome: Outcome) -> Iterator[str]:
    """Yield the figures, one per line."""
    answers = outcome.answers
    statuses = Counter(answer.status for answer in answers)
    late = sum(answer.status == 503 and answer.sent - outcome.began > SETTLED for answer in answers)
    times = sorted(answer.seconds for answer in answers)
    p50, p99 = (times[int(len(times) * share)] for share in (0.5, 0.99))
    yield f"{GAMES} games on {WEBS} × nightmail web, PostgreSQL with max_connections=100"
    yield f"moves in {SECONDS:.0f} s: {outcome.moves}; connections: {outcome.most_connections}"
    yield f"answers by status: {dict(sorted(statuses.items()))}"
    yield f"503 after the first second: {late} ({'missed' if late else 'met'}: none)"
    yield f"p50 {p50:.2f} s, p99 {p99:.2f} s ({'met' if p99 < BAR else 'missed'}: under {BAR:.0f})"


def run(program: Path = HERE) -> Iterator[str]:
    """Start the database and the web processes, play the games, and yield the figures."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="nightmail-bench-")))
        url = stack.enter_context(own_postgres()).create_database("crowd")
        upgrade(url)
        ports = [stack.enter_context(web(url, folder, program)) for _ in range(WEBS)]
        yield from report(crowd(ports, url))


if __name__ == "__main__":
    machine.forget()
    for line in run(Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else HERE):
        print(line, flush=True)
