"""Technologies: who owns which, what they allow, and what they are worth."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

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
from engine.values import Paying, Route, RouteId, Seat, Terms

if TYPE_CHECKING:
    from engine.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class Parameters:
    sets: tuple[str, ...] = ("basic",)
    """The sets of technologies that are for sale."""


class Technologies(NamedTuple):
    owned: tuple[tuple[TechnologyId, ...], ...]
    """The technologies of each seat, in the order of purchase."""
    bought: TechnologyId | None
    """The technology bought in this turn (R-TECH-5)."""
    right: str
    """The special claim that it still allows in this turn; empty if none."""


class Catalogue(NamedTuple):
    """What is known about technologies before the first move, with caches derived from it."""

    technologies: dict[TechnologyId, Technology]
    needs: dict[RouteId, Needs]
    openers: frozenset[TechnologyId]
    """The technologies that some route requires."""
    opened: dict[frozenset[TechnologyId], frozenset[RouteId]]
    """Cache: the routes that a set of openers opens."""
    grants: dict[str, dict[TechnologyId, Any]]
    """The values of grants, by key and by technology."""
    terms: dict[tuple[tuple[TechnologyId, ...], Terms], Terms]
    """Cache: the terms after technologies have changed them."""


technologies: Module[Parameters, Technologies] = Module(
    "technologies", Parameters, needs=("turns", "routes", "tickets")
)


@event
class TechnologyBought(Paid):
    """A seat has bought a technology."""

    seat: Seat
    technology: TechnologyId
    payment: Paying
    claims: Annotated[str, "The special claim that it allows in this turn; empty if none."]


@event
class TechnologyReturned(Event):
    """A technology has been used up and is for sale again (R-TECH-12)."""

    seat: Seat
    technology: TechnologyId


def held_by_others(part: Network, seat: Seat, some: Iterable[Route]) -> list[Route]:
    """The routes that other seats have claimed and this seat has not (R-TECH-13)."""
    owners = part.owners
    return [route for route in some if (has := owners.get(route.id)) and seat not in has]


def why_not_held(part: Network, seat: Seat, route: Route, name: str) -> Refusal | None:
    owners = part.owners.get(route.id, ())
    if seat in owners:
        return Illegal(say("{route} is already yours.", route=name), "R-TECH-13")
    if not owners:
        sentence = say("Nobody has claimed {route}; choose a route of another player.", route=name)
        return Illegal(sentence, "R-TECH-13")
    return None


AIMS = {"taken": Aim(held_by_others, why_not_held), "two": UNCLAIMED}
"""The values of the grant `claims`, with the routes that may be claimed in the turn of purchase."""


def catalogue(rules: "Ruleset") -> Catalogue:
    """The technologies for sale in this game, and what each route requires; made once."""
    made: Catalogue | None = rules.memory.get(technologies.name)
    if made is None:
        rows = sold(rules.board, technologies.parameters(rules).sets, AIMS)
        needs = needs_of(rules.board, rows)
        openers = frozenset(id for sets in needs.values() for one_of in sets for id in one_of)
        grants: dict[str, dict[TechnologyId, Any]] = {key: {} for key in GRANTS}
        for id, row in rows.items():
            for key, value in row.grants.items():
                grants[key][id] = value
        made = Catalogue(rows, needs, openers, {}, grants, {})
        rules.memory[technologies.name] = made
    return made


@technologies.starts
def nothing_bought(rules: "Ruleset") -> Technologies:
    """Nobody owns anything; a bad row of the map is refused here."""
    catalogue(rules)
    return Technologies(((),) * rules.seats, bought=None, right="")


def granted(rules: "Ruleset", state: State, seat: Seat, key: str) -> list[Any]:
    """The values that the seat's technologies grant under this key."""
    grants = catalogue(rules).grants[key]
    if not grants:
        return []
    return [grants[id] for id in technologies.part(state).owned[seat] if id in grants]


def why_lacking(rules: "Ruleset", state: State, seat: Seat, route: Route) -> str:
    """A sentence with the technologies that the route requires and the seat lacks."""
    known, owned = catalogue(rules), technologies.part(state).owned[seat]
    lacking = [
        _one_of([known.technologies[id].spoken for id in sorted(one_of)])
        for one_of in known.needs[route.id]
        if one_of.isdisjoint(owned)
    ]
    name = route_name(rules, route.id)
    return say("To claim {route} you need {missing}.", route=name, missing=listed(lacking))


def _one_of(names: Sequence[str]) -> str:
    choice, *others = names
    for other in others:
        choice = say("{this} or {that}", this=choice, that=other)
    return choice


def openers_of(rules: "Ruleset", state: State, seat: Seat) -> frozenset[TechnologyId]:
    """The seat's technologies that open routes."""
    return catalogue(rules).openers.intersection(technologies.part(state).owned[seat])


@technologies.bars("R-TECH-3", why_lacking, openers_of)
def opened_up(rules: "Ruleset", state: State, seat: Seat, some: Iterable[Route]) -> list[Route]:
    opened = _opened_by(catalogue(rules), openers_of(rules, state, seat))
    return [route for route in some if route.id in opened]


def _opened_by(known: Catalogue, having: frozenset[TechnologyId]) -> frozenset[RouteId]:
    """The routes that require no other technologies than these."""
    opened = known.opened.get(having)
    if opened is None:
        opened = known.opened[having] = frozenset(
            id
            for id, sets in known.needs.items()
            if not any(one_of.isdisjoint(having) for one_of in sets)
        )
    return opened


@technologies.terms
def better_terms(rules: "Ruleset", state: State, seat: Seat, terms: Terms) -> Terms:
    remembered, before = catalogue(rules).terms, (technologies.part(state).owned[seat], terms)
    if before not in remembered:
        for key, change in TERMS.items():
            for value in granted(rules, state, seat, key):
                terms = change(terms, value)
        remembered[before] = terms
    return remembered[before]


@technologies.rewards
def more_points(rules: "Ruleset", state: State, seat: Seat, route: Route) -> int:
    """Extra points for routes claimed after the purchase (R-UK-11, R-TECH-9, R-TECH-10)."""
    return sum(
        run(value, route)
        for key, run in REWARDS.items()
        for value in granted(rules, state, seat, key)
    )


@technologies.scores
def score_technologies(rules: "Ruleset", state: State, tally: Tally) -> None:
    """Points of technologies that count at the end (R-TECH-11, R-ADV-3, R-ADV-4)."""
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
            raise RulesBroken(f"more copies of {id} are owned than there are")
