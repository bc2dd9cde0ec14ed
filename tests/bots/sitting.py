"""Positions for bots to decide, and bots whose answers are checked."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from bots.arena import Entrant, Match, Score, play
from bots.player import HOUSE, Bot
from engine import Action, Event, Ruleset, State, options, replay, seen_by
from tests.random_games import Table, played


class Position(NamedTuple):
    """An open decision: the log so far, the seat, and its view."""

    log: list[Event]
    view: State
    seat: int


def view_of(rules: Ruleset, log: Sequence[Event], seat: int) -> State:
    """The view of a seat after this log."""
    return replay(rules, [seen_by(event, seat) for event in log])


def positions(table: Table, number: int, every: int) -> Iterator[Position]:
    """Positions of a random game, which also reaches unlikely ones."""
    game = played(table, number).game
    log: list[Event] = []
    for at, move in enumerate(game.moves[:-1]):
        log += move.events
        after = game.moves[at + 1]
        if at % every == number % every and after.seat is not None:
            yield Position([*log], view_of(table.rules, log, after.seat), after.seat)


def watched(bot: Bot) -> Bot:
    """The same bot, checked: its answer must be an option of its view."""

    def answer(rules: Ruleset, view: State, seat: int) -> Action:
        action = bot(rules, view, seat)
        assert action in options(rules, view, seat).actions
        return action

    return answer


def house_game(table: Table, number: int) -> Score:
    """A game of checked house bots; the number rotates their seats."""
    names = list(HOUSE)
    seated = [names[(seat + number) % len(names)] for seat in range(table.seats)]
    entrants = tuple(Entrant(name, watched(HOUSE[name])) for name in seated)
    return play(table.rules, Match(number, entrants), str(table))
