"""Players who move only after they have received mail about it.

A lost letter stops their game for good, so a test need not count letters.
"""

import queue
import random
import secrets
import threading
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

from sqlalchemy import update

from store import timestamps
from store.database import Database
from store.tables import accounts
from tests.promises.support.http_calls import Reachable, asking
from tests.promises.support.web_server import Player, moving, newcomer, opened
from tests.promises.support.writers import insisted
from tests.support.smtp_server import PostOffice

HANDS = 6


class Correspondents:
    """Two players at each table, each with their own mail address."""

    def __init__(self, web: Reachable, office: PostOffice, database: Database, tables: int) -> None:
        self.web = web
        self.office = office
        self.moves = 0
        self._rng = random.Random(7)
        self._stop = threading.Event()
        self._mail: queue.Queue[str] = queue.Queue()
        self._tables: dict[str, tuple[str, Player]] = {}
        for _ in range(tables):
            names = [secrets.token_hex(6) for _ in range(2)]
            two = [newcomer(web, f"Tester {name}", email=f"{name}@example.org") for name in names]
            with database.writing() as tx:
                tx.execute(update(accounts).values(email_confirmed=timestamps.now()))
            game = opened(web, *two)
            for name, player in zip(names, two, strict=True):
                self._tables[f"{name}@example.org"] = game, player

    @contextmanager
    def at_work(self) -> Iterator[None]:
        """Let the players read and answer their mail inside a `with` block."""
        with ThreadPoolExecutor(HANDS + 1) as pool:
            done = [pool.submit(self._answer) for _ in range(HANDS)]
            done.append(pool.submit(self._fetch))
            try:
                yield
            finally:
                self._stop.set()
            for future in done:
                future.result()

    def go_on(self, moves: int, patience: float) -> None:
        """Wait for this many moves; fails if none is made for `patience` seconds."""
        seen, since = self.moves, time.monotonic()
        while self.moves < moves:
            if self.moves > seen:
                seen, since = self.moves, time.monotonic()
            assert time.monotonic() < since + patience, f"after {seen} moves somebody has no mail"
            time.sleep(0.02)

    def copies(self) -> Counter[str]:
        """Copies received of each letter, by Message-ID."""
        return Counter(letter.id for letter in self.office.letters)

    def _fetch(self) -> None:
        """Queue the recipients of new letters."""
        sorted_so_far = 0
        while not self._stop.is_set():
            with self.office.came:
                self.office.came.wait(0.1)
                fresh = self.office.letters[sorted_so_far:]
            sorted_so_far += len(fresh)
            for letter in fresh:
                self._mail.put(letter.recipient)

    def _answer(self) -> None:
        while not self._stop.is_set():
            try:
                game, player = self._tables[self._mail.get(timeout=0.1)]
            except queue.Empty:
                continue
            if self._move(game, player):
                self.moves += 1

    def _move(self, game: str, player: Player) -> bool:
        """Make a move if a decision is open; returns whether it was made."""
        path = f"/v1/games/{game}/decision?options=all"
        response = insisted(self.web, asking("GET", path, None, player.token))
        if response.status != 200:
            return False
        options = response.json["options"]
        drawing = [option for option in options if option["text"].startswith(("draw", "take"))]
        action = self._rng.choice(drawing or options)["action"]
        key = secrets.token_hex(8)
        made = insisted(self.web, moving(game, player, action, Idempotency_Key=key))
        # Two threads may answer two copies of a letter at the same time.
        assert made.status in (201, 409, 422), made.body
        return made.status == 201

    def move_somewhere(self, at: int) -> str:
        """Make the next move in one of the games without waiting for mail; returns its id."""
        tables = sorted({game for game, _ in self._tables.values()})
        game = tables[at % len(tables)]
        players = [player for id, player in self._tables.values() if id == game]
        assert any(self._move(game, player) for player in players)
        return game
