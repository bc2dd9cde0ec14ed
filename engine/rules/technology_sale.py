"""Buying technologies, before the action of a turn."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from engine.errors import Illegal, Refusal
from engine.fold import evolve
from engine.kinds import Action, Decision, action
from engine.module import SPEND, Shown
from engine.notation import why_not_paid
from engine.options import actions_for
from engine.purse import Bill
from engine.rules.routes import ClaimRoute, can_claim_beside, claims
from engine.rules.technologies import AIMS, TechnologyBought, catalogue, technologies
from engine.rules.technology_claims import OPENS
from engine.rules.technology_rows import Technology, TechnologyId
from engine.state import State, decision_of
from engine.text import shown
from engine.translate import say
from engine.values import Cost, Paying, Payment, Seat

if TYPE_CHECKING:
    from engine.play import Play
    from engine.ruleset import Ruleset


@action("buy_technology")
class BuyTechnology(Action):
    """Buy a technology."""

    free = True
    technology: TechnologyId
    payment: Paying


class Sale(NamedTuple):
    """The technologies that a seat can still buy, if it can pay."""

    prices: tuple[Cost, ...]
    rows: list[tuple[int, Technology]]
    """The technologies, each with the index of its price."""


def copies_left(rules: "Ruleset", state: State, id: TechnologyId) -> int:
    owned = technologies.part(state).owned
    return catalogue(rules).technologies[id].copies - sum(id in ids for ids in owned)


@technologies.offers(SPEND)
def offer_technologies(rules: "Ruleset", state: State, decision: Decision) -> list[Action]:
    """One technology per turn, before the action, and each only once (R-TECH-5, R-TECH-8)."""
    seat = decision.seat
    if technologies.part(state).bought is not None:
        return []
    prices, rows = for_sale(rules, state, seat)
    ways = rules.purse.payments(rules, state, seat, prices)
    if not ways:
        return []
    actions: list[Action] = []
    for at, row in rows:
        if at in ways:
            payments = proposals(rules, state, seat, row, ways[at]) if row.claims else ways[at]
            actions += [BuyTechnology(row.id, payment) for payment in payments]
    return actions


def for_sale(rules: "Ruleset", state: State, seat: Seat) -> Sale:
    """What the seat can still buy; cached until the next purchase or return."""
    owned, key = technologies.part(state).owned, (technologies.name, seat)
    last = rules.memory.get(key)
    if last is not None and last[0] is owned:
        remembered: Sale = last[1]
        return remembered
    sold = [id for ids in owned for id in ids]
    available = [
        row
        for id, row in catalogue(rules).technologies.items()
        if id not in owned[seat] and sold.count(id) < row.copies
    ]
    prices = tuple(sorted({row.price for row in available}))
    sale = Sale(prices, [(prices.index(row.price), row) for row in available])
    rules.memory[key] = (owned, sale)
    return sale


def proposals(
    rules: "Ruleset", state: State, seat: Seat, technology: Technology, ways: Sequence[Payment]
) -> Sequence[Payment]:
    """The ways to pay that leave the seat able to claim a route afterwards (R-TECH-14).

    If all of these ways spend what a claim needs, other ways are tried that keep the payment of
    one of the claims.
    """
    if not technology.claims or not ways:
        return ways
    meant = claims(rules, state, seat, AIMS[technology.claims])
    if good := usable(rules, state, seat, technology, ways, meant):
        return good
    for kept in dict.fromkeys(claim.payment for claim in meant):
        rest = rules.purse.payments(rules, state, seat, (technology.price,), kept)
        if rest and (good := usable(rules, state, seat, technology, rest[0], meant)):
            return good
    return ()


def usable(
    rules: "Ruleset",
    state: State,
    seat: Seat,
    technology: Technology,
    ways: Sequence[Payment],
    meant: Sequence[ClaimRoute],
) -> list[Payment]:
    """The ways to pay after which the technology can be used at once (R-TECH-14).

    The claims are open before and after the purchase, so only their cost matters.
    """
    brings_more = _brings_more(rules, technology)
    return [
        payment
        for payment in ways
        if can_claim_beside(rules, state, seat, meant, payment)
        or (brings_more and _leads_on(rules, state, seat, technology, payment))
    ]


def _brings_more(rules: "Ruleset", technology: Technology) -> bool:
    """Whether it allows more after the purchase than the claims that were possible before."""
    return len(technology.grants) > 1 or len(rules.offers[OPENS[technology.claims]]) > 1


def _leads_on(
    rules: "Ruleset", state: State, seat: Seat, technology: Technology, payment: Payment
) -> bool:
    """Whether the seat has any option then: with dice, a token may make a claim possible."""
    bought = TechnologyBought(seat, technology.id, payment, technology.claims)
    after = evolve(rules, state, bought)
    decision = decision_of(after.awaiting, seat)
    return decision is not None and any(
        run(rules, after, decision) for run in rules.offers[type(decision)]
    )


@technologies.admits(BuyTechnology)
def other_payments(
    rules: "Ruleset", state: State, decision: Decision, action: BuyTechnology
) -> bool:
    """A technology on the list may be bought with any payment that covers its price."""
    offered = any(
        isinstance(other, BuyTechnology) and other.technology == action.technology
        for other in actions_for(rules, state, decision)
    )
    if not offered:
        return False
    row = catalogue(rules).technologies[action.technology]
    held = rules.purse.accepts(rules, state, decision.seat, row.price, action.payment)
    if not held or not row.claims:
        return held
    meant = claims(rules, state, decision.seat, AIMS[row.claims])
    return bool(usable(rules, state, decision.seat, row, [action.payment], meant))


@technologies.explains(BuyTechnology)
def why_not_buy(
    rules: "Ruleset", state: State, decision: Decision, action: BuyTechnology
) -> Refusal:
    row = catalogue(rules).technologies.get(action.technology)
    if row is None:
        name = shown(action.technology)
        sentence = say("“{technology}” is not for sale in this game.", technology=name)
        return Illegal(sentence, "R-TECH-8")
    part, seat = technologies.part(state), decision.seat
    if SPEND not in rules.purse.occasions.get(type(decision), ()):
        return Illegal(
            say("You can buy a technology only before the action of your turn."), "R-TECH-5"
        )
    if part.bought is not None:
        return Illegal(say("You can buy only one technology in a turn."), "R-TECH-5")
    if row.id in part.owned[seat]:
        return Illegal(say("You already have {technology}.", technology=row.spoken), "R-TECH-8")
    if not copies_left(rules, state, row.id):
        return Illegal(say("{technology} is sold out.", technology=row.spoken), "R-TECH-8")
    return _why_not_paid(rules, state, seat, row, action.payment)


def _why_not_paid(
    rules: "Ruleset", state: State, seat: Seat, row: Technology, payment: Payment
) -> Refusal:
    if rules.purse.accepts(rules, state, seat, row.price, payment):
        sentence = say(
            "If you pay {payment}, you cannot use {technology} this turn.",
            payment=payment.spoken,
            technology=row.spoken,
        )
        return Illegal(sentence, "R-TECH-14")
    bill = Bill(rules, state, seat, row.price)
    return Illegal(why_not_paid(bill, payment, row.spoken), "R-TECH-6")


@technologies.decides(BuyTechnology)
def buy(play: "Play", decision: Decision, action: BuyTechnology) -> None:
    row = catalogue(play.rules).technologies[action.technology]
    play.record(TechnologyBought(decision.seat, row.id, action.payment, row.claims))


@technologies.shows
def show(rules: "Ruleset", state: State) -> Shown:
    left = {id: copies_left(rules, state, id) for id in catalogue(rules).technologies}
    owned = technologies.part(state).owned
    return Shown({"technologies_left": left}, [{"technologies": [*ids]} for ids in owned])
