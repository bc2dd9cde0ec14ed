"""Compare the engine with python-chess, which does comparable work in comparable Python."""

import json
from collections.abc import Callable, Iterator
from functools import cache
from itertools import count, islice
from random import Random
from statistics import median
from time import perf_counter

import chess

from engine import Chance, Game, Ruleset, decide, options, replay
from engine.codec import read_rows, write
from service.boards.atlas import ruleset

ROUNDS = 7
GAMES = 20
PEER_GAME = 1 / 31 / 63e-6
"""Duration of one game of two seats in the peer engine, counted in python-chess moves.

The peer is willdzeng/ticket_to_ride, the best Python engine of this game that lists the legal
moves; it is on no package index. It played 31 games a second, while python-chess took 63 µs for a
move with a full list of legal moves. Both were measured on one core in November 2026.
"""


def run() -> Iterator[str]:
    """Yield one line per goal."""
    usa = ruleset("usa", (), 2)
    yield compared("replay of stored rows, per event", replayed(usa), pushed, bar=0.6, aim=0.3)
    yield compared("random play, per action", played(usa), legally_played, bar=1.0, aim=0.5)
    yield games_a_second(usa)
    yield growth(usa)


def compared(
    name: str,
    nightmail: Callable[[], float],
    python_chess: Callable[[], float],
    *,
    bar: float,
    aim: float,
) -> str:
    """Report the ratio of two costs, measured in alternating rounds."""
    pairs = [(nightmail(), python_chess()) for _ in range(ROUNDS)]
    ratios = sorted(cost / peer for cost, peer in pairs)
    cost, peer = (median(column) * 1e6 for column in zip(*pairs, strict=True))
    return (
        f"{name}: {median(ratios):.2f} of python-chess ({ratios[0]:.2f}–{ratios[-1]:.2f}; "
        f"{cost:.1f} µs against {peer:.1f} µs; bar {bar}, aim {aim})"
        + (" OVER THE BAR" if median(ratios) > bar else "")
    )


def random_game(rules: Ruleset, number: int) -> Game:
    """Play a whole game with random players."""
    rng = Random(number)
    game = Game(rules, str(number), number.to_bytes(32, "big"))
    while not game.is_over:
        seat = game.awaited[0]
        game.play(seat, rng.choice(game.options(seat).actions))
    return game


@cache
def stored(rules: Ruleset) -> list[list[str]]:
    """Return the events of some random games as JSON rows, as the database stores them."""
    games = [random_game(rules, number) for number in range(GAMES)]
    return [[json.dumps(write(event)) for event in game.events] for game in games]


def replayed(rules: Ruleset) -> Callable[[], float]:
    """Return a function that measures the seconds per event to replay JSON rows into a state."""
    rows = stored(rules)

    def measure() -> float:
        start = perf_counter()
        for some in rows:
            replay(rules, read_rows(some))
        return (perf_counter() - start) / sum(map(len, rows))

    return measure


def played(rules: Ruleset) -> Callable[[], float]:
    """Return a function that measures the seconds per action: list options, pick one, decide."""
    rng, numbers = Random(1), count()

    def measure() -> float:
        actions, start = 0, perf_counter()
        for number in islice(numbers, GAMES):  # new games in every round, so that no cache helps
            actions += _play_out(rules, str(number), rng)
        return (perf_counter() - start) / actions

    return measure


def _play_out(rules: Ruleset, name: str, rng: Random) -> int:
    game = Game(rules, name, bytes(32))
    state, number = game.state, 0
    while state.awaiting:
        seat, number = state.awaiting[0].seat, number + 1
        action = rng.choice(options(rules, state, seat).actions)
        state = decide(rules, state, seat, action, Chance(game.secret, name, number)).state
    return number


@cache
def chess_games() -> list[list[str]]:
    """Return random games of chess in UCI notation."""
    rng, games = Random(2), []
    for _ in range(GAMES):
        board = chess.Board()
        while (moves := list(board.legal_moves)) and len(board.move_stack) < 200:
            board.push(rng.choice(moves))
        games.append([move.uci() for move in board.move_stack])
    return games


def pushed() -> float:
    """Measure the seconds per chess move to parse, check and push it."""
    games, start = chess_games(), perf_counter()
    for moves in games:
        board = chess.Board()
        for move in moves:
            board.push_uci(move)
    return (perf_counter() - start) / sum(map(len, games))


def legally_played() -> float:
    """Measure the seconds per chess move: list all legal moves, pick one, push it."""
    rng, moves, start = Random(3), 0, perf_counter()
    for _ in range(GAMES):
        board = chess.Board()
        while (legal := list(board.legal_moves)) and len(board.move_stack) < 200:
            board.push(rng.choice(legal))
        moves += len(board.move_stack)
    return (perf_counter() - start) / moves


def games_a_second(rules: Ruleset) -> str:
    """Report how many games we play while the peer plays one, estimated from python-chess."""
    faster = []
    for _ in range(ROUNDS):
        start = perf_counter()
        for number in range(GAMES):
            _play_out(rules, str(number), Random(number))
        seconds = (perf_counter() - start) / GAMES
        faster.append(PEER_GAME * legally_played() / seconds)
    faster.sort()
    return (
        f"random games a second: {median(faster):.1f} times the best Python peer "
        f"({faster[0]:.1f}–{faster[-1]:.1f}; bar 3, aim 8)"
    )


def growth(rules: Ruleset) -> str:
    """Compare the cost of late moves and option lists with early ones, without replay."""
    moves: tuple[list[float], list[float]] = ([], [])
    lists: tuple[list[float], list[float]] = ([], [])
    for number in range(GAMES * 2):
        times, game, rng = [], Game(rules, str(number), bytes(32)), Random(number)
        while not game.is_over:
            seat, start = game.awaited[0], perf_counter()
            actions = game.options(seat).actions
            listed = perf_counter()
            game.play(seat, rng.choice(actions))
            times.append((listed - start, perf_counter() - listed))
        fifth = len(times) // 5
        # The last move is left out, since it also scores the game.
        for at, some in enumerate((times[:fifth], times[-fifth:-1])):
            lists[at].extend(listing for listing, _ in some)
            moves[at].extend(moving for _, moving in some)
    ratios = [median(late) / median(early) for early, late in (moves, lists)]
    return (
        f"growth: in the last fifth a move costs {ratios[0]:.2f} of one in the first, a list of "
        f"options {ratios[1]:.2f} (bar 1.5)"
    )
