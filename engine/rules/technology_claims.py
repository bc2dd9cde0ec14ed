"""Technologies that allow special claims in the turn of purchase and are used up by them."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from engine.display import Speed
from engine.errors import RulesBroken
from engine.kinds import Action, Decision, Event, decision, event
from engine.rules.routes import Aim, Claiming, ClaimRoute, RouteClaimed, claims
from engine.rules.technologies import (
    AIMS,
    Technologies,
    TechnologyBought,
    TechnologyReturned,
    catalogue,
    technologies,
)
from engine.rules.turn_end import EndTurn
from engine.rules.turns import turns
from engine.state import Awaiting, State, opened
from engine.translate import say
from engine.values import Seat

if TYPE_CHECKING:
    from engine.play import Play
    from engine.ruleset import Ruleset

TAKEN, TWO = AIMS
BETWEEN, SECOND = "between", "second"
"""Stages of the right to claim two routes: after the first claim, and while a second is open."""


@decision
class ClaimTaken(Claiming):
    """Right of Way: the seat must now claim a route of another seat (R-TECH-12)."""

    aim: ClassVar[Aim] = AIMS[TAKEN]
    seat: Seat


@decision
class ClaimFirst(Claiming):
    """Thermocompressor: the seat must now claim the first of two routes (R-ADV-1)."""

    aim: ClassVar[Aim] = AIMS[TWO]
    seat: Seat


@decision
class ClaimSecond(Claiming):
    """Thermocompressor: the seat may claim a second route (R-ADV-1)."""

    aim: ClassVar[Aim] = AIMS[TWO]
    seat: Seat


OPENS: dict[str, type[ClaimTaken | ClaimFirst]] = {TAKEN: ClaimTaken, TWO: ClaimFirst}


@event
class SecondClaimAllowed(Event):
    """A seat may claim another route in this turn."""

    seat: Seat


@technologies.speeds
def speed(rules: "Ruleset") -> Speed:
    """Some technologies allow two claims in a turn, or a claim of a route of another seat."""
    allowed = catalogue(rules).grants["claims"].values()
    return Speed(claims=2 if TWO in allowed else 1, shared=TAKEN in allowed)


@technologies.awaits(TechnologyBought)
def to_be_used_now(awaiting: Awaiting, event: TechnologyBought) -> Awaiting:
    """After an ordinary purchase the turn goes on as before (R-ACT-2)."""
    return opened(awaiting, OPENS[event.claims](event.seat)) if event.claims else awaiting


@technologies.evolves(RouteClaimed)
def claim_made(part: Technologies, event: RouteClaimed) -> Technologies:
    return part._replace(right=BETWEEN) if part.right == TWO else part


@technologies.evolves(SecondClaimAllowed)
def one_more(part: Technologies, event: SecondClaimAllowed) -> Technologies:
    return part._replace(right=SECOND)


@technologies.awaits(SecondClaimAllowed)
def ask_for_second(awaiting: Awaiting, event: SecondClaimAllowed) -> Awaiting:
    return opened(awaiting, ClaimSecond(event.seat))


@technologies.settles
def used_up(play: "Play") -> None:
    """Return the technology after its claims, or at the end of the turn (R-TECH-12)."""
    part = technologies.part(play.state)
    if not part.right or part.bought is None:
        return
    seat = turns.part(play.state).seat
    if seat is None:
        return
    if part.right == BETWEEN:  # always asked, or the others would learn that the seat cannot pay
        play.record(SecondClaimAllowed(seat))
    elif not play.state.awaiting:
        play.record(TechnologyReturned(seat, part.bought))


@technologies.offers(ClaimTaken, ClaimFirst)
def offer_claims(
    rules: "Ruleset", state: State, decision: ClaimTaken | ClaimFirst
) -> Sequence[Action]:
    return claims(rules, state, decision.seat, decision.aim)


@technologies.offers(ClaimSecond)
def offer_second(rules: "Ruleset", state: State, decision: ClaimSecond) -> list[Action]:
    """The second claim is optional (R-ADV-1)."""
    return [*claims(rules, state, decision.seat, decision.aim), EndTurn()]


@technologies.defaults(ClaimTaken)
@technologies.defaults(ClaimFirst)
def claim_shortest(
    rules: "Ruleset", state: State, decision: Decision, actions: Sequence[Action]
) -> Action:
    """An absent seat must claim something: the shortest route costs it least.

    With dice it may first have to take a token, without which it can pay for none.
    """
    known = rules.board.routes
    return min(
        (action for action in actions if isinstance(action, ClaimRoute)),
        key=lambda action: known[action.route].length,
        default=actions[0],
    )


@technologies.defaults(ClaimSecond)
def claim_no_more(
    rules: "Ruleset", state: State, decision: Decision, actions: Sequence[Action]
) -> Action:
    return next(action for action in actions if isinstance(action, EndTurn))


@technologies.asks(ClaimTaken)
def ask_taken(rules: "Ruleset", state: State, decision: ClaimTaken) -> str:
    return say(
        "Claim a route that another player holds, as {technology} allows.",
        technology=_name(rules, state),
    )


@technologies.asks(ClaimFirst)
def ask_first(rules: "Ruleset", state: State, decision: ClaimFirst) -> str:
    name = _name(rules, state)
    return say("Claim a route: {technology} allows two this turn.", technology=name)


@technologies.asks(ClaimSecond)
def ask_second(rules: "Ruleset", state: State, decision: ClaimSecond) -> str:
    name = _name(rules, state)
    return say("Claim a second route, as {technology} allows, or end your turn.", technology=name)


def _name(rules: "Ruleset", state: State) -> str:
    bought = technologies.part(state).bought
    if bought is None:
        raise RulesBroken("a claim is open, but no technology was bought")
    return catalogue(rules).technologies[bought].spoken


@technologies.waits(ClaimTaken)
def wait_taken(rules: "Ruleset", decision: ClaimTaken) -> str:
    return say("claim a route that another player holds")


@technologies.waits(ClaimFirst)
def wait_first(rules: "Ruleset", decision: ClaimFirst) -> str:
    return say("claim the first of two routes")


@technologies.waits(ClaimSecond)
def wait_second(rules: "Ruleset", decision: ClaimSecond) -> str:
    return say("claim a second route or end the turn")


@technologies.tells(SecondClaimAllowed)
def tell_second(rules: "Ruleset", event: SecondClaimAllowed, names: Sequence[str]) -> str:
    return say("{who} may claim a second route.", who=names[event.seat])
