"""Whole games between random players: to read, to measure, and to find bugs."""

import hashlib
import json
import random
import shlex
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from engine import Event, Game, GameEnded, Log, Move, Ruleset, audit, read_log, replay

LONGEST = 10_000
"""Moves after which a game counts as endless; most random games take a few hundred."""


class Violation(Exception):
    """An error in a random game, with the command that repeats it."""

    def __init__(self, series: "Series", number: int, move: int, problem: str) -> None:
        game, seed = series.id(number), series.seed(number).hex()
        again = series.command(number)
        place = f"game {game}, seed {seed}, move {move}"
        super().__init__(f"{place}: {problem}; repeat it with: {again}")


class Broken(Exception):
    """An invariant of the engine is violated."""


class Series:
    """A series of games that follows from a text: the same text gives the same moves."""

    def __init__(self, rules: Ruleset, text: str) -> None:
        self.rules = rules
        self.text = text
        table = [rules.board.id, rules.board.variants, rules.seats]
        self.name = f"{rules.board.id}-{self._bytes(table).hex()[:8]}"

    def id(self, number: int) -> str:
        """Return the name of a game of this series."""
        return f"{self.name}-{number:04}"

    def seed(self, number: int) -> bytes:
        return self._bytes([self.id(number), "seed"])

    def game(self, number: int) -> Game:
        """Return a game of this series, at its beginning."""
        nonces = [
            self._bytes([self.id(number), seat]).hex()[:16] for seat in range(self.rules.seats)
        ]
        return Game(self.rules, self.id(number), self.seed(number), nonces)

    def play(self, number: int, *, check: bool = False) -> Game:
        """Return a game of this series, played to its end."""
        *_, game = self.watch(number, check=check)
        return game

    def watch(self, number: int, *, check: bool = False) -> Iterator[Game]:
        """Yield the game after every move; every error in it becomes a Violation."""
        moves = 0
        try:
            game = self.game(number)
            for move in checked(game, self._moves(game)) if check else self._moves(game):
                moves = move.number
                yield game
        except Exception as error:
            raise Violation(self, number, moves, _described(error)) from error

    def command(self, number: int) -> str:
        """Return the command that plays this game again."""
        board = self.rules.board
        words = ["nightmail", "selfplay", "--board", board.id]
        for variant in board.variants:
            words += ["--variant", variant]
        words += ["--seats", str(self.rules.seats), "--seed", self.text, "--first", str(number)]
        return shlex.join([*words, "--check"])

    def _moves(self, game: Game) -> Iterator[Move]:
        """Yield random moves until the game is over."""
        chance = random.Random(self._bytes([game.id, "players"])).random  # noqa: S311  # not used for secrets
        yield game.moves[0]
        while game.awaited:
            if game.version == LONGEST:
                raise Broken(f"the game does not end within {LONGEST} moves")
            awaited = game.awaited
            seat = awaited[int(chance() * len(awaited))]
            actions = game.options(seat).actions
            if not actions:
                raise Broken(f"seat {seat} is asked and has no option")
            game.play(seat, actions[int(chance() * len(actions))])
            yield game.moves[-1]

    def _bytes(self, of: object) -> bytes:
        return hashlib.sha256(json.dumps(["nightmail selfplay", self.text, of]).encode()).digest()


def checked(game: Game, moves: Iterator[Move]) -> Iterator[Move]:
    """Yield the same moves; checks the invariants after each of them, and the log at the end."""
    rules = game.rules
    folded = rules.initial
    for move in moves:
        folded = replay(rules, move.events, folded)
        _check(game, same=folded == game.state)
        yield move
    ending(game)
    log = read_log(game.lines())
    if audit(rules, log) != game.state or replay(rules, _events(log)) != game.state:
        raise Broken("the written log leads to another state")


def _events(log: Log) -> Iterator[Event]:
    return (event for move in log.moves for event in move.events)


def _check(game: Game, *, same: bool) -> None:
    if not same:
        raise Broken("the events replayed lead to another state")
    for run in game.rules.all("accounts"):
        run(game.rules, game.state)


def _described(error: Exception) -> str:
    """Return the error in one line, with file and line if it is a crash."""
    if isinstance(error, Broken):
        return str(error)
    frame = traceback.extract_tb(error.__traceback__)[-1]
    place = f"{Path(frame.filename).name}:{frame.lineno}"
    return f"{type(error).__name__}: {error} ({place})"


def ending(game: Game) -> GameEnded:
    """Return how a game ended."""
    last = game.moves[-1].events[-1]
    if not isinstance(last, GameEnded):
        raise Broken("the game is over without an end")
    return last


class Figures(NamedTuple):
    """The figures of a game for the summary."""

    moves: int
    reason: str
    totals: tuple[int, ...]
    winners: tuple[int, ...]


def figures_of(game: Game) -> Figures:
    """Return the figures of a game that is over."""
    ended = ending(game)
    return Figures(
        game.version, ended.reason, tuple(result.total for result in ended.results), ended.winners
    )
