"""Passing and ending a turn by order, and orders that hold until the last round."""

from typing import TYPE_CHECKING

from engine.notation import alone, without
from engine.rules.turn_end import EndTurn
from engine.rules.turns import PassTurn, turns
from engine.wishes import Bound, PlainWish, Wish

if TYPE_CHECKING:
    from engine.ruleset import Ruleset

LAST_ROUND = (
    *("last round", "final round", "letzten runde", "letzte runde", "dernier tour"),
    *("ultima ronda", "ultima rodada", "ultima runda", "ultimo giro", "laatste ronde"),
)
"""How people call the last round, in plain letters."""
ARTICLES = ("the", "zur", "der", "die", "au", "le", "la", "a", "l'", "all'", "de", "el", "o")


@turns.orders("pass")
def order_pass(rules: "Ruleset", words: str) -> list[Wish]:
    alone("pass", words)
    return [PlainWish("pass", lambda rules, state, action: isinstance(action, PassTurn))]


@turns.orders("end")
def order_end(rules: "Ruleset", words: str) -> list[Wish]:
    alone("end", without(words, "your", "my", "the", "turn"))
    return [PlainWish("end", lambda rules, state, action: action == EndTurn())]


@turns.bounds
def last_round(rules: "Ruleset", words: str) -> Bound | None:
    """Read “the last round”."""
    bare = " ".join(word for word in words.replace("'", "' ").split() if word not in ARTICLES)
    if bare not in LAST_ROUND:
        return None
    return Bound("the last round", lambda rules, state: turns.part(state).left is not None)
