"""Tickets as goals of a seat: which are completed, and which routes the others lack."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from engine.display import Goal
from engine.missing_links import missing_links
from engine.notation import city_name
from engine.rules.routes import edge_of, edges_of, routes, unclaimed
from engine.rules.tickets import tickets, wants
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
            _goal(rules, want.ticket, done=True)
            if want.ticket in best.completed
            else search.open_goal(want)
            for want in held
        ),
        *(search.open_goal(want, offered=True) for want in wants(rules, part.offers[seat])),
    ]


def _goal(rules: "Ruleset", id: TicketId, *, done: bool, offered: bool = False) -> Goal:
    ticket = rules.board.tickets[id]
    name = "–".join(city_name(rules, end) for end in ticket.ends)
    return Goal(id, name, ticket.points, done, offered)


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
        goal = _goal(self._rules, want.ticket, done=False, offered=offered)
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
