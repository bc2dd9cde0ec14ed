"""A game in which a player has a webhook, and the receiver behind it."""

from collections.abc import Iterator
from typing import Any

import pytest
from sqlalchemy import select, update

from service.desk import Desk
from service.games import table_lookup
from service.notify.outbox import Outcome
from store import tables
from store.games.packing import unpacked
from tests.service.support.tables import keep_tickets, play, table
from tests.support.hook_receiver import Receiver, receiving
from tests.support.hooks import hooked, near, spread, tell
from workers.calling.connector import Connector, anywhere
from workers.channels.webhook.sender import Webhooks


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    """An honest receiver."""
    with receiving() as made:
        yield made


@pytest.fixture
def here(each_desk: Desk) -> Desk:
    """A desk on each database, with hooks on this machine allowed."""
    return near(each_desk)


@pytest.fixture
def lite(desk: Desk) -> Desk:
    """The same on SQLite only."""
    return near(desk)


@pytest.fixture
def channel() -> Iterator[Connector]:
    """A connector that is closed after the test."""
    made = Connector(anywhere)
    yield made
    made.close()


class HookedGame:
    """A running game of two players, the first of whom has a hook."""

    def __init__(self, desk: Desk, receiver: Receiver, connector: Connector, *types: str) -> None:
        self.desk, self.receiver = desk, receiver
        self.channel = Webhooks(desk, connector)
        self.game, self.players = table(desk, "Ada", "Ben")
        spread(desk)
        self.ada, self.ben = self.players
        self.hook = hooked(desk, self.ada, receiver.url, **({"types": types} if types else {}))

    def deliver(self) -> list[Outcome]:
        """Spread the notices, and send all waiting deliveries to the hook."""
        spread(self.desk)
        return [outcome for _, outcome in tell(self.desk, self.channel)]

    def payloads(self) -> list[Any]:
        """The payloads that the receiver got."""
        return [call.payload for call in self.receiver.calls]

    def open_decision(self) -> None:
        """Play until Ada has to take a turn, and mark all earlier deliveries as sent."""
        keep_tickets(self.desk, self.game, self.players)
        with self.desk.database.reading() as tx:
            table = table_lookup.table_of(tx, self.game, self.ada)
        if not table.seated[table.seat_of(self.ada).number].awaited_since:  # type: ignore[union-attr]  # she sits there
            for _ in range(2):
                play(self.desk, self.game, self.ben, "draw")
        spread(self.desk)
        with self.desk.database.writing() as tx:
            old = tables.deliveries.c.kind != "decision_opened"
            tx.execute(update(tables.deliveries).where(old).values(state="sent"))
            first = tables.deliveries.c.version == 0
            tx.execute(update(tables.deliveries).where(first).values(state="sent"))

    def source(self) -> str:
        """The stored source of the last move."""
        with self.desk.database.reading() as tx:
            last = select(tables.moves.c.record).order_by(tables.moves.c.number.desc())
            record = unpacked(tx.scalars(last).first() or b"")
        return record.partition('"source":"')[2].partition('"')[0]
