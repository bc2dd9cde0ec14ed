"""Ticket points at the end of the game, with the best routes borrowed for them."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from engine.rules.routes import edge_of, edges_of
from engine.rules.tickets import tickets
from engine.state import State
from engine.tally import Tally
from engine.ticket_completion import Want, best_links
from engine.trails import Edge
from engine.values import TicketId

if TYPE_CHECKING:
    from engine.ruleset import Ruleset


def wants(rules: "Ruleset", ids: Sequence[TicketId]) -> list[Want]:
    """These tickets as input for `best_links`."""
    chosen = [rules.board.tickets[id] for id in ids]
    return [Want(ticket.id, *ticket.cities, ticket.points) for ticket in chosen]


def points_for(rules: "Ruleset", links: Sequence[Edge], id: TicketId) -> int:
    """The points of a ticket that these links complete: those of its best completion."""
    ways = rules.completions[id]
    if len(ways) == 1:
        return ways[0].points
    each = [Want(str(n), way.a, way.b, way.points) for n, way in enumerate(ways)]
    return max(ways[int(n)].points for n in best_links(links, each, ()).completed)


@tickets.scores
def score_tickets(rules: "Ruleset", state: State, tally: Tally) -> None:
    """Add or subtract the points of each ticket, with the best routes borrowed (R-STA-8)."""
    for seat, ids in enumerate(tickets.part(state).held):
        lent = [
            [edge_of(route) for route in some]
            for run in rules.all("lends")
            for some in run(rules, state, seat)
        ]
        own = edges_of(rules, state, seat)
        best = best_links(own, wants(rules, ids), lent)
        links = [*own, *(edge for edges in lent for edge in edges if edge.route in best.borrowed)]
        tally.completed[seat] = tuple(id for id in ids if id in best.completed)
        tally.failed[seat] = tuple(id for id in ids if id not in best.completed)
        gained = sum(points_for(rules, links, id) for id in tally.completed[seat])
        lost = sum(rules.board.tickets[id].points for id in tally.failed[seat])
        tally.add(seat, "tickets_completed", gained, tally.completed[seat])
        tally.add(seat, "tickets_failed", -lost, tally.failed[seat])
        if borrowed := [id for id in best.borrowed if id]:
            tally.add(seat, "borrowed_routes", 0, borrowed)
    tally.measures["completed_tickets"] = [len(ids) for ids in tally.completed]
