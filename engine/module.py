"""Module: the object on which a rule file registers its functions, like a Flask blueprint.

Every joint is a decorator of `Module`; a new joint needs a decision record.
"""

from collections.abc import Callable, Hashable, Sequence
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

from engine.kinds import Action, Decision, Event
from engine.purse import Purse
from engine.state import State

if TYPE_CHECKING:
    from engine.ruleset import Ruleset

P = TypeVar("P")
S = TypeVar("S")
F = TypeVar("F", bound=Callable[..., Any])

SPEND = "spend"
"""The occasion on which costs can be paid: claims, stations, technologies."""
DRAW = "draw"
"""The occasion on which cards and tickets can be drawn."""
PAY = "pay"
"""The occasion on which a seat owes a payment or a claim, and may first fill its purse for it."""


class Hung(NamedTuple):
    """A function registered on a joint."""

    joint: str
    key: Any
    run: Callable[..., Any]


class Shown(NamedTuple):
    """A module's part of a view as JSON data: fields of the table, and of each seat."""

    table: dict[str, Any]
    seats: Sequence[dict[str, Any]] = ()


class Shapes(NamedTuple):
    """The schema of a module's JSON fields, as typed dictionaries with annotated descriptions."""

    table: type[Any] | None = None
    """The fields that `shows` gives for the table."""
    seat: type[Any] | None = None
    """The fields that `shows` gives for each seat."""
    board: type[Any] | None = None
    """The fields that `publishes` adds to a board; [] where no rule in play publishes them."""


class Bar(NamedTuple):
    """What keeps a seat from claiming routes: a filter, and the refusal for what it removes."""

    rule: str
    why: Callable[..., str]
    """The sentence that tells the seat why a route is barred."""
    keep: Callable[..., Any]
    by: Callable[..., Hashable] | None
    """A cache key, if the filter depends on something that rarely changes; None if it does not."""


class Module(Generic[P, S]):
    """One rule, in one file; a board puts it in play by its name."""

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
        parameters: P = rules.parameters[self.name]
        return parameters

    def part(self, state: State) -> S:
        """This module's part of the state."""
        part: S = state.parts[self.name]
        return part

    def _hang(self, joint: str, *keys: Any) -> Callable[[F], F]:
        def hang(run: F) -> F:
            self.hung.extend(Hung(joint, key, run) for key in keys)
            return run

        return hang

    def starts(self, run: F) -> F:
        """`(rules) -> part`: this module's part of the initial state."""
        return self._hang("starts", None)(run)

    def sets_up(self, run: F) -> F:
        """`(play) -> None`: records the events of the set-up; runs in the order of the modules."""
        return self._hang("sets_up", None)(run)

    def offers(self, *occasions: str | type[Decision]) -> Callable[[F], F]:
        """`(rules, state, decision) -> list[Action]`: the options on these occasions."""
        return self._hang("offers", *occasions)

    def falls_back(self, decision: type[Decision]) -> Callable[[F], F]:
        """Like `offers`, but only used when there are no other options than free actions."""
        return self._hang("falls_back", decision)

    def admits(self, action: type[Action]) -> Callable[[F], F]:
        """`(rules, state, decision, action) -> bool`: accepts an unlisted form of an option."""
        return self._hang("admits", action)

    def explains(self, action: type[Action]) -> Callable[[F], F]:
        """`(rules, state, decision, action) -> Refusal`: why the action is refused."""
        return self._hang("explains", action)

    def decides(self, action: type[Action]) -> Callable[[F], F]:
        """`(play, decision, action) -> None`: records the events; one owner per action."""
        return self._hang("decides", action)

    def intercepts(self, action: type[Action]) -> Callable[[F], F]:
        """`(play, decision, action) -> bool`: true if it has handled the action for its owner."""
        return self._hang("intercepts", action)

    def evolves(self, *events: type[Event]) -> Callable[[F], F]:
        """`(part, event) -> part`: this module's part after the event.

        A base class such as Paid stands for all events derived from it.
        """
        return self._hang("evolves", *events)

    def awaits(self, *events: type[Event]) -> Callable[[F], F]:
        """`(awaiting, event) -> awaiting`: opens and closes decisions; one owner per event."""
        return self._hang("awaits", *events)

    def settles(self, run: F) -> F:
        """`(play) -> None`: records what follows automatically after actions and the set-up."""
        return self._hang("settles", None)(run)

    def advances(self, run: F) -> F:
        """`(play) -> None`: starts the next turn when no decision is open; one owner."""
        return self._hang("advances", None)(run)

    def bars(
        self,
        rule: str,
        why: Callable[..., str],
        by: Callable[..., Hashable] | None = None,
    ) -> Callable[[F], F]:
        """`(rules, state, seat, routes) -> list[Route]`: the routes that are not barred.

        `why`: `(rules, state, seat, route) -> str`, a sentence why a route is barred.
        `by`: `(rules, state, seat) -> Hashable`, a cache key if the filter rarely changes.
        """

        def hang(run: F) -> F:
            bar = Bar(rule, why, run, by)
            self.hung.append(Hung("bars", None, bar))  # type: ignore[arg-type]  # a Bar holds the function
            return run

        return hang

    def prices(self, run: F) -> F:
        """`(rules, route, cost) -> cost`: what a route costs, the same for every seat."""
        return self._hang("prices", None)(run)

    def completes(self, run: F) -> F:
        """`(rules, ticket, ways) -> ways`: the ways to complete a ticket; the best one scores."""
        return self._hang("completes", None)(run)

    def terms(self, run: F) -> F:
        """`(rules, state, seat, terms) -> terms`: changes the terms on which a seat pays."""
        return self._hang("terms", None)(run)

    def rewards(self, run: F) -> F:
        """`(rules, state, seat, route) -> int`: extra points for claiming a route."""
        return self._hang("rewards", None)(run)

    def lends(self, run: F) -> F:
        """`(rules, state, seat) -> list[list[Route]]`: one route of each list can be borrowed."""
        return self._hang("lends", None)(run)

    def ends(self, run: F) -> F:
        """`(rules, state, seat) -> bool`: whether the last round begins after this seat's turn."""
        return self._hang("ends", None)(run)

    def scores(self, run: F) -> F:
        """`(rules, state, tally) -> None`: adds score lines and measures, in module order."""
        return self._hang("scores", None)(run)

    def accounts(self, run: F) -> F:
        """`(rules, state) -> None`: raises RulesBroken if a piece is lost or made."""
        return self._hang("accounts", None)(run)

    def shows(self, run: F) -> F:
        """`(rules, state) -> Shown`: this module's part of a view, as plain data."""
        return self._hang("shows", None)(run)

    def reveals(self, action: type[Action]) -> Callable[[F], F]:
        """`(rules, action) -> bool`: whether the outcome of this action depends on chance."""
        return self._hang("reveals", action)

    def defaults(self, decision: type[Decision]) -> Callable[[F], F]:
        """`(rules, state, decision, actions) -> Action`: what is played for an absent seat."""
        return self._hang("defaults", decision)

    def asks(self, decision: type[Decision]) -> Callable[[F], F]:
        """`(rules, state, decision) -> str`: the prompt for the seat that has to decide."""
        return self._hang("asks", decision)

    def waits(self, decision: type[Decision]) -> Callable[[F], F]:
        """`(rules, decision) -> str`: what the others wait for, as in “waiting for Ada to …”."""
        return self._hang("waits", decision)

    def labels(self, action: type[Action]) -> Callable[[F], F]:
        """`(rules, state, action) -> str`: the label of an option."""
        return self._hang("labels", action)

    def enters(self, action: type[Action]) -> Callable[[F], F]:
        """`(rules, state, decision, actions) -> list[Entry]`: the menu's entries for these options.

        Without it, each option of this kind is an entry of its own, titled by its label.
        """
        return self._hang("enters", action)

    def groups(self, action: type[Action]) -> Callable[[F], F]:
        """`(rules, action) -> str`: the group of an option; groups are shown together."""
        return self._hang("groups", action)

    def writes(self, action: type[Action]) -> Callable[[F], F]:
        """`(rules, action) -> str`: the action in notation."""
        return self._hang("writes", action)

    def reads(self, *verbs: str) -> Callable[[F], F]:
        """`(rules, state, decision, words) -> list[Action]`: what text after a verb may mean."""
        return self._hang("reads", *verbs)

    def orders(self, *verbs: str) -> Callable[[F], F]:
        """`(rules, words) -> list[Wish]`: what text after a verb means in an order for later."""
        return self._hang("orders", *verbs)

    def bounds(self, run: F) -> F:
        """`(rules, words) -> Bound | None`: a moment until which an order can hold."""
        return self._hang("bounds", None)(run)

    def collects(self, run: F) -> F:
        """`(rules, state, decision, actions, need) -> Action | None`: collects for a payment."""
        return self._hang("collects", None)(run)

    def finishes(self, *decisions: type[Decision]) -> Callable[[F], F]:
        """`(rules, state, decision) -> Action`: ends a turn of which only optional steps are left.

        An order that began the turn plays it, if it has nothing else to do there.
        """
        return self._hang("finishes", *decisions)

    def tells(self, event: type[Event]) -> Callable[[F], F]:
        """`(rules, event, names) -> str`: the event as a sentence; "" if it needs none."""
        return self._hang("tells", event)

    def titles(self, *verbs: str) -> Callable[[F], F]:
        """`(rules, what) -> str`: the title of a group of options.

        A group is a verb and `what`; an empty `what` means all groups with this verb.
        """
        return self._hang("titles", *verbs)

    def helps(self, *verbs: str) -> Callable[[F], F]:
        """`(rules, what) -> list[Help]`: explains the options of a group; `what` as in titles."""
        return self._hang("helps", *verbs)

    def notes(self, *verbs: str) -> Callable[[F], F]:
        """`(rules, what) -> str`: what is special about an entry: “tunnel”; "" if nothing."""
        return self._hang("notes", *verbs)

    def takes(self, action: type[Action]) -> Callable[[F], F]:
        """`(rules, state, action) -> str`: the train card it takes; "" for a face-down one."""
        return self._hang("takes", action)

    def caps(self, decision: type[Decision]) -> Callable[[F], F]:
        """`(rules, state, decision, actions, most) -> Action`: what pays no more than `most`."""
        return self._hang("caps", decision)

    def holds(self, run: F) -> F:
        """`(rules, state, seat) -> list[Fact]`: what a seat has."""
        return self._hang("holds", None)(run)

    def lays_out(self, run: F) -> F:
        """`(rules, state) -> list[Fact]`: what is on the table for everybody."""
        return self._hang("lays_out", None)(run)

    def columns(self, run: F) -> F:
        """`(rules, state) -> list[Column]`: columns of the table of scores so far."""
        return self._hang("columns", None)(run)

    def names_points(self, *kinds: str) -> Callable[[F], F]:
        """`(rules) -> str`: the name of score lines of these kinds."""
        return self._hang("names_points", *kinds)

    def goals(self, run: F) -> F:
        """`(rules, state, seat) -> list[Goal]`: tickets of a seat, and which are completed."""
        return self._hang("goals", None)(run)

    def marks(self, run: F) -> F:
        """`(rules, state, players) -> list[Mark]`: what is drawn on the board."""
        return self._hang("marks", None)(run)

    def builds(self, *events: type[Event]) -> Callable[[F], F]:
        """`(event) -> str`: the route or city where the event placed something."""
        return self._hang("builds", *events)

    def uncovers(self, *events: type[Event]) -> Callable[[F], F]:
        """`(event) -> Uncovered`: the cards or dice that the event has revealed, and for what."""
        return self._hang("uncovers", *events)

    def highlights(self, run: F) -> F:
        """`(rules, state, seat) -> list[str]`: routes and cities to highlight after the end."""
        return self._hang("highlights", None)(run)

    def nears_end(self, run: F) -> F:
        """`(rules, state, names, seat) -> str`: how near the end is, for a reader; or ""."""
        return self._hang("nears_end", None)(run)

    def speeds(self, run: F) -> F:
        """`(rules) -> Speed`: how fast the rule lets seats claim routes."""
        return self._hang("speeds", None)(run)

    def shuts(self, run: F) -> F:
        """`(rules, state, decision, place) -> str`: why a place cannot be used now, or ""."""
        return self._hang("shuts", None)(run)

    def foresees(self, run: F) -> F:
        """`(rules, state, seat, routes) -> Outlook`: routes that a seat means to claim."""
        return self._hang("foresees", None)(run)

    def publishes(self, run: F) -> F:
        """`(rules) -> dict`: this module's fields in the board's document, as plain data."""
        return self._hang("publishes", None)(run)

    def shapes(
        self,
        *,
        table: type[Any] | None = None,
        seat: type[Any] | None = None,
        board: type[Any] | None = None,
    ) -> None:
        """Declare the fields that `shows` and `publishes` return, as typed dictionaries."""
        self.shape = Shapes(table, seat, board)
