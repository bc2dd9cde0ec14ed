import random
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from itertools import count

import pytest

from service.games.log_files import checked
from tests.amounts import amount
from tests.clients.running import Json, Player, Service, running
from tests.support.menus import any_form

TABLES: list[tuple[str, list[str], int]] = [
    ("usa", [], 2),
    ("europe", [], 3),
    ("uk", ["dice"], 2),
    ("uk", [], 2),
    ("usa", ["dice"], 2),
    ("europe", ["dice"], 2),
]
BOUND = 1500
"""More moves than a seat makes in a game if it claims whenever it can."""

numbers = count(1)


def chosen(decision: Json, rng: random.Random) -> Json:
    """Choose from the menu, in any form; it is a claim if possible, so that games end soon."""
    return any_form(decision, rng, "claim")


def play(player: Player, game: str, seed: str) -> None:
    """Answer every decision until the game is over, from the decisions alone."""
    rng = random.Random(seed)
    for _ in range(BOUND):
        decisions = player.call("GET /v1/me/decisions?wait=1").json()["decisions"]
        for decision in decisions:
            assert game == decision["game"]
            player.call(f"POST /v1/games/{game}/moves", chosen(decision, rng))
        if not decisions and player.call(f"GET /v1/games/{game}").json()["status"] == "finished":
            return
    pytest.fail(f"{game} does not end")


def whole_game(service: Service, board: str, variants: list[str], seats: int) -> bytes:
    """Play a game with each seat in a thread of its own, and return its log."""
    with ExitStack() as stack, ThreadPoolExecutor(seats) as pool:
        players = [
            stack.enter_context(Player(service, f"Traveller {next(numbers)}")) for _ in range(seats)
        ]
        body = {"board": board, "variants": variants, "seats": seats}
        game: str = players[0].call("POST /v1/games", body).json()["id"]
        for player in players[1:]:
            player.call(f"POST /v1/games/{game}/seats")
        at_table = [
            pool.submit(play, player, game, f"{board} {variants} {seat}")
            for seat, player in enumerate(players)
        ]
        for seat in at_table:
            seat.result()
        return players[0].call(f"GET /v1/games/{game}/log").content


@pytest.mark.parametrize(("board", "variants", "seats"), TABLES[: amount(3, soak=len(TABLES))])
def test_bots_play_every_board_by_reading_decisions_alone(
    service: Service, board: str, variants: list[str], seats: int
) -> None:
    """A client that polls decisions and returns options finishes a game whose log verifies."""
    report = checked(whole_game(service, board, variants, seats))
    opening = report.log.opening
    assert (board, tuple(variants), seats) == (opening.board, opening.variants, opening.seats)
    assert {"api"} == {move.source for move in report.log.moves if move.seat is not None}


def test_the_same_holds_on_postgresql(postgres: str) -> None:
    """A whole game over sockets on PostgreSQL, with two web processes, has a log that verifies."""
    with running(postgres.replace("+psycopg", "", 1)) as service:
        report = checked(whole_game(service, "europe", [], 2))
    assert "europe" == report.log.opening.board
