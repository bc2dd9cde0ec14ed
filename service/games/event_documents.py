"""Events as documents, each with its sentence, as a reader may see them."""

from collections.abc import Iterable, Iterator
from typing import Any

from engine import Event, seen_by, tell
from engine.codec import write
from engine.values import Seat
from service.games import seat_names
from service.memory.positions import Position
from store.games.games import StoredMove, Table

Document = dict[str, Any]


def documents(
    table: Table,
    position: Position,
    log: Iterable[tuple[StoredMove, tuple[Event, ...]]],
    seat: Seat | None,
    after: int,
    *,
    open_to_all: bool,
) -> Iterator[Document]:
    """Yield the events with numbers above `after`, as `seat` sees them; None is a spectator."""
    names = seat_names.names_of(table)
    for move, events in log:
        for seq, event in enumerate(events, move.seq - len(events) + 1):
            if seq > after:
                visible = event if open_to_all else seen_by(event, seat)
                yield {
                    "seq": seq,
                    "version": move.number,
                    "sentence": tell(position.rules, visible, names),
                    "event": write(visible),
                }
