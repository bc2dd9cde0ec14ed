"""Train dice: rolling, rerolling, paying, and drawing tickets with dice."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, ClassVar

from engine.checks import NotNegative, Positive
from engine.display import Speed
from engine.errors import MapError
from engine.kinds import Action, Decision, Event, Paid, action, event
from engine.module import Module, Shown
from engine.notation import route_name
from engine.options import actions_for
from engine.rules.dice_purse import (
    FACES,
    JOKER,
    STATION,
    Dice,
    DicePurse,
    Face,
    Faces,
    Free,
    Numbers,
    SpendDice,
    dice_of,
    free_dice,
    handfuls,
    likeness,
)
from engine.rules.routes import RouteClaimed
from engine.rules.tickets import offer, tickets
from engine.rules.turns import TakeTurn
from engine.state import Awaiting, State, opened
from engine.translate import say
from engine.values import GRAY, Cost, DicePayment, Paying, Route, Seat, Terms, Tokens

if TYPE_CHECKING:
    from engine.play import Play
    from engine.ruleset import Ruleset

SIDES = 6
MOST_DICE = 8


@dataclass(frozen=True, slots=True)
class Parameters:
    dice: Positive = 5
    faces: tuple[Face, ...] = ("single", "single", "double", "double", "station", "joker")
    """The faces of a train die (R-DICE-3)."""
    tunnel_dice: NotNegative = 3
    tunnel_faces: NotNegative = 1
    """How many of a tunnel die's six sides show a tunnel (R-DICE-4)."""
    tokens: NotNegative = 15
    """Tokens of each kind in the game (R-DICE-5)."""
    hold: NotNegative = 3
    """The most tokens that a seat may hold (R-DICE-15)."""
    substitute: NotNegative = 4
    """How many dice count as one joker when a technology is bought (R-DICE-30)."""

    def __post_init__(self) -> None:
        if not self.faces or not set(self.faces) <= set(FACES):
            raise ValueError(f"faces must be of {', '.join(FACES)}")
        if not 0 <= self.tunnel_faces <= SIDES:
            raise ValueError(f"tunnel_faces must be from 0 to {SIDES}")
        if self.dice > MOST_DICE:
            raise ValueError(f"dice must be at most {MOST_DICE}: every selection is listed")


dice: Module[Parameters, Dice] = Module(
    "dice", Parameters, needs=("turns", "routes", "tickets"), purse=DicePurse()
)


@action("roll")
class RollDice(Action):
    """Roll the dice."""

    reveals: ClassVar[bool] = True


@action("reroll")
class RerollDice(Action):
    """Roll some dice again."""

    reveals: ClassVar[bool] = True
    dice: Numbers


@action("dice_draw_tickets")
class DrawForDice(Action):
    """Draw tickets for dice."""

    reveals: ClassVar[bool] = True
    dice: Numbers


@event
class DiceRolled(Event):
    """A seat has rolled the dice."""

    seat: Seat
    faces: Faces


@event
class DiceRerolled(Event):
    """A seat has rolled some dice again."""

    seat: Seat
    dice: Numbers
    faces: Faces


@event
class DiceSpent(Paid):
    """A seat has used dice to draw tickets."""

    seat: Seat
    payment: Paying


@dice.starts
def nothing_rolled(rules: "Ruleset") -> Dice:
    settings = dice.parameters(rules)
    if settings.tokens < settings.hold * rules.seats:
        raise MapError("parameters.dice.tokens", "too few for every seat to hold its tokens")
    doubles = tuple(id for id, route in rules.board.routes.items() if route.twin)
    return Dice((), 0, frozenset(), None, (Tokens(),) * rules.seats, 0, doubles)


@dice.prices
def no_colours(rules: "Ruleset", route: Route, cost: Cost) -> Cost:
    """With dice a route is single or double, and its colour does not matter (R-DICE-2)."""
    return cost._replace(colour=GRAY)


@dice.terms
def substitutes(rules: "Ruleset", state: State, seat: Seat, terms: Terms) -> Terms:
    return Terms(dice.parameters(rules).substitute, terms.spare)


def too_long(rules: "Ruleset", state: State, seat: Seat, route: Route) -> str:
    name = route_name(rules, route.id)
    return say("Even all dice and tokens together cannot pay for {route}.", route=name)


@dice.bars("R-DICE-12", too_long)
def short_enough(rules: "Ruleset", state: State, seat: Seat, some: Iterable[Route]) -> list[Route]:
    reach = longest(rules)
    return [route for route in some if route.length <= reach]


@dice.speeds
def speed(rules: "Ruleset") -> Speed:
    """No route is longer than all dice and tokens together (R-DICE-12)."""
    return Speed(longest=longest(rules))


def longest(rules: "Ruleset") -> int:
    """The length of the longest route that dice and tokens can pay for."""
    settings = dice.parameters(rules)
    return settings.dice + settings.hold


def throw(play: "Play", number: int) -> list[Face]:
    """Roll this number of train dice; the caller records what they show."""
    faces = dice.parameters(play.rules).faces
    return [faces[play.chance.below(len(faces))] for _ in range(number)]


@dice.offers(TakeTurn)
def offer_to_roll(rules: "Ruleset", state: State, decision: Decision) -> list[Action]:
    return [RollDice()]


@dice.decides(RollDice)
def roll(play: "Play", decision: Decision, action: RollDice) -> None:
    faces = throw(play, dice.parameters(play.rules).dice)
    play.record(DiceRolled(decision.seat, tuple(faces)))


@dice.evolves(DiceRolled)
def rolled(part: Dice, event: DiceRolled) -> Dice:
    _, _, used, staked, tokens, _, doubles = part
    return Dice(event.faces, 1, used, staked, tokens, sum(tokens[event.seat]), doubles)


@dice.awaits(DiceRolled)
def use_them(awaiting: Awaiting, event: DiceRolled) -> Awaiting:
    return opened(awaiting, SpendDice(event.seat))


@dice.offers(SpendDice)
def offer_to_reroll(rules: "Ruleset", state: State, decision: Decision) -> list[Action]:
    """Reroll once, and only before a die is used (R-DICE-6)."""
    part = dice.part(state)
    if part.rolls > 1 or part.used:
        return []
    return [*_rerolls(free_dice(part))]


@lru_cache(maxsize=1 << 12)
def _rerolls(free: Free) -> tuple[Action, ...]:
    return tuple(map(RerollDice, handfuls(free).values()))


@dice.admits(RerollDice)
def other_dice(rules: "Ruleset", state: State, decision: Decision, action: RerollDice) -> bool:
    like = likeness(free_dice(dice.part(state)), action.dice)
    return like is not None and RerollDice(like) in actions_for(rules, state, decision)


@dice.decides(RerollDice)
def reroll(play: "Play", decision: Decision, action: RerollDice) -> None:
    faces, rerolled = list(dice.part(play.state).faces), tuple(sorted(action.dice))
    for die, face in zip(rerolled, throw(play, len(rerolled)), strict=True):
        faces[die - 1] = face
    play.record(DiceRerolled(decision.seat, rerolled, tuple(faces)))


@dice.evolves(DiceRerolled)
def rerolled(part: Dice, event: DiceRerolled) -> Dice:
    return part._replace(faces=event.faces, rolls=part.rolls + 1)


@dice.evolves(Paid)
def paid(part: Dice, event: Paid) -> Dice:
    """Each die is used once in a turn (R-DICE-9)."""
    faces, rolls, used, _, tokens, before, doubles = part
    gone = used.union(dice_of(event.payment).dice)
    return Dice(faces, rolls, gone, None, tokens, before, doubles)


@dice.evolves(RouteClaimed)
def tokens_paid(part: Dice, event: RouteClaimed) -> Dice:
    """Tokens that were paid go back to the supply (R-DICE-17)."""
    number = dice_of(event.payment).tokens
    if not number:
        return part
    spent = Tokens(0, number) if event.route in part.doubles else Tokens(number, 0)
    return without(part, event.seat, spent)


def without(part: Dice, seat: Seat, gone: Tokens) -> Dice:
    """The dice after a seat has returned tokens."""
    single, double = part.tokens[seat]
    return holding(part, seat, Tokens(single - gone.single, double - gone.double))


def holding(part: Dice, seat: Seat, tokens: Tokens) -> Dice:
    """The dice with these tokens for a seat."""
    faces, rolls, used, staked, held, before, doubles = part
    held = (*held[:seat], tokens, *held[seat + 1 :])
    return Dice(faces, rolls, used, staked, held, before, doubles)


@dice.offers(SpendDice)
def offer_to_draw(rules: "Ruleset", state: State, decision: Decision) -> list[Action]:
    """One ticket for each station or joker, as long as there are tickets (R-DICE-11)."""
    part = tickets.part(state)
    return draws(state) if part.fresh or part.under else []


def draws(state: State) -> list[Action]:
    """Drawing tickets with any of the dice that show a station or a joker."""
    return [*_draws(free_dice(dice.part(state)))]


@lru_cache(maxsize=1 << 12)
def _draws(free: Free) -> tuple[Action, ...]:
    fit = tuple(die for die in free if die[1] in (STATION, JOKER))
    return tuple(map(DrawForDice, handfuls(fit).values()))


@dice.admits(DrawForDice)
def other_tickets(rules: "Ruleset", state: State, decision: Decision, action: DrawForDice) -> bool:
    like = likeness(free_dice(dice.part(state)), action.dice)
    return like is not None and DrawForDice(like) in actions_for(rules, state, decision)


@dice.decides(DrawForDice)
def draw(play: "Play", decision: Decision, action: DrawForDice) -> None:
    play.record(DiceSpent(decision.seat, DicePayment(tuple(sorted(action.dice)))))
    offer(play, decision.seat, len(action.dice), 0)


@dice.shows
def show(rules: "Ruleset", state: State) -> Shown:
    part = dice.part(state)
    table = {
        "dice": list(part.faces),
        "dice_used": sorted(part.used),
        "rolls": part.rolls,
        "double_routes": list(part.doubles),
    }
    return Shown(table, [{"tokens": tokens._asdict()} for tokens in part.tokens])
