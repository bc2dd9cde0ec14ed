"""A turn with dice: rolling tunnel dice, what follows the action, and ending the turn."""

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated

from engine.errors import RulesBroken
from engine.kinds import Action, Decision, Event, decision, event
from engine.rules.dice import SIDES, dice, longest, without
from engine.rules.dice_purse import FACES, Dice, SpendDice, dice_of
from engine.rules.routes import enough_trains, not_both_tracks, routes
from engine.rules.turn_end import EndTurn
from engine.rules.turns import turns
from engine.state import Awaiting, State, closed, opened
from engine.values import DicePayment, Paying, Seat, Tokens

if TYPE_CHECKING:
    from engine.play import Play
    from engine.ruleset import Ruleset

TUNNEL, BLANK = "tunnel", "blank"


@decision
class FinishTurn(Decision):
    """After the action: the seat may still take or return tokens before it ends the turn."""

    seat: Seat


@decision
class LeaveTunnel(Decision):
    """After giving up a tunnel: the seat may only return tokens and end the turn."""

    seat: Seat


@event
class TunnelDiceRolled(Event):
    """The tunnel dice have been rolled."""

    seat: Seat
    payment: Paying
    faces: Annotated[tuple[str, ...], "The faces of the tunnel dice."]


@event
class ActionDone(Event):
    """A seat has used the dice for the action of its turn."""

    seat: Seat


@event
class ActionFailed(Event):
    """The action of a seat's turn has failed."""

    seat: Seat


@event
class DiceHandedOn(Event):
    """A seat has ended its turn with the dice."""

    seat: Seat
    returned: Annotated[Tokens, "The tokens that the seat has returned to the supply."]


def dig(play: "Play", payment: DicePayment) -> tuple[str, ...]:
    """Commit a payment to a tunnel and roll the tunnel dice (R-DICE-21)."""
    settings, seat = dice.parameters(play.rules), turns.part(play.state).seat
    if seat is None:
        raise RulesBroken("a tunnel is dug outside of any turn")
    faces = tuple(
        TUNNEL if play.chance.below(SIDES) < settings.tunnel_faces else BLANK
        for _ in range(settings.tunnel_dice)
    )
    play.record(TunnelDiceRolled(seat, payment, faces))
    return faces


@dice.evolves(TunnelDiceRolled)
def staked(part: Dice, event: TunnelDiceRolled) -> Dice:
    return part._replace(staked=dice_of(event.payment))


@dice.settles
def what_is_left(play: "Play") -> None:
    """After its action a turn goes on until the seat ends it (R-ACT-6)."""
    if play.state.awaiting:
        return
    part, seat = dice.part(play.state), turns.part(play.state).seat
    if part.faces and seat is not None:
        play.record(ActionDone(seat) if part.staked is None else ActionFailed(seat))


@dice.evolves(ActionDone)
def done(part: Dice, event: ActionDone) -> Dice:
    return part


@dice.awaits(ActionDone)
def finish(awaiting: Awaiting, event: ActionDone) -> Awaiting:
    return opened(awaiting, FinishTurn(event.seat))


@dice.evolves(ActionFailed)
def failed(part: Dice, event: ActionFailed) -> Dice:
    """The seat keeps the tokens it had committed (R-DICE-22)."""
    return part._replace(staked=None)


@dice.awaits(ActionFailed)
def leave(awaiting: Awaiting, event: ActionFailed) -> Awaiting:
    return opened(awaiting, LeaveTunnel(event.seat))


@dice.offers(SpendDice, FinishTurn, LeaveTunnel)
def offer_to_end(rules: "Ruleset", state: State, decision: Decision) -> list[Action]:
    """A turn can always be ended, returning any tokens (R-DICE-8, R-DICE-17)."""
    return [*_endings(dice.part(state).tokens[decision.seat])]


@lru_cache(maxsize=1 << 8)
def _endings(held: Tokens) -> tuple[Action, ...]:
    return tuple(
        EndTurn(Tokens(single, double))
        for single in range(held.single + 1)
        for double in range(held.double + 1)
    )


@dice.intercepts(EndTurn)
def hand_on(play: "Play", decision: Decision, action: EndTurn) -> bool:
    """Take over the end of a turn with dice; other rules use EndTurn, too."""
    if not isinstance(decision, SpendDice | FinishTurn | LeaveTunnel):
        return False
    play.record(DiceHandedOn(decision.seat, action.return_tokens))
    return True


@dice.evolves(DiceHandedOn)
def handed_on(part: Dice, event: DiceHandedOn) -> Dice:
    cleared = Dice((), 0, frozenset(), part.staked, part.tokens, 0, part.doubles)
    return without(cleared, event.seat, event.returned) if any(event.returned) else cleared


@dice.awaits(DiceHandedOn)
def turn_over(awaiting: Awaiting, event: DiceHandedOn) -> Awaiting:
    return closed(awaiting, event.seat)


@dice.defaults(SpendDice)
@dice.defaults(FinishTurn)
@dice.defaults(LeaveTunnel)
def just_end(
    rules: "Ruleset", state: State, decision: Decision, actions: Sequence[Action]
) -> Action:
    """An absent seat does nothing and keeps its tokens."""
    return EndTurn()


@dice.ends
def nothing_to_claim(rules: "Ruleset", state: State, seat: Seat) -> bool:
    """The last round begins when nobody can claim a route any more (R-END-6).

    Checks route by route: until the board is nearly full, one of the first is enough.
    """
    owners, reach = routes.part(state).owners, longest(rules)
    return not any(
        not_both_tracks(rules, state, other, enough_trains(rules, state, other, [route]))
        for route in rules.board.routes.values()
        if route.id not in owners and route.length <= reach
        for other in range(rules.seats)
    )


@dice.accounts
def count_dice(rules: "Ruleset", state: State) -> None:
    """Dice show faces only during a turn, and nobody holds too many tokens (R-DICE-15)."""
    part, settings = dice.part(state), dice.parameters(rules)
    if len(part.faces) not in (0, settings.dice) or not set(part.faces) <= set(FACES):
        raise RulesBroken(f"the dice show {part.faces}")
    if not part.used <= set(range(1, len(part.faces) + 1)):
        raise RulesBroken("a die is used that does not exist")
    if any(min(held) < 0 or sum(held) > settings.hold for held in part.tokens):
        raise RulesBroken(f"a seat holds too many or too few tokens: {part.tokens}")
