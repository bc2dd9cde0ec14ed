"""Texts about tickets: prompts, labels, help, notation, sentences and facts."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, TypedDict

from engine.board import Board
from engine.display import Column, Fact, Help
from engine.errors import Unreadable
from engine.kinds import Action, Decision
from engine.menu import Choice, Entry, Thing
from engine.module import Shown
from engine.notation import (
    alone,
    halves,
    not_understood,
    ticket_name,
    tickets_in,
    without,
)
from engine.rules.tickets import (
    REMOVED,
    SHUFFLED,
    ChooseTickets,
    DrawTickets,
    KeepTickets,
    OpeningClosed,
    OpeningTicketsChosen,
    TicketsKept,
    TicketsOffered,
    TicketsRemoved,
    tickets,
)
from engine.state import State
from engine.text import shown
from engine.translate import say, says
from engine.values import HIDDEN, TicketId

if TYPE_CHECKING:
    from engine.ruleset import Ruleset


def named(rules: "Ruleset", ids: Sequence[TicketId]) -> str:
    """Tickets by name, or how many if they are hidden."""
    if HIDDEN in ids:
        return says("{n} ticket", "{n} tickets", len(ids))
    return ", ".join(ticket_name(rules, id) for id in ids) or say("no ticket")


@tickets.asks(ChooseTickets)
def ask_which(rules: "Ruleset", state: State, decision: ChooseTickets) -> str:
    offered = named(rules, tickets.part(state).offers[decision.seat])
    if not decision.least:
        return say("Keep any of these tickets: {tickets}.", tickets=offered)
    return says(
        "Keep at least {n} of these tickets: {tickets}.",
        "Keep at least {n} of these tickets: {tickets}.",
        decision.least,
        tickets=offered,
    )


@tickets.waits(ChooseTickets)
def wait_which(rules: "Ruleset", decision: ChooseTickets) -> str:
    return say("choose tickets")


@tickets.labels(DrawTickets)
def label_draw(rules: "Ruleset", state: State, action: DrawTickets) -> str:
    return say("Draw tickets")


@tickets.groups(DrawTickets)
def group_draw(rules: "Ruleset", action: DrawTickets) -> str:
    return "tickets"


@tickets.titles("tickets")
def title_draw(rules: "Ruleset", what: str) -> str:
    return say("Draw tickets")


@tickets.titles("keep")
def title_keep(rules: "Ruleset", what: str) -> str:
    return say("Keep tickets")


@tickets.helps("tickets", "keep")
def help_tickets(rules: "Ruleset", what: str) -> list[Help]:
    """What a ticket is worth, and when it is completed (R-TKT-1, R-TKT-5, R-TKT-6, R-UK-12)."""
    sentence = say(
        "A ticket names two cities. If your routes connect them at the end of the game, you gain "
        "its points; if not, you lose them. Nobody else sees your tickets, and you cannot return "
        "a ticket once you have kept it."
    )
    texts = [Help("ticket", say("Ticket"), sentence)]
    if tickets.parameters(rules).returned_later == REMOVED:
        removed = say("Tickets that you do not keep leave the game; nobody can draw them again.")
        texts.append(Help("tickets_not_kept", say("Tickets not kept"), removed))
    if any(len(end) > 1 for ticket in rules.board.tickets.values() for end in ticket.cities):
        termini = say(
            "A ticket to a country can be completed at any terminus of the country. The termini "
            "of a country are not connected with each other."
        )
        texts.append(Help("terminus", say("Terminus"), termini))
    return texts


@tickets.writes(DrawTickets)
def write_draw(rules: "Ruleset", action: DrawTickets) -> str:
    return "tickets"


@tickets.reads("tickets")
def read_draw(rules: "Ruleset", state: State, decision: Decision, words: str) -> list[Action]:
    alone("tickets", words)
    return [DrawTickets()]


@tickets.reads("draw")
def read_draw_tickets(
    rules: "Ruleset", state: State, decision: Decision, words: str
) -> list[Action]:
    """Read `draw tickets`, which many people write."""
    if without(words, "some", "new", "more") not in ("ticket", "tickets"):
        raise Unreadable(not_understood(f"draw {shown(words)}", "draw tickets"))
    return [DrawTickets()]


@tickets.labels(KeepTickets)
def label_keep(rules: "Ruleset", state: State, action: KeepTickets) -> str:
    kept = named(rules, action.keep)
    if not action.return_order:
        return say("Keep {tickets}", tickets=kept)
    back = named(rules, action.return_order)
    return say("Keep {tickets}, return {others}", tickets=kept, others=back)


@tickets.groups(KeepTickets)
def group_keep(rules: "Ruleset", action: KeepTickets) -> str:
    return "keep"


@tickets.enters(KeepTickets)
def enter_keep(
    rules: "Ruleset", state: State, decision: ChooseTickets, actions: Sequence[KeepTickets]
) -> list[Entry]:
    """One entry: which of the offered tickets to keep."""
    offered = tickets.part(state).offers[decision.seat]
    things = tuple(Thing(id, ticket_name(rules, id)) for id in offered)
    rule = "R-SETUP-6" if decision.opening else "R-TKT-3"
    choice = Choice(things, decision.least, len(things), KeepTickets, rule)
    return [Entry("keep", "", title_keep(rules, ""), "keep", "keep", "keep", choice=choice)]


@tickets.writes(KeepTickets)
def write_keep(rules: "Ruleset", action: KeepTickets) -> str:
    back = f" return {' '.join(action.return_order)}" if action.return_order else ""
    return f"keep {' '.join(action.keep) or 'none'}{back}"


@tickets.reads("keep")
def read_keep(rules: "Ruleset", state: State, decision: Decision, words: str) -> list[Action]:
    offered = tickets.part(state).offers[decision.seat]
    kept, returned = halves(words, "return")
    return [KeepTickets(tickets_in(kept, offered), tickets_in(returned, offered))]


@tickets.tells(TicketsOffered)
def tell_offer(rules: "Ruleset", event: TicketsOffered, names: Sequence[str]) -> str:
    who, offered = names[event.seat], named(rules, event.tickets)
    if event.opening:
        return say("{who} is dealt {tickets}.", who=who, tickets=offered)
    return say("{who} draws {tickets}.", who=who, tickets=offered)


@tickets.tells(OpeningTicketsChosen)
def tell_opening(rules: "Ruleset", event: OpeningTicketsChosen, names: Sequence[str]) -> str:
    who = names[event.seat]
    if event.kept is None:
        return say("{who} has chosen tickets.", who=who)
    return say("{who} keeps {tickets}.", who=who, tickets=named(rules, event.kept))


@tickets.tells(OpeningClosed)
def tell_closed(rules: "Ruleset", event: OpeningClosed, names: Sequence[str]) -> str:
    kept = [
        say("{number} by {who}", number=number, who=name)
        for name, number in zip(names, event.kept, strict=True)
    ]
    return say("Everybody has chosen. Tickets kept: {kept}.", kept=", ".join(kept))


@tickets.tells(TicketsKept)
def tell_kept(rules: "Ruleset", event: TicketsKept, names: Sequence[str]) -> str:
    who, kept = names[event.seat], named(rules, event.kept)
    if not event.returned:
        return say("{who} keeps {tickets}.", who=who, tickets=kept)
    return says(
        "{who} keeps {tickets} and returns {n}.",
        "{who} keeps {tickets} and returns {n}.",
        len(event.returned),
        who=who,
        tickets=kept,
    )


@tickets.tells(TicketsRemoved)
def tell_removed(rules: "Ruleset", event: TicketsRemoved, names: Sequence[str]) -> str:
    return says(
        "The ticket that was not kept leaves the game.",
        "The {n} tickets that were not kept leave the game.",
        event.number,
    )


class TableShown(TypedDict, total=False):
    tickets_left: Annotated[int, "Tickets left in the deck."]


class SeatShown(TypedDict, total=False):
    tickets: Annotated[list[str], "Tickets held; “?” for each one that you may not see."]
    offered: Annotated[list[str], "Tickets offered, from which the seat still has to choose."]


tickets.shapes(table=TableShown, seat=SeatShown)


@tickets.shows
def show(rules: "Ruleset", state: State) -> Shown:
    part = tickets.part(state)
    piles = zip(part.held, part.offers, strict=True)
    return Shown(
        {"tickets_left": part.fresh + len(part.under)},
        [{"tickets": [*held], "offered": [*offered]} for held, offered in piles],
    )


@tickets.lays_out
def tickets_left(rules: "Ruleset", state: State) -> list[Fact]:
    part = tickets.part(state)
    shuffled = tickets.parameters(rules).returned_at_start == SHUFFLED
    label = say("Short tickets left") if shuffled else say("Tickets left")
    return [Fact("tickets", label, str(part.fresh + len(part.under)))]


@tickets.columns
def columns(rules: "Ruleset", state: State) -> list[Column]:
    held = tickets.part(state).held
    return [Column(say("Tickets"), tuple(str(len(ids)) for ids in held))]


@tickets.names_points("tickets_completed")
def name_completed(rules: "Ruleset") -> str:
    return say("Tickets completed")


@tickets.names_points("tickets_failed")
def name_failed(rules: "Ruleset") -> str:
    return say("Tickets failed")


@tickets.names_points("borrowed_routes")
def name_borrowed(rules: "Ruleset") -> str:
    return say("Borrowed routes")


def decks_of(board: Board) -> list[str]:
    """The ticket decks that a board uses; also works for a board with errors."""
    settings = board.parameters.get(tickets.name, {})
    return [
        str(deck)
        for key in ("deck", "long")
        if isinstance(decks := settings.get(key, ()), list | tuple)
        for deck in decks
    ]
