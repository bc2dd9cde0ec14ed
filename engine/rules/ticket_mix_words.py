"""Texts about short and long tickets: prompts, labels, menu, help, notation and facts."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, TypedDict

from engine.display import Fact, Help
from engine.errors import Unreadable
from engine.kinds import Action, Decision
from engine.menu import Entry, Way
from engine.module import Shown
from engine.notation import amounts
from engine.options import actions_for
from engine.rules.ticket_mix import (
    ChooseMix,
    DrawMixed,
    MixDue,
    TicketsShuffledIn,
    mix,
    number_of,
    ticket_mix,
)
from engine.rules.tickets import deck_of, tickets
from engine.state import State
from engine.text import listed
from engine.translate import say, says

if TYPE_CHECKING:
    from engine.ruleset import Ruleset

LENGTHS = {"short": "short", "long": "long"}


def spoken(short: int, long: int) -> str:
    """A mix in a sentence: “1 short and 3 long tickets”."""
    parts = [says("{n} short", "{n} short", short)] if short else []
    if not long:
        return says("{n} short ticket", "{n} short tickets", short)
    if not short:
        return says("{n} long ticket", "{n} long tickets", long)
    return listed([*parts, says("{n} long ticket", "{n} long tickets", long)])


@ticket_mix.asks(ChooseMix)
def ask_mix(rules: "Ruleset", state: State, decision: ChooseMix) -> str:
    return says(
        "You draw {n} ticket. A short or a long one?",
        "You draw {n} tickets. How many of them should be long?",
        decision.number,
    )


@ticket_mix.waits(ChooseMix)
def wait_mix(rules: "Ruleset", decision: ChooseMix) -> str:
    return say("announce a mix of tickets")


def _mixes(rules: "Ruleset", state: State) -> tuple[Decision, int]:
    """The decision for which tickets can be drawn now."""
    decision = state.awaiting[0]
    return decision, number_of(rules, decision)


@ticket_mix.labels(DrawMixed)
def label_draw(rules: "Ruleset", state: State, action: DrawMixed) -> str:
    decision, _ = _mixes(rules, state)
    return say("Draw {tickets}", tickets=spoken(*mix(rules, state, decision, action.long)))


@ticket_mix.groups(DrawMixed)
def group_draw(rules: "Ruleset", action: DrawMixed) -> str:
    return "tickets"


@ticket_mix.enters(DrawMixed)
def enter_mixes(
    rules: "Ruleset", state: State, decision: Decision, actions: Sequence[DrawMixed]
) -> list[Entry]:
    """One entry, with a way for each mix."""
    ways = []
    for action in actions:
        short, long = mix(rules, state, decision, action.long)
        ways.append(Way(f"{long} long", spoken(short, long), (action,)))
    title = say("Draw tickets from the two decks")
    lead = "tickets with"
    return [Entry("tickets", "", title, "tickets", lead, "long", tuple(ways), reveals=True)]


@ticket_mix.writes(DrawMixed)
def write_draw(rules: "Ruleset", action: DrawMixed) -> str:
    """Only the long ones are named: how many others there are follows from the position."""
    return f"tickets with {action.long} long"


@ticket_mix.reads("tickets")
def read_draw(rules: "Ruleset", state: State, decision: Decision, words: str) -> list[Action]:
    """Read `tickets with 3 short 1 long`; without a mix, every one is meant."""
    offered = [each for each in actions_for(rules, state, decision) if isinstance(each, DrawMixed)]
    if not words:
        return [*offered]
    counts = amounts(words.removeprefix("with "), LENGTHS, _no_length)
    number = number_of(rules, decision)
    long = counts.get("long", number - counts.get("short", number))
    if counts.get("short", 0) > number - long:
        raise Unreadable(
            says("You draw {n} ticket in all.", "You draw {n} tickets in all.", number)
        )
    return [DrawMixed(long)]


def _no_length(word: str) -> str:
    example = "tickets with 3 short 1 long"
    return say("“{word}” is neither short nor long. Try “{example}”.", word=word, example=example)


@ticket_mix.helps("tickets")
def help_mix(rules: "Ruleset", what: str) -> list[Help]:
    """What short and long tickets are worth, and what happens to those not kept (R-GER-5 to 7)."""
    settings = tickets.parameters(rules)
    short, long = (
        [rules.board.tickets[id].points for id in deck_of(rules, decks)]
        for decks in (settings.deck, settings.long)
    )
    sentence = say(
        "Short tickets are worth {short_least} to {short_most} points, long ones {long_least} to "
        "{long_most}. Everybody sees which mix you announce. The tickets that you do not keep are "
        "shuffled back into their own decks.",
        short_least=min(short),
        short_most=max(short),
        long_least=min(long),
        long_most=max(long),
    )
    return [Help("ticket_mix", say("Short and long tickets"), sentence)]


@ticket_mix.tells(MixDue)
def tell_due(rules: "Ruleset", event: MixDue, names: Sequence[str]) -> str:
    """The tickets that are drawn are told of later."""
    return ""


@tickets.tells(TicketsShuffledIn)
def tell_shuffled_in(rules: "Ruleset", event: TicketsShuffledIn, names: Sequence[str]) -> str:
    short = len(event.tickets) - event.long
    back = spoken(short, event.long)
    return say("Shuffled back into the decks: {tickets}.", tickets=back)


class TableShown(TypedDict, total=False):
    long_tickets_left: Annotated[
        int, "Tickets left in the deck of long tickets; `tickets_left` then counts the short ones."
    ]


ticket_mix.shapes(table=TableShown)


@ticket_mix.shows
def show(rules: "Ruleset", state: State) -> Shown:
    return Shown({"long_tickets_left": ticket_mix.part(state).left})


@ticket_mix.lays_out
def long_tickets_left(rules: "Ruleset", state: State) -> list[Fact]:
    return [Fact("long_tickets", say("Long tickets left"), str(ticket_mix.part(state).left))]
