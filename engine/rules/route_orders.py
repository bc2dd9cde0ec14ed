"""Claiming routes by order, and orders that hold until somebody has few trains left."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from engine.errors import Unreadable
from engine.kinds import Action
from engine.notation import number_in, routes_in
from engine.purse import Bill
from engine.rules.routes import UNCLAIMED, ClaimRoute, routes
from engine.state import State
from engine.text import together
from engine.translate import say
from engine.values import Cost, Route, RouteId, Seat
from engine.wishes import Bound, Offer, PaidWish, Wish

if TYPE_CHECKING:
    from engine.ruleset import Ruleset

FEW_TRAINS = (
    r"(?:somebody|someone|anybody|anyone|a player) has (\d+) trains? or (?:fewer|less)",
    r"(?:jemand|ein spieler) (?:nur noch )?(\d+) (?:wagen|zuge|waggons)(?: oder weniger)? hat",
    r"(?:quelqu'un|un joueur) ait (\d+) (?:wagons?|trains?) ou moins",
    r"(?:alguien|un jugador) tenga (\d+) (?:trenes|vagones) o menos",
    r"(?:alguem|um jogador) ter (\d+) (?:trens|comboios|vagoes) ou menos",
    r"(?:cineva|un jucator) are (\d+) (?:trenuri|vagoane) sau mai putine",
    r"(?:qualcuno|un giocatore) ha (\d+) (?:treni|vagoni) o meno",
    r"(?:iemand|een speler) (\d+) (?:treinen|wagons) of minder heeft",
)
"""How people say, in plain letters, that somebody has few trains left."""


class RouteWish(PaidWish):
    """One of the tracks between two cities; which of them does not matter."""

    __slots__ = ("_tracks",)

    def __init__(self, text: str, tracks: Sequence[Route]) -> None:
        super().__init__(text)
        self._tracks = tracks

    def picks(self, rules: "Ruleset", state: State, actions: Sequence[Action]) -> list[Action]:
        return [*self._claims(actions)]

    def _claims(self, actions: Sequence[Action]) -> list[ClaimRoute]:
        ids = {track.id for track in self._tracks}
        return [each for each in actions if isinstance(each, ClaimRoute) and each.route in ids]

    def prices(self, rules: "Ruleset") -> list[Cost]:
        return [rules.costs[track.id] for track in self._tracks]

    def bills(self, rules: "Ruleset", state: State, seat: Seat) -> list[Bill]:
        """What the tracks cost that the seat may claim."""
        costs = [
            rules.costs[track.id]
            for track in self._tracks
            if not self._why_not(rules, state, seat, track)
        ]
        return [Bill(rules, state, seat, cost) for cost in dict.fromkeys(costs)]

    def offers(
        self, rules: "Ruleset", state: State, seat: Seat, actions: Sequence[Action]
    ) -> list[Offer]:
        """One offer for each track; of tracks that cost the same only the first."""
        by_cost: dict[Cost, tuple[RouteId, Offer]] = {}
        for claim in self._claims(actions):
            cost = rules.costs[claim.route]
            offer = Offer(Bill(rules, state, seat, cost), {})
            id, offer = by_cost.setdefault(cost, (claim.route, offer))
            if id == claim.route:
                offer.options[claim.payment] = claim
        return [offer for _, offer in by_cost.values()]

    def is_done(self, rules: "Ruleset", state: State, seat: Seat) -> bool:
        owners = routes.part(state).owners
        return any(seat in owners.get(track.id, ()) for track in self._tracks)

    def why_lost(self, rules: "Ruleset", state: State, seat: Seat) -> str:
        part = routes.part(state)
        reasons = [
            why.sentence if why else ""
            for track in self._tracks
            for why in [UNCLAIMED.why(part, seat, track, rules.route_names[track.id].spoken)]
        ]
        return together(*dict.fromkeys(reasons)) if all(reasons) else ""

    def why_barred(self, rules: "Ruleset", state: State, seat: Seat) -> str:
        reasons = [self._why_not(rules, state, seat, track) for track in self._tracks]
        return reasons[0] if all(reasons) else ""

    def _why_not(self, rules: "Ruleset", state: State, seat: Seat, track: Route) -> str:
        """Why the seat cannot claim a track whatever it holds; "" if it can."""
        name = rules.route_names[track.id].spoken
        why = UNCLAIMED.why(routes.part(state), seat, track, name)
        if why is not None:
            return why.sentence
        barred = (bar for bar in rules.bars if not bar.keep(rules, state, seat, [track]))
        return next((bar.why(rules, state, seat, track) for bar in barred), "")


@routes.orders("claim")
def order_claim(rules: "Ruleset", words: str) -> list[Wish]:
    ids = routes_in(rules, words)
    tracks = [rules.board.routes[id] for id in ids]
    between = "-".join(tracks[0].cities)
    return [RouteWish(f"claim {ids[0] if len(ids) == 1 else between}", tracks)]


@routes.bounds
def few_trains(rules: "Ruleset", words: str) -> Bound | None:
    """Read “somebody has 10 trains or fewer”."""
    match = next(filter(None, (re.fullmatch(each, words) for each in FEW_TRAINS)), None)
    if match is None:
        return None
    number = number_in(match[1])
    most = routes.parameters(rules).trains
    if number is None or number >= most:
        raise Unreadable(say("Every player has {trains} trains at the start.", trains=most))
    return Bound(
        f"somebody has {number} trains or fewer",
        lambda rules, state: min(routes.part(state).trains) <= number,
    )
