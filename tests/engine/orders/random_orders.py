"""Random orders for any board: most are sensible, some can never be carried out."""

import random
from functools import cache

from engine import Ruleset
from engine.rules.technologies import catalogue, technologies

LIMITS = ("", "", "", ", for 2 turns", ", until the last round", ", for 1 turn",
          ", until somebody has 20 trains or fewer")  # fmt: skip
TERMS = ("", "", " with at most 1 locomotive", " paying up to 2 more", " with green", " with 2 red",
         " with at most 0 locomotives paying up to 1 more")  # fmt: skip


@cache
def things(rules: Ruleset) -> tuple[str, ...]:
    """Everything on the board that can be paid for, in notation."""
    board = rules.board
    some = [f"claim {id}" for id in board.routes]
    some += [f"claim {'-'.join(route.cities)}" for route in board.routes.values()]
    if "stations" in rules.parameters:
        some += [f"station {city}" for city in board.cities]
    if technologies.name in rules.parameters:
        some += [f"buy {id}" for id in catalogue(rules).technologies]
    return tuple(some)


def moves(rules: Ruleset) -> tuple[str, ...]:
    """Moves that cost nothing."""
    if rules.purse.rolls:
        return "roll", "reroll all", "end", "tickets", "keep all"
    return "draw", "draw", "take green", "take locomotive", "tickets", "keep all", "end", "pass"


def random_orders(rules: Ruleset, rng: random.Random) -> str:
    """The text of some orders."""
    return "; ".join(_step(rules, rng) for _ in range(rng.randint(1, 5)))


def _step(rules: Ruleset, rng: random.Random) -> str:
    text = _task(rules, rng)
    while rng.random() < 0.3:
        text += f"{rng.choice((', if it is gone: ', ' else '))}{_task(rules, rng)}"
    claims = any(part.startswith(("claim", "station", "buy")) for part in text.split(", "))
    return text if claims and "when I can" not in text else f"{text}{rng.choice(LIMITS)}"


def _task(rules: Ruleset, rng: random.Random) -> str:
    kind = rng.random()
    if kind < 0.3:
        return rng.choice(moves(rules))
    if kind < 0.35:
        return "ask me"
    thing, terms = rng.choice(things(rules)), rng.choice(TERMS)
    if kind < 0.5:
        return f"collect for {thing}"
    if kind < 0.6:
        return f"{thing}{terms}"
    meanwhile = f", meanwhile {rng.choice(moves(rules)[:1])}" if rng.random() < 0.2 else ""
    return f"{thing}{terms} when I can{meanwhile}"
