"""Technologies: who has which, what they open up, and what they are worth."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from engine.errors import Illegal, Refusal, RulesBroken
from engine.kinds import Event, Paid, event
from engine.module import Module
from engine.notation import route_name
from engine.rules.routes import UNCLAIMED, Aim, Network
from engine.rules.technology_rows import (
    GRANTS,
    REWARDS,
    SCORES,
    TERMS,
    Needs,
    Technology,
    TechnologyId,
    needs_of,
    sold,
)
from engine.rules.turns import TurnBegan
from engine.state import State
from engine.tally import Tally
from engine.text import listed
from engine.translate import say
from engine.values import Payment, Route, RouteId, Seat, Terms

if TYPE_CHECKING:
    from engine.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class Parameters:
    sets: tuple[str, ...] = ("basic",)
    """The sets of technologies that are sold."""


class Technologies(NamedTuple):
    owned: tuple[tuple[TechnologyId, ...], ...]
    """By seat, in the order of purchase."""
    bought: TechnologyId | None
    """In this turn (R-TECH-5)."""
    right: str
    """What that still allows to claim in this turn; empty if nothing."""


class Catalogue(NamedTuple):
    """What is settled about technologies before the first move."""

    technologies: dict[TechnologyId, Technology]
    needs: dict[RouteId, Needs]
    openers: frozenset[TechnologyId]
    """Those that any route asks for."""
    opened: dict[frozenset[TechnologyId], frozenset[RouteId]]
    """What some of these open, as far as anybody has asked; they are few."""
    grants: dict[str, dict[TechnologyId, Any]]
    """What they grant, by its key and by technology."""
    terms: dict[tuple[tuple[TechnologyId, ...], Terms], Terms]
    """What some of them make of terms, as far as anybody has asked."""


technologies: Module[Parameters, Technologies] = Module(
    "technologies", Parameters, needs=("turns", "routes", "tickets")
)


@event
class TechnologyBought(Paid):
    seat: Seat
    technology: TechnologyId
    payment: Payment
    claims: str
    """What it allows to claim in this turn; empty if nothing special."""


@event
class TechnologyReturned(Event):
    """It has served its turn and is for sale again (R-TECH-12)."""

    seat: Seat
    technology: TechnologyId


def held_by_others(part: Network, seat: Seat, some: Iterable[Route]) -> list[Route]:
    """Those of these routes that somebody else has, and the seat has not (R-TECH-13)."""
    owners = part.owners
    return [route for route in some if (has := owners.get(route.id)) and seat not in has]


def why_not_held(part: Network, seat: Seat, route: Route, name: str) -> Refusal | None:
    owners = part.owners.get(route.id, ())
    if seat in owners:
        return Illegal(say("{route} is yours already.", route=name), "R-TECH-13")
    if not owners:
        said = say("{route} is nobody's; claim a route that another seat holds.", route=name)
        return Illegal(said, "R-TECH-13")
    return None


AIMS = {"taken": Aim(held_by_others, why_not_held), "two": UNCLAIMED}
"""What the grant `claims` allows to aim at in the turn of purchase."""


def catalogue(rules: "Ruleset") -> Catalogue:
    """The technologies that are sold in this game, and what each route asks for."""
    found: Catalogue | None = rules.memory.get(technologies.name)
    if found is None:
        rows = sold(rules.board, technologies.parameters(rules).sets, AIMS)
        needs = needs_of(rules.board, rows)
        openers = frozenset(id for asked in needs.values() for one_of in asked for id in one_of)
        grants: dict[str, dict[TechnologyId, Any]] = {key: {} for key in GRANTS}
        for id, row in rows.items():
            for key, value in row.grants.items():
                grants[key][id] = value
        found = Catalogue(rows, needs, openers, {}, grants, {})
        rules.memory[technologies.name] = found
    return found


@technologies.starts
def nothing_bought(rules: "Ruleset") -> Technologies:
    """A bad row of the map is refused here, before anybody sits down."""
    catalogue(rules)
    return Technologies(((),) * rules.seats, bought=None, right="")


def granted(rules: "Ruleset", state: State, seat: Seat, key: str) -> list[Any]:
    """What the seat's technologies grant under this key."""
    grants = catalogue(rules).grants[key]
    if not grants:
        return []
    return [grants[id] for id in technologies.part(state).owned[seat] if id in grants]


def why_lacking(rules: "Ruleset", state: State, seat: Seat, route: Route) -> str:
    """The technologies that the route asks for and the seat lacks."""
    known, owned = catalogue(rules), technologies.part(state).owned[seat]
    lacking = [
        _one_of([known.technologies[id].spoken for id in sorted(some)])
        for some in known.needs[route.id]
        if some.isdisjoint(owned)
    ]
    name = route_name(rules, route.id)
    return say("For {route} you lack {missing}.", route=name, missing=listed(lacking))


def _one_of(names: Sequence[str]) -> str:
    said, *others = names
    for other in others:
        said = say("{this} or {that}", this=said, that=other)
    return said


def openers_of(rules: "Ruleset", state: State, seat: Seat) -> frozenset[TechnologyId]:
    """The seat's technologies that open routes."""
    return catalogue(rules).openers.intersection(technologies.part(state).owned[seat])


@technologies.bars("R-TECH-3", why_lacking, openers_of)
def opened_up(rules: "Ruleset", state: State, seat: Seat, some: Iterable[Route]) -> list[Route]:
    opened = _opened_by(catalogue(rules), openers_of(rules, state, seat))
    return [route for route in some if route.id in opened]


def _opened_by(known: Catalogue, having: frozenset[TechnologyId]) -> frozenset[RouteId]:
    """The routes for which nothing is missing."""
    found = known.opened.get(having)
    if found is None:
        found = known.opened[having] = frozenset(
            id
            for id, asked in known.needs.items()
            if not any(one_of.isdisjoint(having) for one_of in asked)
        )
    return found


@technologies.terms
def better_terms(rules: "Ruleset", state: State, seat: Seat, terms: Terms) -> Terms:
    known, asked = catalogue(rules).terms, (technologies.part(state).owned[seat], terms)
    if asked not in known:
        for key, change in TERMS.items():
            for value in granted(rules, state, seat, key):
                terms = change(terms, value)
        known[asked] = terms
    return known[asked]


@technologies.rewards
def more_points(rules: "Ruleset", state: State, seat: Seat, route: Route) -> int:
    """Only routes claimed from now on are worth more (R-UK-11, R-TECH-9, R-TECH-10)."""
    return sum(
        run(value, route)
        for key, run in REWARDS.items()
        for value in granted(rules, state, seat, key)
    )


@technologies.scores
def score_technologies(rules: "Ruleset", state: State, tally: Tally) -> None:
    """What counts at the end (R-TECH-11, R-ADV-3, R-ADV-4)."""
    rows = catalogue(rules).technologies
    for seat, owned in enumerate(technologies.part(state).owned):
        counting = [id for id in owned if SCORES.keys() & rows[id].grants.keys()]
        points = sum(
            SCORES[key](value, seat, tally)
            for id in counting
            for key, value in rows[id].grants.items()
            if key in SCORES
        )
        if counting:
            tally.add(seat, "technologies", points, counting)


@technologies.evolves(TechnologyBought)
def bought(part: Technologies, event: TechnologyBought) -> Technologies:
    """It works from now on (R-TECH-7)."""
    owned = list(part.owned)
    owned[event.seat] += (event.technology,)
    return Technologies(tuple(owned), event.technology, event.claims)


@technologies.evolves(TechnologyReturned)
def returned(part: Technologies, event: TechnologyReturned) -> Technologies:
    owned = list(part.owned)
    owned[event.seat] = tuple(id for id in owned[event.seat] if id != event.technology)
    return part._replace(owned=tuple(owned), right="")


@technologies.evolves(TurnBegan)
def new_turn(part: Technologies, event: TurnBegan) -> Technologies:
    return part if part.bought is None else Technologies(part.owned, bought=None, right="")


@technologies.accounts
def count_technologies(rules: "Ruleset", state: State) -> None:
    owned, rows = technologies.part(state).owned, catalogue(rules).technologies
    for id, row in rows.items():
        if sum(ids.count(id) for ids in owned) > row.copies or any(i.count(id) > 1 for i in owned):
            raise RulesBroken(f"there are more of {id} than there can be")
