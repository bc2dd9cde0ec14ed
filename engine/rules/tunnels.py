"""Tunnels: digging, the surcharge, and giving up."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.display import Help
from engine.errors import Illegal, Refusal, Unreadable
from engine.kinds import Action, Decision, Event, TakenBack, action, decision, event
from engine.module import Module
from engine.names import called
from engine.notation import not_understood, route_name
from engine.options import actions_for
from engine.rules.routes import ClaimRoute, claim
from engine.state import Awaiting, State, closed, opened
from engine.text import shown
from engine.translate import say, says
from engine.values import (
    GRAY,
    LOCOMOTIVE,
    SLOT,
    TUNNEL,
    CardPayment,
    Cost,
    DicePayment,
    Payment,
    RouteId,
    Seat,
)

if TYPE_CHECKING:
    from engine.play import Play
    from engine.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class Parameters:
    """The map marks its tunnels; the purse knows how one is dug."""


tunnels: Module[Parameters, None] = Module("tunnels", Parameters, needs=("routes",))


@decision
class PaySurcharge(Decision):
    pays = True
    seat: Seat
    route: RouteId
    payment: Payment
    """Committed already; it cannot be used for the surcharge."""
    cost: Cost


@action("pay_tunnel")
class PayTunnel(Action):
    payment: Payment


@action("decline_tunnel")
class DeclineTunnel(Action):
    pass


@event
class TunnelDug(Event):
    seat: Seat
    route: RouteId
    payment: Payment
    revealed: tuple[str, ...]
    surcharge: Cost | None


@event
class TunnelAbandoned(TakenBack):
    seat: Seat
    route: RouteId
    payment: Payment


@tunnels.intercepts(ClaimRoute)
def dig(play: "Play", asked: Decision, action: ClaimRoute) -> bool:
    """A tunnel is dug before it is claimed; without a surcharge it is claimed at once (R-ACT-3)."""
    rules = play.rules
    if not is_dug(rules, action):
        return False
    revealed, surcharge = rules.purse.probe(play, rules.costs[action.route], action.payment)
    play.record(TunnelDug(asked.seat, action.route, action.payment, revealed, surcharge))
    if surcharge is None:
        claim(play, asked.seat, action.route, action.payment)
    return True


@tunnels.reveals(ClaimRoute)
def is_dug(rules: "Ruleset", action: ClaimRoute) -> bool:
    return rules.board.routes[action.route].kind == "tunnel"


@tunnels.awaits(TunnelDug)
def ask_for_more(awaiting: Awaiting, event: TunnelDug) -> Awaiting:
    """A surcharge is asked for whether or not it can be paid (R-DIG-9)."""
    if event.surcharge is None:
        return awaiting
    asked = PaySurcharge(event.seat, event.route, event.payment, event.surcharge)
    return opened(awaiting, asked)


@tunnels.awaits(TunnelAbandoned)
def nothing_claimed(awaiting: Awaiting, event: TunnelAbandoned) -> Awaiting:
    return closed(awaiting, event.seat)


@tunnels.offers(PaySurcharge)
def offer_to_pay(rules: "Ruleset", state: State, asked: PaySurcharge) -> list[Action]:
    """Every way to pay exactly the surcharge, and giving up (R-TUN-7)."""
    ways = rules.purse.payments(rules, state, asked.seat, (asked.cost,), asked.payment)
    return [*map(PayTunnel, ways.get(0, ())), DeclineTunnel()]


@tunnels.admits(PayTunnel)
def other_payments(rules: "Ruleset", state: State, asked: Decision, action: PayTunnel) -> bool:
    return isinstance(asked, PaySurcharge) and rules.purse.accepts(
        rules, state, asked.seat, asked.cost, action.payment, asked.payment
    )


@tunnels.explains(PayTunnel)
def why_not_pay(rules: "Ruleset", state: State, asked: Decision, action: PayTunnel) -> Refusal:
    if not isinstance(asked, PaySurcharge):
        return Illegal(say("No tunnel asks you for a surcharge now."), "R-TUN-7")
    said = say(
        "The tunnel costs {more}; you cannot pay it with {payment}.",
        more=_more(asked.cost),
        payment=action.payment.spoken,
    )
    return Illegal(said, "R-TUN-7")


@tunnels.explains(DeclineTunnel)
def why_not_give_up(
    rules: "Ruleset", state: State, asked: Decision, action: DeclineTunnel
) -> Refusal:
    return Illegal(say("There is no tunnel to give up now."), "R-TUN-8")


@tunnels.decides(PayTunnel)
def pay(play: "Play", asked: PaySurcharge, action: PayTunnel) -> None:
    """Trains and points follow the length, whatever was paid (R-TUN-10)."""
    claim(play, asked.seat, asked.route, play.rules.purse.join(asked.payment, action.payment))


@tunnels.decides(DeclineTunnel)
def give_up(play: "Play", asked: PaySurcharge, action: DeclineTunnel) -> None:
    """What was laid down goes back to the seat, and nothing is claimed (R-TUN-8)."""
    play.record(TunnelAbandoned(asked.seat, asked.route, asked.payment))


@tunnels.defaults(PaySurcharge)
def rather_not(
    rules: "Ruleset", state: State, asked: PaySurcharge, actions: Sequence[Action]
) -> Action:
    """An absent seat gives up: nothing of its own is spent."""
    return next(action for action in actions if isinstance(action, DeclineTunnel))


@tunnels.caps(PaySurcharge)
def at_most(
    rules: "Ruleset", state: State, asked: PaySurcharge, actions: Sequence[Action], most: int
) -> Action:
    """The way to pay at most so much that spends the fewest locomotives; or else it is given up."""
    ways = [one for one in actions if isinstance(one, PayTunnel) and _units(one.payment) <= most]
    if not ways:
        return rather_not(rules, state, asked, actions)
    return min(ways, key=lambda one: _locomotives(one.payment))


def _units(payment: Payment) -> int:
    if isinstance(payment, CardPayment):
        return sum(payment.counts)
    return len(payment.dice) + payment.tokens if isinstance(payment, DicePayment) else 0


def _locomotives(payment: Payment) -> int:
    return payment.counts[SLOT[LOCOMOTIVE]] if isinstance(payment, CardPayment) else 0


def _more(cost: Cost) -> str:
    """A surcharge in words; where colours do not matter only its number is said."""
    if cost.locomotives == cost.units:
        return says("{n} more locomotive", "{n} more locomotives", cost.units)
    if cost.colour == GRAY:
        return says("{n} more", "{n} more", cost.units)
    return says(
        "{n} more {colour} card or locomotive",
        "{n} more {colour} cards or locomotives",
        cost.units,
        colour=called(cost.colour),
    )


@tunnels.asks(PaySurcharge)
def ask_surcharge(rules: "Ruleset", state: State, asked: PaySurcharge) -> str:
    name = route_name(rules, asked.route)
    return say("Pay {more} for the tunnel {route}, or give up.", more=_more(asked.cost), route=name)


@tunnels.waits(PaySurcharge)
def wait_surcharge(rules: "Ruleset", asked: PaySurcharge) -> str:
    return say("pay for a tunnel or give it up")


@tunnels.labels(PayTunnel)
def label_pay(rules: "Ruleset", state: State, action: PayTunnel) -> str:
    return say("Pay {payment} more for the tunnel", payment=action.payment.spoken)


@tunnels.labels(DeclineTunnel)
def label_give_up(rules: "Ruleset", state: State, action: DeclineTunnel) -> str:
    return say("Give up the tunnel")


@tunnels.groups(PayTunnel)
@tunnels.groups(DeclineTunnel)
def group_tunnel(rules: "Ruleset", action: Action) -> str:
    return "tunnel"


@tunnels.titles("tunnel")
def title_tunnel(rules: "Ruleset", what: str) -> str:
    return say("The tunnel")


@tunnels.helps("claim")
def help_claim(rules: "Ruleset", route: RouteId) -> list[Help]:
    if route and rules.board.routes[route].kind != TUNNEL:
        return []
    return help_tunnel(rules, "")


@tunnels.helps("tunnel")
def help_tunnel(rules: "Ruleset", what: str) -> list[Help]:
    """What the surcharge hangs on, and that one can give up (R-TUN-2 to 8, R-DICE-21, 22)."""
    if rules.purse.rolls:
        said = say(
            "You pay for its length, then tunnel dice are rolled: each tunnel sign costs one more "
            "die or token. If you would rather not pay, you keep your tokens, claim nothing, and "
            "your turn is over."
        )
    else:
        said = say(
            "You pay for its length, then three cards are turned over: each of the colour that you "
            "paid with, and each locomotive, costs one more card. If you paid with locomotives "
            "alone, only locomotives count. If you would rather not pay, your cards come back, you "
            "claim nothing, and your turn is over."
        )
    return [Help("tunnel", say("Tunnel"), said)]


@tunnels.writes(PayTunnel)
def write_pay(rules: "Ruleset", action: PayTunnel) -> str:
    return f"pay {action.payment}"


@tunnels.writes(DeclineTunnel)
def write_give_up(rules: "Ruleset", action: DeclineTunnel) -> str:
    return "give up"


@tunnels.reads("pay")
def read_pay(rules: "Ruleset", state: State, asked: Decision, said: str) -> list[Action]:
    """Without a payment, every payment that is offered is meant."""
    listed = [one for one in actions_for(rules, state, asked) if isinstance(one, PayTunnel)]
    return list(listed) if listed and not said else [PayTunnel(rules.purse.read(said))]


@tunnels.reads("give")
def read_give_up(rules: "Ruleset", state: State, asked: Decision, said: str) -> list[Action]:
    if said != "up":
        raise Unreadable(not_understood(f"give {shown(said)}", "give up"))
    return [DeclineTunnel()]


@tunnels.tells(TunnelDug)
def tell_dug(rules: "Ruleset", event: TunnelDug, names: Sequence[str]) -> str:
    dug = say(
        "{who} digs {route} with {payment}: {seen}.",
        who=names[event.seat],
        route=route_name(rules, event.route),
        payment=event.payment.spoken,
        seen=", ".join(map(called, event.revealed)) or say("nothing"),
    )
    if event.surcharge is None:
        due = say("Nothing more to pay.")
    else:
        due = say("{more} to pay.", more=_more(event.surcharge))
    return f"{dug} {due}"


@tunnels.tells(TunnelAbandoned)
def tell_abandoned(rules: "Ruleset", event: TunnelAbandoned, names: Sequence[str]) -> str:
    name = route_name(rules, event.route)
    return say("{who} gives up the tunnel {route}.", who=names[event.seat], route=name)
