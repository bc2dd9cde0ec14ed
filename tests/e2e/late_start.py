"""Games by mail that are far advanced, so that their players only have the end to play."""

from typing import NamedTuple

from sqlalchemy import func, select

from service.desk import Desk, open_desk
from service.notify.notice_kinds import TALK
from service.settings import Settings
from store.games import games
from store.tables import deliveries, notices
from tests.amounts import SOAKING
from tests.api.serving import KEY
from tests.e2e.reader import entries_in
from tests.site.late_games import few_trains, play_until, players_of
from tests.support.smtp_server import PostOffice
from tests.support.waiting import until

TRAINS = 24
"""The players write from the move on in which somebody has so few trains left."""
PATIENCE = 60
"""Seconds in which the letters about all earlier moves are sent or dropped."""


class Start(NamedTuple):
    """Where players begin to write: at which letter, and after how many moves of the log."""

    letter: int
    moves: int


def advance(url: str, redis: str, game: str, office: PostOffice) -> Start:
    """Play most of a game for its players; return where they go on.

    In `make soak` they play all of it themselves, from the first letter on.
    """
    if SOAKING:
        return Start(0, 0)
    desk = open_desk(Settings.of({"SECRET_KEYS": KEY, "DATABASE_URL": url, "REDIS_URL": redis}))
    try:
        assert play_until(desk, game, players_of(desk, game), few_trains(TRAINS))
        until(lambda: not _unsent(desk), "all letters about the first moves", PATIENCE)
        with desk.database.reading() as tx:
            table = games.table(tx, game)
        assert table is not None
    finally:
        desk.close()
    listing = [at for at, letter in enumerate(office.letters) if entries_in(letter)]
    return Start(listing[-1], table.version)


def _unsent(desk: Desk) -> int:
    """The number of letters that are due; table talk waits longer than others."""
    with desk.database.reading() as tx:
        owed = select(func.count()).select_from(notices).where(notices.c.kind != TALK)
        open_letters = deliveries.c.state == "waiting", deliveries.c.kind != TALK
        due = select(func.count()).select_from(deliveries).where(*open_letters)
        return (tx.scalar(owed) or 0) + (tx.scalar(due) or 0)
