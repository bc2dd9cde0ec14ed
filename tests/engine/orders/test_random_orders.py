"""Random orders in whole games: they end in legal moves or stop, and never go on for ever."""

import random

import pytest

from engine import Game, Refusal
from engine.options import check
from engine.orders import (
    Finished,
    Orders,
    Play,
    Progress,
    judge,
    read_orders,
    written,
)
from engine.state import decision_of
from tests.amounts import amount
from tests.engine.orders.random_orders import random_orders
from tests.random_games import BOUND, Table, seed_of, tables
from tools.players import anything

GAMES = amount(1, soak=36)
PATIENCE = 500
"""After so many moves by orders at all seats, one gets new ones: some wait for ever."""
TRIES = 50
"""No seat needs more random texts until one can be read."""


def new_orders(game: Game, rng: random.Random, codes: set[str]) -> tuple[Orders, Progress]:
    """Random orders that can be read; written and read again, they are the same."""
    for _ in range(TRIES):
        text = random_orders(game.rules, rng)
        try:
            orders = read_orders(game.rules, text)
        except Refusal as refusal:
            codes.add(refusal.code if refusal.place else "without a place")
            continue
        assert written(read_orders(game.rules, written(orders))) == written(orders)
        return orders, Progress()
    raise AssertionError("no random orders can be read")


@pytest.mark.parametrize("table", tables(), ids=str)
@pytest.mark.parametrize("number", range(GAMES))
def test_random_orders_play_legal_moves_or_stop(table: Table, number: int) -> None:
    """Every verdict is a legal move, a reason, or the end; whole games can be played by orders."""
    rng = random.Random(f"orders {table} {number}")
    game = Game(table.rules, f"{table} {number}", seed_of(f"{table} {number}"))
    codes: set[str] = set()
    held = [new_orders(game, rng, codes) for _ in range(table.seats)]
    last, played, patience = None, 0, PATIENCE
    while not game.is_over:
        assert game.version < BOUND, "the game does not end"
        seat = rng.choice(game.awaited)
        orders, progress = held[seat]
        view = game.view(seat)
        verdict = judge(table.rules, view, seat, orders, progress, is_new_turn=last != seat)
        assert verdict.progress.step >= progress.step
        patience -= 1
        if isinstance(verdict, Play) and patience:
            decision = decision_of(game.state.awaiting, seat)
            assert decision is not None
            check(table.rules, game.state, decision, verdict.action)
            game.play(seat, verdict.action)
            held[seat] = orders, verdict.progress
            played += 1
        else:
            assert isinstance(verdict, Play | Finished) or verdict.reason
            game.play(seat, anything(rng, game, seat))
            held[seat], patience = new_orders(game, rng, codes), PATIENCE
        last = seat
    assert played
    assert codes <= {"unreadable", "illegal", "ambiguous"}
