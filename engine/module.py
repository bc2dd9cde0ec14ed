"""Module: the blueprint on which a rule file hangs its functions.

Every joint is one decorator here; a new joint needs a decision record.
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, Protocol, TypeVar

from engine.kinds import Action, Decision, Event
from engine.state import State
from engine.values import Cost, Payment, Seat

if TYPE_CHECKING:
    from engine.play import Play
    from engine.ruleset import Ruleset

P = TypeVar("P")
S = TypeVar("S")
F = TypeVar("F", bound=Callable[..., Any])

SPEND = "spend"
"""The occasion on which costs can be paid: claims, stations, technologies."""
DRAW = "draw"
"""The occasion on which cards and tickets can be drawn."""
PAY = "pay"
"""The occasion on which a payment is owed or a claim granted, and a purse may be filled for it."""


class Purse(Protocol):
    """How costs are paid: cards or dice. Exactly one module plays this role."""

    @property
    def occasions(self) -> dict[type[Decision], tuple[str, ...]]:
        """Which decisions serve which occasions."""
        ...

    @property
    def rolls(self) -> bool:
        """Whether dice pay, and not cards; help says it in its own words."""
        ...

    def payments(
        self,
        rules: "Ruleset",
        state: State,
        seat: Seat,
        costs: tuple[Cost, ...],
        committed: Payment | None = None,
    ) -> Mapping[int, tuple[Payment, ...]]:
        """The ways to pay those of these costs that can be paid, by place in the list.

        Costs come cheapest first. What is already committed cannot be paid once more.
        The answer may be remembered, so it is not to be changed.
        """

    def accepts(
        self,
        rules: "Ruleset",
        state: State,
        seat: Seat,
        cost: Cost,
        payment: Payment,
        committed: Payment | None = None,
    ) -> bool:
        """Whether this payment is held and pays the cost, listed or not."""

    def probe(
        self, play: "Play", cost: Cost, payment: Payment
    ) -> tuple[tuple[str, ...], Cost | None]:
        """What a tunnel shows, and the surcharge it demands, if any."""

    def join(self, first: Payment, second: Payment) -> Payment:
        """Both payments as one."""

    def read(self, said: str) -> Payment:
        """A payment from its words; raises Unreadable."""


class Hung(NamedTuple):
    """One function on one joint."""

    joint: str
    key: Any
    run: Callable[..., Any]


class Shown(NamedTuple):
    """What a view says of one module: of the table as a whole, and of each seat."""

    table: dict[str, Any]
    seats: Sequence[dict[str, Any]] = ()


class Shapes(NamedTuple):
    """Which fields a module's documents have: typed dictionaries, described in annotations."""

    table: type[Any] | None = None
    """What `shows` says of the table,"""
    seat: type[Any] | None = None
    """what it says of each seat,"""
    board: type[Any] | None = None
    """and what `publishes` adds to a board; a field that no rule in play publishes is []."""


class Bar(NamedTuple):
    """What keeps a seat from claiming: a filter over routes, and the refusal it stands for."""

    rule: str
    why: Callable[..., str]
    """What is said to the seat about a route that is barred."""
    keep: Callable[..., Any]
    by: Callable[..., Hashable] | None
    """What alone decides about the routes, where that changes seldom; None if it is the state."""


class Module(Generic[P, S]):
    """One rule in one file, joined to a board by its name."""

    def __init__(
        self,
        name: str,
        parameters: type[P],
        *,
        needs: tuple[str, ...] = (),
        measures: tuple[str, ...] = (),
        purse: Purse | None = None,
    ) -> None:
        self.name = name
        self.kind = parameters
        self.needs = needs
        self.measures = measures
        self.purse = purse
        self.hung: list[Hung] = []
        self.shape = Shapes()

    def parameters(self, rules: "Ruleset") -> P:
        """This module's parameters on this board."""
        found: P = rules.parameters[self.name]
        return found

    def part(self, state: State) -> S:
        """This module's part of the state."""
        found: S = state.parts[self.name]
        return found

    def _hang(self, joint: str, *keys: Any) -> Callable[[F], F]:
        def hang(run: F) -> F:
            self.hung.extend(Hung(joint, key, run) for key in keys)
            return run

        return hang

    def starts(self, run: F) -> F:
        """`(rules) -> part`: this module's part before anything has happened."""
        return self._hang("starts", None)(run)

    def sets_up(self, run: F) -> F:
        """`(play) -> None`: records the opening events, in the order of the module list."""
        return self._hang("sets_up", None)(run)

    def offers(self, *occasions: str | type[Decision]) -> Callable[[F], F]:
        """`(rules, state, asked) -> list[Action]`: what may be done on these occasions."""
        return self._hang("offers", *occasions)

    def falls_back(self, decision: type[Decision]) -> Callable[[F], F]:
        """As offers, asked only when nothing but free actions is possible."""
        return self._hang("falls_back", decision)

    def admits(self, action: type[Action]) -> Callable[[F], F]:
        """`(rules, state, asked, action) -> bool`: an unlisted variation of a listed option."""
        return self._hang("admits", action)

    def explains(self, action: type[Action]) -> Callable[[F], F]:
        """`(rules, state, asked, action) -> Refusal`: why it was refused."""
        return self._hang("explains", action)

    def decides(self, action: type[Action]) -> Callable[[F], F]:
        """`(play, asked, action) -> None`: records what it causes; one owner an action."""
        return self._hang("decides", action)

    def intercepts(self, action: type[Action]) -> Callable[[F], F]:
        """`(play, asked, action) -> bool`: true if it took the action over from its owner."""
        return self._hang("intercepts", action)

    def evolves(self, *events: type[Event]) -> Callable[[F], F]:
        """`(part, event) -> part`: only this module's own part is at hand.

        Instead of an event, a base such as Paid stands for every event built on it.
        """
        return self._hang("evolves", *events)

    def awaits(self, *events: type[Event]) -> Callable[[F], F]:
        """`(awaiting, event) -> awaiting`: opens and closes decisions; one owner an event."""
        return self._hang("awaits", *events)

    def settles(self, run: F) -> F:
        """`(play) -> None`: what follows by itself after every action and the set-up."""
        return self._hang("settles", None)(run)

    def advances(self, run: F) -> F:
        """`(play) -> None`: nothing is awaited any more, so the turn goes on; one owner."""
        return self._hang("advances", None)(run)

    def bars(
        self,
        rule: str,
        why: Callable[..., str],
        by: Callable[..., Hashable] | None = None,
    ) -> Callable[[F], F]:
        """`(rules, state, seat, routes) -> list[Route]`: those not barred to the seat.

        Why a route is barred, in a sentence: `(rules, state, seat, route) -> str`.
        What alone decides, if it changes seldom: `(rules, state, seat) -> Hashable`.
        """

        def hang(run: F) -> F:
            bar = Bar(rule, why, run, by)
            self.hung.append(Hung("bars", None, bar))  # type: ignore[arg-type]  # a bar is kept beside its words
            return run

        return hang

    def prices(self, run: F) -> F:
        """`(rules, route, cost) -> cost`: what a route demands, the same for every seat."""
        return self._hang("prices", None)(run)

    def terms(self, run: F) -> F:
        """`(rules, state, seat, terms) -> terms`: on what terms this seat pays."""
        return self._hang("terms", None)(run)

    def rewards(self, run: F) -> F:
        """`(rules, state, seat, route) -> int`: points for a claim beyond its length."""
        return self._hang("rewards", None)(run)

    def lends(self, run: F) -> F:
        """`(rules, state, seat) -> list[list[Route]]`: from each list one route is borrowed."""
        return self._hang("lends", None)(run)

    def ends(self, run: F) -> F:
        """`(rules, state, seat) -> bool`: the last round begins after this seat's turn."""
        return self._hang("ends", None)(run)

    def scores(self, run: F) -> F:
        """`(rules, state, tally) -> None`: adds score lines and measures, in module order."""
        return self._hang("scores", None)(run)

    def accounts(self, run: F) -> F:
        """`(rules, state) -> None`: raises RulesBroken if a piece is lost or made."""
        return self._hang("accounts", None)(run)

    def shows(self, run: F) -> F:
        """`(rules, state) -> Shown`: what a view says of this module, as plain data."""
        return self._hang("shows", None)(run)

    def reveals(self, action: type[Action]) -> Callable[[F], F]:
        """`(rules, action) -> bool`: chance has a say in it, though not in all of its kind."""
        return self._hang("reveals", action)

    def defaults(self, decision: type[Decision]) -> Callable[[F], F]:
        """`(rules, state, asked, actions) -> Action`: what is done for an absent seat."""
        return self._hang("defaults", decision)

    def asks(self, decision: type[Decision]) -> Callable[[F], F]:
        """`(rules, state, asked) -> str`: the question, to the seat that is asked."""
        return self._hang("asks", decision)

    def waits(self, decision: type[Decision]) -> Callable[[F], F]:
        """`(rules, asked) -> str`: what the others wait for, a phrase after “to”."""
        return self._hang("waits", decision)

    def labels(self, action: type[Action]) -> Callable[[F], F]:
        """`(rules, state, action) -> str`: an option as a sentence."""
        return self._hang("labels", action)

    def groups(self, action: type[Action]) -> Callable[[F], F]:
        """`(rules, action) -> str`: options of one group are shown together."""
        return self._hang("groups", action)

    def writes(self, action: type[Action]) -> Callable[[F], F]:
        """`(rules, action) -> str`: the notation."""
        return self._hang("writes", action)

    def reads(self, *verbs: str) -> Callable[[F], F]:
        """`(rules, state, asked, said) -> list[Action]`: what the words after a verb may mean."""
        return self._hang("reads", *verbs)

    def tells(self, event: type[Event]) -> Callable[[F], F]:
        """`(rules, event, names) -> str`: what happened, as a sentence, or "" for nothing."""
        return self._hang("tells", event)

    def titles(self, *verbs: str) -> Callable[[F], F]:
        """`(rules, what) -> str`: a group's name for people, by the words of `groups`.

        The first word is the verb and the rest is `what`; empty, it means all such groups.
        """
        return self._hang("titles", *verbs)

    def helps(self, *verbs: str) -> Callable[[F], F]:
        """`(rules, what) -> list[Help]`: explains the choice in a group; `what` as in titles."""
        return self._hang("helps", *verbs)

    def takes(self, action: type[Action]) -> Callable[[F], F]:
        """`(rules, state, action) -> str`: the card it takes, to be drawn; "" for a hidden one."""
        return self._hang("takes", action)

    def caps(self, decision: type[Decision]) -> Callable[[F], F]:
        """`(rules, state, asked, actions, most) -> Action`: what is done for at most so much."""
        return self._hang("caps", decision)

    def holds(self, run: F) -> F:
        """`(rules, state, seat) -> list[Fact]`: what a seat has before it."""
        return self._hang("holds", None)(run)

    def lays_out(self, run: F) -> F:
        """`(rules, state) -> list[Fact]`: what lies in the middle of the table."""
        return self._hang("lays_out", None)(run)

    def columns(self, run: F) -> F:
        """`(rules, state) -> list[Column]`: columns of the score table so far."""
        return self._hang("columns", None)(run)

    def names_points(self, *kinds: str) -> Callable[[F], F]:
        """`(rules) -> str`: what score lines of these kinds are called."""
        return self._hang("names_points", *kinds)

    def goals(self, run: F) -> F:
        """`(rules, state, seat) -> list[Goal]`: tickets of a seat, and which are completed."""
        return self._hang("goals", None)(run)

    def marks(self, run: F) -> F:
        """`(rules, state, players) -> list[Mark]`: what is drawn on the board."""
        return self._hang("marks", None)(run)

    def builds(self, *events: type[Event]) -> Callable[[F], F]:
        """`(event) -> str`: the route or city on which the event puts something."""
        return self._hang("builds", *events)

    def highlights(self, run: F) -> F:
        """`(rules, state, seat) -> list[str]`: routes and cities lit for a seat after the end."""
        return self._hang("highlights", None)(run)

    def shuts(self, run: F) -> F:
        """`(rules, state, asked, place) -> str`: why nothing can be done there now, or ""."""
        return self._hang("shuts", None)(run)

    def publishes(self, run: F) -> F:
        """`(rules) -> dict`: what a board's description says of this module, as plain data."""
        return self._hang("publishes", None)(run)

    def shapes(
        self,
        *,
        table: type[Any] | None = None,
        seat: type[Any] | None = None,
        board: type[Any] | None = None,
    ) -> None:
        """The fields of what `shows` and `publishes` return, as typed dictionaries."""
        self.shape = Shapes(table, seat, board)
