"""The picture of a game's board, as the reader may see it."""

from collections.abc import Mapping
from typing import NamedTuple

import pictures
from engine import Board, Goal
from engine.display import built
from engine.values import CityId
from pictures import EMPTY, Scene, Theme
from service.boards import atlas
from service.desk import Desk
from service.games import seat_looks, seat_names, table_lookup
from service.memory.positions import events_of
from service.views import story
from store.games import games


class BoardPicture(NamedTuple):
    """What is on a picture of a board."""

    tag: str
    """Changes with the game."""
    board: Board
    scene: Scene
    last: tuple[str, ...] = ()
    """Routes and cities of the last move."""
    goals: Mapping[CityId, bool] = {}
    """Cities in which the reader's tickets end, and whether all tickets there are completed."""

    def svg(self, theme: Theme) -> str:
        """Draw the board as SVG."""
        return pictures.svg(self.board, self.scene, theme=theme, last=self.last, tickets=self.goals)

    def png(self, theme: Theme) -> bytes:
        """Draw the board as PNG."""
        return pictures.png(self.board, self.scene, theme=theme, last=self.last, tickets=self.goals)


def game(desk: Desk, id: str, account: str | None, *, tickets: bool) -> BoardPicture:
    """Return the board with the last move marked; with `tickets` also the reader's own."""
    with desk.database.reading() as tx:
        table = table_lookup.table_of(tx, id, account)
        if table.started is None:
            scene = EMPTY._replace(
                names=seat_names.names_of(table), looks=seat_looks.looks_of(table)
            )
            return BoardPicture(table.tag, atlas.board(table.board, table.variants), scene)
        table, position = table_lookup.settled(desk, tx, table)
        seat, rules = table_lookup.sight_of(table, account), position.rules
        view = desk.positions.view(tx, table, position, seat)
        last = games.moves_between(tx, id, position.version, position.version)
    own: tuple[Goal, ...] = ()
    if tickets and seat is not None:
        own = story.holdings(rules, view, seat)
    return BoardPicture(
        table.tag,
        rules.board,
        pictures.scene_of(rules, view, seat_names.names_of(table), seat_looks.looks_of(table)),
        built(rules, (event for move in last for event in events_of(move))),
        pictures.goals(rules.board, {ticket.id: ticket.done for ticket in own}),
    )
