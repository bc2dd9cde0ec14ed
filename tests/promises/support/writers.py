"""Players who make moves without pause, and record every move that was acknowledged."""

import http.client
import secrets
import threading
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import NamedTuple

from service.games.move_requests import hash_of_key
from store.database import Database
from tests.promises.support.database_checks import head_of, moves_of
from tests.promises.support.http_calls import PATIENCE, Reachable, Request, Response, asking, send
from tests.promises.support.web_server import Table, moving
from tests.support.waiting import until


class Ack(NamedTuple):
    """A move that was answered with 201, and what the receipt said."""

    game: str
    key: str
    number: int
    version: int
    head: str


def insisted(web: Reachable, request: Request) -> Response:
    """Repeat a request until a server that may be down responds below 500."""
    pause = threading.Event()
    for _ in range(int(PATIENCE * 100)):
        try:
            response = send(web, request)
        except (OSError, http.client.HTTPException):
            pass
        else:
            if response.status < 500:
                return response
        pause.wait(0.01)
    raise AssertionError("the server does not come back")


class Writers:
    """Play both sides of one game in each thread."""

    def __init__(self, web: Reachable, number: int) -> None:
        self.web = web
        self.acks: list[Ack] = []
        self.tables = [Table(web, n) for n in range(number)]
        self._stop = threading.Event()

    @contextmanager
    def at_work(self) -> Iterator[None]:
        """Let them play inside a `with` block, each until its last request is answered."""
        with ThreadPoolExecutor(len(self.tables)) as pool:
            done: list[Future[None]] = [pool.submit(self._write, table) for table in self.tables]
            try:
                yield
            finally:
                self._stop.set()
            for future in done:
                future.result()

    def go_on(self, acks: int) -> None:
        """Wait until this many more moves are acknowledged."""
        goal = len(self.acks) + acks
        until(lambda: len(self.acks) >= goal, f"{goal} acknowledged moves")

    def _write(self, table: Table) -> None:
        while not self._stop.is_set():
            for player in table.players:
                path = f"/v1/games/{table.game}/decision?options=all"
                response = insisted(self.web, asking("GET", path, None, player.token))
                if response.status == 200:
                    key = secrets.token_hex(8)
                    action = table.action(response.json)
                    request = moving(table.game, player, action, Idempotency_Key=key)
                    made = insisted(self.web, request)
                    assert 201 == made.status, made.body
                    number, version, head = (made.json[k] for k in ("move", "version", "head"))
                    self.acks.append(Ack(table.game, key, number, version, head))


def lost(database: Database, acks: list[Ack]) -> list[Ack]:
    """Acknowledged moves that are not stored as they were acknowledged."""
    heads = {
        (game, move.number): (move.key, move.hash.hex())
        for game in {ack.game for ack in acks}
        for move in moves_of(database, game)
    }
    return [
        ack for ack in acks if heads.get((ack.game, ack.number)) != (hash_of_key(ack.key), ack.head)
    ]


def check_whole(database: Database, acks: list[Ack]) -> None:
    """Check that exactly the acknowledged moves are stored, and every game replays to its head."""
    assert [] == lost(database, acks)
    for game in {ack.game for ack in acks}:
        head_of(database, game)
        keys = sorted(move.key for move in moves_of(database, game) if move.key)
        assert keys == sorted(hash_of_key(ack.key) for ack in acks if ack.game == game)
