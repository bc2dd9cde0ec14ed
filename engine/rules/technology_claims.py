"""Technologies that are used up by claims in the turn in which they are bought."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

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
"""What is left of the right to claim two: one has been claimed, a second is asked for."""


@decision
class ClaimTaken(Claiming):
    """Right of Way: a route of somebody else's must be claimed now (R-TECH-12)."""

    aim: ClassVar[Aim] = AIMS[TAKEN]
    seat: Seat


@decision
class ClaimFirst(Claiming):
    """Thermocompressor: the first of two routes must be claimed now (R-ADV-1)."""

    aim: ClassVar[Aim] = AIMS[TWO]
    seat: Seat


@decision
class ClaimSecond(Claiming):
    """Thermocompressor: a second route may be claimed (R-ADV-1)."""

    aim: ClassVar[Aim] = AIMS[TWO]
    seat: Seat


OPENS: dict[str, type[ClaimTaken | ClaimFirst]] = {TAKEN: ClaimTaken, TWO: ClaimFirst}


@event
class SecondClaimAllowed(Event):
    seat: Seat


@technologies.awaits(TechnologyBought)
def to_be_used_now(awaiting: Awaiting, event: TechnologyBought) -> Awaiting:
    """An ordinary purchase is free: the turn goes on as it was (R-ACT-2)."""
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
    """After its claims, or when the turn is over anyway, the technology goes back (R-TECH-12)."""
    part = technologies.part(play.state)
    if not part.right or part.bought is None:
        return
    seat = turns.part(play.state).seat
    if seat is None:
        return
    if part.right == BETWEEN:  # asked whatever the seat holds, or the table would learn of it
        play.record(SecondClaimAllowed(seat))
    elif not play.state.awaiting:
        play.record(TechnologyReturned(seat, part.bought))


@technologies.offers(ClaimTaken, ClaimFirst)
def offer_claims(
    rules: "Ruleset", state: State, asked: ClaimTaken | ClaimFirst
) -> Sequence[Action]:
    return claims(rules, state, asked.seat, asked.aim)


@technologies.offers(ClaimSecond)
def offer_second(rules: "Ruleset", state: State, asked: ClaimSecond) -> list[Action]:
    """The second claim is a permission, not a duty (R-ADV-1)."""
    return [*claims(rules, state, asked.seat, asked.aim), EndTurn()]


@technologies.defaults(ClaimTaken)
@technologies.defaults(ClaimFirst)
def claim_shortest(
    rules: "Ruleset", state: State, asked: Decision, actions: Sequence[Action]
) -> Action:
    """An absent seat has to claim: the shortest route costs it least."""
    known = rules.board.routes
    return min(
        (action for action in actions if isinstance(action, ClaimRoute)),
        key=lambda action: known[action.route].length,
    )


@technologies.defaults(ClaimSecond)
def claim_no_more(
    rules: "Ruleset", state: State, asked: Decision, actions: Sequence[Action]
) -> Action:
    return next(action for action in actions if isinstance(action, EndTurn))


@technologies.asks(ClaimTaken)
def ask_taken(rules: "Ruleset", state: State, asked: ClaimTaken) -> str:
    return say(
        "Claim a route that another seat holds: that is what {technology} allows.",
        technology=_name(rules, state),
    )


@technologies.asks(ClaimFirst)
def ask_first(rules: "Ruleset", state: State, asked: ClaimFirst) -> str:
    name = _name(rules, state)
    return say("Claim a route: {technology} allows two in this turn.", technology=name)


@technologies.asks(ClaimSecond)
def ask_second(rules: "Ruleset", state: State, asked: ClaimSecond) -> str:
    name = _name(rules, state)
    return say("Claim a second route, as {technology} allows, or end your turn.", technology=name)


def _name(rules: "Ruleset", state: State) -> str:
    bought = technologies.part(state).bought
    if bought is None:
        raise RulesBroken("a claim is asked for by right of nothing")
    return catalogue(rules).technologies[bought].spoken


@technologies.waits(ClaimTaken)
def wait_taken(rules: "Ruleset", asked: ClaimTaken) -> str:
    return say("claim a route that another seat holds")


@technologies.waits(ClaimFirst)
def wait_first(rules: "Ruleset", asked: ClaimFirst) -> str:
    return say("claim the first of two routes")


@technologies.waits(ClaimSecond)
def wait_second(rules: "Ruleset", asked: ClaimSecond) -> str:
    return say("claim a second route or end the turn")


@technologies.tells(SecondClaimAllowed)
def tell_second(rules: "Ruleset", event: SecondClaimAllowed, names: Sequence[str]) -> str:
    return say("{who} may claim a second route.", who=names[event.seat])
