"""What a seat's plans would take and bring: routes that it means to claim, in this order.

The hand can be spent only once, and so can the trains: each route is judged after those before it.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from engine.display import Goal, goals
from engine.purse import Shortfall
from engine.state import State
from engine.values import Card, RouteId, Seat

if TYPE_CHECKING:
    from engine.ruleset import Ruleset

OPEN = "open"
"""Nothing but cards or dice is missing."""
LOCKED = "locked"
"""The seat needs another right first, such as a technology."""
EXCESS = "excess"
"""It cannot be claimed after the routes before it."""
LOST = "lost"
"""The seat can never claim it."""
DONE = "done"
"""The seat has claimed it."""
STATUSES = (OPEN, LOCKED, EXCESS, LOST, DONE)


class Prospect(NamedTuple):
    """A route that a seat means to claim."""

    route: RouteId
    name: str
    status: str
    reason: str = ""
    """A sentence that says why it is locked, in excess or lost."""
    trains: int = 0
    points: int = 0
    """The points for claiming it now."""
    price: str = ""
    """What it costs, in words."""
    shortfall: Shortfall = Shortfall()
    """What is missing after the routes before it."""

    @property
    def counts(self) -> bool:
        """Whether it is part of what the plan takes and brings."""
        return self.status in (OPEN, LOCKED)


class Forecast(NamedTuple):
    """All routes that a seat means to claim, and what they take and bring together."""

    prospects: tuple[Prospect, ...]
    trains: int
    trains_left: int
    """The trains that the seat has now."""
    points: int
    missing: tuple[tuple[Card | None, int], ...]
    """All missing cards with their numbers; None stands for any one colour."""
    completes: tuple[Goal, ...]
    """The tickets that are completed only with these routes."""
    others: tuple[RouteId, ...]
    """The other routes that the seat may still claim some day."""


class Outlook(NamedTuple):
    """What the rule module of routes foresees."""

    prospects: tuple[Prospect, ...]
    trains_left: int
    others: tuple[RouteId, ...]
    then: State
    """The position as if the seat had claimed the routes that count, for its tickets."""


def forecast(rules: "Ruleset", state: State, seat: Seat, routes: Sequence[RouteId]) -> Forecast:
    """Judge these routes, which are on the board, in this order."""
    (run,) = rules.all("foresees")
    outlook: Outlook = run(rules, state, seat, routes)
    counted = [prospect for prospect in outlook.prospects if prospect.counts]
    missing: dict[Card | None, int] = {}
    for prospect in counted:
        for card, number in prospect.shortfall.cards:
            missing[card] = missing.get(card, 0) + number
    return Forecast(
        outlook.prospects,
        sum(prospect.trains for prospect in counted),
        outlook.trains_left,
        sum(prospect.points for prospect in counted),
        tuple(missing.items()),
        _completed(rules, state, outlook.then, seat) if counted else (),
        outlook.others,
    )


def _completed(rules: "Ruleset", state: State, then: State, seat: Seat) -> tuple[Goal, ...]:
    """The tickets held that are completed then, and not now."""
    now = {goal.id for goal in goals(rules, state, seat) if goal.done}
    return tuple(
        goal
        for goal in goals(rules, then, seat)
        if goal.done and not goal.offered and goal.id not in now
    )
