"""The parts of a scene that only boards with passengers or two ticket decks have."""

from collections.abc import Mapping, Sequence
from typing import Any

from engine import Ruleset
from engine.rules.coloured_passengers import Crowds, coloured, homes, sizes
from engine.rules.passengers import Passengers, passengers
from engine.rules.ticket_mix import LongDeck, ticket_mix
from engine.rules.tickets import Tickets, tickets

Facts = Mapping[tuple[str, str], str]

LINES = (
    r"(?P<who>\w+) has (?P<what>passengers) in (?P<value>.+)",  # ada has passengers in koln kiel
    r"(?P<who>\w+) has (?P<what>collected) (?P<value>.+)",  # ada has collected red red blue
    r"(?P<what>waiting in \w+): (?P<value>.+)",  # waiting in berlin: red red blue
    r"(?P<what>merchandise in \w+): (?P<value>.+)",  # merchandise in berlin: 5 4
)


def parts_of(rules: Ruleset, facts: Facts, names: Sequence[str], deck: Tickets) -> dict[str, Any]:
    """The parts of the state that these rules have."""
    parts: dict[str, Any] = {}
    if passengers.name in rules.initial.parts:
        parts[passengers.name] = _passengers(rules, facts, names)
    if coloured.name in rules.initial.parts:
        parts[coloured.name] = _coloured(rules, facts, names)
    if ticket_mix.name in rules.initial.parts:
        long = ticket_mix.part(rules.initial).unseen
        parts[ticket_mix.name] = LongDeck(tuple(id for id in deck.unseen if id in long), 0)
        short = tuple(id for id in deck.unseen if id not in long)
        parts[tickets.name] = deck._replace(unseen=short)
    return parts


def all_tickets(rules: Ruleset) -> tuple[str, ...]:
    """The tickets of both decks."""
    long = ticket_mix.part(rules.initial).unseen if ticket_mix.name in rules.initial.parts else ()
    return tickets.part(rules.initial).unseen + long


def _listed(facts: Facts, start: str) -> dict[str, list[str]]:
    """What lies in each city, by the lines that begin so."""
    return {
        what.removeprefix(start): value.replace("nothing", "").split()
        for (_, what), value in facts.items()
        if what.startswith(start)
    }


def _passengers(rules: Ruleset, facts: Facts, names: Sequence[str]) -> Passengers:
    """Passengers that stand somewhere come out of the reserve; missing tokens are ada's."""
    part, each = passengers.part(rules.initial), passengers.parameters(rules).each
    standing = tuple(tuple(facts.get((name, "passengers"), "").split()) for name in names)
    stacks = dict(part.stacks)
    for city, tokens in _listed(facts, "merchandise in ").items():
        stacks[city] = tuple(map(int, tokens))
    missing = sum(map(sum, part.stacks.values())) - sum(map(sum, stacks.values()))
    points = (missing, *part.points[1:])
    return Passengers(tuple(each - len(cities) for cities in standing), standing, stacks, points)


def _coloured(rules: Ruleset, facts: Facts, names: Sequence[str]) -> Crowds:
    """Places that are not named are filled in order with what is left."""
    settings = coloured.parameters(rules)
    rest = [colour for colour in settings.colours for _ in range(settings.each_colour)]
    collected = [facts.get((name, "collected"), "").split() for name in names]
    waiting = _listed(facts, "waiting in ")
    for colour in (each for some in (*collected, *waiting.values()) for each in some):
        rest.remove(colour)
    for place, size in zip(homes(rules), sizes(rules), strict=True):
        if place not in waiting:
            waiting[place] = [rest.pop() for _ in range(min(size, len(rest)))]
    waiting[homes(rules)[-1]] += rest  # places were named with fewer than they have
    return Crowds(
        {place: tuple(some) for place, some in waiting.items()}, tuple(map(tuple, collected))
    )
