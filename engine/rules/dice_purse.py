"""Paying with train dice and route tokens: every legal payment, and no other."""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from engine.errors import RulesBroken, Unreadable
from engine.kinds import Decision, decision
from engine.module import SPEND
from engine.notation import number_in
from engine.state import State
from engine.text import shown
from engine.translate import say
from engine.values import Cost, DicePayment, Payment, RouteId, Seat, Tokens, dice_payment

if TYPE_CHECKING:
    from engine.play import Play
    from engine.ruleset import Ruleset

Face = str
SINGLE, DOUBLE, STATION, JOKER = FACES = ("single", "double", "station", "joker")

Numbers = tuple[int, ...]
"""Dice by their number from 1, lowest first."""
Free = tuple[tuple[int, Face], ...]
"""Dice that can still be used, with what they show."""
Ways = Mapping[int, tuple[Payment, ...]]
"""The payments for each cost that can be paid, by its place; remembered, so not to be changed."""


class Dice(NamedTuple):
    faces: tuple[Face, ...]
    """What the dice of this turn show; none before the roll and when they are handed on."""
    rolls: int
    """How often they have been rolled in this turn."""
    used: frozenset[int]
    staked: DicePayment | None
    """Committed to a tunnel that is not claimed yet (R-DICE-21)."""
    tokens: tuple[Tokens, ...]
    """By seat; what is staked is still held."""
    before: int
    """How many tokens the seat held when its turn began (R-DICE-16)."""
    doubles: tuple[RouteId, ...]
    """The routes for which double dice and tokens are paid; the same all through (R-DICE-2)."""


@decision
class SpendDice(Decision):
    seat: Seat


class DicePurse:
    """The dice purse: dice of the route's kind, jokers and tokens."""

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
        shown, found = by_face(free), dict[int, tuple[Payment, ...]]()
        for face in _faces_for(costs):
            if face == JOKER:
                found.update(_for_technologies(free, costs, terms.substitute))
            else:
                own, wild = shown[face], shown[JOKER]
                found.update(_of_a_kind(face, own, wild, tokens[face], costs, terms.spare))
        return found

    def accepts(
        self,
        rules: "Ruleset",
        state: State,
        seat: Seat,
        cost: Cost,
        payment: Payment,
        committed: Payment | None = None,
    ) -> bool:
        """Dice that show the same are the same: their likeness is on the list."""
        if not isinstance(payment, DicePayment) or list(payment.dice) != sorted(payment.dice):
            return False
        dice = likeness(free_dice(dice_in(state), committed), payment.dice)
        ways = self.payments(rules, state, seat, (cost,), committed).get(0, ())
        return dice is not None and DicePayment(dice, payment.tokens) in ways

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
        one, two = dice_of(first), dice_of(second)
        return DicePayment(tuple(sorted(one.dice + two.dice)), one.tokens + two.tokens)

    def read(self, said: str) -> Payment:
        """`dice 1 2 4 1 token`: the number before the word is of tokens, the others are dice."""
        words = said.split()
        tokens = 0
        if words and words[-1] in ("token", "tokens"):
            words.pop()
            (tokens,) = numbers_in(words.pop() if words else "1") or (1,)
        return DicePayment(numbers_in(" ".join(words)), tokens)


def dice_in(state: State) -> Dice:
    """What there is of dice and tokens."""
    part: Dice = state.parts["dice"]
    return part


def dice_of(payment: Payment) -> DicePayment:
    """The payment, which in this game is of dice."""
    if not isinstance(payment, DicePayment):
        raise RulesBroken("dice are paid with dice")
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
    """Every choice of some of these dice; of those that show the same, the lowest numbers."""
    found: dict[tuple[Face, ...], Numbers] = {}
    for size in range(1, len(free) + 1):
        for some in combinations(free, size):
            numbers, faces = zip(*some, strict=True)
            found.setdefault(tuple(sorted(faces)), numbers)
    return found


def likeness(free: Free, dice: Sequence[int]) -> Numbers | None:
    """The dice that stand for these on a list; None if they are not free, or named twice."""
    faces = dict(free)
    if len(set(dice)) < len(dice) or not faces.keys() >= set(dice):
        return None
    return handfuls(free)[tuple(sorted(faces[die] for die in dice))] if dice else ()


def _face_for(cost: Cost) -> Face:
    """What dice must show to pay for this; jokers pay for everything."""
    if cost.purpose == "technology":
        return JOKER
    if cost.purpose == "station":
        return STATION
    return DOUBLE if cost.double else SINGLE


@lru_cache(maxsize=1 << 8)
def _faces_for(costs: tuple[Cost, ...]) -> tuple[Face, ...]:
    return tuple(dict.fromkeys(map(_face_for, costs)))


@lru_cache(maxsize=1 << 12)
def _of_a_kind(
    face: Face, own: Numbers, wild: Numbers, tokens: int, costs: tuple[Cost, ...], spare: int
) -> Ways:
    """Ways to pay those of the costs that this face pays; of other dice only jokers matter.

    That is little to know, so the same question comes up again and again.
    """
    most = len(own) + len(wild) + tokens
    found = {
        at: tuple(
            way
            for units in _units(cost, spare)
            if units <= most
            for way in _exactly(units, own, wild, tokens, cost.locomotives)
        )
        for at, cost in enumerate(costs)
        if _face_for(cost) == face
    }
    return {at: ways for at, ways in found.items() if ways}


def _units(cost: Cost, spare: int) -> range:
    """How many units may be paid, the full number first (R-ADV-5)."""
    left_out = spare if cost.purpose == "route" else 0
    return range(cost.units, max(1, cost.locomotives, cost.units - left_out) - 1, -1)


def _exactly(
    units: int, own: Numbers, wild: Numbers, tokens: int, locomotives: int
) -> Iterator[Payment]:
    """Own dice, jokers and tokens; a locomotive is a joker (R-DICE-10, 20, 25)."""
    for laid in range(min(tokens, units) + 1):
        for jokers in range(locomotives, min(len(wild), units - laid) + 1):
            plain = units - laid - jokers
            if plain <= len(own):
                yield dice_payment(tuple(sorted(own[:plain] + wild[:jokers])), laid)


@lru_cache(maxsize=1 << 12)
def _for_technologies(free: Free, costs: tuple[Cost, ...], substitute: int) -> Ways:
    found = {
        at: tuple(_for_technology(free, cost.units, substitute))
        for at, cost in enumerate(costs)
        if _face_for(cost) == JOKER
    }
    return {at: ways for at, ways in found.items() if ways}


def _for_technology(free: Free, units: int, substitute: int) -> Iterator[Payment]:
    """Jokers, and sets of any dice in place of jokers (R-DICE-30)."""
    for faces, dice in handfuls(free).items():
        for sets in range(units + 1):
            jokers = units - sets
            if len(dice) == jokers + sets * substitute and faces.count(JOKER) >= jokers:
                yield dice_payment(dice)
                break


def numbers_in(said: str) -> Numbers:
    """Dice from their numbers, whatever the order; raises Unreadable."""
    found = []
    for word in said.split():
        if (number := number_in(word)) is not None:
            found.append(number)
        elif word not in ("dice", "die", "and"):
            raise Unreadable(say("“{said}” is not the number of a die.", said=shown(word)))
    return tuple(sorted(found))
