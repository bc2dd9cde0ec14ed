"""Texts about technologies: labels, notation and sentences."""

import re
from collections.abc import Sequence
from functools import partial
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING

from engine.errors import Unreadable
from engine.kinds import Action, Decision
from engine.menu import Entry, paid_ways
from engine.notation import halves, payments_in, plain
from engine.options import actions_for
from engine.purse import Bill
from engine.rules.technologies import (
    TechnologyBought,
    TechnologyReturned,
    catalogue,
    technologies,
)
from engine.rules.technology_rows import TechnologyId
from engine.rules.technology_sale import BuyTechnology
from engine.state import State
from engine.text import shown
from engine.translate import say
from engine.values import Payment

if TYPE_CHECKING:
    from engine.ruleset import Ruleset


def name_of(rules: "Ruleset", id: TechnologyId) -> str:
    return catalogue(rules).technologies[id].spoken


def bare(words: str) -> str:
    """The text with a hyphen for everything but letters and digits."""
    return re.sub(r"[^a-z0-9]+", "-", plain(words))


def technology_in(rules: "Ruleset", words: str) -> TechnologyId:
    """The technology that these words name, by its id or its name."""
    for id, row in catalogue(rules).technologies.items():
        if bare(words) in (bare(id), bare(row.name)):
            return id
    raise Unreadable(
        say("“{technology}” is not a technology of this game.", technology=shown(words))
    )


@technologies.labels(BuyTechnology)
def label_buy(rules: "Ruleset", state: State, action: BuyTechnology) -> str:
    name, paid = name_of(rules, action.technology), action.payment.spoken
    return say("Buy {technology} with {payment}", technology=name, payment=paid)


@technologies.groups(BuyTechnology)
def group_buy(rules: "Ruleset", action: BuyTechnology) -> str:
    return f"buy {bare(action.technology)}"


@technologies.enters(BuyTechnology)
def enter_sale(
    rules: "Ruleset", state: State, decision: Decision, actions: Sequence[BuyTechnology]
) -> list[Entry]:
    """An entry for each technology, with the ways to pay for it."""
    return [
        _for_sale(rules, state, decision, id, [action.payment for action in same])
        for id, same in groupby(actions, attrgetter("technology"))
    ]


def _for_sale(
    rules: "Ruleset", state: State, decision: Decision, id: TechnologyId, payments: list[Payment]
) -> Entry:
    price, text = catalogue(rules).technologies[id].price, f"buy {bare(id)}"
    return Entry(
        "buy",
        bare(id),
        say("Buy {technology}", technology=name_of(rules, id)),
        text,
        f"{text} with",
        "payment",
        paid_ways(Bill(rules, state, decision.seat, price), payments, partial(BuyTechnology, id)),
        costs=rules.purse.price(price),
    )


@technologies.writes(BuyTechnology)
def write_buy(rules: "Ruleset", action: BuyTechnology) -> str:
    return f"buy {bare(action.technology)} with {action.payment}"


@technologies.reads("buy")
def read_buy(rules: "Ruleset", state: State, decision: Decision, words: str) -> list[Action]:
    """Without a payment, every way to pay is meant, with its fewest locomotives."""
    what, given = halves(words, "with")
    id = technology_in(rules, what)
    listed = [
        other.payment
        for other in actions_for(rules, state, decision)
        if isinstance(other, BuyTechnology) and other.technology == id
    ]
    bill = Bill(rules, state, decision.seat, catalogue(rules).technologies[id].price)
    payments = payments_in(bill, listed, given)
    return [BuyTechnology(id, payment) for payment in payments]


@technologies.tells(TechnologyBought)
def tell_bought(rules: "Ruleset", event: TechnologyBought, names: Sequence[str]) -> str:
    return say(
        "{who} buys {technology} with {payment}.",
        who=names[event.seat],
        technology=name_of(rules, event.technology),
        payment=event.payment.spoken,
    )


@technologies.tells(TechnologyReturned)
def tell_returned(rules: "Ruleset", event: TechnologyReturned, names: Sequence[str]) -> str:
    name = name_of(rules, event.technology)
    return say("{technology} is for sale again.", technology=name)
