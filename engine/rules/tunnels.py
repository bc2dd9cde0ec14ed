"""Tunnels: claiming them, the surcharge, and giving up."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from engine.display import Help, Uncovered
from engine.errors import Illegal, Refusal, Unreadable
from engine.kinds import Action, Decision, Event, TakenBack, action, decision, event
from engine.menu import Entry, paid_ways, plain_entry
from engine.module import Module
from engine.names import called
from engine.notation import not_understood, payments_in, route_name, without
from engine.options import actions_for
from engine.purse import Bill
from engine.rules.routes import ClaimRoute, claim, worth
from engine.state import Awaiting, State, closed, opened
from engine.text import shown, together
from engine.translate import say, says
from engine.values import (
    GRAY,
    LOCOMOTIVE,
    SLOT,
    TUNNEL,
    CardPayment,
    Cost,
    DicePayment,
    Paying,
    Payment,
    RouteId,
    Seat,
)

if TYPE_CHECKING:
    from engine.play import Play
    from engine.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class Parameters:
    """None: the map marks its tunnels, and the purse determines the surcharge."""


tunnels: Module[Parameters, None] = Module("tunnels", Parameters, needs=("routes",))


@decision
class PaySurcharge(Decision):
    """Pay the surcharge of a tunnel, or give it up."""

    pays = True
    seat: Seat
    route: RouteId
    payment: Payment
    """The payment committed so far; it cannot be used for the surcharge."""
    cost: Cost


@action("pay_tunnel")
class PayTunnel(Action):
    """Pay the surcharge of a tunnel."""

    payment: Paying


@action("decline_tunnel")
class DeclineTunnel(Action):
    """Do not pay the surcharge: the payment comes back, and the turn ends."""


@event
class TunnelDug(Event):
    """A seat has begun a tunnel, and its surcharge is known."""

    seat: Seat
    route: RouteId
    payment: Paying
    revealed: Annotated[tuple[str, ...], "The cards or dice that were revealed for the surcharge."]
    surcharge: Annotated[Cost | None, "What the tunnel costs on top; null if nothing."]


@event
class TunnelAbandoned(TakenBack):
    """A seat has not paid the surcharge of a tunnel."""

    seat: Seat
    route: RouteId
    payment: Annotated[Payment, "What the seat takes back."]


@tunnels.intercepts(ClaimRoute)
def dig(play: "Play", decision: Decision, action: ClaimRoute) -> bool:
    """Reveal the surcharge of a tunnel; if there is none, claim it at once (R-ACT-3)."""
    rules = play.rules
    if not is_dug(rules, action):
        return False
    revealed, surcharge = rules.purse.probe(play, rules.costs[action.route], action.payment)
    play.record(TunnelDug(decision.seat, action.route, action.payment, revealed, surcharge))
    if surcharge is None:
        claim(play, decision.seat, action.route, action.payment)
    return True


@tunnels.reveals(ClaimRoute)
def is_dug(rules: "Ruleset", action: ClaimRoute) -> bool:
    return rules.board.routes[action.route].kind == "tunnel"


@tunnels.awaits(TunnelDug)
def ask_for_more(awaiting: Awaiting, event: TunnelDug) -> Awaiting:
    """The seat has to decide even if it cannot pay the surcharge (R-DIG-9)."""
    if event.surcharge is None:
        return awaiting
    decision = PaySurcharge(event.seat, event.route, event.payment, event.surcharge)
    return opened(awaiting, decision)


@tunnels.awaits(TunnelAbandoned)
def nothing_claimed(awaiting: Awaiting, event: TunnelAbandoned) -> Awaiting:
    return closed(awaiting, event.seat)


@tunnels.offers(PaySurcharge)
def offer_to_pay(rules: "Ruleset", state: State, decision: PaySurcharge) -> list[Action]:
    """Every way to pay the exact surcharge, and giving up (R-TUN-7)."""
    ways = rules.purse.payments(rules, state, decision.seat, (decision.cost,), decision.payment)
    return [*map(PayTunnel, ways.get(0, ())), DeclineTunnel()]


def bill(rules: "Ruleset", state: State, decision: PaySurcharge) -> Bill:
    """What is still to be paid for the tunnel."""
    return Bill(rules, state, decision.seat, decision.cost, decision.payment)


@tunnels.admits(PayTunnel)
def other_payments(rules: "Ruleset", state: State, decision: Decision, action: PayTunnel) -> bool:
    return isinstance(decision, PaySurcharge) and rules.purse.accepts(
        rules, state, decision.seat, decision.cost, action.payment, decision.payment
    )


@tunnels.explains(PayTunnel)
def why_not_pay(rules: "Ruleset", state: State, decision: Decision, action: PayTunnel) -> Refusal:
    if not isinstance(decision, PaySurcharge):
        return Illegal(say("You have no tunnel to pay for now."), "R-TUN-7")
    refused = say(
        "The tunnel costs {more}; you cannot pay that with {payment}.",
        more=_more(decision.cost),
        payment=action.payment.spoken,
    )
    reason = rules.purse.why_not(bill(rules, state, decision), action.payment)
    return Illegal(together(refused, reason), "R-TUN-7")


@tunnels.explains(DeclineTunnel)
def why_not_give_up(
    rules: "Ruleset", state: State, decision: Decision, action: DeclineTunnel
) -> Refusal:
    return Illegal(say("There is no tunnel to give up now."), "R-TUN-8")


@tunnels.decides(PayTunnel)
def pay(play: "Play", decision: PaySurcharge, action: PayTunnel) -> None:
    """Claim the route; trains and points depend on its length only (R-TUN-10)."""
    claim(
        play, decision.seat, decision.route, play.rules.purse.join(decision.payment, action.payment)
    )


@tunnels.decides(DeclineTunnel)
def give_up(play: "Play", decision: PaySurcharge, action: DeclineTunnel) -> None:
    """The committed payment goes back to the seat, and nothing is claimed (R-TUN-8)."""
    play.record(TunnelAbandoned(decision.seat, decision.route, decision.payment))


@tunnels.defaults(PaySurcharge)
def rather_not(
    rules: "Ruleset", state: State, decision: PaySurcharge, actions: Sequence[Action]
) -> Action:
    """An absent seat gives up, which costs it nothing."""
    return next(action for action in actions if isinstance(action, DeclineTunnel))


@tunnels.caps(PaySurcharge)
def at_most(
    rules: "Ruleset", state: State, decision: PaySurcharge, actions: Sequence[Action], most: int
) -> Action:
    """Pay if it costs at most `most`, with the fewest locomotives; otherwise give up."""
    ways = [
        action
        for action in actions
        if isinstance(action, PayTunnel) and _units(action.payment) <= most
    ]
    if not ways:
        return rather_not(rules, state, decision, actions)
    return min(ways, key=lambda action: _locomotives(action.payment))


def _units(payment: Payment) -> int:
    if isinstance(payment, CardPayment):
        return sum(payment.counts)
    return len(payment.dice) + payment.tokens if isinstance(payment, DicePayment) else 0


def _locomotives(payment: Payment) -> int:
    return payment.counts[SLOT[LOCOMOTIVE]] if isinstance(payment, CardPayment) else 0


def _more(cost: Cost) -> str:
    """A surcharge in words; only its number where colours do not matter."""
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
def ask_surcharge(rules: "Ruleset", state: State, decision: PaySurcharge) -> str:
    name = route_name(rules, decision.route)
    return say(
        "Pay {more} for the tunnel {route}, or give it up.", more=_more(decision.cost), route=name
    )


@tunnels.uncovers(TunnelDug)
def turned(event: TunnelDug) -> Uncovered:
    return Uncovered(event.route, event.revealed)


@tunnels.waits(PaySurcharge)
def wait_surcharge(rules: "Ruleset", decision: PaySurcharge) -> str:
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


@tunnels.enters(PayTunnel)
def enter_pay(
    rules: "Ruleset", state: State, decision: PaySurcharge, actions: Sequence[PayTunnel]
) -> list[Entry]:
    payments = [action.payment for action in actions]
    return [
        Entry(
            "tunnel",
            "",
            say("Pay {more} for the tunnel", more=_more(decision.cost)),
            "pay",
            "pay",
            "payment",
            paid_ways(bill(rules, state, decision), payments, PayTunnel),
            costs=rules.purse.price(decision.cost),
            points=worth(rules, state, decision.seat, rules.board.routes[decision.route]),
        )
    ]


@tunnels.enters(DeclineTunnel)
def enter_give_up(
    rules: "Ruleset", state: State, decision: PaySurcharge, actions: Sequence[DeclineTunnel]
) -> list[Entry]:
    """Giving up; where nothing else is left, it says what the seat lacks."""
    missing = rules.purse.shortfall(bill(rules, state, decision)).words
    note = say("to pay, you still need {missing}", missing=missing) if missing else ""
    return [plain_entry(rules, state, action)._replace(note=note) for action in actions]


@tunnels.titles("tunnel")
def title_tunnel(rules: "Ruleset", what: str) -> str:
    return say("The tunnel")


@tunnels.notes("claim")
def note_claim(rules: "Ruleset", route: RouteId) -> str:
    return say("tunnel") if rules.board.routes[route].kind == TUNNEL else ""


@tunnels.helps("claim")
def help_claim(rules: "Ruleset", route: RouteId) -> list[Help]:
    if route and rules.board.routes[route].kind != TUNNEL:
        return []
    return help_tunnel(rules, "")


@tunnels.helps("tunnel")
def help_tunnel(rules: "Ruleset", what: str) -> list[Help]:
    """How the surcharge works, and that the seat can give up (R-TUN-2 to 8, R-DICE-21, 22)."""
    if rules.purse.rolls:
        sentence = say(
            "First you pay for the length of the tunnel. Then tunnel dice are rolled, and each "
            "tunnel symbol costs one more die or token. If you do not want to pay, you keep your "
            "tokens but claim nothing, and your turn is over."
        )
    else:
        sentence = say(
            "First you pay for the length of the tunnel. Then three cards are turned over, and "
            "each locomotive and each card of the colour you paid with costs one more card. If you "
            "paid with locomotives only, just locomotives count. If you do not want to pay, you "
            "take your cards back but claim nothing, and your turn is over."
        )
    return [Help("tunnel", say("Tunnel"), sentence)]


@tunnels.writes(PayTunnel)
def write_pay(rules: "Ruleset", action: PayTunnel) -> str:
    return f"pay {action.payment}"


@tunnels.writes(DeclineTunnel)
def write_give_up(rules: "Ruleset", action: DeclineTunnel) -> str:
    return "give up"


@tunnels.reads("pay")
def read_pay(rules: "Ruleset", state: State, decision: Decision, words: str) -> list[Action]:
    """Without a payment, every way to pay is meant, with its fewest locomotives."""
    if not isinstance(decision, PaySurcharge):
        return [*map(PayTunnel, rules.purse.read(words, ()))]
    listed = [
        action.payment
        for action in actions_for(rules, state, decision)
        if isinstance(action, PayTunnel)
    ]
    given = words.removeprefix("with ")
    return [*map(PayTunnel, payments_in(bill(rules, state, decision), listed, given))]


@tunnels.reads("give")
def read_give_up(rules: "Ruleset", state: State, decision: Decision, words: str) -> list[Action]:
    if without(words, "the", "tunnel") != "up":
        raise Unreadable(not_understood(f"give {shown(words)}", "give up"))
    return [DeclineTunnel()]


@tunnels.tells(TunnelDug)
def tell_dug(rules: "Ruleset", event: TunnelDug, names: Sequence[str]) -> str:
    dug = say(
        "{who} digs the tunnel {route} with {payment}: {seen}.",
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
