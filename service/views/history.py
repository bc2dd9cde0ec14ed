"""What has happened in a game, in sentences, as one seat may know it."""

from typing import NamedTuple

import orjson

from service.desk import Desk
from service.games import seat_names, table_lookup
from service.memory.positions import BEFORE
from service.views import retelling
from service.views.story import sentences_of
from store.games import games

STEP = 40
"""How many moves are read at a time."""


class History(NamedTuple):
    """The latest sentences about a game, the oldest first."""

    sentences: tuple[str, ...]
    more: bool
    """Whether earlier ones are left out."""


def history_for(desk: Desk, game: str, account: str, most: int) -> History:
    """Return the latest sentences about a game that has begun, for an account at its table."""
    with desk.database.reading() as tx:
        table = table_lookup.table_of(tx, game, account)
        table, position = table_lookup.settled(desk, tx, table)
        sight = table_lookup.sight_of(table, account)
        hide = retelling.open_to_all if position.ended else retelling.as_seen_by(sight)
        names = seat_names.names_of(table)
        sentences: list[str] = []
        last = position.version
        while last > BEFORE and len(sentences) <= most:
            first = max(last - STEP + 1, 0)
            earlier = [
                sentence
                for move in games.moves_between(tx, table.id, first, last)
                for sentence in sentences_of(position.rules, orjson.loads(move.record), hide, names)
            ]
            sentences, last = earlier + sentences, first - 1
    return History(tuple(sentences[-most:]), len(sentences) > most)
