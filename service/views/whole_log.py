"""The log of a whole game in sentences, with times, as the reader may see it."""

from typing import Any, NamedTuple

import orjson

from engine import Refusal
from engine.translate import say
from engine.values import Seat
from service.desk import Desk
from service.games import reading, seat_looks, seat_names, table_lookup
from service.views import story
from service.views.retelling import as_seen_by, open_to_all
from store.games import games


class LoggedTurn(NamedTuple):
    """A move of the log."""

    number: int
    """The version of the game after it."""
    seat: Seat | None
    """Who made it; None for what the house did for the table."""
    name: str
    at: str | None
    sentences: tuple[str, ...]


class WholeLog(NamedTuple):
    """The log of a game, or the part of it that one seat has made."""

    game: dict[str, Any]
    """The game as lists of games show it."""
    names: tuple[str, ...]
    colours: tuple[str, ...]
    """The colour of each seat."""
    moves: tuple[LoggedTurn, ...]
    """The newest first."""


def whole_log(desk: Desk, id: str, account: str | None, of: Seat | None = None) -> WholeLog:
    """Return the log of a game that has begun; with `of`, only the moves of this seat."""
    with desk.database.reading() as tx:
        table = table_lookup.table_of(tx, id, account)
        if table.started is None:
            raise Refusal("not_found", say("This game has not begun."))
        table, position = table_lookup.settled(desk, tx, table)
        log = games.moves_between(tx, id, 0, position.version)
    sight, names = table_lookup.sight_of(table, account), seat_names.names_of(table)
    colours = tuple(look.name for look in seat_looks.looks_of(table))
    hide = open_to_all if position.ended else as_seen_by(sight)
    moves = []
    for move in reversed(log):
        if of is not None and move.seat != of:
            continue
        body = orjson.loads(move.record)
        sentences = tuple(story.sentences_of(position.rules, body, hide, names))
        name = "" if move.seat is None else names[move.seat]
        if sentences:
            moves.append(LoggedTurn(move.number, move.seat, name, body.get("at"), sentences))
    return WholeLog(reading.summary(table), tuple(names), colours, tuple(moves))
