"""Promise 4 for the clock: of a late player and two clocks exactly one decides."""

import json
from collections.abc import Callable, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest
from sqlalchemy import Connection, delete, update

from engine import Refusal
from service.clocks import deadlines
from service.desk import Desk
from service.games import moves, reading
from service.games.move_requests import MoveRequest
from service.memory.positions import Positions
from store import tables
from store.games import games
from store.games.games import HouseTurn, SeatWait, StoredMove
from tests.amounts import amount
from tests.api.serving import fresh_app
from tests.promises.support.database_checks import head_of, moves_of
from tests.service.support.tables import table
from tests.service.support.threads import at_once
from tests.service.support.timing import Hands, by_hand, notices_of, seat_at, table_at

ROUNDS = amount(20, soak=200)
PACE = {"per_decision": 3600, "reminders": []}


def _rounds(desk: Desk, rounds: int) -> None:
    desk, hands = by_hand(desk)
    others = [desk._replace(positions=Positions()) for _ in range(2)]
    game, players = table(desk, "Ada", "Ben", pace=PACE)
    made = sum(_round(desk, hands, others, game, players) for _ in range(rounds))
    log = [json.loads(move.record) for move in moves_of(desk.database, game) if move.number > 0]
    by_clock = [move for move in log if move["source"] == "clock"]

    assert made == len(log)
    assert len(notices_of(desk, "decision_expired")) <= len(by_clock)
    assert json.loads(reading.game(desk, game, None)[1])["head"] == head_of(desk.database, game)


def _round(
    desk: Desk, hands: Hands, others: Sequence[Desk], game: str, players: Sequence[str]
) -> int:
    """At a deadline, let the late player and two clocks of other processes act at once."""
    before = table_at(desk, game)
    late = next(player for player in players if seat_at(desk, game, player).awaited_since)
    seat = seat_at(desk, game, late)
    hands.to(str(seat.deadline))
    acts: list[Callable[[], int]] = [
        partial(_played, desk, late, game, seat.decision_version),
        *(partial(deadlines.sweep, other) for other in others),
    ]
    done = sum(at_once(len(acts), lambda n: acts[n]()))

    assert done == sum(player.awaited_since is not None for player in before.seated)
    assert before.version + done == table_at(desk, game).version
    return done


def _text(desk: Desk, account: str, game: str) -> str:
    """The default of an open decision; any text where there is none, since it is refused."""
    decision = reading.decision(desk, game, account)
    return decision["default"]["text"] if decision else "draw"


def _played(desk: Desk, account: str, game: str, version: int | None) -> int:
    """Make a late move for this decision; returns 1 if it counted, otherwise 0."""
    try:
        moves.submit(
            desk, account, game, MoveRequest(_text(desk, account, game), decision_version=version)
        )
    except Refusal as refusal:
        if refusal.code not in {"stale", "not_awaited"}:
            raise
        return 0
    return 1


def test_a_late_player_and_two_clocks(url: str, tmp_path: Path) -> None:
    """At a deadline a late player and two clocks act at once: each decision is made once."""
    _, desk = fresh_app(url, DATA_DIR=str(tmp_path))
    with closing(desk.database):
        _rounds(desk, ROUNDS)


_append = games.append


def _overwrite(
    tx: Connection,
    game: str,
    added: Sequence[StoredMove],
    waits: Sequence[SeatWait],
    expected: tuple[int, int],
    house: HouseTurn,
) -> None:
    """Let the last writer win."""
    here = update(tables.games).where(tables.games.c.id == game)
    tx.execute(here.values(version=expected[0]))
    rows = tables.moves.c
    tx.execute(delete(tables.moves).where(rows.game == game, rows.number > expected[0]))
    _append(tx, game, added, waits, expected, house)


def test_a_clock_that_overwrites_is_noticed(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Planted fault: if the last writer wins, the test above fails."""
    monkeypatch.setattr(games, "append", _overwrite)
    _, desk = fresh_app(url, DATA_DIR=str(tmp_path))
    with closing(desk.database), pytest.raises(AssertionError):
        _rounds(desk, ROUNDS)
