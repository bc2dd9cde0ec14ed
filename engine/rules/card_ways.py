"""Ways to pay with train cards, prices in words, and what is wrong with other payments."""

from functools import lru_cache

from engine.names import called, one_card, some_cards
from engine.purse import PaidWay, Shortfall
from engine.rules.card_payments import (
    ALL_COLOURS,
    LONG,
    RIDER,
    WILD,
    all_jokers,
    cards_of,
    jokers_in,
    pays,
    plus4_first,
    takes_plus4,
)
from engine.translate import say, says
from engine.values import (
    CARDS,
    COLOURS,
    GRAY,
    LOCOMOTIVE,
    NO_CARDS,
    PLUS4_FROM,
    USUAL_MEANS,
    Card,
    Cost,
    Counts,
    Means,
    Terms,
    card_payment,
)


@lru_cache(maxsize=1 << 12)
def paid_ways(
    hand: Counts, cost: Cost, terms: Terms, payments: tuple[Counts, ...]
) -> tuple[PaidWay, ...]:
    """These payments as ways: one for each colour, from its fewest locomotives to the most.

    The most may be locomotives alone; they are a way of their own only if no colour can be paid.
    Each payment with substitutes is a way of its own. The order is: without substitutes, then
    fewest locomotives, fewest cards, and the colour that leaves most in hand.
    """
    without = Terms(spare=terms.spare)
    jokers = cost.means.jokers
    simple = cost._replace(means=Means(jokers))
    plain = [all_jokers(counts) for counts in payments if pays(counts, simple, without)]
    available = all_jokers(hand) if takes_plus4(cost) else hand
    ways = [
        _of_colour(available, min(of_colour, key=_locomotives), slot)
        if jokers
        else _way([min(of_colour, key=_locomotives)], COLOURS[slot])
        for slot in ALL_COLOURS
        if (of_colour := [counts for counts in plain if counts[slot]])
    ]
    if plain and not ways:
        ways = [_way(plain[:1], LOCOMOTIVE)]
    if hand[LONG] and takes_plus4(cost):
        ways = [_with_plus4(hand, way) for way in ways]
    ways += [_way([counts], "") for counts in payments if all_jokers(counts) not in plain]
    return tuple(sorted(ways, key=lambda way: _thrift(way, hand)))


def _of_colour(hand: Counts, fewest: Counts, slot: int) -> PaidWay:
    """A way from these cards to as many locomotives instead as the hand has."""
    most = min(hand[WILD], sum(fewest))
    steps = [_moved(fewest, slot, more) for more in range(most - fewest[WILD] + 1)]
    return _way(steps, COLOURS[slot])


def _moved(counts: Counts, slot: int, more: int) -> Counts:
    moved = list(counts)
    moved[slot] -= more
    moved[WILD] += more
    return tuple(moved)


def _way(steps: list[Counts], name: str) -> PaidWay:
    return PaidWay(tuple(map(card_payment, steps)), steps[0][WILD], name)


def _with_plus4(hand: Counts, way: PaidWay) -> PaidWay:
    """The same way, paid with the hand's “+4” locomotives first."""
    payments = (plus4_first(hand, cards_of(payment).counts) for payment in way.payments)
    return way._replace(payments=tuple(payments))


def _locomotives(counts: Counts) -> int:
    return counts[WILD]


def _thrift(way: PaidWay, hand: Counts) -> tuple[bool, int, int, int]:
    counts = cards_of(way.payments[0]).counts
    left = hand[CARDS.index(way.name)] - counts[CARDS.index(way.name)] if way.name else 0
    return not way.name, way.locomotives, sum(counts), -left


def in_words(cost: Cost) -> str:
    """A cost in words: “3 green”, “4 of one colour, 2 of them locomotives”."""
    if cost.locomotives == cost.units:
        return some_cards(LOCOMOTIVE, cost.units)
    if cost.colour != GRAY:
        price = some_cards(cost.colour, cost.units)
    else:
        price = says("{n} card", "{n} of one colour", cost.units)
    if cost.means.card_set:
        return _or_sets(price, cost)
    if not cost.locomotives:
        return price
    return says(
        "{price}, {n} of them a locomotive",
        "{price}, {n} of them locomotives",
        cost.locomotives,
        price=price,
    )


def _or_sets(price: str, cost: Cost) -> str:
    return says(
        "{price}, or any {n} card for each one that is missing",
        "{price}, or any {n} cards for each one that is missing",
        cost.means.card_set,
        price=price,
    )


def shortfall(hand: Counts, cost: Cost) -> Shortfall:
    """The fewest cards with which the hand could pay: “2 green or locomotives”.

    Any colour pays for a gray route: the one that the hand has most of, if there is just one.
    """
    available = all_jokers(hand) if takes_plus4(cost) else hand
    slots = ALL_COLOURS if cost.colour == GRAY else (CARDS.index(cost.colour),)
    best = max(slots, key=lambda slot: hand[slot])
    held = hand[best]
    wild = max(cost.locomotives - available[WILD] - _sets_beside(hand, cost, held), 0)
    spare = max(available[WILD] - cost.locomotives, 0) if cost.means.jokers else 0
    more = max(cost.units - cost.locomotives - held - spare - _sets_instead(hand, cost, held), 0)
    is_open = cost.colour == GRAY and (not held or [hand[slot] for slot in slots].count(held) > 1)
    colour = None if is_open else COLOURS[best]
    missing = ((colour, more), (LOCOMOTIVE, wild))
    own = min(held, cost.units - cost.locomotives)
    spent = list(NO_CARDS)
    spent[best] = own
    spent[WILD] = min(available[WILD], cost.units - own if cost.means.jokers else cost.locomotives)
    return Shortfall(
        _missing_in_words(cost, colour, more, wild),
        tuple((card, number) for card, number in missing if number),
        plus4_first(hand, tuple(spent)) if takes_plus4(cost) else card_payment(tuple(spent)),
    )


def _missing_in_words(cost: Cost, colour: Card | None, more: int, wild: int) -> str:
    locomotives = some_cards(LOCOMOTIVE, wild) if wild else ""
    if not more:
        return locomotives
    if colour is None:
        coloured = says("{n} card", "{n} of one colour", more)
    else:
        coloured = some_cards(colour, more)
    if wild:
        return say(
            "{locomotives} and {cards} or more locomotives",
            locomotives=locomotives,
            cards=coloured,
        )
    if cost.means.jokers:
        return say("{cards} or locomotives", cards=coloured)
    return _or_sets(coloured, cost) if cost.means.card_set else coloured


def _sets_beside(hand: Counts, cost: Cost, held: int) -> int:
    """How many sets can count as locomotives beside the `held` cards of the colour."""
    size = cost.means.symbol_set
    used = min(held, cost.units - cost.locomotives)
    return (sum(hand[:WILD]) - used) // size if size else 0


def _sets_instead(hand: Counts, cost: Cost, held: int) -> int:
    """How many sets can count as cards of the colour beside the `held` ones."""
    size = cost.means.card_set
    return max(sum(hand) - held, 0) // size if size else 0


def what_is_wrong(hand: Counts, cost: Cost, terms: Terms, paid: Counts) -> str:
    """Why these cards do not pay the cost: not in hand, or a wrong colour or number."""
    if paid == NO_CARDS:
        return say("Name the cards that you pay with.")
    for card, has, laid in zip(CARDS, hand, paid, strict=False):
        if laid > has:
            if has:
                return say("You have only {cards}.", cards=some_cards(card, has))
            return say("You do not have {card}.", card=one_card(card))
    if kind := _wrong_kind(cost, paid):
        return kind
    means = cost.means
    if terms.substitute if means == USUAL_MEANS else means.symbol_set or means.card_set:
        return say("It costs {price}.", price=in_words(cost))
    return wrong_colour(cost, paid) or _wrong_number(cost, paid)


def _wrong_kind(cost: Cost, paid: Counts) -> str:
    """Why cards that pay only for some things do not pay for this."""
    if paid[RIDER]:
        return say("Passenger cards only pay for the ride of a passenger.")
    if paid[LONG] and not takes_plus4(cost):
        return say("“+4” locomotives only count on routes of at least {n} spaces.", n=PLUS4_FROM)
    return ""


def wrong_colour(cost: Cost, paid: Counts) -> str:
    """What is wrong with the colours of cards of which no sets count as something else."""
    if jokers_in(paid) > cost.locomotives and not cost.means.jokers:
        return say("Locomotives do not count here.")
    if cost.locomotives == cost.units and jokers_in(paid) < sum(paid):
        return say("It takes locomotives only.")
    colours = [COLOURS[slot] for slot in ALL_COLOURS if paid[slot]]
    if cost.colour != GRAY and any(colour != cost.colour for colour in colours):
        colour = called(cost.colour)
        if not cost.means.jokers:
            return say("It takes {colour} cards only.", colour=colour)
        return say("It takes {colour} cards and locomotives.", colour=colour)
    if len(colours) > 1:
        return say("All cards must have the same colour, apart from locomotives.")
    return ""


def _wrong_number(cost: Cost, paid: Counts) -> str:
    """What is wrong with cards of the right colour."""
    if jokers_in(paid) < cost.locomotives and sum(paid) == cost.units:
        return says(
            "{n} of the cards must be a locomotive.",
            "{n} of the cards must be locomotives.",
            cost.locomotives,
        )
    return say("It costs {price}.", price=in_words(cost))
