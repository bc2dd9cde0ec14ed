"""Who is awaited after a move, until when, and when the house has to play."""

from collections.abc import Sequence

from engine.values import Seat
from service.clocks import paces
from service.games.decided_moves import ChosenMove, DecidedMove
from store.games.games import HouseTurn, Seated, SeatWait, Table


def waits_after(decided: DecidedMove) -> list[SeatWait]:
    """Return the seats whose decision has changed: it was opened, closed, or opened again.

    The engine keeps the same decision object as long as a decision stays open. A seat that has
    moved and must go on, as after buying a technology, has a new decision, too.
    """
    before = {decision.seat: decision for decision in decided.before.state.awaiting}
    after = {decision.seat: decision for decision in decided.after.state.awaiting}
    seats = {seat.number: seat for seat in decided.table.seated}
    moved = {row.seat for row in decided.rows}
    return [
        _wait(decided, seats[number], is_awaited=number in after)
        for number in sorted(before.keys() | after.keys())
        if before.get(number) is not after.get(number) or number in moved
    ]


def _wait(decided: DecidedMove, seat: Seated, *, is_awaited: bool) -> SeatWait:
    """Return the time that a seat has for its new decision; none if it has no decision any more."""
    pace = paces.read(decided.table.pace)
    bank = paces.bank_after(pace, seat, decided.at)
    missed = _missed(seat, decided.choice)
    if not is_awaited:
        return SeatWait(seat.number, bank=bank, missed=missed)
    timed = paces.timing(pace, seat._replace(bank=bank, missed=missed), decided.at)
    return SeatWait(seat.number, decided.at, decided.after.version, *timed, bank, missed)


def _missed(seat: Seated, choice: ChosenMove | None) -> int:
    """Return how many deadlines in a row a seat has missed after this move."""
    if choice is None or choice.seat != seat.number or choice.source == "house":
        return seat.missed
    if choice.source == "order" and paces.is_away(seat):
        return seat.missed
    return seat.missed + 1 if choice.source == "clock" else 0


def deadline_after(table: Table, seat: Seat | None, waits: Sequence[SeatWait]) -> str | None:
    """Return the deadline of a seat's open decision after these changes; None for no seat."""
    deadlines = {row.number: row.deadline for row in table.seated}
    deadlines |= {wait.number: wait.deadline for wait in waits}
    return None if seat is None else deadlines[seat]


def house_turn(decided: DecidedMove, waits: Sequence[SeatWait]) -> HouseTurn:
    """Return when the house has to play next in this game.

    At its own seats it plays at once; for a player who is away, when the grace period ends. A
    worker that plays for the house in this game already keeps its claim.
    """
    changed = {wait.number: wait for wait in waits}
    seats = {seat.number: seat for seat in decided.table.seated}
    moments = []
    for decision in decided.after.state.awaiting:
        seat, wait = seats[decision.seat], changed.get(decision.seat)
        if wait:
            seat = seat._replace(missed=wait.missed, deadline=wait.deadline)
        if seat.house or paces.is_away(seat):
            moments.append(decided.at if seat.house else seat.deadline)
    due = min(filter(None, moments), default=None)
    by_house = decided.choice is not None and decided.choice.source == "house"
    seated = decided.table.seated
    before = by_house or any(seat.house and seat.awaited_since for seat in seated)
    return HouseTurn(due, claimed=before and due == decided.at)
