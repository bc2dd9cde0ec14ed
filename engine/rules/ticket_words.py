"""The words of tickets: prompts, labels, notation and sentences."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from engine.kinds import Action, Decision
from engine.notation import alone, halves, ticket_name, tickets_in
from engine.rules.tickets import (
    ChooseTickets,
    DrawTickets,
    KeepTickets,
    OpeningClosed,
    OpeningTicketsChosen,
    TicketsKept,
    TicketsOffered,
    tickets,
)
from engine.state import State
from engine.values import HIDDEN, TicketId
from engine.words import count

if TYPE_CHECKING:
    from engine.ruleset import Ruleset


def named(rules: "Ruleset", ids: Sequence[TicketId]) -> str:
    """Tickets by name, or how many if they are hidden."""
    if HIDDEN in ids:
        return count(len(ids), "ticket")
    return ", ".join(ticket_name(rules, id) for id in ids) or "no ticket"


@tickets.asks(ChooseTickets)
def ask_which(rules: "Ruleset", state: State, asked: ChooseTickets) -> str:
    ids = tickets.part(state).offers[asked.seat]
    number = f"at least {asked.least}" if asked.least else "any"
    return f"Keep {number} of these tickets: {named(rules, ids)}."


@tickets.waits(ChooseTickets)
def wait_which(rules: "Ruleset", asked: ChooseTickets) -> str:
    return "choose tickets"


@tickets.labels(DrawTickets)
def label_draw(rules: "Ruleset", state: State, action: DrawTickets) -> str:
    return "Draw tickets"


@tickets.groups(DrawTickets)
def group_draw(rules: "Ruleset", action: DrawTickets) -> str:
    return "tickets"


@tickets.writes(DrawTickets)
def write_draw(rules: "Ruleset", action: DrawTickets) -> str:
    return "tickets"


@tickets.reads("tickets")
def read_draw(rules: "Ruleset", state: State, asked: Decision, said: str) -> list[Action]:
    alone("tickets", said)
    return [DrawTickets()]


@tickets.labels(KeepTickets)
def label_keep(rules: "Ruleset", state: State, action: KeepTickets) -> str:
    back = f", return {named(rules, action.return_order)}" if action.return_order else ""
    return f"Keep {named(rules, action.keep)}{back}"


@tickets.groups(KeepTickets)
def group_keep(rules: "Ruleset", action: KeepTickets) -> str:
    return "keep"


@tickets.writes(KeepTickets)
def write_keep(rules: "Ruleset", action: KeepTickets) -> str:
    back = f" return {' '.join(action.return_order)}" if action.return_order else ""
    return f"keep {' '.join(action.keep) or 'none'}{back}"


@tickets.reads("keep")
def read_keep(rules: "Ruleset", state: State, asked: Decision, said: str) -> list[Action]:
    offered = tickets.part(state).offers[asked.seat]
    kept, returned = halves(said, "return")
    return [KeepTickets(tickets_in(kept, offered), tickets_in(returned, offered))]


@tickets.tells(TicketsOffered)
def tell_offer(rules: "Ruleset", event: TicketsOffered, names: Sequence[str]) -> str:
    verb = "is dealt" if event.opening else "draws"
    return f"{names[event.seat]} {verb} {named(rules, event.tickets)}."


@tickets.tells(OpeningTicketsChosen)
def tell_opening(rules: "Ruleset", event: OpeningTicketsChosen, names: Sequence[str]) -> str:
    what = "has chosen tickets" if event.kept is None else f"keeps {named(rules, event.kept)}"
    return f"{names[event.seat]} {what}."


@tickets.tells(OpeningClosed)
def tell_closed(rules: "Ruleset", event: OpeningClosed, names: Sequence[str]) -> str:
    kept = ", ".join(f"{number} by {name}" for name, number in zip(names, event.kept, strict=True))
    return f"All have chosen. Tickets kept: {kept}."


@tickets.tells(TicketsKept)
def tell_kept(rules: "Ruleset", event: TicketsKept, names: Sequence[str]) -> str:
    back = f" and returns {len(event.returned)}" if event.returned else ""
    return f"{names[event.seat]} keeps {named(rules, event.kept)}{back}."
