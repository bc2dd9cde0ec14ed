"""Making a move: the one way in which a log grows, whoever asks."""

import hashlib
import json
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from engine import Action, Chance, Event, Move, Refusal, decide, read
from engine.codec import read_action
from engine.log import canonical, record_of, tied_move
from engine.tongue import say
from engine.values import Seat
from service import refusals
from service.clocks import pace as paces
from service.desk import Desk
from service.games import decisions, event_documents, notices, ratings, table_lookup
from service.memory.news import of_account, of_game
from service.memory.positions import Position, events_of, folded
from store.database import Transaction
from store.errors import Clash
from store.games import games
from store.games.games import Owed, Seated, Stale, StoredMove, Table, Waits
from store.notify import notices as outbox

ATTEMPTS = 20
"""So often a move is judged anew when others were quicker; each time somebody got on."""


class Wanted(NamedTuple):
    """What somebody wants to do: an action as JSON, or its text."""

    action: Any = None
    text: str | None = None
    versions: frozenset[int] | None = None
    """The versions it was thought of at, if that matters."""
    asked: int | None = None
    """The version at which the decision was opened that it answers, if it answers only that."""
    key: str | None = None
    source: str = "api"
    also: Callable[[Transaction], None] | None = None
    """What is stored together with the move, or not at all."""

    @property
    def mark(self) -> bytes | None:
        """Tells one key from another."""
        return None if self.key is None else marked(self.key)

    @property
    def digest(self) -> bytes:
        """Tells one body from another."""
        said = json.dumps([self.action, self.text], sort_keys=True).encode()
        return hashlib.sha256(said).digest()[:16]


class House(NamedTuple):
    """The house, at a seat that it plays; it has no account."""

    seat: Seat


Player = str | House
"""Whoever makes a move: an account, by its id, or the house."""


def marked(key: str) -> bytes:
    """What is stored of an Idempotency-Key: it may be long, and nobody reads it again."""
    return hashlib.sha256(key.encode()).digest()[:16]


class Step(NamedTuple):
    """One move that is about to be made."""

    seat: Seat
    action: Action
    source: str
    key: bytes | None = None
    digest: bytes | None = None


class Played(NamedTuple):
    """A move that was decided, ready to be stored; in old games several were stored together."""

    before: Position
    stored: list[StoredMove]
    events: list[tuple[Event, ...]]
    """Of each of them."""
    after: Position
    at: str
    step: Step | None = None
    """The move they began with, if somebody made one."""


def submit(desk: Desk, player: Player, game: str, wanted: Wanted) -> dict[str, Any]:
    """Make a move; what it caused and what is asked next, as the seat sees it."""
    try:
        return _submitted(desk, player, game, wanted)
    except Refusal:
        # It may be the same request, done by somebody quicker, that stands in the way.
        with desk.database.reading() as tx:
            table = _table(tx, game, player)
            made = _made(tx, table, _seat(table, player), wanted)
            if made is None:
                raise
            return _again(tx, table, _seat(table, player), made)


def _submitted(desk: Desk, player: Player, game: str, wanted: Wanted) -> dict[str, Any]:
    for _ in range(ATTEMPTS):
        with desk.database.reading() as tx:
            table = _table(tx, game, player)
            seat = _seat(table, player)
            made = _made(tx, table, seat, wanted)
            if made is not None:
                return _again(tx, table, seat, made)
            if table.status == "open":
                raise Refusal("not_awaited", say("The game has not begun yet."))
            table, position = table_lookup.settled(desk, tx, table)
            seat = _seat(table, player)
            if seat.resigned and not isinstance(player, House):
                raise Refusal("forbidden", say("You have resigned from this game."))
        if wanted.versions is not None and position.version not in wanted.versions:
            raise refusals.stale(position.version)
        if wanted.asked is not None and wanted.asked != seat.asked:
            raise refusals.stale(position.version)
        played = unfold(table, position, _step(position, seat.number, wanted), desk.now())
        try:
            with desk.database.writing() as tx:
                waits = store(tx, table, played)
                if wanted.also:
                    wanted.also(tx)
        except (Stale, Clash):
            continue  # somebody was quicker, perhaps with the same key: look again
        announce(desk, table, played)
        deadline = until(table, seat.number, waits)
        return _receipt(table, seat.number, played, deadline)
    raise refusals.Refused(
        "rate_limited", say("Too many move at this table at once."), retry_after=1
    )


def _table(tx: Transaction, game: str, player: Player) -> Table:
    if not isinstance(player, House):
        return table_lookup.table_of(tx, game, player)
    table = games.table(tx, game)
    if table is None:
        raise refusals.not_found()
    return table


def _seat(table: Table, player: Player) -> Seated:
    if isinstance(player, House):
        seat = next((one for one in table.seated if one.number == player.seat), None)
        if seat and not (seat.house or paces.is_away(seat)):
            seat = None
    else:
        seat = table.seat_of(player)
    if seat is None:
        raise Refusal("forbidden", say("You do not sit at this table."))
    return seat


def _step(position: Position, seat: Seat, wanted: Wanted) -> Step:
    if wanted.text is not None:
        action = read(position.rules, position.state, seat, wanted.text)
    else:
        action = read_action(wanted.action)
    return Step(seat, action, wanted.source, wanted.mark, wanted.digest)


def _made(tx: Transaction, table: Table, seat: Seated, wanted: Wanted) -> StoredMove | None:
    """The move that was made with this key before."""
    mark = wanted.mark
    if mark is None:
        return None
    made = games.move_by_key(tx, table.id, seat.number, mark)
    if made is not None and made.digest != wanted.digest:
        raise refusals.key_used()
    return made


def _again(tx: Transaction, table: Table, seat: Seated, made: StoredMove) -> dict[str, Any]:
    """The same answer as when the move was made."""
    log = games.moves_between(tx, table.id, 0, made.through)
    before = folded(table, log[: made.number])
    stored = log[made.number :]
    at: str = json.loads(made.record)["at"]
    events = [events_of(move) for move in stored]
    played = Played(before, stored, events, folded(table, stored, before), at)
    return _receipt(table, seat.number, played, made.until)


def _receipt(table: Table, seat: Seat, played: Played, until: str | None) -> dict[str, Any]:
    """What a move caused, as the seat that made it sees it, and what is asked of it next.

    Its `tag` is that of the game afterwards.
    """
    stored, before, after = played.stored, played.before, played.after
    eyes = None if after.ended else seat
    log, is_over = zip(stored, played.events, strict=True), after.ended is not None
    told = event_documents.seen(table, before, log, eyes, before.seq, open_to_all=is_over)
    return {
        "game": table.id,
        "move": stored[0].number,
        "version": after.version,
        "head": after.head.hex(),
        "events": list(told),
        "decision": decisions.document(table, after, seat, played.at, until),
        "tag": table._replace(version=after.version).tag,
    }


def unfold(table: Table, start: Position, step: Step, at: str) -> Played:
    """Decide a move."""
    number = start.version + 1
    chance = Chance(start.secret, table.id, number)
    outcome = decide(start.rules, start.state, step.seat, step.action, chance)
    move = Move(number, step.seat, step.action, outcome.events, source=step.source, at=at)
    row = written(table, start, move)._replace(key=step.key, digest=step.digest)
    after = start.after(row, outcome.events, outcome.state)
    return Played(start, [row], [outcome.events], after, at, step)


def written(table: Table, position: Position, move: Move) -> StoredMove:
    """A move as it is stored: its line of the log, tied to the lines before it."""
    line = canonical(record_of(move))
    head = tied_move(position.head, line, move.number, table.id, position.secret)
    seq = position.seq + len(move.events)
    text = line.decode()
    return StoredMove(move.number, move.seat, seq, move.number, None, None, None, text, head)


def store(tx: Transaction, table: Table, played: Played) -> list[Waits]:
    """Append moves, with everything that follows from them, or nothing at all."""
    waits, version = _waits(table, played), played.after.version
    expected = played.before.version, table.changes
    first, *others = played.stored
    first = first._replace(until=until(table, first.seat, waits))
    games.append(tx, table.id, [first, *others], waits, expected, _owed(table, played, waits))
    if played.after.ended:
        games.close(tx, table.id, "finished", played.at)
        ratings.settle(tx, table, played.after.ended)
        told = notices.to_all(table, "game_finished", version)
    else:
        step, fresh = played.step, [wait.number for wait in waits if wait.since]
        by_mail = step.seat if step and step.source == "mail" else None
        told = notices.to_asked(table, fresh, version, by_mail)
    outbox.add(tx, [*told, *notices.to_hooked(table, "game_moved", version)], played.at)
    return waits


def _owed(table: Table, played: Played, waits: Sequence[Waits]) -> Owed:
    """When it is for the house to decide next: at once, or when the grace of whoever is away ends.

    Somebody may play for the house there already, and goes on then.
    """
    new = {wait.number: wait for wait in waits}
    seats = {seat.number: seat for seat in table.seated}
    moments = []
    for asked in played.after.state.awaiting:
        seat, wait = seats[asked.seat], new.get(asked.seat)
        if wait:
            seat = seat._replace(missed=wait.missed, deadline=wait.deadline)
        if seat.house or paces.is_away(seat):
            moments.append(played.at if seat.house else seat.deadline)
    due = min(filter(None, moments), default=None)
    by_house = played.step is not None and played.step.source == "house"
    before = by_house or any(seat.house and seat.awaited_since for seat in table.seated)
    return Owed(due, claimed=before and due == played.at)


def until(table: Table, seat: Seat | None, waits: Sequence[Waits]) -> str | None:
    """The deadline of what a seat is asked now, after these have changed."""
    known = {one.number: one.deadline for one in table.seated}
    known |= {one.number: one.deadline for one in waits}
    return None if seat is None else known[seat]


def _waits(table: Table, played: Played) -> list[Waits]:
    """The seats for which it has changed whether they are awaited, or for what.

    Decisions are told apart by identity: whoever is asked the same again is asked anew, and so is
    whoever has moved and is not done, as after buying a technology.
    """
    before = {asked.seat: asked for asked in played.before.state.awaiting}
    after = {asked.seat: asked for asked in played.after.state.awaiting}
    seats = {seat.number: seat for seat in table.seated}
    moved = {move.seat for move in played.stored}
    return [
        _wait(table, played, seats[number], asked=number in after)
        for number in sorted(before.keys() | after.keys())
        if before.get(number) is not after.get(number) or number in moved
    ]


def _wait(table: Table, played: Played, seat: Seated, *, asked: bool) -> Waits:
    """What a seat is asked from now on, with the time that it has for it."""
    pace = paces.read(table.pace)
    bank, missed = paces.bank_after(pace, seat, played.at), _missed(seat, played.step)
    if not asked:
        return Waits(seat.number, bank=bank, missed=missed)
    timed = paces.timed(pace, seat._replace(bank=bank, missed=missed), played.at)
    return Waits(seat.number, played.at, played.after.version, *timed, bank, missed)


def _missed(seat: Seated, step: Step | None) -> int:
    """How many deadlines in a row a seat has missed after this move."""
    if step is None or step.seat != seat.number or step.source == "house":
        return seat.missed
    return seat.missed + 1 if step.source == "clock" else 0


def announce(desk: Desk, table: Table, played: Played) -> None:
    """After the commit: remember the position, and wake those who wait for it."""
    desk.positions.keep(table.id, played.after)
    desk.news.publish(of_game(table.id), *map(of_account, _concerned(table, played)))
    desk.doorbell.ring()


def _concerned(table: Table, played: Played) -> list[str]:
    """The accounts whose decisions change; when a game begins or ends, all of its accounts."""
    before, after = played.before.state.awaiting, played.after.state.awaiting
    awaited = {decision.seat for decision in (*before, *after)}
    is_for_all = played.step is None or played.after.ended is not None
    return [
        seat.account
        for seat in table.seated
        if seat.account and (is_for_all or seat.number in awaited)
    ]
