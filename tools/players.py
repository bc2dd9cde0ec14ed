"""Random players without strategy, each with a habit that leads to unusual positions."""

import random
from collections.abc import Callable

from engine import Action, Game
from engine.rules.routes import ClaimRoute

Player = Callable[[random.Random, Game, int], Action]


def anything(rng: random.Random, game: Game, seat: int) -> Action:
    """Choose any option, with equal probability."""
    return rng.choice(game.options(seat).actions)


def hoarder(rng: random.Random, game: Game, seat: int) -> Action:
    """Draw nine times out of ten, so that hands grow and the deck runs out."""
    actions = game.options(seat).actions
    drawing = [action for action in actions if action.kind.startswith("draw")]
    return rng.choice(drawing if drawing and rng.random() < 0.9 else actions)


def builder(rng: random.Random, game: Game, seat: int) -> Action:
    """Claim whenever possible, so that the board fills up."""
    actions = game.options(seat).actions
    claiming = [action for action in actions if action.kind == "claim"]
    return rng.choice(claiming or actions)


def dawdler(rng: random.Random, game: Game, seat: int) -> Action:
    """Claim the shortest routes but keep three trains, which leads to stalemates."""
    actions = game.options(seat).actions
    left = game.state.parts["routes"].trains[seat]
    length = {id: route.length for id, route in game.rules.board.routes.items()}
    claims = {action: length[action.route] for action in actions if isinstance(action, ClaimRoute)}
    short = min((size for size in claims.values() if size <= left - 3), default=99)
    if short <= 3 or left > 9 > short:
        return rng.choice([action for action, size in claims.items() if size == short])
    others = [action for action in actions if action.kind != "claim"]
    cards = [action for action in others if action.kind in ("draw_blind", "draw_face_up")]
    return rng.choice(cards or others or actions)
