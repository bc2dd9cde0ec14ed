"""The house: bots that play its seats, and caretakers for players who are away or have resigned.

That the house has a decision to make is stored with the move that opened the decision. A worker
claims the game by a lease before it plays there; if the worker dies, the lease expires and another
one goes on. The house makes its moves with `moves.submit`, like every player.

The time that a bot takes to think depends on its options, and so on its hidden cards. At tables
with other players its answer is therefore held back until a fixed time after the decision opened.
"""

import time
from datetime import timedelta
from typing import NamedTuple

import structlog

from bots.player import HOUSE, Bot
from engine import Action, Refusal, Ruleset, State, default_for, options
from service.clocks import paces
from service.desk import Desk
from service.games import moves, table_lookup
from service.games.move_requests import MoveRequest
from service.games.ordering import carrying_out
from service.games.ordering.carrying_out import OrderedMove
from service.games.players import House, Ordering
from service.i18n.catalogue import sayable
from service.memory.positions import Position
from store import timestamps
from store.games import games, house_turns, orders
from store.games.games import Seated, Table

CARETAKER = sayable("caretaker")
"""The bot that plays for a player who is away or has resigned."""
PLAYERS: dict[str, Bot] = {**HOUSE, CARETAKER: HOUSE["medium"]}
"""The bots of the house, by name."""
LEASE = timedelta(seconds=25)
"""How long a worker has a game to itself: after a crash another one takes over within 30 s."""
TURN = 1.0
"""Seconds that a worker plays at one table before it looks at the next."""
PAUSE = timedelta(milliseconds=250)
"""When an answer is given at a table with people, counted from the opening of the decision.

Nearly all answers are ready much earlier. One that takes longer is given after the next multiple.
"""
PAUSE_AMONG_BOTS = timedelta(milliseconds=50)
"""The same at tables where only programs play, which have many games to play."""
FORGOTTEN = timedelta(minutes=1)
"""How long a held answer is kept after it is due, if another process has played it."""

log = structlog.get_logger()


class Thought(NamedTuple):
    """What is played at a seat: by its bot, or by the orders of a player who is away."""

    action: Action
    ordered: OrderedMove | None = None


class Answer(NamedTuple):
    """An answer of the house that is held back."""

    seat: int
    decision_version: int | None
    """The version at which the decision was opened that it answers."""
    thought: Thought
    due: str


class Answers:
    """The answers that this process holds back, by game."""

    def __init__(self) -> None:
        self._held: dict[str, Answer] = {}

    def hold(self, game: str, answer: Answer) -> None:
        """Hold an answer back; an older one in the same game is dropped."""
        self._held[game] = answer

    def take(self, game: str, seat: Seated) -> Thought | None:
        """Return the held answer to this seat's open decision, if there is one."""
        answer = self._held.pop(game, None)
        if answer is None or (answer.seat, answer.decision_version) != (
            seat.number,
            seat.decision_version,
        ):
            return None
        return answer.thought

    def seconds_left(self, now: str) -> float | None:
        """Return how long until the next answer is due; None if no answer is held."""
        oldest = timestamps.later(now, -FORGOTTEN)
        self._held = {game: answer for game, answer in self._held.items() if answer.due > oldest}
        if not self._held:
            return None
        first = min(answer.due for answer in self._held.values())
        return max(0.0, (timestamps.read(first) - timestamps.read(now)).total_seconds())


class Turn(NamedTuple):
    """A game in which the house has an open decision, and the seat that has it."""

    table: Table
    position: Position
    seat: Seated


def play_next(desk: Desk, answers: Answers | None = None) -> bool:
    """Play in the game that waits longest for the house; False if no game waits.

    Games with people come first. With `answers`, those at tables with other players are held back
    there; without, all are given at once.
    """
    now = desk.now()
    with desk.database.reading() as tx:  # usually nothing is due, and no lock is needed
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
        # A game that cannot go on must not hold up the others; it is tried again after the lease.
        log.exception("the house cannot play", game=game)
    return True


def _play_a_while(desk: Desk, game: str, until: str, answers: Answers | None) -> None:
    began = time.monotonic()
    while turn := _turn(desk, game):
        thought = None
        pause = _pause(turn.table)
        if answers is not None and pause is not None:
            thought = answers.take(game, turn.seat)
            if thought is None:
                _hold_back(desk, turn, until, answers, pause)
                return
        _submit(desk, turn, thought or _think(desk, turn))
        if time.monotonic() - began >= TURN:
            with desk.database.writing() as tx:
                house_turns.give_back(tx, game, until, desk.now())
            return


def _pause(table: Table) -> timedelta | None:
    """Return how long answers are held back at this table; None if only the house plays there."""
    kinds = {seat.kind for seat in table.seated if seat.account and not seat.resigned}
    if not kinds:
        return None
    return PAUSE if "person" in kinds else PAUSE_AMONG_BOTS


def _hold_back(desk: Desk, turn: Turn, until: str, answers: Answers, pause: timedelta) -> None:
    """Think, and give the game back until a time that does not depend on how long that took.

    Until then the worker plays elsewhere. If the process dies, another one finds the same answer.
    """
    chosen, now = _think(desk, turn), desk.now()
    opened = turn.seat.awaited_since or now
    thought = timestamps.read(now) - timestamps.read(opened)
    due = timestamps.later(opened, pause * (1 + thought // pause))
    answers.hold(turn.table.id, Answer(turn.seat.number, turn.seat.decision_version, chosen, due))
    with desk.database.writing() as tx:
        house_turns.give_back(tx, turn.table.id, until, due)


def play(desk: Desk, game: str) -> bool:
    """Make one move for the house in this game, at once; False if it has no open decision."""
    turn = _turn(desk, game)
    if turn is None:
        return False
    _submit(desk, turn, _think(desk, turn))
    return True


def play_late(desk: Desk, table: Table, position: Position, seat: Seated) -> None:
    """Play for a player who is away, where no worker has done it in time."""
    turn = Turn(table, position, seat)
    _submit(desk, turn, _think(desk, turn))


def _turn(desk: Desk, game: str) -> Turn | None:
    with desk.database.reading() as tx:
        table = games.table(tx, game)
        if table is None or table.status != "running":
            return None
        table, position = table_lookup.settled(desk, tx, table)
    seat = _seat_to_play(table, position, desk.now())
    return Turn(table, position, seat) if seat else None


def _think(desk: Desk, turn: Turn) -> Thought:
    """Return the answer of the bot at this seat, unless a player who is away has left orders."""
    table, position, seat = turn
    ordered = _ordered(desk, turn) if paces.is_away(seat) else None
    if ordered is not None:
        return Thought(ordered.action, ordered)
    with desk.database.reading() as tx:
        view = desk.positions.view(tx, table, position, seat.number)
    return Thought(answer(position.rules, view, seat))


def _ordered(desk: Desk, turn: Turn) -> OrderedMove | None:
    """Return the move that the orders of an absent player make, before the caretaker."""
    table, position, seat = turn
    with desk.database.reading() as tx:
        row = orders.of_player(tx, table.id, seat.account or "")
    if row is None or row.state != orders.WAITING:
        return None
    return carrying_out.judged(desk, table, position, seat, row)


def _submit(desk: Desk, turn: Turn, thought: Thought) -> None:
    seat, ordered = turn.seat, thought.ordered
    player: House | Ordering = House(seat.number)
    request = MoveRequest(thought.action, decision_version=seat.decision_version, source="house")
    if ordered is not None:
        player = Ordering(seat.number, seat.account or "")
        request = request._replace(source=carrying_out.SOURCE, also=ordered.also)
    try:
        moves.submit(desk, player, turn.table.id, request)
    except carrying_out.Replaced:
        return  # the next look finds other orders, or none
    except Refusal as refusal:
        # These two mean that the decision is closed: the clock was quicker, or its player is back.
        if refusal.code not in ("stale", "forbidden"):
            raise


def _seat_to_play(table: Table, position: Position, now: str) -> Seated | None:
    """Return the first seat for which the house has to decide."""
    awaited = {decision.seat for decision in position.state.awaiting}
    return next(
        (seat for seat in table.seated if seat.number in awaited and _plays_for(seat, now)), None
    )


def _plays_for(seat: Seated, now: str) -> bool:
    """Return whether the house decides here; for a player who is away, only at the deadline."""
    if seat.house:
        return True
    return paces.is_away(seat) and seat.deadline is not None and seat.deadline <= now


def answer(rules: Ruleset, view: State, seat: Seated) -> Action:
    """Return the answer of a seat's bot, which knows only its view; the default if it fails."""
    bot = seat.house or CARETAKER
    try:
        action = PLAYERS[bot](rules, view, seat.number)
        if action in options(rules, view, seat.number).actions:
            return action
        log.error("a house bot chose an action that is not an option", bot=bot)
    except Exception:
        log.exception("a house bot failed", bot=bot)
    return default_for(rules, view, seat.number)
