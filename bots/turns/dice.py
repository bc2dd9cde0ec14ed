"""A turn with dice: what to reroll, what to claim, and when to take tokens."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import factorial
from typing import NamedTuple

from bots.board_graph import joined, linked, stakes_of
from bots.danger import danger
from bots.mind import Mind
from bots.turns import passengers, technologies, tickets
from engine import Action
from engine.rules.dice import DrawForDice, RerollDice, dice
from engine.rules.dice_purse import DOUBLE, FACES, JOKER, SINGLE, STATION, Dice, dice_of, free_dice
from engine.rules.dice_tokens import TakeToken
from engine.rules.routes import ClaimRoute
from engine.rules.stations import BuildStation

Faces = tuple[int, int, int, int]
"""How many dice show single, double, station and joker."""

TOKEN = 1.1
"""The value of a token, in points."""
LATE = 2.0
"""With this many turns left or fewer, only what can be done at once counts."""
DUG = (0.579, 0.926, 0.995, 1.0)
"""The probability that a tunnel can be paid, by the units to spare."""
TECHNOLOGY = 4.0
"""Points per unit of the price for a technology that the plan requires."""


class Prospect(NamedTuple):
    """A route that could be claimed: its face, its cost, and its value in points."""

    face: int
    length: int
    jokers: int
    value: float
    tunnel: bool
    at: int


def spend(mind: Mind) -> Action | None:
    """Return what to do with the dice as rolled."""
    return Reckoning(mind).best()


def finish(mind: Mind) -> Action | None:
    """Return what follows the action: take tokens for the remaining dice."""
    takes = [action for action in mind.actions if isinstance(action, TakeToken)]
    return _token(mind, takes)


def _token(mind: Mind, takes: Sequence[TakeToken]) -> Action | None:
    """Return a token of the kind that the next target needs."""
    if not takes:
        return None
    kind = SINGLE
    for at in mind.targets[:1]:
        kind = DOUBLE if mind.cost(at).double else SINGLE
    return next((action for action in takes if action.kind_ == kind), takes[0])


def _build(mind: Mind) -> Action | None:
    """Return a station for a route that the plan borrows, once all its own routes are claimed."""
    if not mind.plan.lent or (mind.plan.routes and mind.time > LATE):
        return None
    routes = mind.situation.graph.routes
    cities = [city for at in mind.plan.lent for city in routes[at].cities]
    builds = [
        action
        for action in mind.actions
        if isinstance(action, BuildStation) and action.city in cities
    ]
    return min(builds, key=lambda action: len(dice_of(action.payment).dice), default=None)


class Reckoning:
    """Computes the expected value of every throw, and so of every reroll."""

    def __init__(self, mind: Mind) -> None:
        self.mind = mind
        self.part: Dice = dice.part(mind.view)
        self.settings = dice.parameters(mind.rules)
        self.tokens = mind.situation.tokens
        self.prospects = list(_prospects(mind))
        self.values: dict[Faces, float] = {}
        room = self.settings.hold - sum(self.tokens)
        self.room = room if self.part.before < self.settings.hold else 0
        self.ticket = self._ticket()
        ride = passengers.best_ride(mind)
        self.ride = ride if ride and passengers.is_time(mind, ride) else None
        prices = [mind.price(id).units for id in mind.plan.technologies]
        self.prices = sorted(set(prices)) if self._may_buy() else []

    def _may_buy(self) -> bool:
        part = self.mind.view.parts.get("technologies")
        return part is not None and part.bought is None

    def _ticket(self) -> float:
        """Return the expected value of drawing a ticket when none has to be kept."""
        mind = self.mind
        if mind.time - mind.plan.turns < 2:
            return 0.0
        values = tickets.marginal(mind)
        return sum(value for value in values if value > 0) / max(1, len(values))

    def best(self) -> Action | None:
        """Reroll if that is expected to bring more than the best use of the dice now."""
        free = free_dice(self.part)
        shown = _counted([face for _, face in free])
        now = self.value(shown)
        rolls = [action for action in self.mind.actions if isinstance(action, RerollDice)]
        if rolls:
            hopes = [(self._hope(action), -number) for number, action in enumerate(rolls)]
            hope, number = max(hopes)
            if hope > now + 1e-9:
                return rolls[-number]
        return self._use()

    def _hope(self, roll: RerollDice) -> float:
        rest = [face for die, face in free_dice(self.part) if die not in roll.dice]
        single, double, station, joker = _counted(rest)
        return sum(
            odds * self.value((single + a, double + b, station + c, joker + d))
            for (a, b, c, d), odds in _throws(len(roll.dice), self.settings.faces)
        )

    def value(self, faces: Faces) -> float:
        """Return the value of the best use of dice with these faces."""
        best = self.values.get(faces)
        if best is None:
            best = self._plain(faces)
            for price in self.prices:
                if faces[3] >= price:
                    rest = (*faces[:3], faces[3] - price)
                    best = max(best, TECHNOLOGY * price + self._plain(rest))
            self.values[faces] = best
        return best

    def _plain(self, faces: Faces) -> float:
        number = sum(faces)
        best = TOKEN * min(self.room, number // 2)
        unused = min(self.room, (faces[0] + faces[1]) // 2)
        best = max(best, self.ticket * (faces[2] + faces[3]) + TOKEN * unused)
        for prospect in self.prospects:
            worth = self._claimed(prospect, faces, number)
            best = max(best, worth)
        return best

    def _claimed(self, prospect: Prospect, faces: Faces, number: int) -> float:
        """Return the value of claiming with these dice, counting tokens spent and taken."""
        own, joker = faces[prospect.face], faces[3]
        if joker < prospect.jokers:
            return 0.0
        tokens = self.tokens[prospect.face]
        odd = number - own - joker
        new_tokens = min(self.room, odd // 2)
        spare = own + joker + tokens + new_tokens - prospect.length
        if spare < 0:
            return 0.0
        laid = min(prospect.length, own + joker)
        paid = prospect.length - laid
        new = max(0, paid - tokens)
        after = number - laid - 2 * new
        more = min(self.room - new, after // 2)
        odds = DUG[min(spare, 3)] if prospect.tunnel else 1.0
        return odds * prospect.value - TOKEN * min(paid, tokens) + TOKEN * max(0, more)

    def _use(self) -> Action | None:
        """Return the action with the greatest value for the dice as they are."""
        mind = self.mind
        if purchase := technologies.buy(mind):
            return purchase
        rated: list[tuple[float, int, Action]] = []
        number = len(free_dice(self.part))
        by_route = {prospect.at: prospect for prospect in self.prospects}
        for order, action in enumerate(mind.actions):
            worth = self._rated(action, number, by_route)
            if worth is not None:
                rated.append((worth, -order, action))
        trick = self._trick()
        best = max(rated, default=None, key=lambda entry: entry[:2])
        if trick and (best is None or trick[0] > best[0] + 1e-9):
            return trick[1]
        if best and best[0] > 0:
            return best[2]
        return _build(mind) or finish(mind)

    def _rated(self, action: Action, number: int, by_route: dict[int, Prospect]) -> float | None:
        if isinstance(action, ClaimRoute):
            prospect = by_route.get(self.mind.situation.graph.at[action.route])
            if prospect is None:
                return None
            paid = dice_of(action.payment)
            left = number - len(paid.dice)
            spare = self._spare(prospect, paid.dice, paid.tokens) if prospect.tunnel else 3
            new_tokens = min(self.room + paid.tokens, left // 2)
            return DUG[min(spare, 3)] * prospect.value - TOKEN * paid.tokens + TOKEN * new_tokens
        if isinstance(action, DrawForDice):
            new_tokens = min(self.room, (number - len(action.dice)) // 2)
            return self.ticket * len(action.dice) + TOKEN * new_tokens
        if self.ride is not None and action is self.ride.action:
            return self.ride.worth + TOKEN * min(self.room, number // 2)
        return None

    def _spare(self, prospect: Prospect, laid: Sequence[int], tokens: int) -> int:
        fit = (FACES[prospect.face], JOKER)
        rest = [face for die, face in free_dice(self.part) if die not in laid and face in fit]
        return len(rest) + self.tokens[prospect.face] - tokens

    def _trick(self) -> tuple[float, Action] | None:
        """Return a token for two dice that do not match, if only that makes a route affordable."""
        takes = [action for action in self.mind.actions if isinstance(action, TakeToken)]
        if not takes:
            return None
        faces = _counted([face for _, face in free_dice(self.part)])
        shown = dict(free_dice(self.part))
        best: tuple[float, Action] | None = None
        for prospect in self.prospects:
            kind = FACES[prospect.face]
            units = faces[prospect.face] + faces[3] + self.tokens[prospect.face]
            if units >= prospect.length:
                continue
            worth = self._claimed(prospect, faces, sum(faces))
            fit = [
                action
                for action in takes
                if action.kind_ == kind
                and all(shown[die] not in (kind, JOKER) for die in action.dice)
            ]
            if fit and worth > 0 and (best is None or worth > best[0]):
                best = worth, fit[0]
        return best


def _prospects(mind: Mind) -> Iterator[Prospect]:
    """Return the routes that the seat could claim now; of equal costs only the most valuable."""
    situation = mind.situation
    barred = mind.prices_now.lacking
    best: dict[tuple[int, int, int, bool], Prospect] = {}
    everything = mind.style.fill or mind.time <= LATE
    for at in situation.open if everything else mind.targets:
        if at in barred:
            continue
        route, cost = situation.graph.routes[at], mind.cost(at)
        key = (int(cost.double), cost.units, cost.locomotives, route.kind == "tunnel")
        prospect = Prospect(*key[:3], _value(mind, at), key[3], at)
        if key not in best or prospect.value > best[key].value:
            best[key] = prospect
    return iter(best.values())


def _value(mind: Mind, at: int) -> float:
    """Return the points of a route, and its share of the tickets that depend on it."""
    situation, plan = mind.situation, mind.plan
    value = float(mind.worth(at))
    if mind.time <= LATE:
        pieces = joined(situation.graph, (*situation.own, at))
        return value + stakes_of(aim for aim in situation.aims if linked(pieces, aim))
    if at in plan.stakes:
        share = situation.graph.routes[at].length / max(1, situation.trains - plan.trains)
        value += plan.stakes[at] * (2 * share + mind.style.wary * danger(situation, at))
    else:
        value -= mind.style.train * situation.graph.routes[at].length
    return value


def _counted(faces: Sequence[str]) -> Faces:
    return (
        faces.count(SINGLE), faces.count(DOUBLE), faces.count(STATION), faces.count(JOKER),
    )  # fmt: skip


@lru_cache(maxsize=64)
def _throws(number: int, faces: tuple[str, ...]) -> tuple[tuple[Faces, float], ...]:
    """Return every throw of this many dice, with its probability."""
    odds = [faces.count(face) / len(faces) for face in FACES]
    throws = []
    for a in range(number + 1):
        for b in range(number + 1 - a):
            for c in range(number + 1 - a - b):
                throw = (a, b, c, number - a - b - c)
                ways = factorial(number)
                likely = 1.0
                for times, each in zip(throw, odds, strict=True):
                    ways //= factorial(times)
                    likely *= each**times
                throws.append((throw, ways * likely))
    return tuple(throws)
