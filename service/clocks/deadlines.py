"""Keeping the clocks: reminders, and what is played for whoever has not decided in time."""

from datetime import timedelta
from typing import NamedTuple

import structlog

from engine import Option, State, default_for, options
from service.clocks import pace as paces
from service.desk import Desk
from service.games import house, moves, notices, table_lookup
from service.games.moves import Played, Step
from service.memory.positions import Position
from store import timestamps
from store.errors import Clash
from store.games import deadlines, games
from store.games.deadlines import Due
from store.games.games import Seated, Stale, Table
from store.notify import notices as owed
from store.notify.notices import Notice

AT_ONCE = 100
"""So many seats are read at a time; each is settled in a transaction of its own."""
ATTEMPTS = 5
LATER = timedelta(minutes=1)
"""After this the clock looks again at a seat that it could not make sense of."""
LONGEST_PAUSE = 1.0
SHORTEST_PAUSE = 0.02
"""Seconds between two sweeps."""

log = structlog.get_logger()


def sweep(desk: Desk) -> int:
    """Do everything that is due: remind, and decide for those whose time is over; how much."""
    done, after = 0, None
    while True:
        with desk.database.reading() as tx:
            found = deadlines.due(tx, desk.now(), after, AT_ONCE)
        done += sum(_settled(desk, one) for one in found)
        if len(found) < AT_ONCE:
            return done
        after = found[-1]


def pause(desk: Desk) -> float:
    """How many seconds the clock may rest."""
    with desk.database.reading() as tx:
        due = deadlines.next_due(tx)
    if due is None:
        return LONGEST_PAUSE
    left = (timestamps.read(due) - timestamps.read(desk.now())).total_seconds()
    # What is due already has come since the last sweep, or could not be settled in it.
    return LONGEST_PAUSE if left <= 0 else min(max(left, SHORTEST_PAUSE), LONGEST_PAUSE)


def _settled(desk: Desk, one: Due) -> bool:
    """Do what is due at a seat; whether there was anything to do."""
    try:
        return _remind(desk, one) if one.deadline > desk.now() else _expire(desk, one)
    except Exception:
        # One game that cannot go on must not hold up the clocks of all others.
        log.exception("clock failed", game=one.game, seat=one.number)
        with desk.database.writing() as tx:
            deadlines.look_again(tx, one, timestamps.later(desk.now(), LATER))
        return False


def _awaited(table: Table | None, one: Due) -> Seated | None:
    """The seat, if it is still asked the same, until the same time."""
    if table is None or table.status != "running":
        return None
    seat = table.seated[one.number]
    same = (seat.asked, seat.deadline) == (one.asked, one.deadline)
    return seat if same else None


def _remind(desk: Desk, one: Due) -> bool:
    """Owe a reminder, once: whoever moves the time of the next look on also owes it."""
    now = desk.now()
    with desk.database.reading() as tx:
        table = games.table(tx, one.game)
    seat = _awaited(table, one)
    if table is None or seat is None or seat.account is None:
        return False
    due = paces.next_due(paces.read(table.pace), seat, now)
    told = Notice(seat.account, "decision_reminder", one.game, one.number, one.asked)
    with desk.database.writing() as tx:
        if not deadlines.look_again(tx, one, due):
            return False
        owed.add(tx, [told._replace(data={"deadline": one.deadline})], now)
    desk.doorbell.ring()
    return True


class _Expired(NamedTuple):
    """A decision whose time is over, and what is played for its seat."""

    table: Table
    seat: Seated
    played: Played
    option: Option


def _expire(desk: Desk, one: Due) -> bool:
    """Play the default for a seat whose time is over, unless somebody was quicker."""
    for _ in range(ATTEMPTS):
        found = _expired(desk, one)
        if found is None:
            return False
        try:
            with desk.database.writing() as tx:
                moves.store(tx, found.table, found.played)
                owed.add(tx, _told(found), found.played.at)
        except (Stale, Clash):
            continue  # somebody has moved, or an absence has moved the deadline: look again
        moves.announce(desk, found.table, found.played)
        return True
    return False  # a lively table; the next sweep sees to it


def _expired(desk: Desk, one: Due) -> _Expired | None:
    with desk.database.reading() as tx:
        table = games.table(tx, one.game)
        if table is None or _awaited(table, one) is None:
            return None
        table, position = table_lookup.settled(desk, tx, table)
        seat = _awaited(table, one)
        if seat is None:
            return None
        view = desk.positions.view(tx, table, position, one.number)
    option, source = _decided(position, view, seat)
    step = Step(one.number, option.action, source)
    return _Expired(table, seat, moves.unfold(table, position, step, desk.now()), option)


def _decided(position: Position, view: State, seat: Seated) -> tuple[Option, str]:
    """What is played, and by whom: the default, but for those who are away by a caretaker.

    That is the house's own work, so it has no worker at the moment, or a slow one.
    """
    rules = position.rules
    if paces.is_away(seat):
        action, source = house.answer(rules, view, seat), "house"
    else:
        action, source = default_for(rules, view, seat.number), "clock"
    listed = options(rules, view, seat.number)
    return listed[listed.actions.index(action)], source


def _told(found: _Expired) -> list[Notice]:
    """Who has to know: the owner, and the whole table when somebody has been away too long.

    From then on the mail about each turn says enough.
    """
    table, seat, played, option = found
    if seat.account is None or seat.house or paces.is_away(seat):
        return []
    said = {"text": option.text, "label": option.label, "deadline": seat.deadline}
    told = [Notice(seat.account, "decision_expired", table.id, seat.number, seat.asked, said)]
    if seat.missed + 1 >= paces.AWAY_AFTER:
        version = played.after.version
        told += notices.to_all(table, "seat_caretaken", version, data={"away": seat.number})
    return told
