"""What may be read: games, their events and their logs, each as the reader may see them."""

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import orjson
from sqlalchemy import Connection

from engine import Event, Opening, seen_by, shown, tell, waiting
from engine.codec import plain_data, write
from engine.log import lines_of, opening_record, tied
from engine.tongue import say
from engine.values import Seat
from service import absences, decisions, refusals
from service import pace as paces
from service.desk import Desk
from service.positions import BEFORE, Position, events_of
from service.words import sayable
from store import games, glances, invitations, listing
from store.games import Seated, StoredMove, Table
from store.glances import Glance

if TYPE_CHECKING:
    from service.moves import Played

Document = dict[str, Any]
GamesWanted = listing.Wanted

MOST_EVENTS = 500
ATTEMPTS = 10


def table_of(tx: Connection, game: str, account: str | None) -> Table:
    """A game that this account may know of."""
    table = games.table(tx, game)
    if table is None:
        raise refusals.not_found()
    if table.visibility == "private" and table.seat_of(account) is None:
        _check_guest(tx, game, account)
    return table


def _check_guest(tx: Connection, game: str, account: str | None) -> None:
    """A private table is known to those who sit there, and to those who were asked to."""
    if account is None or not invitations.is_invited(tx, game, account):
        raise refusals.not_found()


def sight_of(table: Table, account: str | None) -> Seat | None:
    """With whose eyes an account sees a game: its seat's, or a spectator's."""
    seat = table.seat_of(account)
    return seat.number if seat else None


def names_of(table: Table) -> list[str]:
    """What to call the seats."""
    return named([(seat.name, seat.house) for seat in table.seated])


def named(players: Sequence[tuple[str | None, str | None]]) -> list[str]:
    """What to call the players of a table, by their names or whoever plays for the house.

    Those who would be called alike are numbered, so that every sentence tells who it was.
    """
    houses = [None if name else house for name, house in players]
    names = []
    for seat, (name, house) in enumerate(players):
        alike = houses[: seat + 1].count(house) if houses.count(house) > 1 else None
        names.append(name or called(seat, house, alike))
    return names


_PLAYERS = {
    "easy": sayable("easy"),
    "medium": sayable("medium"),
    "hard": sayable("hard"),
    "caretaker": sayable("caretaker"),
}
"""Who plays for the house."""


def called(number: Seat, house: str | None, alike: int | None = None) -> str:
    """What to call a seat without a player who has a name, or the first, second … of its kind."""
    if house is None:
        return say("Seat {number}", number=number + 1)
    player = say(_PLAYERS[house])
    if alike is None:
        return say("House ({player})", player=player)
    return say("House ({player}) {number}", player=player, number=alike)


def settled(desk: Desk, tx: Connection, table: Table, *eyes: Seat | None) -> tuple[Table, Position]:
    """A table and its position, both of the same version: one may have been read before a move."""
    for _ in range(ATTEMPTS):
        position = desk.positions.of(tx, table, *eyes)
        if position.version == table.version:
            return table, position
        table = games.table(tx, table.id) or table
    raise refusals.Refused(
        "rate_limited", say("The game moves too fast to be read."), retry_after=1
    )


def glance(desk: Desk, id: str, seen: Glance | None) -> Glance:
    """What was seen of a game, or can be seen of it by anybody, if it may be known of."""
    if seen is None:
        with desk.database.reading() as tx:
            seen = glances.glance(tx, id)
    if seen is None:
        raise refusals.not_found()
    if seen.visibility == "private" and seen.seat is None:
        with desk.database.reading() as tx:
            _check_guest(tx, id, seen.token.account if seen.token else None)
    return seen


def page(desk: Desk, id: str, seen: Glance) -> bytes | None:
    """A game's JSON as it was seen, if somebody with the same eyes has read it before."""
    return desk.pages.get((id, seen.tag, seen.seat))


def game(desk: Desk, id: str, account: str | None) -> tuple[str, bytes]:
    """A game as this account may see it: what tells it from earlier answers, and the JSON."""
    with desk.database.reading() as tx:
        table = table_of(tx, id, account)
        seat = sight_of(table, account)
        known = desk.pages.get((id, table.tag, seat))
        if known is None:
            table, document = game_document(desk, tx, table, seat)
            known = orjson.dumps(document)
            desk.pages.put((id, table.tag, seat), known)
    return table.tag, known


def game_document(
    desk: Desk, tx: Connection, table: Table, seat: Seat | None
) -> tuple[Table, Document]:
    """Everything about a game that somebody with these eyes may see, and the table it is of."""
    beyond: Document = {"me": seat, "head": None, "state": None, "result": None}
    if table.started is None:
        return table, summary(table) | beyond
    table, position = settled(desk, tx, table)
    document = summary(table) | beyond
    if seat is not None and table.status == "running":
        for player, sits in zip(document["players"], table.seated, strict=True):
            player["absences"] = absences.shown(sits, table.created)
    document |= {
        "head": position.head.hex(),
        "state": shown(position.rules, desk.positions.view(tx, table, position, seat)),
    }
    if table.status == "running":
        document["awaited"] = _awaited(table, position)
    if position.ended:
        document["result"] = {
            "reason": position.ended.reason,
            "winners": list(position.ended.winners),
            "results": [plain_data(result) for result in position.ended.results],
        }
    return table, document


def summary(table: Table) -> Document:
    """What stands in a list of games."""
    pace = paces.read(table.pace)
    return {
        "id": table.id,
        "title": table.title,
        "board": table.board,
        "variants": list(table.variants),
        "seats": table.seats,
        "status": table.status,
        "visibility": table.visibility,
        "pace": pace.name,
        "clock": paces.document(pace),
        "version": max(table.version, 0),
        "commitment": table.commitment,
        "created": table.created,
        "started": table.started,
        "finished": table.finished,
        "rated": bool(table.rated),
        "players": list(map(_player, table.seated, names_of(table))),
        "awaited": [
            {"seat": seat.number, "since": seat.awaited_since, "deadline": seat.deadline}
            for seat in table.seated
            if seat.awaited_since
        ],
    }


def _player(seat: Seated, name: str) -> Document:
    return {
        "seat": seat.number,
        "name": name,
        "kind": "house" if seat.house else seat.kind,
        "house": seat.house,
        "resigned": seat.resigned is not None,
        "away": paces.is_away(seat),
    }


def _awaited(table: Table, position: Position) -> list[Document]:
    """Who is awaited, and what the others may know of what for."""
    rows = {seat.number: seat for seat in table.seated}
    return [
        {
            "seat": asked.seat,
            "since": rows[asked.seat].awaited_since,
            "deadline": rows[asked.seat].deadline,
            "for": waiting(position.rules, asked),
        }
        for asked in position.state.awaiting
    ]


def listed(desk: Desk, wanted: GamesWanted) -> list[Document]:
    """The games that fit, the newest first."""
    with desk.database.reading() as tx:
        return [summary(table) for table in games.tables(tx, listing.listed(tx, wanted))]


def decision(desk: Desk, id: str, account: str) -> Document | None:
    """What is asked of this account in a game."""
    with desk.database.reading() as tx:
        table = table_of(tx, id, account)
        seat = table.seat_of(account)
        if seat is None:
            raise refusals.Refused("forbidden", say("You do not sit at this table."))
        return _decision(desk, tx, table, account)


def newly_asked(
    desk: Desk, id: str, account: str, known: int | None
) -> tuple[int | None, Document | None]:
    """What is asked of this account in a game if it is not known yet; and how to know it again.

    A decision is known by the version at which it was opened.
    """
    with desk.database.reading() as tx:
        table = table_of(tx, id, account)
        seat = table.seat_of(account)
        if seat is None or seat.asked in (None, known):
            return known, None
        return seat.asked, _decision(desk, tx, table, account)


def _decision(desk: Desk, tx: Connection, table: Table, account: str) -> Document | None:
    if table.status != "running":
        return None
    table, position = settled(desk, tx, table)
    seat = table.seat_of(account)
    if seat is None or seat.house:
        return None
    return decisions.document(table, position, seat.number, seat.awaited_since, seat.deadline)


def awaiting(
    desk: Desk, account: str, after: tuple[str, str] | None, limit: int
) -> tuple[list[tuple[str, str]], list[Document]]:
    """What is asked of this account in all its games; and the places in the list, one more."""
    with desk.database.reading() as tx:
        places = games.awaited(tx, account, after, limit + 1)
        tables = games.tables(tx, [game for _, game in places[:limit]])
        found = [_decision(desk, tx, table, account) for table in tables]
    return places, [asked for asked in found if asked is not None]


def receipt(table: Table, seat: Seat, played: "Played", until: str | None) -> Document:
    """What a move caused, as the seat that made it sees it, and what is asked of it next.

    Its `tag` is that of the game afterwards.
    """
    stored, before, after = played.stored, played.before, played.after
    eyes = None if after.ended else seat
    told = zip(stored, played.events, strict=True)
    return {
        "game": table.id,
        "move": stored[0].number,
        "version": after.version,
        "head": after.head.hex(),
        "events": list(
            _seen(table, before, told, eyes, before.seq, open_to_all=after.ended is not None)
        ),
        "decision": decisions.document(table, after, seat, played.at, until),
        "tag": table._replace(version=after.version).tag,
    }


def _seen(
    table: Table,
    position: Position,
    log: Iterable[tuple[StoredMove, tuple[Event, ...]]],
    seat: Seat | None,
    after: int,
    *,
    open_to_all: bool,
) -> Iterator[Document]:
    """The events with numbers after this one, each with its sentence."""
    names = names_of(table)
    for move, events in log:
        for seq, event in enumerate(events, move.seq - len(events) + 1):
            if seq > after:
                seen = event if open_to_all else seen_by(event, seat)
                sentence = tell(position.rules, seen, names)
                told = {"seq": seq, "version": move.number, "sentence": sentence}
                yield told | {"event": write(seen)}


def events(desk: Desk, id: str, account: str | None, after: int) -> Document:
    """What happened after this event, at most so much; none before the game begins."""
    with desk.database.reading() as tx:
        table = table_of(tx, id, account)
        if table.started is None:
            return {"events": [], "version": 0, "last": 0, "more": False, "over": False}
        first = games.move_with_event(tx, id, after + 1)
        position = desk.positions.of(tx, table)
        last = position.version
        log = (
            games.moves_between(tx, id, first, min(last, first + MOST_EVENTS))
            if first is not None
            else []
        )
    over = position.ended is not None
    told = ((move, events_of(move)) for move in log)
    found = list(_seen(table, position, told, sight_of(table, account), after, open_to_all=over))
    through = found[-1]["seq"] if found else after
    done = table.status != "running" and through >= position.seq
    more = through < position.seq
    return {"events": found, "version": last, "last": through, "more": more, "over": done}


def log(desk: Desk, id: str, account: str | None) -> list[str]:
    """The whole log of a finished game, with its seed: what `nightmail verify` reads."""
    with desk.database.reading() as tx:
        table = table_of(tx, id, account)
        if table.status != "finished":
            raise refusals.Refused("not_over", say("The log is published when the game is over."))
        moves = games.moves_after(tx, id, BEFORE)
    said = opening_record(
        Opening(id, table.board, table.variants, table.seats, table.commitment, table.rules)
    )
    seed = {"seed": table.seed.hex()}
    last = tied(moves[-1].hash, seed, id, b"")
    return lines_of(
        [
            {**said, "hash": tied(b"", said, id, b"").hex()},
            *({**json.loads(move.record), "hash": move.hash.hex()} for move in moves),
            {**seed, "hash": last.hex()},
        ]
    )
