"""Reads the content of a database, and checks that every game in it is complete."""

import json
from typing import Any

from sqlalchemy import func, select

from engine.audit import decide_again
from engine.log import lines_of, opening_record, read_log, tied
from service.boards import atlas
from service.memory.positions import BEFORE, opening_of
from store import tables
from store.database import Database
from store.games import games
from store.games.games import StoredMove
from store.tables import deliveries, notices


def rows(database: Database) -> dict[str, list[tuple[Any, ...]]]:
    """Everything in the database, table by table, in a fixed order."""
    with database.reading() as tx:
        return {
            table.name: sorted((tuple(row) for row in tx.execute(select(table))), key=repr)
            for table in tables.metadata.sorted_tables
        }


def count(database: Database, table: str) -> int:
    """How many rows a table has."""
    with database.reading() as tx:
        return tx.scalar(select(func.count()).select_from(tables.metadata.tables[table])) or 0


def moves_of(database: Database, game: str) -> list[StoredMove]:
    """A game's log."""
    with database.reading() as tx:
        return games.moves_after(tx, game, BEFORE)


def all_games(database: Database) -> list[str]:
    """The games that have begun."""
    with database.reading() as tx:
        begun = select(tables.games.c.id).where(tables.games.c.started.is_not(None))
        return list(tx.scalars(begun))


def head_of(database: Database, game: str) -> str:
    """A game's head, after deciding every move again and recomputing every hash."""
    with database.reading() as tx:
        table = games.table(tx, game)
        moves = games.moves_after(tx, game, BEFORE)
    assert table is not None
    opening = opening_record(opening_of(table))
    lines = lines_of(
        [
            {**opening, "hash": tied(b"", opening, game, b"").hex()},
            *({**json.loads(move.record), "hash": move.hash.hex()} for move in moves),
        ]
    )
    decide_again(
        atlas.ruleset(table.board, table.variants, table.seats), read_log(lines), table.seed
    )
    check_numbers(moves)
    assert moves[-1].number == table.version
    return moves[-1].hash.hex()


def check_numbers(moves: list[StoredMove]) -> None:
    """Check that moves are numbered from 0 and events from 1, with no gap and no duplicate."""
    assert list(range(len(moves))) == [move.number for move in moves]
    seq = 0
    for move in moves:
        seq += len(json.loads(move.record)["events"])
        assert seq == move.seq


def seeds(database: Database) -> dict[str, bytes]:
    """The seed of every game."""
    with database.reading() as tx:
        rows = tx.execute(select(tables.games.c.id, tables.games.c.seed))
        return {row.id: row.seed for row in rows}


def text_of(database: Database) -> str:
    """Everything in the database as one text, bytes in hexadecimal digits, logs as their lines."""
    logs = [move.record for game in all_games(database) for move in moves_of(database, game)]
    stored = json.dumps(
        rows(database), default=lambda value: bytes(value).hex(), ensure_ascii=False
    )
    return "\n".join([stored, *logs])


def waiting(database: Database) -> int:
    """The number of notices and of waiting deliveries."""
    with database.reading() as tx:
        owed = tx.scalar(select(func.count()).select_from(notices)) or 0
        due = select(func.count()).select_from(deliveries).where(deliveries.c.state == "waiting")
        return owed + (tx.scalar(due) or 0)
