"""Tickets: offers, keeping, completion and ticket points."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from engine.chance import shuffle
from engine.checks import NotNegative, Positive
from engine.errors import Illegal, MapError, Refusal, RulesBroken
from engine.kinds import (
    Action,
    Decision,
    Event,
    Sealed,
    Secret,
    WhollySecret,
    action,
    decision,
    event,
)
from engine.module import DRAW, Module, Shown
from engine.notation import not_offered
from engine.rules.routes import edge_of, edges_of
from engine.state import Awaiting, State, closed, opened
from engine.tally import Tally
from engine.ticket_completion import Want, best_links
from engine.translate import say, says
from engine.values import Seat, TicketId

if TYPE_CHECKING:
    from engine.play import Play
    from engine.ruleset import Ruleset

Ids = tuple[TicketId, ...]


@dataclass(frozen=True, slots=True)
class Parameters:
    deck: tuple[str, ...]
    """The ticket decks that form the deck."""
    dealt: Positive
    keep_at_least: NotNegative
    returned_at_start: str
    """`under`: shuffled under the deck (R-SETUP-8); `removed`: out of the game (R-EUR-3)."""
    drawn: Positive = 3
    keep_later: NotNegative = 1
    long: tuple[str, ...] = ()
    """Decks of long tickets; what is not dealt of them leaves the game (R-EUR-1)."""
    long_dealt: NotNegative = 0

    def __post_init__(self) -> None:
        if self.returned_at_start not in ("under", "removed"):
            raise ValueError("returned_at_start must be “under” or “removed”")
        if not 0 <= self.keep_at_least <= self.dealt + self.long_dealt:
            raise ValueError("keep_at_least must be possible")
        if not self.deck:
            raise ValueError("deck must name a ticket deck")
        if not 0 <= self.keep_later <= self.drawn:
            raise ValueError("keep_later must be possible")
        if set(self.deck) & set(self.long):
            raise ValueError("a deck cannot be among the long ones as well")
        if self.long and self.returned_at_start == "under":
            raise ValueError("long tickets cannot be returned under the deck")


class Tickets(NamedTuple):
    held: tuple[Ids, ...]
    offers: tuple[Ids, ...]
    under: Ids
    """Returned tickets under the deck, the next to come first; drawn when the rest is gone."""
    unseen: Ids
    """Tickets of the deck that this log has not shown."""
    away: int
    """How many of the unseen have left the deck: none in the full log, some in a seat's own."""

    @property
    def fresh(self) -> int:
        """How many are in the deck above the returned ones."""
        return len(self.unseen) - self.away


tickets: Module[Parameters, Tickets] = Module(
    "tickets", Parameters, needs=("routes",), measures=("completed_tickets",)
)


@decision
class ChooseTickets(Decision):
    seat: Seat
    least: int
    opening: bool


@action("draw_tickets")
class DrawTickets(Action):
    reveals: ClassVar[bool] = True


@action("keep_tickets")
class KeepTickets(Action):
    keep: Ids
    return_order: Ids = ()
    """The others, top to bottom; left out means as dealt (R-TKT-4)."""


@event
class TicketsOffered(Event):
    seat: Seat
    tickets: Secret[Ids]
    long: int
    """So many of them, the first, are long tickets."""
    fresh: int
    """So many of the others come from the deck itself, the rest from under it."""
    least: int
    opening: bool


@event
class OpeningTicketsChosen(Event):
    """Until all have chosen nobody learns how many were kept (R-DIG-2)."""

    seat: Seat
    kept: WhollySecret[Ids | None]
    returned: WhollySecret[Ids | None]


@event
class OpeningClosed(Event):
    kept: tuple[int, ...]
    under: Sealed[Ids]


@event
class TicketsKept(Event):
    seat: Seat
    kept: Secret[Ids]
    returned: Secret[Ids]


def deck_of(rules: "Ruleset", decks: Sequence[str]) -> list[TicketId]:
    """The tickets that are in any of these decks, in the map's order."""
    return [
        id for id, ticket in rules.board.tickets.items() if not set(decks).isdisjoint(ticket.decks)
    ]


@tickets.starts
def whole_deck(rules: "Ruleset") -> Tickets:
    settings, nothing = tickets.parameters(rules), ((),) * rules.seats
    for decks, each in ((settings.deck, settings.dealt), (settings.long, settings.long_dealt)):
        if len(deck_of(rules, decks)) < each * rules.seats:
            raise MapError("parameters.tickets", f"too few tickets in {', '.join(decks)} to deal")
    return Tickets(nothing, nothing, (), tuple(deck_of(rules, settings.deck)), 0)


@tickets.sets_up
def deal_tickets(play: "Play") -> None:
    """Every seat is dealt its tickets and asked at once which to keep (R-SETUP-6, R-DIG-2)."""
    settings = tickets.parameters(play.rules)
    long = deck_of(play.rules, settings.long)
    for seat in range(play.rules.seats):
        first = [long.pop(play.chance.below(len(long))) for _ in range(settings.long_dealt)]
        offer(play, seat, settings.dealt, settings.keep_at_least, first, opening=True)


def offer(
    play: "Play",
    seat: Seat,
    number: int,
    least: int,
    first: Sequence[TicketId] = (),
    *,
    opening: bool = False,
) -> None:
    """Show a seat the next tickets of the deck, or what is left of it (R-TKT-2)."""
    part = tickets.part(play.state)
    deck = list(part.unseen)
    fresh = min(number, len(deck))
    drawn = [deck.pop(play.chance.below(len(deck))) for _ in range(fresh)]
    shown = (*first, *drawn, *part.under[: number - fresh])
    play.record(TicketsOffered(seat, shown, len(first), fresh, min(least, len(shown)), opening))


@tickets.evolves(TicketsOffered)
def offered(part: Tickets, event: TicketsOffered) -> Tickets:
    unseen, away = list(part.unseen), part.away
    deck = event.tickets[event.long :]
    for place, id in enumerate(deck):
        if id in unseen:
            unseen.remove(id)
            away -= place >= event.fresh
        elif place < event.fresh:
            away += 1
    return part._replace(
        offers=_put(part.offers, event.seat, event.tickets),
        under=part.under[len(deck) - event.fresh :],
        unseen=tuple(unseen),
        away=away,
    )


def _put(all_seats: tuple[Ids, ...], seat: Seat, ids: Ids) -> tuple[Ids, ...]:
    return (*all_seats[:seat], ids, *all_seats[seat + 1 :])


@tickets.awaits(TicketsOffered)
def ask_which(awaiting: Awaiting, event: TicketsOffered) -> Awaiting:
    return opened(awaiting, ChooseTickets(event.seat, event.least, event.opening))


@tickets.evolves(TicketsKept)
def kept(part: Tickets, event: TicketsKept) -> Tickets:
    seat = event.seat
    return part._replace(
        held=_put(part.held, seat, part.held[seat] + event.kept),
        offers=_put(part.offers, seat, ()),
        under=part.under + event.returned,
    )


@tickets.evolves(OpeningTicketsChosen)
def chosen(part: Tickets, event: OpeningTicketsChosen) -> Tickets:
    if event.kept is None:
        return part
    return part._replace(
        held=_put(part.held, event.seat, event.kept), offers=_put(part.offers, event.seat, ())
    )


@tickets.evolves(OpeningClosed)
def opening_closed(part: Tickets, event: OpeningClosed) -> Tickets:
    """Those whose choice was hidden hold so many of what they were offered."""
    held = tuple(
        held or offer[:number]
        for held, offer, number in zip(part.held, part.offers, event.kept, strict=True)
    )
    return part._replace(held=held, offers=((),) * len(held), under=event.under)


@tickets.awaits(TicketsKept, OpeningTicketsChosen)
def answered(awaiting: Awaiting, event: TicketsKept | OpeningTicketsChosen) -> Awaiting:
    return closed(awaiting, event.seat)


@tickets.offers(DRAW)
def offer_to_draw(rules: "Ruleset", state: State, asked: Decision) -> list[Action]:
    part = tickets.part(state)
    return [DrawTickets()] if part.fresh or part.under else []


@tickets.decides(DrawTickets)
def draw(play: "Play", asked: Decision, action: DrawTickets) -> None:
    settings = tickets.parameters(play.rules)
    offer(play, asked.seat, settings.drawn, settings.keep_later)


@tickets.explains(DrawTickets)
def no_tickets(rules: "Ruleset", state: State, asked: Decision, action: DrawTickets) -> Refusal:
    part = tickets.part(state)
    if part.fresh or part.under:
        return Illegal(say("Tickets are drawn as the action of a turn."), "R-TURN-1")
    return Illegal(say("There are no tickets left to draw."), "R-TKT-2")


@tickets.offers(ChooseTickets)
def offer_choices(rules: "Ruleset", state: State, asked: ChooseTickets) -> list[Action]:
    """Every set that may be kept; those left out go back as dealt."""
    ids = tickets.part(state).offers[asked.seat]
    return [
        KeepTickets(some)
        for number in range(asked.least, len(ids) + 1)
        for some in combinations(ids, number)
    ]


@tickets.admits(KeepTickets)
def named_order(rules: "Ruleset", state: State, asked: Decision, action: KeepTickets) -> bool:
    """Any order of those kept, and any order of those returned (R-TKT-4)."""
    ids = tickets.part(state).offers[asked.seat]
    returned = action.return_order or tuple(id for id in ids if id not in action.keep)
    return (
        isinstance(asked, ChooseTickets)
        and len(action.keep) >= asked.least
        and sorted(action.keep + returned) == sorted(ids)
    )


@tickets.explains(KeepTickets)
def why_not_keep(rules: "Ruleset", state: State, asked: Decision, action: KeepTickets) -> Refusal:
    if not isinstance(asked, ChooseTickets):
        return Illegal(say("No tickets are offered to you now."), "R-TKT-2")
    foreign = set(action.keep + action.return_order) - set(tickets.part(state).offers[asked.seat])
    if foreign:
        return Illegal(not_offered(min(foreign)), "R-TKT-5")
    rule = "R-SETUP-6" if asked.opening else "R-TKT-3"
    if len(set(action.keep)) < asked.least:
        said = says("You must keep at least {n}.", "You must keep at least {n}.", asked.least)
        return Illegal(said, rule)
    return Illegal(say("Every ticket offered is either kept or returned, once."), "R-TKT-4")


@tickets.decides(KeepTickets)
def keep(play: "Play", asked: ChooseTickets, action: KeepTickets) -> None:
    ids = tickets.part(play.state).offers[asked.seat]
    kept = tuple(id for id in ids if id in action.keep)
    returned = action.return_order or tuple(id for id in ids if id not in action.keep)
    if not asked.opening:
        play.record(TicketsKept(asked.seat, kept, returned))
        return
    play.record(OpeningTicketsChosen(asked.seat, kept, returned))
    if not play.state.awaiting:
        close_opening(play)


def close_opening(play: "Play") -> None:
    """All have chosen: what was returned goes under the deck together, or out (R-SETUP-8)."""
    rules, held = play.rules, tickets.part(play.state).held
    under: list[TicketId] = []
    if tickets.parameters(rules).returned_at_start == "under":
        gone = {*tickets.part(play.state).unseen, *(id for ids in held for id in ids)}
        under = [id for id in deck_of(rules, tickets.parameters(rules).deck) if id not in gone]
        shuffle(play.chance, under)
    play.record(OpeningClosed(tuple(map(len, held)), tuple(under)))


@tickets.defaults(ChooseTickets)
def keep_least(
    rules: "Ruleset", state: State, asked: ChooseTickets, actions: Sequence[Action]
) -> Action:
    """The cheapest promise: the fewest tickets, of the lowest value."""
    worth = {id: rules.board.tickets[id].points for id in tickets.part(state).offers[asked.seat]}
    keeps = [action for action in actions if isinstance(action, KeepTickets)]
    return min(keeps, key=lambda one: (len(one.keep), sum(worth[id] for id in one.keep)))


def wants(rules: "Ruleset", ids: Sequence[TicketId]) -> list[Want]:
    """These tickets as wishes for a connection."""
    found = [rules.board.tickets[id] for id in ids]
    return [Want(ticket.id, *ticket.cities, ticket.points) for ticket in found]


@tickets.scores
def score_tickets(rules: "Ruleset", state: State, tally: Tally) -> None:
    """Each ticket counts for or against; borrowed routes are chosen at their best (R-STA-8)."""
    for seat, ids in enumerate(tickets.part(state).held):
        lent = [
            [edge_of(route) for route in some]
            for run in rules.all("lends")
            for some in run(rules, state, seat)
        ]
        best = best_links(edges_of(rules, state, seat), wants(rules, ids), lent)
        tally.completed[seat] = tuple(id for id in ids if id in best.completed)
        tally.failed[seat] = tuple(id for id in ids if id not in best.completed)
        for kind, some, sign in (
            ("tickets_completed", tally.completed[seat], 1),
            ("tickets_failed", tally.failed[seat], -1),
        ):
            tally.add(seat, kind, sign * sum(rules.board.tickets[id].points for id in some), some)
        if borrowed := [id for id in best.borrowed if id]:
            tally.add(seat, "borrowed_routes", 0, borrowed)
    tally.measures["completed_tickets"] = [len(ids) for ids in tally.completed]


@tickets.accounts
def count_tickets(rules: "Ruleset", state: State) -> None:
    """No ticket is in two places, and none is lost unless the map removes it."""
    part, settings = tickets.part(state), tickets.parameters(rules)
    known = [id for ids in (*part.held, *part.offers, part.under, part.unseen) for id in ids]
    everything = {*deck_of(rules, settings.deck), *deck_of(rules, settings.long)}
    if len(set(known)) != len(known) or not everything.issuperset(known):
        raise RulesBroken("a ticket is in two places")
    opening = any(isinstance(asked, ChooseTickets) and asked.opening for asked in state.awaiting)
    kept_whole = settings.returned_at_start == "under" and not settings.long
    if kept_whole and not opening and set(known) != everything:
        raise RulesBroken("a ticket is lost")


@tickets.shows
def show(rules: "Ruleset", state: State) -> Shown:
    part = tickets.part(state)
    piles = zip(part.held, part.offers, strict=True)
    return Shown(
        {"tickets_left": part.fresh + len(part.under)},
        [{"tickets": [*held], "offered": [*offered]} for held, offered in piles],
    )
