"""Texts about dice and tokens: titles, help and facts."""

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
    rolls: Annotated[int, "How often the dice have been rolled in this turn."]
    double_routes: Annotated[list[str], "Routes that take the face `double`."]


class SeatShown(TypedDict, total=False):
    tokens: Annotated[dict[str, int], "The tokens of a seat, by kind."]


dice.shapes(table=TableShown, seat=SeatShown)


@dice.titles("roll")
def title_roll(rules: "Ruleset", what: str) -> str:
    return say("Roll dice")


@dice.titles("token")
def title_token(rules: "Ruleset", kind: str) -> str:
    return say("Take a {kind} token", kind=called(kind)) if kind else say("Take a token")


@dice.helps("roll")
def help_roll(rules: "Ruleset", what: str) -> list[Help]:
    """What the faces are for (R-DICE-6, R-DICE-9, R-DICE-10, R-DICE-11)."""
    sentence = say(
        "You roll {number} dice, and may then reroll any of them once. Single and double pay for "
        "spaces of routes, a station draws a ticket, and a joker counts as any face.",
        number=dice.parameters(rules).dice,
    )
    return [Help("dice", say("Dice"), sentence)]


@dice.helps("claim")
def help_claim(rules: "Ruleset", route: str) -> list[Help]:
    """Which faces a route takes (R-DICE-2, R-DICE-10, R-DICE-29)."""
    sentence = say(
        "With dice the colour of a route does not matter. Each space of a double route costs one "
        "double, each space of any other route one single. Jokers and tokens of that kind also "
        "count."
    )
    if any(len(others) > 1 for others in rules.beside.values()):
        sentence = say(
            "With dice the colour of a route does not matter. Each space of a double or triple "
            "route costs one double, each space of any other route one single. Jokers and tokens "
            "of that kind also count."
        )
    return [Help("single_and_double", say("Single and double"), sentence)]


@dice.helps("token")
def help_token(rules: "Ruleset", kind: str) -> list[Help]:
    """What tokens cost, and what they are for (R-DICE-10, R-DICE-13 to 16)."""
    sentence = say(
        "For every {price} dice that you do not use otherwise, you may take a token. It pays for "
        "one space of its kind, now or in a later turn. You may hold up to {most}; if you begin "
        "your turn with {most}, you cannot take any this turn.",
        price=PRICE,
        most=dice.parameters(rules).hold,
    )
    return [Help("token", say("Token"), sentence)]


@dice.helps("tickets")
def help_tickets(rules: "Ruleset", what: str) -> list[Help]:
    """How dice draw tickets (R-DICE-11)."""
    sentence = say(
        "Each station or joker that you use draws one ticket. You may keep as many of these as "
        "you like, or none."
    )
    return [Help("tickets_for_dice", say("Tickets for dice"), sentence)]


@dice.helps("buy")
def help_buy(rules: "Ruleset", what: str) -> list[Help]:
    """How dice pay for a technology (R-DICE-30)."""
    sentence = says(
        "When you buy a technology, a joker counts as a locomotive, and so does any {n} die.",
        "When you buy a technology, a joker counts as a locomotive, and so do any {n} dice.",
        dice.parameters(rules).substitute,
    )
    return [Help("instead_of_locomotive", say("Instead of a locomotive"), sentence)]


@dice.holds
def tokens_of(rules: "Ruleset", state: State, seat: Seat) -> list[Fact]:
    tokens = dice.part(state).tokens[seat]._asdict()
    held = [f"{n} {called(kind)}" for kind, n in tokens.items() if n]
    return [Fact("tokens", say("Tokens"), listed(held) or say("none"), place=FIRST)]


@dice.lays_out
def dice_on_the_table(rules: "Ruleset", state: State) -> list[Fact]:
    part, used = dice.part(state), say("used")
    shown = [
        die(n, face) + (f" ({used})" if n in part.used else "")
        for n, face in enumerate(part.faces, 1)
    ]
    return [Fact("dice", say("Dice"), ", ".join(shown), place=FIRST)] if shown else []


@dice.columns
def columns(rules: "Ruleset", state: State) -> list[Column]:
    tokens = dice.part(state).tokens
    return [Column(say("Tokens"), tuple(str(sum(held)) for held in tokens))]
