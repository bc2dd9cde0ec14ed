"""What a seat sees, put the way a player thinks of it."""

from typing import NamedTuple

from bots.terrain import Aim, Terrain, joined, linked, terrain_of
from engine import Ruleset, State
from engine.rules.dice import longest
from engine.rules.dice_purse import Dice
from engine.rules.routes import routes as routes_module
from engine.rules.technologies import technologies
from engine.rules.tickets import tickets as tickets_module
from engine.rules.turns import turns as turns_module
from engine.values import HIDDEN, NO_CARDS, Counts, Seat, Tokens


class Sight(NamedTuple):
    rules: Ruleset
    state: State
    seat: Seat
    terrain: Terrain
    own: tuple[int, ...]
    open: tuple[int, ...]
    """Routes that the seat has trains for and nobody has; what else they ask for is not looked at."""
    pieces: tuple[int, ...]
    """For each city the piece of the seat's own network that it lies in."""
    trains: int
    rivals: tuple[int, ...]
    """The trains of the others, in the order in which they come to move."""
    aims: tuple[Aim, ...]
    """Tickets that are held and not completed."""
    done: int
    """How many are completed."""
    hand: Counts
    dice: Dice | None
    tokens: Tokens
    owned: tuple[str, ...]
    """Technologies."""
    left: int | None
    """Turns left in the last round."""


def sight_of(rules: Ruleset, view: State, seat: Seat) -> Sight:
    """A seat's view, looked over."""
    terrain, network = terrain_of(rules), routes_module.part(view)
    owners = network.owners
    own = tuple(terrain.at[id] for id, has in owners.items() if seat in has)
    pieces = tuple(joined(terrain, own))
    held = tickets_module.part(view).held[seat]
    aims = [terrain.aims[id] for id in held if id != HIDDEN]
    missing = tuple(aim for aim in aims if not linked(pieces, aim))
    dice: Dice | None = view.parts.get("dice")
    others = [network.trains[(seat + step) % rules.seats] for step in range(1, rules.seats)]
    return Sight(
        rules,
        view,
        seat,
        terrain,
        own,
        _open(rules, view, seat, own),
        pieces,
        network.trains[seat],
        tuple(others),
        missing,
        len(aims) - len(missing),
        view.parts["cards"].hands[seat] if "cards" in view.parts else NO_CARDS,
        dice,
        dice.tokens[seat] if dice else Tokens(),
        technologies.part(view).owned[seat] if "technologies" in view.parts else (),
        turns_module.part(view).left,
    )


def _open(rules: Ruleset, view: State, seat: Seat, own: tuple[int, ...]) -> tuple[int, ...]:
    terrain, network = terrain_of(rules), routes_module.part(view)
    reach = network.trains[seat]
    if "dice" in view.parts:
        reach = min(reach, longest(rules))
    mine = {terrain.routes[route].id for route in own}
    return tuple(
        number
        for number, route in enumerate(terrain.routes)
        if route.length <= reach and route.id not in network.owners and route.twin not in mine
    )
