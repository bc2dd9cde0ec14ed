"""Buying technologies, before the action of a turn."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from engine.errors import Illegal, Refusal
from engine.fold import evolve
from engine.kinds import Action, Decision, action
from engine.module import SPEND, Shown
from engine.options import actions_for
from engine.rules.routes import ClaimRoute, can_claim_beside, claims
from engine.rules.technologies import AIMS, TechnologyBought, catalogue, technologies
from engine.rules.technology_claims import OPENS
from engine.rules.technology_rows import Technology, TechnologyId
from engine.state import State, asked_of
from engine.text import shown
from engine.translate import say, says
from engine.values import Cost, Payment, Seat

if TYPE_CHECKING:
    from engine.play import Play
    from engine.ruleset import Ruleset


@action("buy_technology")
class BuyTechnology(Action):
    free = True
    technology: TechnologyId
    payment: Payment


class Sale(NamedTuple):
    """What a seat can still buy, if it can pay."""

    prices: tuple[Cost, ...]
    rows: list[tuple[int, Technology]]
    """Each with the place of its price."""


def copies_left(rules: "Ruleset", state: State, id: TechnologyId) -> int:
    owned = technologies.part(state).owned
    return catalogue(rules).technologies[id].copies - sum(id in ids for ids in owned)


@technologies.offers(SPEND)
def offer_technologies(rules: "Ruleset", state: State, asked: Decision) -> list[Action]:
    """One in a turn, before its action, and each only once (R-TECH-5, R-TECH-8)."""
    seat = asked.seat
    if technologies.part(state).bought is not None:
        return []
    prices, rows = for_sale(rules, state, seat)
    ways = rules.purse.payments(rules, state, seat, prices)
    if not ways:
        return []
    found: list[Action] = []
    for at, row in rows:
        if at in ways:
            some = proposals(rules, state, seat, row, ways[at]) if row.claims else ways[at]
            found += [BuyTechnology(row.id, payment) for payment in some]
    return found


def for_sale(rules: "Ruleset", state: State, seat: Seat) -> Sale:
    """What the seat can still buy; remembered until somebody buys something."""
    owned, key = technologies.part(state).owned, (technologies.name, seat)
    last = rules.memory.get(key)
    if last is not None and last[0] is owned:
        remembered: Sale = last[1]
        return remembered
    sold = [id for ids in owned for id in ids]
    wanted = [
        row
        for id, row in catalogue(rules).technologies.items()
        if id not in owned[seat] and sold.count(id) < row.copies
    ]
    prices = tuple(sorted({row.price for row in wanted}))
    sale = Sale(prices, [(prices.index(row.price), row) for row in wanted])
    rules.memory[key] = (owned, sale)
    return sale


def proposals(
    rules: "Ruleset", state: State, seat: Seat, technology: Technology, ways: Sequence[Payment]
) -> Sequence[Payment]:
    """Those of these ways to pay that leave a claim to be made, or another that does (R-TECH-14).

    If all of them spend what a claim would need, it is set aside first, claim by claim.
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
    """Those of these ways to pay after which the technology can be used at once (R-TECH-14).

    What is meant to be claimed is open before and after, so that only its cost matters.
    """
    brings_more = _brings_more(rules, technology)
    return [
        payment
        for payment in ways
        if can_claim_beside(rules, state, seat, meant, payment)
        or (brings_more and _leads_on(rules, state, seat, technology, payment))
    ]


def _brings_more(rules: "Ruleset", technology: Technology) -> bool:
    """Whether more can be done after buying it than to claim what could be claimed before."""
    return len(technology.grants) > 1 or len(rules.offers[OPENS[technology.claims]]) > 1


def _leads_on(
    rules: "Ruleset", state: State, seat: Seat, technology: Technology, payment: Payment
) -> bool:
    """Whether anything can be done then: with dice, a token may make a claim possible."""
    bought = TechnologyBought(seat, technology.id, payment, technology.claims)
    after = evolve(rules, state, bought)
    asked = asked_of(after.awaiting, seat)
    return asked is not None and any(run(rules, after, asked) for run in rules.offers[type(asked)])


@technologies.admits(BuyTechnology)
def other_payments(rules: "Ruleset", state: State, asked: Decision, action: BuyTechnology) -> bool:
    """A technology that is offered may be paid with anything that pays for it."""
    offered = any(
        isinstance(other, BuyTechnology) and other.technology == action.technology
        for other in actions_for(rules, state, asked)
    )
    if not offered:
        return False
    row = catalogue(rules).technologies[action.technology]
    held = rules.purse.accepts(rules, state, asked.seat, row.price, action.payment)
    if not held or not row.claims:
        return held
    meant = claims(rules, state, asked.seat, AIMS[row.claims])
    return bool(usable(rules, state, asked.seat, row, [action.payment], meant))


@technologies.explains(BuyTechnology)
def why_not_buy(rules: "Ruleset", state: State, asked: Decision, action: BuyTechnology) -> Refusal:
    row = catalogue(rules).technologies.get(action.technology)
    if row is None:
        said = say("“{said}” is not sold in this game.", said=shown(action.technology))
        return Illegal(said, "R-TECH-8")
    part, seat = technologies.part(state), asked.seat
    if SPEND not in rules.purse.occasions.get(type(asked), ()):
        return Illegal(say("A technology is bought before the action of a turn."), "R-TECH-5")
    if part.bought is not None:
        return Illegal(say("Only one technology can be bought in a turn."), "R-TECH-5")
    if row.id in part.owned[seat]:
        return Illegal(say("{technology} is yours already.", technology=row.spoken), "R-TECH-8")
    if not copies_left(rules, state, row.id):
        return Illegal(say("No copy of {technology} is left.", technology=row.spoken), "R-TECH-8")
    return _why_not_paid(rules, state, seat, row, action.payment)


def _why_not_paid(
    rules: "Ruleset", state: State, seat: Seat, row: Technology, payment: Payment
) -> Refusal:
    if rules.purse.accepts(rules, state, seat, row.price, payment):
        said = say(
            "After paying {payment} you could not use {technology} in this turn.",
            payment=payment.spoken,
            technology=row.spoken,
        )
        return Illegal(said, "R-TECH-14")
    said = says(
        "{technology} costs {n} locomotive; you cannot pay it with {payment}.",
        "{technology} costs {n} locomotives; you cannot pay it with {payment}.",
        row.price.units,
        technology=row.spoken,
        payment=payment.spoken,
    )
    return Illegal(said, "R-TECH-6")


@technologies.decides(BuyTechnology)
def buy(play: "Play", asked: Decision, action: BuyTechnology) -> None:
    row = catalogue(play.rules).technologies[action.technology]
    play.record(TechnologyBought(asked.seat, row.id, action.payment, row.claims))


@technologies.shows
def show(rules: "Ruleset", state: State) -> Shown:
    left = {id: copies_left(rules, state, id) for id in catalogue(rules).technologies}
    owned = technologies.part(state).owned
    return Shown({"technologies_left": left}, [{"technologies": [*ids]} for ids in owned])
