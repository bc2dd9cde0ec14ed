"""The house at its tables: bots of every strength, and caretakers of deserted seats.

That the house has to decide is stored together with the move after which it has to. Whoever plays
for it first claims the game for a while; if that process dies, the claim lapses and another goes
on. Its moves come in by the same way as everybody's.

How long a bot thinks depends on what it may choose from, and so on what it holds. Where others play
its answer is therefore kept back until a fixed time has passed since it was asked.
"""

import time
from datetime import timedelta
from typing import NamedTuple

import structlog

from bots.player import HOUSE, Bot
from engine import Action, Refusal, Ruleset, State, default_for, options
from service.clocks import pace as paces
from service.desk import Desk
from service.games import moves, table_lookup
from service.games.move_requests import MoveRequest
from service.games.players import House
from service.i18n.catalogue import sayable
from service.memory.positions import Position
from store import timestamps
from store.games import games, house_turns
from store.games.games import Seated, Table

CARETAKER = sayable("caretaker")
"""Plays a seat whose player has gone."""
PLAYERS: dict[str, Bot] = {**HOUSE, CARETAKER: HOUSE["medium"]}
LEASE = timedelta(seconds=25)
"""Much longer than a turn at a table takes: within 30 s after a crash another process goes on."""
TURN = 1.0
"""After so many seconds at one table it is the turn of the next."""
HELD = timedelta(milliseconds=250)
"""How long after it was asked an answer comes at a table with people, however soon it is known.

Much longer than nearly all thoughts; one that takes longer comes after twice as long, and so on.
"""
HELD_FROM_BOTS = timedelta(milliseconds=50)
"""The same where only programs play, which have many games to play."""
FORGOTTEN = timedelta(minutes=1)
"""So long after its time an answer is kept, for a game that another process has played on."""

log = structlog.get_logger()


class Answer(NamedTuple):
    """What the house is going to do, and when."""

    seat: int
    asked: int | None
    """The version at which the decision was opened that it answers."""
    action: Action
    due: str


class Answers:
    """Answers that are kept back by this process until their time has come."""

    def __init__(self) -> None:
        self._kept: dict[str, Answer] = {}

    def keep(self, game: str, answer: Answer) -> None:
        self._kept[game] = answer

    def take(self, game: str, seat: Seated) -> Action | None:
        """The answer to what this seat is asked now, if it was thought of before."""
        known = self._kept.pop(game, None)
        if known is None or (known.seat, known.asked) != (seat.number, seat.asked):
            return None
        return known.action

    def seconds_left(self, now: str) -> float | None:
        """How long until the next answer is due; None if there is none."""
        before = timestamps.later(now, -FORGOTTEN)
        self._kept = {game: one for game, one in self._kept.items() if one.due > before}
        if not self._kept:
            return None
        first = min(one.due for one in self._kept.values())
        return max(0.0, (timestamps.read(first) - timestamps.read(now)).total_seconds())


class Turn(NamedTuple):
    """What is asked of the house in a game."""

    table: Table
    position: Position
    seat: Seated


def play_next(desk: Desk, answers: Answers | None = None) -> bool:
    """Play where the house is awaited longest, first where people wait; whether it was at all.

    With `answers` those at tables with others are kept back there; without, they come at once.
    """
    now = desk.now()
    with desk.database.reading() as tx:  # most of the time there is nothing, and no lock to take
        if not house_turns.any_due(tx, now):
            return False
    until = timestamps.later(now, LEASE)
    with desk.database.writing() as tx:
        game = house_turns.claim(tx, now, until)
    if game is None:
        return False
    try:
        _play_a_while(desk, game, until, answers)
    except Exception:
        # One game that cannot go on must not hold up all others; it is tried again after the lease.
        log.exception("the house cannot play", game=game)
    return True


def _play_a_while(desk: Desk, game: str, until: str, answers: Answers | None) -> None:
    began = time.monotonic()
    while turn := _turn(desk, game):
        action = None
        held = _held(turn.table)
        if answers is not None and held is not None:
            action = answers.take(game, turn.seat)
            if action is None:
                _keep_back(desk, turn, until, answers, held)
                return
        _enter(desk, turn, action or _thought(desk, turn))
        if time.monotonic() - began >= TURN:
            with desk.database.writing() as tx:
                house_turns.give_back(tx, game, until, desk.now())
            return


def _held(table: Table) -> timedelta | None:
    """How long answers are kept back from others who play there; None if only the house does."""
    kinds = {seat.kind for seat in table.seated if seat.account and not seat.resigned}
    if not kinds:
        return None
    return HELD if "person" in kinds else HELD_FROM_BOTS


def _keep_back(desk: Desk, turn: Turn, until: str, answers: Answers, held: timedelta) -> None:
    """Think, and let the game rest until a time that does not depend on how long that took.

    Until then its worker plays elsewhere. If the process dies, another one thinks of the same.
    """
    action, now = _thought(desk, turn), desk.now()
    asked = turn.seat.awaited_since or now
    due = timestamps.later(
        asked, held * (1 + (timestamps.read(now) - timestamps.read(asked)) // held)
    )
    answers.keep(turn.table.id, Answer(turn.seat.number, turn.seat.asked, action, due))
    with desk.database.writing() as tx:
        house_turns.give_back(tx, turn.table.id, until, due)


def play(desk: Desk, game: str) -> bool:
    """Decide once for the house in this game, at once; False if nothing is asked of it there."""
    turn = _turn(desk, game)
    if turn is None:
        return False
    _enter(desk, turn, _thought(desk, turn))
    return True


def _turn(desk: Desk, game: str) -> Turn | None:
    with desk.database.reading() as tx:
        table = games.table(tx, game)
        if table is None or table.status != "running":
            return None
        table, position = table_lookup.settled(desk, tx, table)
    seat = _asked(table, position, desk.now())
    return Turn(table, position, seat) if seat else None


def _thought(desk: Desk, turn: Turn) -> Action:
    table, position, seat = turn
    with desk.database.reading() as tx:
        view = desk.positions.view(tx, table, position, seat.number)
    return answer(position.rules, view, seat)


def _enter(desk: Desk, turn: Turn, action: Action) -> None:
    request = MoveRequest(action, decision_version=turn.seat.asked, source="house")
    try:
        moves.submit(desk, House(turn.seat.number), turn.table.id, request)
    except Refusal as refusal:
        # Else somebody has decided for this seat in the meantime, perhaps its owner, who is back.
        if refusal.code not in ("stale", "forbidden"):
            raise


def _asked(table: Table, position: Position, now: str) -> Seated | None:
    """The seat for which the house has to decide first."""
    awaited = {asked.seat for asked in position.state.awaiting}
    return next(
        (seat for seat in table.seated if seat.number in awaited and _plays_for(seat, now)), None
    )


def _plays_for(seat: Seated, now: str) -> bool:
    """Whether the house decides here: an owner who is away may be quicker for a while."""
    if seat.house:
        return True
    return paces.is_away(seat) and seat.deadline is not None and seat.deadline <= now


def answer(rules: Ruleset, view: State, seat: Seated) -> Action:
    """What the house does at a seat, knowing what it knows; the default, if its bot fails."""
    bot = seat.house or CARETAKER
    try:
        action = PLAYERS[bot](rules, view, seat.number)
        if action in options(rules, view, seat.number).actions:
            return action
        log.error("a house bot chose what is no option", bot=bot)
    except Exception:
        log.exception("a house bot failed", bot=bot)
    return default_for(rules, view, seat.number)
