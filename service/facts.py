"""How things stand at a table, as labels and values that a mail or a page shows."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from engine import Ruleset
from engine.names import called, die, some_cards
from engine.notation import city_name
from engine.rules.technologies import catalogue
from engine.tongue import say, says
from engine.values import Seat
from engine.words import listed, signed
from pictures import of_seat
from service.words import sayable


class Fact(NamedTuple):
    """Something that stands on the table or before a seat."""

    about: str
    """What it is about, for programs."""
    label: str
    value: str


class Rank(NamedTuple):
    """One seat's line of the score table so far."""

    seat: Seat
    name: str
    colour: str
    me: bool
    cells: tuple[str, ...]


class Standing(NamedTuple):
    """The score table so far: what everybody may know."""

    columns: tuple[str, ...]
    rows: tuple[Rank, ...]


def hand_of(rules: Ruleset, seen: Mapping[str, Any], seat: Seat) -> tuple[Fact, ...]:
    """What a seat has before it."""
    mine = seen["seats"][seat]
    found = []
    if "cards" in mine:
        cards = listed([some_cards(*pair) for pair in mine["cards"].items()]) or say("none")
        total = says("{n} card", "{n} cards", sum(mine["cards"].values()))
        found.append(Fact("hand", say("Hand"), f"{cards} ({total})"))
    if "tokens" in mine:
        tokens = [f"{n} {called(kind)}" for kind, n in mine["tokens"].items() if n]
        found.append(Fact("tokens", say("Tokens"), listed(tokens) or say("none")))
    found.append(Fact("trains", say("Trains"), str(mine["trains"])))
    if "stations" in mine:
        found.append(Fact("stations", say("Stations"), _stations(rules, mine)))
    if "technologies" in mine:
        bought = _technologies(rules, mine["technologies"]) or say("none")
        found.append(Fact("technologies", say("Technologies"), bought))
    return tuple(found)


def _stations(rules: Ruleset, mine: Mapping[str, Any]) -> str:
    left, built = mine["stations_left"], [city_name(rules, id) for id in mine["stations"]]
    if not built:
        return say("{left} left", left=left)
    return say("{left} left; built in {cities}", left=left, cities=listed(built))


def _technologies(rules: Ruleset, ids: Sequence[str]) -> str:
    known = catalogue(rules).technologies
    return listed([known[id].spoken for id in ids])


def laid_out(rules: Ruleset, seen: Mapping[str, Any]) -> tuple[Fact, ...]:
    """What lies in the middle, for everybody to see."""
    found = []
    if "market" in seen:
        market = [
            f"{n} {called(card) if card else say('nothing')}"
            for n, card in enumerate(seen["market"], 1)
        ]
        found.append(Fact("market", say("Market"), ", ".join(market)))
        found.append(Fact("deck", say("Deck"), _deck(seen)))
    if seen.get("dice"):
        used = set(seen["dice_used"])
        dice = [
            die(n, face) + (f" ({say('used')})" if n in used else "")
            for n, face in enumerate(seen["dice"], 1)
        ]
        found.append(Fact("dice", say("Dice"), ", ".join(dice)))
    found.append(Fact("tickets", say("Tickets left"), str(seen["tickets_left"])))
    if "technologies_left" in seen:
        left = {id: n for id, n in seen["technologies_left"].items() if n}
        known = catalogue(rules).technologies
        sale = ", ".join(f"{n} × {known[id].spoken}" for id, n in left.items())
        found.append(Fact("sale", say("For sale"), sale or say("nothing")))
    if seen["turns_left"] is not None:
        turns = says("{n} turn still to begin", "{n} turns still to begin", seen["turns_left"])
        found.append(Fact("last_round", say("Last round"), turns))
    return tuple(found)


def _deck(seen: Mapping[str, Any]) -> str:
    cards = says("{n} card", "{n} cards", seen["deck"])
    thrown = says("{n} card discarded", "{n} cards discarded", sum(seen["discards"].values()))
    return say("{cards}, and {discarded}", cards=cards, discarded=thrown)


_COLUMNS: dict[str, tuple[str, Callable[[Any], str]]] = {
    "route_points": (sayable("Points"), signed),
    "trains": (sayable("Trains"), str),
    "cards": (sayable("Cards"), lambda cards: str(sum(cards.values()))),
    "tokens": (sayable("Tokens"), lambda tokens: str(sum(tokens.values()))),
    "tickets": (sayable("Tickets"), lambda ids: str(len(ids))),
    "stations_left": (sayable("Stations"), str),
    "technologies": (sayable("Technologies"), lambda ids: str(len(ids))),
}
"""The columns of the score table, with their labels and how their values are written."""


def standing_of(names: Sequence[str], seen: Mapping[str, Any], me: Seat | None) -> Standing:
    """The score table so far."""
    columns = {key: column for key, column in _COLUMNS.items() if key in seen["seats"][0]}
    rows = [
        Rank(
            seat,
            names[seat],
            of_seat(seat).name,
            seat == me,
            tuple(written(row[key]) for key, (_, written) in columns.items()),
        )
        for seat, row in enumerate(seen["seats"])
    ]
    return Standing(tuple(say(label) for label, _ in columns.values()), tuple(rows))
