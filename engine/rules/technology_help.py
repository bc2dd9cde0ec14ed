"""Texts about technologies: titles, help and facts.

The help is made from a technology's grants, so a map can add technologies without new texts.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Annotated, Any, TypedDict

from engine.display import Column, Fact, Help
from engine.rules.route_words import spaces
from engine.rules.technologies import catalogue, technologies
from engine.rules.technology_rows import Technology, TechnologyId
from engine.rules.technology_sale import copies_left
from engine.rules.technology_words import name_of, technology_in
from engine.state import State
from engine.text import listed
from engine.translate import say, says
from engine.values import Seat

if TYPE_CHECKING:
    from engine.ruleset import Ruleset


class TechnologyShown(TypedDict):
    """A technology that can be bought."""

    id: Annotated[str, "The id in actions and events."]
    name: Annotated[str, "The name for people."]
    cost: Annotated[int, "The price in locomotives."]
    copies: Annotated[int, "How many copies there are."]
    grants: Annotated[dict[str, Any], "What it grants, by key."]
    help: Annotated[str, "What it does, in words."]


class TableShown(TypedDict, total=False):
    technologies_left: Annotated[
        dict[str, int], "How many copies of each technology are left, by its id."
    ]


class SeatShown(TypedDict, total=False):
    technologies: Annotated[list[str], "The ids of the technologies that the seat owns."]


class BoardShown(TypedDict):
    technologies: Annotated[list[TechnologyShown], "The technologies that are sold in this game."]


technologies.shapes(table=TableShown, seat=SeatShown, board=BoardShown)


@technologies.publishes
def publish(rules: "Ruleset") -> dict[str, Any]:
    """The technologies that are sold in this game."""
    return {
        "technologies": [
            {
                "id": row.id,
                "name": row.name,
                "cost": row.price.locomotives,
                "copies": row.copies,
                "grants": row.grants,
                "help": effect(rules, row),
            }
            for row in catalogue(rules).technologies.values()
        ]
    }


@technologies.titles("buy")
def title_buy(rules: "Ruleset", technology: str) -> str:
    if not technology:
        return say("Buy a technology")
    return say("Buy {technology}", technology=name_of(rules, technology_in(rules, technology)))


@technologies.helps("buy")
def help_buy(rules: "Ruleset", technology: str) -> list[Help]:
    """How technologies are bought, and what this one does (R-TECH-5, R-TECH-6, R-TECH-7)."""
    how = say(
        "Before the action of your turn you may buy one technology with locomotives. It takes "
        "effect at once, so you can already use it this turn."
    )
    texts = [Help("technology", say("Technology"), how)]
    if technology:
        row = catalogue(rules).technologies[technology_in(rules, technology)]
        texts.append(Help(row.id, row.spoken, effect(rules, row)))
    return texts


def effect(rules: "Ruleset", row: Technology) -> str:
    """What a technology does, in words."""
    return " ".join(_EFFECTS[key](rules, value) for key, value in row.grants.items())


def _region(rules: "Ruleset", regions: Sequence[str]) -> str:
    return say("You may claim routes to and within the region in its name.")


def _lengths(rules: "Ruleset", lengths: Sequence[int]) -> str:
    return say("You may claim routes of {spaces}.", spaces=spaces(lengths))


def _ferries(rules: "Ruleset", allowed: bool) -> str:  # noqa: FBT001  # as in the map
    return say("You may claim ferries.") if allowed else ""


def _substitute(rules: "Ruleset", size: int) -> str:
    """Compares it with the initial terms, when nobody owns anything (R-UK-5, R-DICE-30)."""
    usual = rules.terms(rules.initial, 0).substitute
    if rules.purse.rolls:
        return say(
            "Any {size} dice count as a joker when you buy a technology, instead of {usual}.",
            size=size,
            usual=usual,
        )
    return say(
        "Any {size} cards count as a locomotive, instead of {usual}.", size=size, usual=usual
    )


def _route_points(rules: "Ruleset", points: int) -> str:
    return says(
        "Every route that you claim from now on is worth {n} more point.",
        "Every route that you claim from now on is worth {n} more points.",
        points,
    )


def _ferry_points(rules: "Ruleset", points: int) -> str:
    return says(
        "Every ferry that you claim from now on is worth {n} more point.",
        "Every ferry that you claim from now on is worth {n} more points.",
        points,
    )


def _ticket_points(rules: "Ruleset", points: int) -> str:
    return says(
        "At the end of the game, every ticket that you have completed is worth {n} more point.",
        "At the end of the game, every ticket that you have completed is worth {n} more points.",
        points,
    )


def _claims(rules: "Ruleset", what: str) -> str:
    if what == "two":
        return say(
            "You may claim two routes in the turn in which you buy it. It is then for sale again."
        )
    return say(
        "In the turn in which you buy it, you claim a route that another player has already "
        "claimed, at its usual cost; it then belongs to both of you. Afterwards the technology is "
        "for sale again."
    )


def _blind_cards(rules: "Ruleset", number: int) -> str:
    return say("When you draw cards, you may draw three from the deck instead of the usual two.")


def _most_tickets(rules: "Ruleset", points: int) -> str:
    return says(
        "At the end of the game, you gain {n} point if you have completed the most tickets, ties "
        "included; otherwise you lose {n}.",
        "At the end of the game, you gain {n} points if you have completed the most tickets, ties "
        "included; otherwise you lose {n}.",
        points,
    )


def _longest_trail(rules: "Ruleset", points: int) -> str:
    return says(
        "At the end of the game, you gain {n} point if you have the longest continuous trail, ties "
        "included; otherwise you lose {n}.",
        "At the end of the game, you gain {n} points if you have the longest continuous trail, "
        "ties included; otherwise you lose {n}.",
        points,
    )


def _spare_units(rules: "Ruleset", units: int) -> str:
    return say(
        "You may pay {units} less than the cost of a route, but at least 1, and all locomotives "
        "that a ferry requires.",
        units=units,
    )


_EFFECTS: dict[str, Callable[["Ruleset", Any], str]] = {
    "region": _region,
    "lengths": _lengths,
    "ferries": _ferries,
    "substitute": _substitute,
    "route_points": _route_points,
    "ferry_points": _ferry_points,
    "ticket_points": _ticket_points,
    "claims": _claims,
    "blind_cards": _blind_cards,
    "most_tickets": _most_tickets,
    "longest_trail": _longest_trail,
    "spare_units": _spare_units,
}
"""Functions that describe a grant, by its key."""


def _spoken(rules: "Ruleset", ids: Sequence[TechnologyId]) -> str:
    return listed([name_of(rules, id) for id in ids])


@technologies.holds
def technologies_of(rules: "Ruleset", state: State, seat: Seat) -> list[Fact]:
    owned = technologies.part(state).owned[seat]
    return [Fact("technologies", say("Technologies"), _spoken(rules, owned) or say("none"))]


@technologies.lays_out
def still_for_sale(rules: "Ruleset", state: State) -> list[Fact]:
    left = {id: copies_left(rules, state, id) for id in catalogue(rules).technologies}
    sale = ", ".join(f"{n} × {name_of(rules, id)}" for id, n in left.items() if n)
    return [Fact("sale", say("For sale"), sale or say("nothing"))]


@technologies.columns
def columns(rules: "Ruleset", state: State) -> list[Column]:
    owned = technologies.part(state).owned
    return [Column(say("Technologies"), tuple(str(len(ids)) for ids in owned))]


@technologies.names_points("technologies")
def name_points(rules: "Ruleset") -> str:
    return say("Technologies")
