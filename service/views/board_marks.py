"""What the picture on the page of a game marks, beside trains and pieces."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from engine import GameEnded, Ruleset, State
from engine.display import highlights
from engine.values import RouteId, Seat
from pictures import goals


class Marks(NamedTuple):
    """What is marked on the board."""

    last: frozenset[str] = frozenset()
    """Routes and cities of the latest moves; after the end, those of a seat's longest trail."""
    goals: Mapping[str, bool] = MappingProxyType({})
    """Cities in which tickets end, and whether all tickets there are completed."""
    seat: Seat | None = None
    """Whose trail and tickets are shown, after the end."""
    letters: Mapping[str, str] = MappingProxyType({})
    """The letters of the tickets that end in a city."""
    can: frozenset[str] = frozenset()
    """Routes and cities where the reader can do something now."""
    sketch: Mapping[RouteId, tuple[int, bool]] = MappingProxyType({})
    """The routes of the reader's sketch: their number, and whether they can still be claimed."""


def final_marks(rules: Ruleset, state: State, ended: GameEnded, seat: Seat) -> Marks:
    """Mark the longest trail and the tickets of this seat."""
    result = ended.results[seat]
    tickets = dict.fromkeys(result.completed, True) | dict.fromkeys(result.failed, False)
    return Marks(frozenset(highlights(rules, state, seat)), goals(rules.board, tickets), seat)
