"""Plays orders in scenes: judges them, makes their moves, and says how they ended."""

from typing import NamedTuple

from engine import text_of
from engine.orders import Finished, Orders, Play, Progress, Stop, judge, read_orders
from engine.values import Seat
from tests.scenes import ADA, Scene

BOUND = 200
"""No orders of a scene make more moves."""


class Run(NamedTuple):
    """What orders did until another seat's turn, or until they ended."""

    moves: list[str]
    end: str
    """The reason why they stopped, “finished”, or empty while they go on."""
    progress: Progress


def carry_out(
    play: Scene,
    text: str,
    seat: Seat = ADA,
    progress: Progress | None = None,
    *,
    is_new_turn: bool = True,
) -> Run:
    """Carry out orders until the seat's turn is over."""
    orders: Orders = read_orders(play.rules, text)
    at, moves = progress or Progress(), list[str]()
    while play.decision_of(seat) is not None:
        assert len(moves) < BOUND, f"{text} goes on for ever"
        before = play.state
        verdict = judge(play.rules, before, seat, orders, at, is_new_turn=is_new_turn)
        assert play.state is before
        at = verdict.progress
        if isinstance(verdict, Stop):
            return Run(moves, verdict.reason, at)
        if isinstance(verdict, Finished):
            return Run(moves, "finished", at)
        assert isinstance(verdict, Play)
        moves.append(text_of(play.rules, verdict.action))
        play.do((seat, verdict.action))
        is_new_turn = False
    return Run(moves, "", at)
