"""The house at its tables: bots of three strengths, and caretakers of deserted seats.

That the house has to decide is stored together with the move after which it has to. Whoever plays
for it first claims the game for a while; if that process dies, the claim lapses and another goes
on. Its moves come in by the same way as everybody's.
"""

import time
from datetime import timedelta

import structlog

from bots.player import HOUSE, Bot
from engine import Action, Refusal, Ruleset, State, default_for, options
from engine.codec import write
from service import moves, reading
from service import pace as paces
from service.desk import Desk
from service.moves import House, Wanted
from service.positions import Position
from store import clock, games, turns
from store.games import Seated, Table

CARETAKER = "caretaker"
"""Plays a seat whose player has gone."""
PLAYERS: dict[str, Bot] = {**HOUSE, CARETAKER: HOUSE["medium"]}
LEASE = timedelta(seconds=25)
"""Much longer than a turn at a table takes: within 30 s after a crash another process goes on."""
TURN = 1.0
"""After so many seconds at one table it is the turn of the next."""

log = structlog.get_logger()


def play_next(desk: Desk) -> bool:
    """Play where the house is awaited longest, first where people wait; whether it was at all."""
    now = desk.now()
    with desk.database.reading() as tx:  # most of the time there is nothing, and no lock to take
        if not turns.any_due(tx, now):
            return False
    until = clock.later(now, LEASE)
    with desk.database.writing() as tx:
        game = turns.claim(tx, now, until)
    if game is None:
        return False
    try:
        _play_a_while(desk, game, until)
    except Exception:
        # One game that cannot go on must not hold up all others; it is tried again after the lease.
        log.exception("the house cannot play", game=game)
    return True


def _play_a_while(desk: Desk, game: str, until: str) -> None:
    began = time.monotonic()
    while play(desk, game):
        if time.monotonic() - began >= TURN:
            with desk.database.writing() as tx:
                turns.give_back(tx, game, until, desk.now())
            return


def play(desk: Desk, game: str) -> bool:
    """Decide once for the house in this game; False if nothing is asked of it there."""
    with desk.database.reading() as tx:
        table = games.table(tx, game)
        if table is None or table.status != "running":
            return False
        table, position = reading.settled(desk, tx, table)
        seat = _asked(table, position, desk.now())
        if seat is None:
            return False
        view = desk.positions.view(tx, table, position, seat.number)
    action = answer(position.rules, view, seat)
    wanted = Wanted(write(action), asked=seat.asked, source="house")
    try:
        moves.submit(desk, House(seat.number), game, wanted)
    except Refusal as refusal:
        # Else somebody has decided for this seat in the meantime, perhaps its owner, who is back.
        if refusal.code not in ("stale", "forbidden"):
            raise
    return True


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
