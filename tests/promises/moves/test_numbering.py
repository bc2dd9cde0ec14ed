"""Promise 2: moves and events are numbered without gap or duplicate, however many write."""

import random
import secrets
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import pytest
from sqlalchemy import bindparam, text, update

from engine import Refusal
from service.desk import Desk
from service.games import lobby, moves, reading
from service.games.lobby import NewGame
from service.games.move_requests import from_body
from service.people import accounts
from service.people.tokens import caller_of
from store import tables
from store.database import Database
from store.errors import Clash
from store.games import games
from store.games.games import Stale, StoredMove
from tests.api.serving import fresh_app
from tests.promises.support.database_checks import check_numbers, head_of, moves_of
from tests.promises.support.web_server import open_database
from tests.service.support.threads import at_once

THREADS, EACH = 8, 100
GAME = {
    "board": "usa", "variants": [], "seats": 2, "status": "running", "version": -1, "changes": 0,
    "last_message": 0,
    "commitment": "", "seed": b"", "rules": 1, "pace": "days", "visibility": "public", "title": "",
    "created": "2026-01-01T00:00:00.000Z",
}  # fmt: skip


def _append(database: Database, game: str) -> int | None:
    """Append a move, and return its number; None if another writer was first."""
    with database.reading() as tx:
        version = games.version(tx, game)
    assert version is not None
    number = version + 1
    record = '{"events":[{}]}'
    key = secrets.token_bytes(16)
    row = StoredMove(number, None, number + 1, number, key, None, None, record, b"")
    try:
        with database.writing() as tx:
            games.append(tx, game, [row], [], (version, 0))
    except (Stale, Clash):
        return None
    return number


def _acknowledged(database: Database, each: int) -> Counter[int]:
    """Let writers append to one game; returns how often each number was acknowledged."""
    with database.writing() as tx:
        games.open_game(tx, GAME | {"id": "g"})

    def writer(_: int) -> list[int]:
        numbers: list[int] = []
        while len(numbers) < each:
            number = _append(database, "g")
            if number is not None:
                numbers.append(number)
        return numbers

    return Counter(number for numbers in at_once(THREADS, writer) for number in numbers)


def test_appended_moves_are_numbered_once(url: str) -> None:
    """Eight writers who append a hundred moves each to one game get the numbers 0 to 799 once."""
    with open_database(url) as database:
        acknowledged = _acknowledged(database, EACH)
        stored = moves_of(database, "g")

        assert THREADS * EACH == acknowledged.total() == len(acknowledged) == len(stored)
        assert set(range(THREADS * EACH)) == set(acknowledged)
        check_numbers(stored)
        with database.reading() as tx:
            assert THREADS * EACH - 1 == games.version(tx, "g")


def test_without_guards_numbers_come_twice(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted fault: without the constraint and the check of the version there are duplicates."""
    here = tables.games.c.id == bindparam("game")
    careless = update(tables.games).where(here).values(version=bindparam("number"))
    monkeypatch.setattr(games, "_ADVANCE", careless)
    with open_database(url) as database:
        with database.writing() as tx:
            tx.execute(text("DROP TABLE moves"))
            columns = ", ".join(
                f"{column.name} {column.type.compile(database.engine.dialect)}"
                for column in tables.moves.c
            )
            tx.execute(text(f"CREATE TABLE moves ({columns})"))
        acknowledged = _acknowledged(database, 25)

        assert len(acknowledged) < acknowledged.total()
        with pytest.raises(AssertionError):
            check_numbers(moves_of(database, "g"))


class Sitting(NamedTuple):
    """Four accounts in one game."""

    accounts: list[str]
    game: str


def _sit_down(desk: Desk) -> Sitting:
    seats = []
    for name in ("Ada", "Ben", "Cleo", "Dan"):
        caller = caller_of(desk, accounts.create(desk, {"name": name}, None)["token"]["token"])
        assert caller is not None
        seats.append(caller.account)
    game = str(lobby.open_game(desk, seats[0], NewGame("usa", (), 4), None)["id"])
    for account in seats[1:]:
        lobby.join(desk, account, game, "", None)
    return Sitting(seats, game)


def _play(desk: Desk, sitting: Sitting, rng: random.Random) -> int | None:
    """Move for a player with an open decision; returns its number, or None if others were first."""
    for account in rng.sample(sitting.accounts, 4):
        decision = reading.decision(desk, sitting.game, account, all_options=True)
        if decision is None:
            continue
        draws = [
            option for option in decision["options"] if option["text"].startswith(("draw", "take"))
        ] or decision["options"]
        request = from_body({"action": rng.choice(draws)["action"]})
        request = request._replace(key=secrets.token_hex(8))
        try:
            return int(moves.submit(desk, account, sitting.game, request)["move"])
        except Refusal as refusal:
            if refusal.code not in ("not_awaited", "illegal"):
                raise
    return None


def test_played_moves_are_numbered_once(url: str, tmp_path: Path) -> None:
    """A game that eight threads on two desks play at once has one log without gaps.

    Every acknowledged move is stored under the number in its receipt, and paging through the events
    shows each of them once.
    """
    desks = [fresh_app(url, DATA_DIR=str(tmp_path))[1] for _ in range(2)]
    sitting = _sit_down(desks[0])

    def player(n: int) -> list[int]:
        rng = random.Random(n)
        made = [_play(desks[n % 2], sitting, rng) for _ in range(25)]
        return [number for number in made if number is not None]

    acknowledged = [number for numbers in at_once(THREADS, player) for number in numbers]
    stored = moves_of(desks[0].database, sitting.game)

    assert sorted(acknowledged) == [move.number for move in stored if move.key is not None]
    assert len(stored) == len(acknowledged) + 1  # move 0 set the table
    assert len(acknowledged) > 20
    head_of(desks[0].database, sitting.game)
    last, seen = -1, list[int]()
    while len(seen) > last:
        last = len(seen)
        events = reading.events(desks[1], sitting.game, None, seen[-1] if seen else 0)
        seen += [event["seq"] for event in events["events"]]
    assert list(range(1, stored[-1].seq + 1)) == seen
    for desk in desks:
        desk.close()
