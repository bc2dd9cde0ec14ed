"""What places were told: an event is told once in a place, by one of its deliveries."""

from typing import NamedTuple

from sqlalchemy import Connection, bindparam, delete, select, text, update

from store.tables import deliveries, told_places

# Both databases accept it: of two deliveries that want to tell, one stores the row, and the other
# waits for that transaction and then reads it.
_CLAIM = text(
    "INSERT INTO told_places (place, event, delivery, at) VALUES (:place, :event, :delivery, :at) "
    "ON CONFLICT DO NOTHING"
)
_ROW = (told_places.c.place == bindparam("of_place")) & (
    told_places.c.event == bindparam("of_event")
)
_FIND = (
    select(told_places.c.delivery, told_places.c.sent, deliveries.c.state)
    .join_from(told_places, deliveries, told_places.c.delivery == deliveries.c.id, isouter=True)
    .where(_ROW)
)


class Teller(NamedTuple):
    """The delivery that tells a place of an event."""

    delivery: str
    sent: str | None
    """When it has told; None if it has not yet."""
    state: str | None
    """The state of that delivery; None if it was deleted."""


def claim(tx: Connection, place: str, event: str, delivery: str, at: str) -> Teller:
    """Let a delivery tell a place of an event, unless another one does; return the one that does.

    A delivery that was deleted or has failed without telling is replaced.
    """
    row = {"place": place, "event": event, "delivery": delivery, "at": at}
    tx.execute(_CLAIM, row)
    teller = _find(tx, place, event)
    if teller.delivery == delivery or teller.sent or teller.state == "waiting":
        return teller
    replaced = update(told_places).where(_ROW, told_places.c.delivery == teller.delivery)
    tx.execute(replaced.values(delivery=delivery), {"of_place": place, "of_event": event})
    return _find(tx, place, event)


def _find(tx: Connection, place: str, event: str) -> Teller:
    row = tx.execute(_FIND, {"of_place": place, "of_event": event}).one()
    return Teller(*row)


def mark_sent(tx: Connection, place: str, event: str, delivery: str, at: str) -> None:
    """Record that a delivery has told a place of an event."""
    statement = update(told_places).where(_ROW, told_places.c.delivery == delivery)
    tx.execute(statement.values(sent=at), {"of_place": place, "of_event": event})


def forget(tx: Connection, before: str) -> None:
    """Delete what was told before this time."""
    tx.execute(delete(told_places).where(told_places.c.at < before))
