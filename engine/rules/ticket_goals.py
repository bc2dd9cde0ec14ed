"""Tickets as goals of a seat: which are completed, and which routes the others lack."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from engine.display import Goal
from engine.missing_links import missing_links
from engine.notation import city_name
from engine.rules.routes import edge_of, edges_of, routes, unclaimed
from engine.rules.ticket_scores import points_for, wants
from engine.rules.tickets import tickets
from engine.state import State
from engine.ticket_completion import Want, best_links
from engine.trails import Edge
from engine.values import Route, RouteId, Seat, TicketId

if TYPE_CHECKING:
    from engine.ruleset import Ruleset


@tickets.goals
def goals(rules: "Ruleset", state: State, seat: Seat) -> list[Goal]:
    """Tickets held, then tickets offered; routes are borrowed as in the final scoring."""
    part = tickets.part(state)
    own = edges_of(rules, state, seat)
    lent = [
        [edge_of(route) for route in listed]
        for run in rules.all("lends")
        for listed in run(rules, state, seat)
    ]
    held = wants(rules, part.held[seat])
    best = best_links(own, held, lent)
    joined = [*own, *(edge for edges in lent for edge in edges if edge.route in best.borrowed)]
    search = _Search(rules, state, seat, joined)
    return [
        *(
            _done_goal(rules, joined, want.ticket)
            if want.ticket in best.completed
            else search.open_goal(want)
            for want in held
        ),
        *(search.open_goal(want, offered=True) for want in wants(rules, part.offers[seat])),
    ]


def _done_goal(rules: "Ruleset", links: Sequence[Edge], id: TicketId) -> Goal:
    points = points_for(rules, links, id)
    return Goal(id, _name(rules, id), points, done=True)


def _open_goal(rules: "Ruleset", id: TicketId, *, offered: bool) -> Goal:
    points, printed = rules.board.tickets[id].points, rules.printed_points(id)
    goal = Goal(id, _name(rules, id), points, done=False, offered=offered)
    return goal._replace(printed="" if printed == str(points) else printed)


def _name(rules: "Ruleset", id: TicketId) -> str:
    return "–".join(city_name(rules, end) for end in rules.board.tickets[id].ends)


class _Search:
    """Looks for what tickets lack, in the position of one seat."""

    def __init__(self, rules: "Ruleset", state: State, seat: Seat, joined: list[Edge]) -> None:
        self._rules = rules
        self._joined = joined
        self._trains = routes.part(state).trains[seat]
        free = unclaimed(routes.part(state), seat, rules.board.routes.values())
        self._free = _edges(free)
        may_claim = free
        for bar in rules.standing:
            may_claim = bar.keep(rules, state, seat, may_claim)
        self._may_claim = self._free if len(may_claim) == len(free) else _edges(may_claim)
        self._may_change = bool(rules.standing or rules.all("lends"))
        """Whether a seat can still get other rights, or borrow routes that it cannot claim."""

    def open_goal(self, want: Want, *, offered: bool = False) -> Goal:
        """A ticket that is not completed, with what it lacks."""
        missing = self._missing(want)
        goal = _open_goal(self._rules, want.ticket, offered=offered)
        return goal._replace(missing=missing, lost=missing is None and not self._may_change)

    def _missing(self, want: Want) -> tuple[RouteId, ...] | None:
        """The routes of a shortest way for which the trains are enough; None if there is none.

        Routes that the seat may not claim yet are used only where nothing else leads there.
        """
        for free in (self._may_claim, self._free):
            links = missing_links(self._joined, free, want.a, want.b)
            if links is not None and sum(edge.length for edge in links) <= self._trains:
                return tuple(edge.route for edge in links)
        return None


def _edges(some: Iterable[Route]) -> list[Edge]:
    return [edge_of(route) for route in some]
