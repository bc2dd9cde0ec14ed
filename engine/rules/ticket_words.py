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
from engine.tongue import say, says
from engine.values import HIDDEN, TicketId

if TYPE_CHECKING:
    from engine.ruleset import Ruleset


def named(rules: "Ruleset", ids: Sequence[TicketId]) -> str:
    """Tickets by name, or how many if they are hidden."""
    if HIDDEN in ids:
        return says("{n} ticket", "{n} tickets", len(ids))
    return ", ".join(ticket_name(rules, id) for id in ids) or say("no ticket")


@tickets.asks(ChooseTickets)
def ask_which(rules: "Ruleset", state: State, asked: ChooseTickets) -> str:
    offered = named(rules, tickets.part(state).offers[asked.seat])
    if not asked.least:
        return say("Keep any of these tickets: {tickets}.", tickets=offered)
    return says(
        "Keep at least {n} of these tickets: {tickets}.",
        "Keep at least {n} of these tickets: {tickets}.",
        asked.least,
        tickets=offered,
    )


@tickets.waits(ChooseTickets)
def wait_which(rules: "Ruleset", asked: ChooseTickets) -> str:
    return say("choose tickets")


@tickets.labels(DrawTickets)
def label_draw(rules: "Ruleset", state: State, action: DrawTickets) -> str:
    return say("Draw tickets")


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
    kept = named(rules, action.keep)
    if not action.return_order:
        return say("Keep {tickets}", tickets=kept)
    back = named(rules, action.return_order)
    return say("Keep {tickets}, return {others}", tickets=kept, others=back)


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
    who, some = names[event.seat], named(rules, event.tickets)
    if event.opening:
        return say("{who} is dealt {tickets}.", who=who, tickets=some)
    return say("{who} draws {tickets}.", who=who, tickets=some)


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
    return say("All have chosen. Tickets kept: {kept}.", kept=", ".join(kept))


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
