"""Tickets: dealing and drawing, keeping, completion and ticket points."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Annotated, ClassVar, NamedTuple

from engine.chance import shuffle
from engine.checks import NotNegative
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
from engine.module import DRAW, Module
from engine.notation import not_offered
from engine.state import Awaiting, State, closed, opened
from engine.text import together
from engine.translate import say, says
from engine.values import Seat, TicketId

if TYPE_CHECKING:
    from engine.play import Play
    from engine.ruleset import Ruleset

Ids = Annotated[tuple[TicketId, ...], "The ids of the tickets."]
Kept = Annotated[Ids, "The ids of the tickets that the seat has kept."]
Returned = Annotated[Ids, "The ids of the tickets that the seat has returned."]
UNDER, REMOVED, SHUFFLED = "under", "removed", "shuffled"
"""Where returned tickets go: under the deck, or out of the game."""


@dataclass(frozen=True, slots=True)
class Parameters:
    deck: tuple[str, ...]
    """The ticket decks that are shuffled together."""
    dealt: NotNegative
    keep_at_least: NotNegative
    returned_at_start: str
    """`under`: shuffled under the deck (R-SETUP-8); `removed`: removed from the game (R-EUR-3);
    `shuffled`: into their own decks, by the rule that deals them (R-GER-7)."""
    returned_later: str = UNDER
    """The same for tickets returned during the game (R-TKT-4, R-NOR-12)."""
    drawn: NotNegative = 3
    keep_later: NotNegative = 1
    long: tuple[str, ...] = ()
    """Decks of long tickets; those not dealt leave the game (R-EUR-1)."""
    long_dealt: NotNegative = 0

    def __post_init__(self) -> None:
        if self.returned_at_start not in (UNDER, REMOVED, SHUFFLED):
            raise ValueError("returned_at_start must be “under”, “removed” or “shuffled”")
        if self.returned_later not in (UNDER, REMOVED):
            raise ValueError("returned_later must be “under” or “removed”")
        if not 0 <= self.keep_at_least <= self.dealt + self.long_dealt:
            raise ValueError("keep_at_least must not be more than the tickets dealt")
        if not self.deck:
            raise ValueError("deck must name a ticket deck")
        if not 0 <= self.keep_later <= self.drawn:
            raise ValueError("keep_later must not be more than drawn")
        if set(self.deck) & set(self.long):
            raise ValueError("a deck cannot be both in deck and in long")
        if self.long and self.returned_at_start == UNDER:
            raise ValueError("long tickets cannot be returned under the deck")


class Tickets(NamedTuple):
    held: tuple[Ids, ...]
    offers: tuple[Ids, ...]
    under: Ids
    """Returned tickets under the deck, in the order in which they are drawn."""
    unseen: Ids
    """Tickets of the deck that this log has not shown."""
    away: int
    """How many unseen tickets have left the deck: 0 in the full log, more in a seat's view."""

    @property
    def fresh(self) -> int:
        """How many tickets are in the deck above the returned ones."""
        return len(self.unseen) - self.away


tickets: Module[Parameters, Tickets] = Module(
    "tickets", Parameters, needs=("routes",), measures=("completed_tickets",)
)


@decision
class ChooseTickets(Decision):
    """Choose which of the offered tickets to keep."""

    seat: Seat
    least: int
    opening: bool


@action("draw_tickets")
class DrawTickets(Action):
    """Draw tickets."""

    reveals: ClassVar[bool] = True


@action("keep_tickets")
class KeepTickets(Action):
    """Choose which of the offered tickets to keep."""

    keep: Annotated[Ids, "The ids of the tickets to keep."]
    return_order: Annotated[
        Ids, "The ids of the tickets to return, top to bottom; in the order dealt if left out."
    ] = ()  # R-TKT-4


@event
class TicketsOffered(Event):
    """Tickets have been laid before a seat to choose from."""

    seat: Seat
    tickets: Secret[Ids]
    long: Annotated[int, "How many of the tickets, the first ones, are long tickets."]
    fresh: Annotated[int, "How many of the others come from the deck; the rest had been returned."]
    least: Annotated[int, "How many tickets must be kept at least."]
    opening: Annotated[bool, "Whether these are the first tickets of the game."]


@event
class OpeningTicketsChosen(Event):
    """A seat has chosen its first tickets; how many is secret until all have chosen (R-DIG-2)."""

    seat: Seat
    kept: WhollySecret[Kept | None]
    returned: WhollySecret[Returned | None]


@event
class OpeningClosed(Event):
    """All seats have chosen their first tickets."""

    kept: Annotated[tuple[int, ...], "How many tickets each seat has kept."]
    under: Annotated[Sealed[Ids], "The ids of the returned tickets, which now lie under the deck."]


@event
class TicketsKept(Event):
    """A seat has chosen from the tickets that it drew."""

    seat: Seat
    kept: Secret[Kept]
    returned: Secret[Returned]


@event
class TicketsRemoved(Event):
    """The tickets that a seat has just returned have left the game."""

    number: Annotated[int, "How many tickets have left the game."]


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
    """Deal tickets to every seat; all choose at the same time (R-SETUP-6, R-DIG-2)."""
    settings = tickets.parameters(play.rules)
    long = deck_of(play.rules, settings.long)
    for seat in range(play.rules.seats) if settings.dealt + settings.long_dealt else ():
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
    """Offer a seat the next tickets of the deck, or what is left of it (R-TKT-2)."""
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


@tickets.evolves(TicketsRemoved)
def removed(part: Tickets, event: TicketsRemoved) -> Tickets:
    """The tickets that have just been returned are the last ones under the deck."""
    return part._replace(under=part.under[: len(part.under) - event.number])


@tickets.evolves(OpeningTicketsChosen)
def chosen(part: Tickets, event: OpeningTicketsChosen) -> Tickets:
    if event.kept is None:
        return part
    return part._replace(
        held=_put(part.held, event.seat, event.kept), offers=_put(part.offers, event.seat, ())
    )


@tickets.evolves(OpeningClosed)
def opening_closed(part: Tickets, event: OpeningClosed) -> Tickets:
    """In a view, seats whose choice was hidden now hold that number of hidden tickets."""
    held = tuple(
        held or offer[:number]
        for held, offer, number in zip(part.held, part.offers, event.kept, strict=True)
    )
    return part._replace(held=held, offers=((),) * len(held), under=event.under)


@tickets.awaits(TicketsKept, OpeningTicketsChosen)
def answered(awaiting: Awaiting, event: TicketsKept | OpeningTicketsChosen) -> Awaiting:
    return closed(awaiting, event.seat)


@tickets.offers(DRAW)
def offer_to_draw(rules: "Ruleset", state: State, decision: Decision) -> list[Action]:
    part, drawn = tickets.part(state), tickets.parameters(rules).drawn
    return [DrawTickets()] if drawn and (part.fresh or part.under) else []


@tickets.decides(DrawTickets)
def draw(play: "Play", decision: Decision, action: DrawTickets) -> None:
    settings = tickets.parameters(play.rules)
    offer(play, decision.seat, settings.drawn, settings.keep_later)


@tickets.explains(DrawTickets)
def no_tickets(rules: "Ruleset", state: State, decision: Decision, action: DrawTickets) -> Refusal:
    part = tickets.part(state)
    if part.fresh or part.under:
        return Illegal(say("You can draw tickets only as the action of your turn."), "R-TURN-1")
    return Illegal(say("There are no tickets left to draw."), "R-TKT-2")


@tickets.offers(ChooseTickets)
def offer_choices(rules: "Ruleset", state: State, decision: ChooseTickets) -> list[Action]:
    """Every selection that may be kept; the others are returned in the order dealt."""
    ids = tickets.part(state).offers[decision.seat]
    return [
        KeepTickets(kept)
        for number in range(decision.least, len(ids) + 1)
        for kept in combinations(ids, number)
    ]


@tickets.admits(KeepTickets)
def named_order(rules: "Ruleset", state: State, decision: Decision, action: KeepTickets) -> bool:
    """Kept and returned tickets may be named in any order (R-TKT-4)."""
    ids = tickets.part(state).offers[decision.seat]
    returned = action.return_order or tuple(id for id in ids if id not in action.keep)
    return (
        isinstance(decision, ChooseTickets)
        and len(action.keep) >= decision.least
        and sorted(action.keep + returned) == sorted(ids)
    )


@tickets.explains(KeepTickets)
def why_not_keep(
    rules: "Ruleset", state: State, decision: Decision, action: KeepTickets
) -> Refusal:
    if not isinstance(decision, ChooseTickets):
        return Illegal(say("No tickets are offered to you now."), "R-TKT-2")
    named, rule = action.keep + action.return_order, "R-SETUP-6" if decision.opening else "R-TKT-3"
    least = says(
        "You must keep at least {n} ticket.",
        "You must keep at least {n} tickets.",
        decision.least,
    )
    if foreign := set(named) - set(tickets.part(state).offers[decision.seat]):
        return Illegal(together(not_offered(min(foreign)), least), "R-TKT-5")
    if len(set(named)) == len(named) and len(action.keep) < decision.least:
        return Illegal(least, rule)
    return Illegal(together(say("Keep or return each ticket exactly once."), least), "R-TKT-4")


@tickets.decides(KeepTickets)
def keep(play: "Play", decision: ChooseTickets, action: KeepTickets) -> None:
    ids = tickets.part(play.state).offers[decision.seat]
    kept = tuple(id for id in ids if id in action.keep)
    returned = action.return_order or tuple(id for id in ids if id not in action.keep)
    if not decision.opening:
        play.record(TicketsKept(decision.seat, kept, returned))
        if returned and tickets.parameters(play.rules).returned_later == REMOVED:
            play.record(TicketsRemoved(len(returned)))
        return
    play.record(OpeningTicketsChosen(decision.seat, kept, returned))
    if not play.state.awaiting:
        close_opening(play)


def close_opening(play: "Play") -> None:
    """After all have chosen, shuffle the returned tickets under the deck (R-SETUP-8)."""
    rules, held = play.rules, tickets.part(play.state).held
    under: list[TicketId] = []
    if tickets.parameters(rules).returned_at_start == UNDER:
        gone = {*tickets.part(play.state).unseen, *(id for ids in held for id in ids)}
        under = [id for id in deck_of(rules, tickets.parameters(rules).deck) if id not in gone]
        shuffle(play.chance, under)
    play.record(OpeningClosed(tuple(map(len, held)), tuple(under)))


@tickets.defaults(ChooseTickets)
def keep_least(
    rules: "Ruleset", state: State, decision: ChooseTickets, actions: Sequence[Action]
) -> Action:
    """The least risk: the fewest tickets, of the lowest value."""
    worth = {id: rules.board.tickets[id].points for id in tickets.part(state).offers[decision.seat]}
    keeps = [action for action in actions if isinstance(action, KeepTickets)]
    return min(keeps, key=lambda action: (len(action.keep), sum(worth[id] for id in action.keep)))


@tickets.accounts
def count_tickets(rules: "Ruleset", state: State) -> None:
    """No ticket is in two places, and none is lost unless the rules remove it."""
    part, settings = tickets.part(state), tickets.parameters(rules)
    known = [id for ids in (*part.held, *part.offers, part.under, part.unseen) for id in ids]
    everything = {*deck_of(rules, settings.deck), *deck_of(rules, settings.long)}
    if len(set(known)) != len(known) or not everything.issuperset(known):
        raise RulesBroken("a ticket is in two places")
    opening = any(
        isinstance(decision, ChooseTickets) and decision.opening for decision in state.awaiting
    )
    removes = REMOVED in (settings.returned_at_start, settings.returned_later)
    if not (removes or settings.long or opening) and set(known) != everything:
        raise RulesBroken("a ticket is lost")
