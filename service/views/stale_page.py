"""The message for a form that was sent from a page older than the game."""

import json

from engine.text import listed
from engine.translate import say, says
from service.desk import Desk
from service.games import seat_names, table_lookup
from service.views.story import FOR_OTHERS
from store.games import games


def explanation(desk: Desk, game: str, account: str, page_version: int) -> str:
    """Return sentences about who has moved since the version that the page showed."""
    with desk.database.reading() as tx:
        table = table_lookup.table_of(tx, game, account)
        log = games.moves_between(tx, game, page_version + 1, table.version)
    seat, names = table.seat_of(account), seat_names.names_of(table)
    own_moves = [move for move in log if seat and move.seat == seat.number]
    others = sorted({move.seat for move in log if move not in own_moves and move.seat is not None})
    sources = [json.loads(move.record).get("source") for move in own_moves]
    sentences = [
        _about_me(sources) or ("" if others else say("The game has moved on.")),
        *_about_others([names[number] for number in others], after_me=bool(own_moves)),
        say("Here is the new position; your choice was not played."),
    ]
    return " ".join(filter(None, sentences))


def _about_me(sources: list[str | None]) -> str:
    if any(source not in FOR_OTHERS for source in sources):
        return say("You have already moved, in another window or by email.")
    return say("Your time was up, and a move was made for you.") if sources else ""


def _about_others(names: list[str], *, after_me: bool) -> list[str]:
    if not names:
        return []
    who, n = listed(names), len(names)
    if after_me:
        return [says("{who} has moved since.", "{who} have moved since.", n, who=who)]
    return [says("{who} has moved meanwhile.", "{who} have moved meanwhile.", n, who=who)]
