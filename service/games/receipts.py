"""The receipt of a move: what it caused, and the next decision of the seat that made it."""

import json
from typing import Any

from engine.values import Seat
from service.games import decisions, event_documents
from service.games.decided_moves import DecidedMove
from service.memory.positions import events_of, folded
from store.database import Transaction
from store.games import games
from store.games.games import StoredMove, Table

Document = dict[str, Any]


def receipt(decided: DecidedMove, seat: Seat, deadline: str | None) -> Document:
    """Return a move as the seat that made it sees it; `tag` is the tag of the game after it.

    `deadline` is that of the seat's next decision.
    """
    table, before, after = decided.table, decided.before, decided.after
    is_over = after.ended is not None
    log = zip(decided.rows, decided.events, strict=True)
    sight = None if is_over else seat
    events = event_documents.documents(table, before, log, sight, before.seq, open_to_all=is_over)
    return {
        "game": table.id,
        "move": decided.rows[0].number,
        "version": after.version,
        "head": after.head.hex(),
        "events": list(events),
        "decision": decisions.document(table, after, seat, decided.at, deadline),
        "tag": table._replace(version=after.version).tag,
    }


def repeated(tx: Transaction, table: Table, seat: Seat, row: StoredMove) -> Document:
    """Return the receipt of a move that is stored already, the same as when it was made."""
    log = games.moves_between(tx, table.id, 0, row.through)
    before, rows = folded(table, log[: row.number]), log[row.number :]
    events = [events_of(row) for row in rows]
    at: str = json.loads(row.record)["at"]
    decided = DecidedMove(table, before, rows, events, folded(table, rows, before), at)
    return receipt(decided, seat, row.until)
