"""Technologies as people see them: titles, help and facts.

What a technology does is told by its grants, so a map can sell others without new words.
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

    id: Annotated[str, "As actions and events name it."]
    name: Annotated[str, "As people say it."]
    cost: Annotated[int, "How many locomotives it takes."]
    copies: Annotated[int, "How many seats can have it."]
    grants: Annotated[dict[str, Any], "What it is good for."]
    help: Annotated[str, "What it is good for, in words."]


class TableShown(TypedDict, total=False):
    technologies_left: dict[str, int]


class SeatShown(TypedDict, total=False):
    technologies: list[str]


class BoardShown(TypedDict):
    technologies: list[TechnologyShown]


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
def title_buy(rules: "Ruleset", said: str) -> str:
    if not said:
        return say("Buy a technology")
    return say("Buy {technology}", technology=name_of(rules, technology_in(rules, said)))


@technologies.helps("buy")
def help_buy(rules: "Ruleset", said: str) -> list[Help]:
    """How one is bought, and what it does (R-TECH-5, R-TECH-6, R-TECH-7)."""
    how = say(
        "Before the action of your turn you may buy one technology. It costs locomotives, and "
        "works from then on, in this turn already."
    )
    found = [Help("technology", say("Technology"), how)]
    if said:
        row = catalogue(rules).technologies[technology_in(rules, said)]
        found.append(Help(row.id, row.spoken, effect(rules, row)))
    return found


def effect(rules: "Ruleset", row: Technology) -> str:
    """What a technology is good for, in words."""
    return " ".join(_EFFECTS[key](rules, value) for key, value in row.grants.items())


def _region(rules: "Ruleset", regions: Sequence[str]) -> str:
    return say("You may claim routes that lead to the region in its name.")


def _lengths(rules: "Ruleset", lengths: Sequence[int]) -> str:
    return say("You may claim routes of {spaces}.", spaces=spaces(lengths))


def _ferries(rules: "Ruleset", allowed: bool) -> str:  # noqa: FBT001  # as the map says it
    return say("You may claim ferries.") if allowed else ""


def _substitute(rules: "Ruleset", size: int) -> str:
    """With and without it: nobody owns anything when a game begins (R-UK-5, R-DICE-30)."""
    usual = rules.terms(rules.initial, 0).substitute
    if rules.purse.rolls:
        return say(
            "Any {size} dice count as a joker in the price of a technology, instead of {usual}.",
            size=size,
            usual=usual,
        )
    return say(
        "Any {size} cards count as a locomotive, instead of {usual}.", size=size, usual=usual
    )


def _route_points(rules: "Ruleset", points: int) -> str:
    return says(
        "Every route that you claim from now on is worth {n} point more.",
        "Every route that you claim from now on is worth {n} points more.",
        points,
    )


def _ferry_points(rules: "Ruleset", points: int) -> str:
    return says(
        "Every ferry that you claim from now on is worth {n} point more.",
        "Every ferry that you claim from now on is worth {n} points more.",
        points,
    )


def _ticket_points(rules: "Ruleset", points: int) -> str:
    return says(
        "In the end every ticket that you have completed is worth {n} point more.",
        "In the end every ticket that you have completed is worth {n} points more.",
        points,
    )


def _claims(rules: "Ruleset", what: str) -> str:
    if what == "two":
        return say(
            "You may claim two routes in the turn in which you buy it. Then it is for sale again."
        )
    return say(
        "In the turn in which you buy it you claim a route that another player holds, for what it "
        "usually costs; both of you have it then. Afterwards it is for sale again."
    )


def _blind_cards(rules: "Ruleset", number: int) -> str:
    return say("When you draw cards, you may draw three from the deck instead of the usual two.")


def _most_tickets(rules: "Ruleset", points: int) -> str:
    return says(
        "In the end you win {n} point if you have completed the most tickets, alone or with "
        "others, and lose {n} otherwise.",
        "In the end you win {n} points if you have completed the most tickets, alone or with "
        "others, and lose {n} otherwise.",
        points,
    )


def _longest_trail(rules: "Ruleset", points: int) -> str:
    return says(
        "In the end you win {n} point if you have the longest unbroken trail, alone or with "
        "others, and lose {n} otherwise.",
        "In the end you win {n} points if you have the longest unbroken trail, alone or with "
        "others, and lose {n} otherwise.",
        points,
    )


def _spare_units(rules: "Ruleset", units: int) -> str:
    return say(
        "You may pay {units} less for a route than it costs, but at least 1, and all locomotives "
        "of a ferry.",
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
"""By what a technology grants."""


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
