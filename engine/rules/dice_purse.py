"""Paying with train dice and route tokens: lists every legal payment, and accepts no other."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations
from typing import TYPE_CHECKING, Annotated, NamedTuple

from engine.errors import Refusal, RulesBroken, Unreadable
from engine.kinds import Decision, decision
from engine.module import SPEND
from engine.notation import number_in
from engine.purse import Bill, PaidWay, Shortfall, thriftiest
from engine.state import State
from engine.text import shown
from engine.translate import say, says
from engine.values import Cost, DicePayment, Payment, RouteId, Seat, Tokens, dice_payment

if TYPE_CHECKING:
    from engine.play import Play
    from engine.ruleset import Ruleset

Face = str
SINGLE, DOUBLE, STATION, JOKER = FACES = ("single", "double", "station", "joker")

Faces = Annotated[tuple[Face, ...], "The faces of all dice, die 1 first."]
Numbers = Annotated[tuple[int, ...], "The numbers of the dice, from 1."]
"""Dice by their numbers, lowest first."""
Free = tuple[tuple[int, Face], ...]
"""Dice that can still be used, each with the face it shows."""
Ways = Mapping[int, tuple[Payment, ...]]
"""The payments for each affordable cost, by its index; cached, so not to be changed."""


class Dice(NamedTuple):
    faces: tuple[Face, ...]
    """What the dice show in this turn; empty before the roll and after the turn."""
    rolls: int
    """How often dice have been rolled in this turn."""
    used: frozenset[int]
    staked: DicePayment | None
    """The payment committed to a tunnel that is not claimed yet (R-DICE-21)."""
    tokens: tuple[Tokens, ...]
    """By seat, including those that are staked."""
    before: int
    """How many tokens the seat held when its turn began (R-DICE-16)."""
    doubles: tuple[RouteId, ...]
    """The routes that are paid with double dice and tokens; never changes (R-DICE-2)."""


@decision
class SpendDice(Decision):
    """Use the dice, roll some again, or end the turn."""

    seat: Seat


class DicePurse:
    """The dice purse: pays with dice of the route's kind, jokers and tokens."""

    rolls = True

    @property
    def occasions(self) -> dict[type[Decision], tuple[str, ...]]:
        return {SpendDice: (SPEND,)}

    def payments(
        self,
        rules: "Ruleset",
        state: State,
        seat: Seat,
        costs: tuple[Cost, ...],
        committed: Payment | None = None,
    ) -> Ways:
        part, terms = dice_in(state), rules.terms(state, seat)
        free, (single, double) = free_dice(part, committed), part.tokens[seat]
        laid = dice_of(committed).tokens if committed else 0
        tokens = {SINGLE: single - laid, DOUBLE: double - laid, STATION: 0}
        shown, by_cost = by_face(free), dict[int, tuple[Payment, ...]]()
        for face in _faces_for(costs):
            if face == JOKER:
                by_cost.update(_for_technologies(free, costs, terms.substitute))
            else:
                own, wild = shown[face], shown[JOKER]
                by_cost.update(_of_a_kind(face, own, wild, tokens[face], costs, terms.spare))
        return by_cost

    def accepts(
        self,
        rules: "Ruleset",
        state: State,
        seat: Seat,
        cost: Cost,
        payment: Payment,
        committed: Payment | None = None,
    ) -> bool:
        """Whether a payment with dice of the same faces is listed."""
        if not isinstance(payment, DicePayment) or list(payment.dice) != sorted(payment.dice):
            return False
        dice = likeness(free_dice(dice_in(state), committed), payment.dice)
        ways = self.payments(rules, state, seat, (cost,), committed).get(0, ())
        return dice is not None and DicePayment(dice, payment.tokens) in ways

    def fares(self, state: State, seat: Seat) -> tuple[Payment, ...]:  # noqa: ARG002  # as every purse
        """A joker for each route of another seat (R-DICE-26)."""
        jokers = by_face(free_dice(dice_in(state)))[JOKER]
        return tuple(dice_payment(jokers[:number]) for number in range(len(jokers) + 1))

    def why_not(self, bill: Bill, payment: Payment) -> str:
        if not isinstance(payment, DicePayment):
            return say("In this game you pay with dice.")
        part, laid = dice_in(bill.state), dice_of(bill.committed).tokens if bill.committed else 0
        single, double = part.tokens[bill.seat]
        tokens = (double if bill.cost.double else single) - laid
        return _what_is_wrong(free_dice(part, bill.committed), tokens, bill.cost, payment)

    def ways(self, bill: Bill, payments: Iterable[Payment]) -> tuple[PaidWay, ...]:
        faces = dice_in(bill.state).faces
        return _paid_ways(faces, tuple(map(dice_of, payments)), face_for(bill.cost))

    def unasked(self, ways: Sequence[PaidWay]) -> list[PaidWay]:
        """All of them: dice are rolled anew each turn."""
        return [*ways]

    def never_pays(self, rules: "Ruleset", cost: Cost, words: str) -> Refusal | None:  # noqa: ARG002  # as every purse
        """Dice can only be named after they were rolled."""
        return Unreadable(
            say("Nobody knows what the dice will show, so do not name dice to pay with.")
        )

    def price(self, cost: Cost) -> str:
        return _in_words(cost)

    def shortfall(self, bill: Bill) -> Shortfall:  # noqa: ARG002  # as every purse
        """Nothing to name: dice are rolled anew."""
        return Shortfall()

    def probe(
        self, play: "Play", cost: Cost, payment: Payment
    ) -> tuple[tuple[str, ...], Cost | None]:
        """The tunnel dice; each symbol costs one more of the route's kind (R-DICE-21)."""
        from engine.rules.dice_turn import TUNNEL, dig  # noqa: PLC0415  # the dice are built on this purse

        shown = dig(play, dice_of(payment))
        extra = shown.count(TUNNEL)
        due = Cost(extra, cost.colour, 0, cost.double, "surcharge") if extra else None
        return shown, due

    def join(self, first: Payment, second: Payment) -> Payment:
        laid, more = dice_of(first), dice_of(second)
        return DicePayment(tuple(sorted(laid.dice + more.dice)), laid.tokens + more.tokens)

    def read(self, words: str, ways: Sequence[PaidWay]) -> list[Payment]:
        """Read `dice 1 2 4 1 token`: the number before “token” counts tokens, the rest are dice."""
        if not words and ways:
            return thriftiest(ways)
        parts = words.split()
        tokens = 0
        if parts and parts[-1] in ("token", "tokens"):
            parts.pop()
            (tokens,) = numbers_in(parts.pop() if parts else "1") or (1,)
        return [DicePayment(numbers_in(" ".join(parts)), tokens)]


@lru_cache(maxsize=1 << 12)
def _paid_ways(
    faces: tuple[Face, ...], payments: tuple[DicePayment, ...], face: Face
) -> tuple[PaidWay, ...]:
    """Each of these payments as a way: fewest tokens first, then fewest dice and fewest jokers.

    Payments with as many tokens and dice differ only in jokers, and have the same name. Those for
    a technology have none, since sets of dice stand for jokers.
    """
    jokers = {payment: [faces[n - 1] for n in payment.dice].count(JOKER) for payment in payments}
    ordered = sorted(payments, key=lambda each: (each.tokens, len(each.dice), jokers[each]))
    return tuple(
        PaidWay(
            (payment,),
            jokers[payment],
            "" if face == JOKER else f"{len(payment.dice)} dice {payment.tokens} tokens",
        )
        for payment in ordered
    )


_PRICES: dict[Face, Callable[[int], str]] = {
    SINGLE: lambda n: says("{n} single", "{n} single", n),
    DOUBLE: lambda n: says("{n} double", "{n} double", n),
    STATION: lambda n: says("{n} die with a station", "{n} dice with a station", n),
    JOKER: lambda n: says("{n} joker", "{n} jokers", n),
}


def _in_words(cost: Cost) -> str:
    """A cost in words: “3 single”, “2 double, 1 of them a joker”."""
    price = _PRICES[face_for(cost)](cost.units)
    if not cost.locomotives or cost.purpose == "technology":
        return price
    return says(
        "{price}, {n} of them a joker",
        "{price}, {n} of them jokers",
        cost.locomotives,
        price=price,
    )


def _what_is_wrong(free: Free, tokens: int, cost: Cost, payment: DicePayment) -> str:
    """Why these dice and tokens do not pay the cost: not available, or of the wrong kind."""
    at_hand = [die for die, _ in free]
    for die in payment.dice:
        if payment.dice.count(die) > 1:
            return say("Die {die} is named twice.", die=die)
    foreign = [die for die in payment.dice if die not in at_hand]
    if foreign:
        return say("You cannot use die {die} now.", die=foreign[0])
    if payment.tokens > max(0, tokens):
        held = Tokens(0, tokens) if cost.double else Tokens(tokens, 0)
        return say("You have {tokens} for it.", tokens=held.spoken)
    return say("It costs {price}.", price=_in_words(cost))


def dice_in(state: State) -> Dice:
    """The part of the state with dice and tokens."""
    part: Dice = state.parts["dice"]
    return part


def dice_of(payment: Payment) -> DicePayment:
    """The payment as dice, which it always is in this game."""
    if not isinstance(payment, DicePayment):
        raise RulesBroken("a payment of cards in a game with dice")
    return payment


def free_dice(part: Dice, committed: Payment | None = None) -> Free:
    """The dice that are neither used nor committed (R-DICE-9)."""
    laid = committed or part.staked
    gone = part.used.union(dice_of(laid).dice) if laid else part.used
    return _without(part.faces, gone)


@lru_cache(maxsize=1 << 12)
def _without(faces: tuple[Face, ...], gone: frozenset[int]) -> Free:
    return tuple((die, face) for die, face in enumerate(faces, 1) if die not in gone)


@lru_cache(maxsize=1 << 12)
def by_face(free: Free) -> Mapping[Face, Numbers]:
    """Which of these dice show each face."""
    return {face: tuple(die for die, shows in free if shows == face) for face in FACES}


@lru_cache(maxsize=1 << 12)
def handfuls(free: Free) -> dict[tuple[Face, ...], Numbers]:
    """Every selection of these dice, by faces; of equal faces the lowest numbers are taken."""
    by_faces: dict[tuple[Face, ...], Numbers] = {}
    for size in range(1, len(free) + 1):
        for selection in combinations(free, size):
            numbers, faces = zip(*selection, strict=True)
            by_faces.setdefault(tuple(sorted(faces)), numbers)
    return by_faces


def likeness(free: Free, dice: Sequence[int]) -> Numbers | None:
    """The listed dice with the same faces as these; None if a die is not free or named twice."""
    faces = dict(free)
    if len(set(dice)) < len(dice) or not faces.keys() >= set(dice):
        return None
    return handfuls(free)[tuple(sorted(faces[die] for die in dice))] if dice else ()


def face_for(cost: Cost) -> Face:
    """The face that pays for this cost; jokers pay for everything."""
    if cost.purpose == "technology":
        return JOKER
    if cost.purpose == "station":
        return STATION
    return DOUBLE if cost.double else SINGLE


@lru_cache(maxsize=1 << 8)
def _faces_for(costs: tuple[Cost, ...]) -> tuple[Face, ...]:
    return tuple(dict.fromkeys(map(face_for, costs)))


@lru_cache(maxsize=1 << 12)
def _of_a_kind(
    face: Face, own: Numbers, wild: Numbers, tokens: int, costs: tuple[Cost, ...], spare: int
) -> Ways:
    """The ways to pay the costs that this face pays for.

    It depends on few values, so the cache is hit often.
    """
    most = len(own) + len(wild) + tokens
    by_cost = {
        at: tuple(
            way
            for units in _units(cost, spare)
            if units <= most
            for way in _exactly(units, own, wild, tokens, cost.locomotives)
        )
        for at, cost in enumerate(costs)
        if face_for(cost) == face
    }
    return {at: ways for at, ways in by_cost.items() if ways}


def _units(cost: Cost, spare: int) -> range:
    """How many units may be paid, starting with the full number (R-ADV-5)."""
    left_out = spare if cost.purpose == "route" else 0
    return range(cost.units, max(1, cost.locomotives, cost.units - left_out) - 1, -1)


def _exactly(
    units: int, own: Numbers, wild: Numbers, tokens: int, locomotives: int
) -> Iterator[Payment]:
    """Payments of matching dice, jokers and tokens; a locomotive is a joker (R-DICE-10, 20, 25)."""
    for laid in range(min(tokens, units) + 1):
        for jokers in range(locomotives, min(len(wild), units - laid) + 1):
            plain = units - laid - jokers
            if plain <= len(own):
                yield dice_payment(tuple(sorted(own[:plain] + wild[:jokers])), laid)


@lru_cache(maxsize=1 << 12)
def _for_technologies(free: Free, costs: tuple[Cost, ...], substitute: int) -> Ways:
    by_cost = {
        at: tuple(_for_technology(free, cost.units, substitute))
        for at, cost in enumerate(costs)
        if face_for(cost) == JOKER
    }
    return {at: ways for at, ways in by_cost.items() if ways}


def _for_technology(free: Free, units: int, substitute: int) -> Iterator[Payment]:
    """Payments of jokers, and of sets of any dice in place of jokers (R-DICE-30)."""
    for faces, dice in handfuls(free).items():
        for sets in range(units + 1):
            jokers = units - sets
            if len(dice) == jokers + sets * substitute and faces.count(JOKER) >= jokers:
                yield dice_payment(dice)
                break


def numbers_in(words: str) -> Numbers:
    """Read dice by their numbers, in any order; raises Unreadable."""
    numbers = []
    for word in words.split():
        if (number := number_in(word)) is not None:
            numbers.append(number)
        elif word not in ("dice", "die", "and"):
            raise Unreadable(say("“{word}” is not the number of a die.", word=shown(word)))
    return tuple(sorted(numbers))
