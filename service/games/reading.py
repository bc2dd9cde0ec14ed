"""What may be read: games, their events and their logs, each as the reader may see them."""

import hashlib
import json
from typing import Any, NamedTuple

import orjson

from engine import Opening, shown, waiting
from engine.codec import plain_data
from engine.log import lines_of, opening_record, reveal_record, tied
from engine.tongue import say
from engine.values import Seat
from service import refusals
from service.clocks import absences
from service.clocks import pace as paces
from service.desk import Desk
from service.games import decisions, event_documents, seat_names, table_lookup
from service.memory.positions import BEFORE, Position, events_of
from store.database import Transaction
from store.games import game_lists, game_tags, games
from store.games.game_tags import Glance
from store.games.games import Seated, Table

Document = dict[str, Any]
GamesWanted = game_lists.Wanted

MOST_EVENTS = 500
OVER = ("finished", "abandoned")


def glance(desk: Desk, id: str, seen: Glance | None) -> Glance:
    """What was seen of a game, or can be seen of it by anybody, if it may be known of."""
    if seen is None:
        with desk.database.reading() as tx:
            seen = game_tags.glance(tx, id)
    if seen is None:
        raise refusals.not_found()
    if seen.visibility == "private" and seen.seat is None:
        with desk.database.reading() as tx:
            table_lookup.check_guest(tx, id, seen.token.account if seen.token else None)
    return seen


def page(desk: Desk, id: str, seen: Glance) -> bytes | None:
    """A game's JSON as it was seen, if somebody with the same eyes has read it before."""
    return desk.pages.get((id, seen.tag, seen.sight))


def game(desk: Desk, id: str, account: str | None) -> tuple[str, bytes]:
    """A game as this account may see it: what tells it from earlier answers, and the JSON."""
    with desk.database.reading() as tx:
        table = table_lookup.table_of(tx, id, account)
        seat = table_lookup.sight_of(table, account)
        known = desk.pages.get((id, table.tag, seat))
        if known is None:
            table, document = game_document(desk, tx, table, seat)
            known = orjson.dumps(document)
            desk.pages.put((id, table.tag, seat), known)
    return table.tag, known


def game_document(
    desk: Desk, tx: Transaction, table: Table, seat: Seat | None
) -> tuple[Table, Document]:
    """Everything about a game that somebody with these eyes may see, and the table it is of."""
    beyond: Document = {"me": seat, "head": None, "state": None, "result": None}
    if table.started is None:
        return table, summary(table) | beyond
    table, position = table_lookup.settled(desk, tx, table)
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
        "committed": table.committed or table.created,
        "created": table.created,
        "started": table.started,
        "finished": table.finished,
        "rated": bool(table.rated),
        "players": [
            _player(seat, name) | {"nonce_given": nonce_given(table, seat)}
            for seat, name in zip(table.seated, seat_names.names_of(table), strict=True)
        ],
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


def nonce_given(table: Table, seat: Seated) -> bool:
    """Whether this seat added a nonce after the house had committed itself to the seed.

    In games that do not say when that was, whoever opened the game gave theirs too early.
    """
    return bool(seat.nonce) and (table.committed is not None or seat.joined > table.created)


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
        return [summary(table) for table in games.tables(tx, game_lists.listed(tx, wanted))]


def decision(desk: Desk, id: str, account: str) -> Document | None:
    """What is asked of this account in a game."""
    with desk.database.reading() as tx:
        table = table_lookup.table_of(tx, id, account)
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
        table = table_lookup.table_of(tx, id, account)
        seat = table.seat_of(account)
        if seat is None or seat.asked in (None, known):
            return known, None
        return seat.asked, _decision(desk, tx, table, account)


def _decision(desk: Desk, tx: Transaction, table: Table, account: str) -> Document | None:
    if table.status != "running":
        return None
    table, position = table_lookup.settled(desk, tx, table)
    seat = table.seat_of(account)
    if seat is None or seat.house:
        return None
    return decisions.document(table, position, seat.number, seat.awaited_since, seat.deadline)


class Awaiting(NamedTuple):
    """What is asked of an account in all its games."""

    places: list[tuple[str, str]]
    """The places of the decisions in the list, and of the one after them."""
    decisions: list[Document]
    games: str
    """Tells which games of the account are open or running."""
    tag: str
    """Tells this list from every other, also by the games."""


def awaiting(desk: Desk, account: str, after: tuple[str, str] | None, limit: int) -> Awaiting:
    """A part of what is asked of this account, the most urgent first."""
    with desk.database.reading() as tx:
        places = games.awaited(tx, account, after, limit + 1)
        tables = games.tables(tx, [game for _, game in places[:limit]])
        found = [_decision(desk, tx, table, account) for table in tables]
        going = _digest(games.running_of(tx, account))
    decisions = [decision for decision in found if decision is not None]
    tag = _digest([going, places, decisions])
    return Awaiting(places, decisions, going, tag)


def _digest(known: object) -> str:
    return hashlib.sha256(orjson.dumps(known)).hexdigest()[:16]


def events(desk: Desk, id: str, account: str | None, after: int) -> Document:
    """What happened after this event, at most so much; none before the game begins."""
    with desk.database.reading() as tx:
        table = table_lookup.table_of(tx, id, account)
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
    eyes = table_lookup.sight_of(table, account)
    found = list(event_documents.seen(table, position, told, eyes, after, open_to_all=over))
    through = found[-1]["seq"] if found else after
    done = table.status != "running" and through >= position.seq
    more = through < position.seq
    return {"events": found, "version": last, "last": through, "more": more, "over": done}


def log(desk: Desk, id: str, account: str | None) -> list[str]:
    """The whole log of a game that is over, with its seed: what `nightmail verify` reads."""
    with desk.database.reading() as tx:
        table = table_lookup.table_of(tx, id, account)
        # Who sits at an open table has been dealt nothing: there is no seed to reveal.
        if table.status not in OVER:
            raise refusals.Refused("not_over", say("The log is published when the game is over."))
        moves = games.moves_after(tx, id, BEFORE)
    said = opening_record(
        Opening(id, table.board, table.variants, table.seats, table.commitment, table.rules)
    )
    seed = reveal_record(table.seed, abandoned=table.status == "abandoned")
    last = tied(moves[-1].hash, seed, id, b"")
    return lines_of(
        [
            {**said, "hash": tied(b"", said, id, b"").hex()},
            *({**json.loads(move.record), "hash": move.hash.hex()} for move in moves),
            {**seed, "hash": last.hex()},
        ]
    )
