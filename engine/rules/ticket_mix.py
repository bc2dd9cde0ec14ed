"""Short and long tickets in two decks: a seat announces a mix, and draws it (R-GER-5 to 8)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, ClassVar, NamedTuple

from engine.checks import NotNegative, Positive
from engine.errors import Illegal, MapError, Refusal, RulesBroken
from engine.kinds import Action, Decision, Event, Sealed, action, decision, event
from engine.module import DRAW, Module
from engine.rules.dice import DiceSpent, DrawForDice, draws
from engine.rules.dice_purse import SpendDice
from engine.rules.tickets import (
    SHUFFLED,
    ChooseTickets,
    Ids,
    KeepTickets,
    OpeningClosed,
    OpeningTicketsChosen,
    Tickets,
    TicketsKept,
    TicketsOffered,
    deck_of,
    offer,
    tickets,
)
from engine.state import Awaiting, State, opened
from engine.translate import say
from engine.values import HIDDEN, DicePayment, Seat, TicketId

if TYPE_CHECKING:
    from engine.play import Play
    from engine.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class Parameters:
    drawn: Positive
    """How many tickets are drawn, at the start and later."""
    keep_at_start: NotNegative
    keep_later: NotNegative

    def __post_init__(self) -> None:
        if max(self.keep_at_start, self.keep_later) > self.drawn:
            raise ValueError("keep_at_start and keep_later must not be more than drawn")


class LongDeck(NamedTuple):
    """The deck of long tickets; that of short ones is part of the tickets."""

    unseen: Ids
    """Tickets of the deck that this log has not shown."""
    away: int
    """How many unseen tickets have left the deck: 0 in the full log, more in a seat's view."""

    @property
    def left(self) -> int:
        """How many tickets are in the deck."""
        return len(self.unseen) - self.away


ticket_mix: Module[Parameters, LongDeck] = Module("ticket_mix", Parameters, needs=("tickets",))


@decision
class ChooseMix(Decision):
    """Announce how many short and long tickets to draw."""

    seat: Seat
    number: int
    least: int
    opening: bool


@action("draw_mixed_tickets")
class DrawMixed(Action):
    """Draw tickets from both decks."""

    reveals: ClassVar[bool] = True

    long: Annotated[int, "How many of the tickets are long ones; the others are short ones."]


@event
class MixDue(Event):
    """A seat has to announce how many short and long tickets it draws."""

    seat: Seat
    number: Annotated[int, "How many tickets it draws."]
    least: Annotated[int, "How many of them it must keep at least."]
    opening: Annotated[bool, "Whether these are the first tickets of the game."]


@event
class TicketsShuffledIn(Event):
    """Returned tickets have been shuffled into their decks."""

    tickets: Annotated[Sealed[Ids], "The ids of the tickets, long ones first."]
    long: Annotated[int, "How many of them are long tickets."]


@ticket_mix.starts
def whole_deck(rules: "Ruleset") -> LongDeck:
    settings, base = ticket_mix.parameters(rules), tickets.parameters(rules)
    long = deck_of(rules, base.long)
    if base.dealt or base.drawn or base.returned_at_start != SHUFFLED:
        reason = "dealt and drawn must be 0, and returned_at_start “shuffled”, with ticket_mix"
        raise MapError("parameters.tickets", reason)
    if min(len(long), len(deck_of(rules, base.deck))) < settings.drawn * rules.seats:
        raise MapError("parameters.tickets", "too few short or long tickets to deal")
    return LongDeck(tuple(long), 0)


@ticket_mix.sets_up
def ask_everybody(play: "Play") -> None:
    """All seats announce their mix and choose at the same time (R-GER-5, R-DIG-2)."""
    settings = ticket_mix.parameters(play.rules)
    for seat in range(play.rules.seats):
        play.record(MixDue(seat, settings.drawn, settings.keep_at_start, opening=True))


@ticket_mix.evolves(MixDue)
def mix_due(part: LongDeck, event: MixDue) -> LongDeck:
    return part


@ticket_mix.awaits(MixDue)
def ask_mix(awaiting: Awaiting, event: MixDue) -> Awaiting:
    return opened(awaiting, ChooseMix(event.seat, event.number, event.least, event.opening))


def number_of(rules: "Ruleset", decision: Decision) -> int:
    """How many tickets are drawn for this decision."""
    if isinstance(decision, ChooseMix):
        return decision.number
    return ticket_mix.parameters(rules).drawn


def mix(rules: "Ruleset", state: State, decision: Decision, long: int) -> tuple[int, int]:
    """How many short and long tickets are drawn if this many long ones are announced."""
    return min(number_of(rules, decision) - long, tickets.part(state).fresh), long


@ticket_mix.offers(DRAW, ChooseMix)
def offer_mixes(rules: "Ruleset", state: State, decision: Decision) -> list[Action]:
    """Every mix of as many tickets as there are to draw (R-GER-8)."""
    short, long = tickets.part(state).fresh, ticket_mix.part(state).left
    number = min(number_of(rules, decision), short + long)
    fewest = max(0, number - short)
    return [DrawMixed(n) for n in range(fewest, min(number, long) + 1)] if number else []


@ticket_mix.explains(DrawMixed)
def why_not_draw(rules: "Ruleset", state: State, decision: Decision, action: DrawMixed) -> Refusal:
    offered = offer_mixes(rules, state, decision) if may_draw(rules, decision) else []
    if not may_draw(rules, decision):
        return Illegal(say("You can draw tickets only as the action of your turn."), "R-TURN-1")
    if not offered:
        return Illegal(say("There are no tickets left to draw."), "R-TKT-2")
    number = number_of(rules, decision)
    sentence = say("You draw {n} tickets in all, as far as both decks have them.", n=number)
    return Illegal(sentence, "R-GER-6")


def may_draw(rules: "Ruleset", decision: Decision) -> bool:
    """Whether tickets can be drawn in this decision at all."""
    occasions = rules.purse.occasions.get(type(decision), ())
    return isinstance(decision, ChooseMix) or DRAW in occasions


@ticket_mix.decides(DrawMixed)
def draw(play: "Play", decision: Decision, action: DrawMixed) -> None:
    short, _ = mix(play.rules, play.state, decision, action.long)
    deck = list(ticket_mix.part(play.state).unseen)
    first = [deck.pop(play.chance.below(len(deck))) for _ in range(action.long)]
    least, opening = ticket_mix.parameters(play.rules).keep_later, False
    if isinstance(decision, ChooseMix):
        least, opening = decision.least, decision.opening
    offer(play, decision.seat, short, least, first, opening=opening)


@ticket_mix.evolves(TicketsOffered)
def offered(part: LongDeck, event: TicketsOffered) -> LongDeck:
    unseen, away = list(part.unseen), part.away
    for id in event.tickets[: event.long]:
        if id in unseen:
            unseen.remove(id)
        else:
            away += 1
    return LongDeck(tuple(unseen), away)


@ticket_mix.intercepts(KeepTickets)
def keep(play: "Play", decision: ChooseTickets, action: KeepTickets) -> bool:
    """Tickets that are not kept go back into their own decks (R-GER-7)."""
    seat, ids = decision.seat, tickets.part(play.state).offers[decision.seat]
    kept = tuple(id for id in ids if id in action.keep)
    returned = tuple(id for id in ids if id not in action.keep)
    if not decision.opening:
        play.record(TicketsKept(seat, kept, returned))
        _shuffle_in(play, returned)
        return True
    play.record(OpeningTicketsChosen(seat, kept, returned))
    if not play.state.awaiting:
        held = tickets.part(play.state).held
        back = tuple(_nowhere(play, held))
        play.record(OpeningClosed(tuple(map(len, held)), ()))
        _shuffle_in(play, back)
    return True


def _nowhere(play: "Play", held: Iterable[Ids]) -> Iterable[TicketId]:
    """The tickets that are in no deck and not held, long ones first, in the map's order."""
    settings = tickets.parameters(play.rules)
    gone = {
        *tickets.part(play.state).unseen,
        *ticket_mix.part(play.state).unseen,
        *(id for ids in held for id in ids),
    }
    for decks in (settings.long, settings.deck):
        yield from (id for id in deck_of(play.rules, decks) if id not in gone)


def _shuffle_in(play: "Play", back: Ids) -> None:
    if not back:
        return
    long = set(deck_of(play.rules, tickets.parameters(play.rules).long))
    play.record(TicketsShuffledIn(back, sum(id in long for id in back)))


@ticket_mix.evolves(TicketsShuffledIn)
def long_ones_back(part: LongDeck, event: TicketsShuffledIn) -> LongDeck:
    return LongDeck(*put_back(part.unseen, part.away, event.tickets[: event.long]))


@tickets.evolves(TicketsShuffledIn)
def short_ones_back(part: Tickets, event: TicketsShuffledIn) -> Tickets:
    unseen, away = put_back(part.unseen, part.away, event.tickets[event.long :])
    return part._replace(under=(), unseen=unseen, away=away)


def put_back(unseen: Ids, away: int, back: Ids) -> tuple[Ids, int]:
    """A deck with these tickets in it again; of hidden ones only the number is known."""
    known = tuple(id for id in back if id != HIDDEN)
    return unseen + known, away - (len(back) - len(known))


@ticket_mix.defaults(ChooseMix)
def short_tickets(
    rules: "Ruleset", state: State, decision: ChooseMix, actions: Sequence[Action]
) -> Action:
    """The least risk: as many short tickets as possible."""
    return actions[0]


@ticket_mix.offers(SpendDice)
def offer_long_ones(rules: "Ruleset", state: State, decision: Decision) -> Sequence[Action]:
    """With dice, tickets can be drawn as long as one of the decks has some (R-DICE-28)."""
    short, long = tickets.part(state).fresh, ticket_mix.part(state).left
    return draws(state) if long and not short else []


@ticket_mix.intercepts(DrawForDice)
def draw_for_dice(play: "Play", decision: Decision, action: DrawForDice) -> bool:
    """With dice, the mix is announced when the dice have been used (R-DICE-28)."""
    play.record(DiceSpent(decision.seat, DicePayment(tuple(sorted(action.dice)))))
    play.record(MixDue(decision.seat, len(action.dice), 0, opening=False))
    return True


@ticket_mix.accounts
def count_tickets(rules: "Ruleset", state: State) -> None:
    """No ticket is in two places, and none is lost."""
    part, short, settings = ticket_mix.part(state), tickets.part(state), tickets.parameters(rules)
    long = deck_of(rules, settings.long)
    held = [id for ids in (*short.held, *short.offers) for id in ids]
    known = [*held, *part.unseen, *short.unseen]
    if len(set(known)) != len(known) or not set(long).issuperset(part.unseen):
        raise RulesBroken("a ticket is in two places")
    opening = any(
        isinstance(decision, ChooseMix | ChooseTickets) and decision.opening
        for decision in state.awaiting
    )
    if not opening and len(known) != len(long) + len(deck_of(rules, settings.deck)):
        raise RulesBroken("a ticket was lost")
