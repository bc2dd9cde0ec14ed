"""Ruleset: a board's rule modules compiled to lookup tables; refuses bad combinations."""

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import Any, NamedTuple

from engine.board import KINDS, Board, beside
from engine.checks import parameters_of
from engine.errors import MapError
from engine.kinds import EVENTS, Action, Decision, Event
from engine.module import PAY, Bar, Module
from engine.purse import Purse
from engine.route_names import route_names
from engine.state import State
from engine.values import Completion, Cost, PriceList, Route, RouteId, Seat, Terms, TicketId

Run = Callable[..., Any]

ONE_OWNER = (
    "decides",
    "awaits",
    "labels",
    "enters",
    "groups",
    "writes",
    "tells",
    "asks",
    "waits",
    "defaults",
    "admits",
    "explains",
    "falls_back",
    "advances",
    "titles",
    "takes",
    "caps",
    "names_points",
    "builds",
    "uncovers",
    "collects",
    "finishes",
    "foresees",
)
"""Joints on which only one module may register a function for the same key."""

USUAL = Terms()


class Tiers(NamedTuple):
    """Routes grouped by cost, cheapest first."""

    costs: PriceList
    routes: tuple[list[Route], ...]
    """The routes of each tier."""
    place: dict[RouteId, int]
    """The index of each route's tier."""


class Ruleset:
    """Everything that is fixed before the first move: the board, the seats and the rules."""

    def __init__(self, board: Board, seats: int, book: Mapping[str, Module[Any, Any]]) -> None:
        self.board = board
        self.seats = seats
        self.modules = _modules(board, seats, book)
        self.parameters = {
            module.name: parameters_of(
                module.kind, board.parameters.get(module.name, {}), f"parameters.{module.name}"
            )
            for module in self.modules
        }
        self.purse = _purse(self.modules)
        self._tables = _tables(self.modules)
        self.offers = self._offers()
        self.decides: dict[type[Action], Run] = self._single("decides")
        self.intercepts: dict[type[Action], tuple[Run, ...]] = self._many("intercepts")
        self.reveals: dict[type[Action], tuple[Run, ...]] = self._many("reveals")
        self.admits: dict[type[Action], Run] = self._single("admits")
        self.explains: dict[type[Action], Run] = self._single("explains")
        self.falls_back: dict[type[Decision], Run] = self._single("falls_back")
        self.settles = self._settles()
        self.advance: Run = self.all("advances")[0]
        self.bars: tuple[Bar, ...] = self.all("bars")
        self.standing = tuple(bar for bar in self.bars if bar.by is not None)
        self.passing = tuple(bar for bar in self.bars if bar.by is None)
        self.evolvers = self._evolvers()
        self._check()
        self._terms: tuple[Run, ...] = self.all("terms")
        self.rewards: tuple[Run, ...] = self.all("rewards")
        self.endings: tuple[Run, ...] = self.all("ends")
        self.costs: dict[RouteId, Cost] = {id: self._cost(id) for id in board.routes}
        self.tiers = self.tiers_of(board.routes.values())
        self.completions: dict[TicketId, tuple[Completion, ...]] = {
            id: self._completions(id) for id in board.tickets
        }
        self.route_names = route_names(board)
        self.memory: dict[Any, Any] = {}
        """A cache for values derived from the state; it never changes a result."""
        self.initial = State(
            (), {module.name: run(self) for module in self.modules for run in _of(module, "starts")}
        )

    @cached_property
    def beside(self) -> dict[RouteId, tuple[RouteId, ...]]:
        """For each route the other tracks of the double or triple route that it belongs to."""
        return {id: beside(self.board.routes, id) for id in self.board.routes}

    def all(self, joint: str, key: Any = None) -> tuple[Any, ...]:
        """All functions on a joint, for this key if the joint has keys, in module order."""
        return tuple(run for _, run in self._tables.get(joint, {}).get(key, ()))

    def keys(self, joint: str) -> tuple[Any, ...]:
        """The keys for which a joint has functions."""
        return tuple(self._tables.get(joint, {}))

    def word(self, joint: str, key: Any) -> Run:
        """The one function on a joint for this kind."""
        run: Run = self._tables[joint][key][0][1]
        return run

    def verbs(self) -> dict[str, tuple[Run, ...]]:
        """The verbs with which a move can begin, and the functions that read the rest."""
        return self._many("reads")

    def terms(self, state: State, seat: Seat) -> Terms:
        """The terms on which this seat pays now; cached for the latest state."""
        last = self.memory.get("terms")
        if last is not None and last[0] is state and last[1] == seat:
            remembered: Terms = last[2]
            return remembered
        terms = USUAL
        for run in self._terms:
            terms = run(self, state, seat, terms)
        self.memory["terms"] = (state, seat, terms)
        return terms

    def printed_points(self, id: TicketId) -> str:
        """The points as a ticket shows them: “8”, or “5/6/11/8” for several ways to complete it."""
        return "/".join(str(way.points) for way in self.completions[id])

    def tiers_of(self, routes: Iterable[Route]) -> Tiers:
        """Group these routes by cost."""
        tiers: dict[Cost, list[Route]] = {}
        for route in routes:
            tiers.setdefault(self.costs[route.id], []).append(route)
        costs = PriceList(sorted(tiers))
        place = {route.id: at for at, cost in enumerate(costs) for route in tiers[cost]}
        return Tiers(costs, tuple(tiers[cost] for cost in costs), place)

    def _single(self, joint: str) -> dict[Any, Run]:
        return {key: runs[0][1] for key, runs in self._tables.get(joint, {}).items()}

    def _many(self, joint: str) -> dict[Any, tuple[Run, ...]]:
        return {
            key: tuple(run for _, run in runs) for key, runs in self._tables.get(joint, {}).items()
        }

    def _offers(self) -> dict[type[Decision], tuple[Run, ...]]:
        """The functions that offer options for each decision, by itself and by its occasions."""
        hung = self._many("offers")
        kinds: list[type[Decision]] = list(self._tables.get("asks", {}))
        return {
            kind: hung.get(kind, ())
            + tuple(
                run
                for occasion in self.purse.occasions.get(kind, (PAY,) if kind.pays else ())
                for run in hung.get(occasion, ())
            )
            for kind in kinds
        }

    def _settles(self) -> tuple[Run, ...]:
        """The purse settles last: an action is over only if no other module asks for more."""
        last = {module.name for module in self.modules if module.purse is not None}
        hung = self._tables.get("settles", {}).get(None, [])
        return tuple(run for _, run in sorted(hung, key=lambda pair: pair[0] in last))

    def _evolvers(self) -> dict[type[Event], tuple[Run | None, tuple[tuple[str, Run], ...]]]:
        """The functions that evolve each event; one for a base class serves its subclasses."""
        touched = self._tables.get("evolves", {})
        awaited = self._single("awaits")
        return {
            kind: (
                awaited.get(kind),
                tuple(run for base in touched if issubclass(kind, base) for run in touched[base]),
            )
            for kind in self._tables.get("tells", {})
        }

    def _cost(self, id: RouteId) -> Cost:
        route = self.board.routes[id]
        cost = Cost(route.length, route.colour, 0, route.twin is not None)
        for run in self.all("prices"):
            cost = run(self, route, cost)
        return cost

    def _completions(self, id: TicketId) -> tuple[Completion, ...]:
        ticket = self.board.tickets[id]
        ways: tuple[Completion, ...] = (Completion(*ticket.cities, ticket.points),)
        for run in self.all("completes"):
            ways = tuple(run(self, ticket, ways))
        return ways

    def _check(self) -> None:
        """Refuse rulesets in which a decision, action or event lacks a function that it needs."""
        for decision in self._tables.get("asks", {}):
            if not self.offers[decision]:
                raise MapError("modules", f"nothing offers {decision.__name__}")
            self._demand(decision, "waits", "defaults")
        for action in self.decides:
            self._demand(action, "labels", "groups", "writes", "explains")
        for event in {**self._tables.get("evolves", {}), **self._tables.get("awaits", {})}:
            if event in EVENTS.values():
                self._demand(event, "tells")
        known = {measure for module in self.modules for measure in module.measures}
        for measure in getattr(self.parameters.get("turns"), "ties", ()):
            if measure not in known:
                raise MapError("parameters.turns.ties", f"no module in play measures “{measure}”")

    def _demand(self, kind: type, *joints: str) -> None:
        for joint in joints:
            if kind not in self._tables.get(joint, {}):
                raise MapError("modules", f"nothing {joint} {kind.__name__}")


def _of(module: Module[Any, Any], joint: str) -> list[Run]:
    return [hung.run for hung in module.hung if hung.joint == joint]


def _modules(
    board: Board, seats: int, book: Mapping[str, Module[Any, Any]]
) -> tuple[Module[Any, Any], ...]:
    least, most = board.seats
    if not least <= seats <= most:
        raise MapError("seats", f"{board.name} is for {least} to {most} seats, not {seats}")
    for name in board.modules:
        if name not in book:
            raise MapError("modules", f"there is no rule module “{name}”")
        if board.modules.count(name) > 1:
            raise MapError("modules", f"“{name}” appears twice")
        for need in book[name].needs:
            if need not in board.modules:
                raise MapError("modules", f"“{name}” needs “{need}”")
    for name in board.parameters:
        if name not in board.modules:
            raise MapError(f"parameters.{name}", "this module is not in play")
    _check_kinds(board)
    return tuple(book[name] for name in board.modules)


def _check_kinds(board: Board) -> None:
    """Refuse ferries and tunnels without their module: they would be played as plain routes."""
    for route in board.routes.values():
        if KINDS[route.kind] not in board.modules:
            place = f"routes[{route.id}].kind"
            raise MapError(place, f"a {route.kind} needs the module “{KINDS[route.kind]}”")


def _purse(modules: tuple[Module[Any, Any], ...]) -> Purse:
    purses = [module.purse for module in modules if module.purse is not None]
    if len(purses) != 1:
        raise MapError("modules", f"exactly one of cards and dice is needed, not {len(purses)}")
    return purses[0]


def _tables(modules: tuple[Module[Any, Any], ...]) -> dict[str, dict[Any, list[tuple[str, Run]]]]:
    tables: dict[str, dict[Any, list[tuple[str, Run]]]] = {}
    for module in modules:
        for joint, key, run in module.hung:
            runs = tables.setdefault(joint, {}).setdefault(key, [])
            if runs and joint in ONE_OWNER:
                name = getattr(key, "__name__", key)
                raise MapError("modules", f"“{runs[0][0]}” and “{module.name}” both {joint} {name}")
            runs.append((module.name, run))
    if "advances" not in tables:
        raise MapError("modules", "no module decides whose turn is next")
    return tables
