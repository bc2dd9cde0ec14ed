"""Dice and tokens as people see them: titles, help and facts."""

from typing import TYPE_CHECKING, Annotated, TypedDict

from engine.display import FIRST, Column, Fact, Help
from engine.names import called, die
from engine.rules.dice import dice
from engine.rules.dice_tokens import PRICE
from engine.state import State
from engine.text import listed
from engine.translate import say, says
from engine.values import Seat

if TYPE_CHECKING:
    from engine.ruleset import Ruleset


class TableShown(TypedDict, total=False):
    dice: Annotated[list[str], "Faces, die 1 first."]
    dice_used: Annotated[list[int], "Dice spent, by number."]
    rolls: int
    double_routes: list[str]


class SeatShown(TypedDict, total=False):
    tokens: dict[str, int]


dice.shapes(table=TableShown, seat=SeatShown)


@dice.titles("roll")
def title_roll(rules: "Ruleset", what: str) -> str:
    return say("Roll dice")


@dice.titles("token")
def title_token(rules: "Ruleset", kind: str) -> str:
    return say("Take a {kind} token", kind=called(kind)) if kind else say("Take a token")


@dice.helps("roll")
def help_roll(rules: "Ruleset", what: str) -> list[Help]:
    """What the faces are good for (R-DICE-6, R-DICE-9, R-DICE-10, R-DICE-11)."""
    said = say(
        "You roll {number} dice, and may then roll any of them again, once. Single and double fill "
        "spaces of routes, a station draws a ticket, and a joker is whatever you like.",
        number=dice.parameters(rules).dice,
    )
    return [Help("dice", say("Dice"), said)]


@dice.helps("claim")
def help_claim(rules: "Ruleset", route: str) -> list[Help]:
    """Which faces a route takes (R-DICE-2, R-DICE-10)."""
    said = say(
        "With dice the colour of a route does not matter. One of two tracks between the same "
        "cities takes a double for each space, every other route a single; jokers and tokens of "
        "the same kind will do, too."
    )
    return [Help("single_and_double", say("Single and double"), said)]


@dice.helps("token")
def help_token(rules: "Ruleset", kind: str) -> list[Help]:
    """What tokens cost and are good for (R-DICE-10, R-DICE-13 to 16)."""
    said = say(
        "For every {price} dice that you do not use otherwise you may take a token. It fills one "
        "space of its kind, now or in a later turn. You may hold {most}; if you begin a turn with "
        "{most}, you take none in it.",
        price=PRICE,
        most=dice.parameters(rules).hold,
    )
    return [Help("token", say("Token"), said)]


@dice.helps("tickets")
def help_tickets(rules: "Ruleset", what: str) -> list[Help]:
    """What dice draw (R-DICE-11)."""
    said = say(
        "Each die with a station or a joker that you use draws one ticket. Of these you keep as "
        "many as you like, or none."
    )
    return [Help("tickets_for_dice", say("Tickets for dice"), said)]


@dice.helps("buy")
def help_buy(rules: "Ruleset", what: str) -> list[Help]:
    """What buys a technology (R-DICE-30)."""
    said = says(
        "In the price of a technology a joker counts as a locomotive, and so does any {n} die.",
        "In the price of a technology a joker counts as a locomotive, and so do any {n} dice.",
        dice.parameters(rules).substitute,
    )
    return [Help("instead_of_locomotive", say("Instead of a locomotive"), said)]


@dice.holds
def tokens_of(rules: "Ruleset", state: State, seat: Seat) -> list[Fact]:
    tokens = dice.part(state).tokens[seat]._asdict()
    held = [f"{n} {called(kind)}" for kind, n in tokens.items() if n]
    return [Fact("tokens", say("Tokens"), listed(held) or say("none"), place=FIRST)]


@dice.lays_out
def dice_on_the_table(rules: "Ruleset", state: State) -> list[Fact]:
    part, used = dice.part(state), say("used")
    said = [
        die(n, face) + (f" ({used})" if n in part.used else "")
        for n, face in enumerate(part.faces, 1)
    ]
    return [Fact("dice", say("Dice"), ", ".join(said), place=FIRST)] if said else []


@dice.columns
def columns(rules: "Ruleset", state: State) -> list[Column]:
    tokens = dice.part(state).tokens
    return [Column(say("Tokens"), tuple(str(sum(held)) for held in tokens))]
