"""How near the last round is: the fewest trains, and the turns that are left at least.

The last round begins when a seat ends its turn with two trains or fewer (R-END-1). A seat lays
trains only by claiming routes, as a rule one in each of its turns. So it needs at least as many
turns as it takes routes, the longest first, to lay all trains but two. Counted are the routes that
it may still claim, whatever it pays and whoever would be quicker: each assumption makes the number
smaller, so the last round never begins earlier. All of this is public (R-DIG-3). If nobody has a
move left, the game ends without a last round.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from engine.display import Speed
from engine.rules.routes import LAST_TRAINS, routes
from engine.rules.turns import turns
from engine.state import State
from engine.text import listed
from engine.translate import says
from engine.values import Route, Seat

if TYPE_CHECKING:
    from engine.ruleset import Ruleset


@routes.nears_end
def how_near(rules: "Ruleset", state: State, names: Sequence[str], seat: Seat | None) -> str:
    """Who has the fewest trains, and the turns until the last round; nothing once it is due."""
    if min(routes.part(state).trains) <= LAST_TRAINS:
        return ""
    return " ".join(filter(None, [_fewest(state, names), _turns(rules, state, seat)]))


def _fewest(state: State, names: Sequence[str]) -> str:
    trains = routes.part(state).trains
    fewest = min(trains)
    if fewest == max(trains):
        return says(
            "Everybody has {n} train left. At {last} the last round begins.",
            "Everybody has {n} trains left. At {last} the last round begins.",
            fewest,
            last=LAST_TRAINS,
        )
    return says(
        "Fewest trains left: {n} ({names}). At {last} the last round begins.",
        "Fewest trains left: {n} ({names}). At {last} the last round begins.",
        fewest,
        names=listed([name for name, left in zip(names, trains, strict=True) if left == fewest]),
        last=LAST_TRAINS,
    )


def _turns(rules: "Ruleset", state: State, seat: Seat | None) -> str:
    left = turns_before_last_round(rules, state)
    if left is None:
        return ""
    if seat is None:
        return says("That is at least {n} turn away.", "That is at least {n} turns away.", left)
    return says(
        "That is at least {n} turn away (yours: {mine}).",
        "That is at least {n} turns away (yours: {mine}).",
        left,
        mine=_own(rules, state, seat, left),
    )


def turns_before_last_round(rules: "Ruleset", state: State) -> int | None:
    """The least number of turns before the last round, the present one included.

    None if no seat can lay enough trains any more.
    """
    present, seats = turns.part(state).seat or 0, rules.seats
    needed = [(seat, own_turns(rules, state, seat)) for seat in range(seats)]
    ends = [
        (own - 1) * seats + (seat - present) % seats + 1 for seat, own in needed if own is not None
    ]
    return max(min(ends), 1) if ends else None


def own_turns(rules: "Ruleset", state: State, seat: Seat) -> int | None:
    """The least number of its own turns in which a seat can lay all trains but two.

    The present turn counts if it is the seat's. None if the routes that are left do not suffice.
    """
    speed = _speed(rules)
    due = routes.part(state).trains[seat] - LAST_TRAINS
    claimed = 0
    for length in sorted(_lengths(rules, state, seat, speed), reverse=True):
        if due <= 0:
            break
        due -= length
        claimed += 1
    return -(-claimed // speed.claims) if due <= 0 else None


def _own(rules: "Ruleset", state: State, seat: Seat, left: int) -> int:
    """How many of the next turns are this seat's."""
    first = (seat - (turns.part(state).seat or 0)) % rules.seats
    return max(0, -(-(left - first) // rules.seats))


def _lengths(rules: "Ruleset", state: State, seat: Seat, speed: Speed) -> list[int]:
    """The lengths of the routes that a seat may still claim; of two tracks one counts."""
    part = routes.part(state)
    reach = min(part.trains[seat], speed.longest or part.trains[seat])
    open_to_seat: dict[object, int] = {}
    for route in rules.board.routes.values():
        owners = part.owners.get(route.id)
        is_open = owners is None or (speed.shared and owners and seat not in owners)
        if is_open and route.length <= reach and not _has_twin(part.owners, route, seat):
            pair = frozenset((route.id, route.twin)) if route.twin else route.id
            open_to_seat[pair] = route.length
    return list(open_to_seat.values())


def _has_twin(owners: dict[str, tuple[Seat, ...]], route: Route, seat: Seat) -> bool:
    return route.twin is not None and seat in owners.get(route.twin, ())


def _speed(rules: "Ruleset") -> Speed:
    """How fast seats can claim, by all rules in play."""
    speeds = [Speed(), *(run(rules) for run in rules.all("speeds"))]
    reaches = [speed.longest for speed in speeds if speed.longest is not None]
    return Speed(
        max(speed.claims for speed in speeds),
        any(speed.shared for speed in speeds),
        min(reaches, default=None),
    )
