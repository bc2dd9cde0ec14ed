"""Reading games, decisions, events and logs, each as the reader may see them."""

import hashlib
import json
from collections.abc import Sequence
from typing import Any, NamedTuple

import orjson

from engine import shown, waiting
from engine.codec import plain_data
from engine.display import end_in_sight
from engine.log import lines_of, opening_record, reveal_record, tied
from engine.translate import say
from engine.values import Seat
from service import refusals
from service.clocks import absences, paces
from service.desk import Desk
from service.games import decisions, event_documents, seat_looks, seat_names, table_lookup
from service.games.seating import reservations
from service.memory.positions import BEFORE, Position, events_of, opening_of
from store.database import Transaction
from store.games import game_lists, game_tags, games
from store.games.game_tags import GameTag
from store.games.games import Seated, Table

Document = dict[str, Any]
GameFilter = game_lists.GameFilter

MOST_EVENTS = 500
"""Moves whose events are read at a time."""
OVER = ("finished", "abandoned")


def tag_for(desk: Desk, id: str, game_tag: GameTag | None) -> GameTag:
    """Return the tag and visibility of a game; refused if the reader may not know of it.

    `game_tag` is what was looked up with the token; without it the reader is a visitor.
    """
    if game_tag is None:
        with desk.database.reading() as tx:
            game_tag = game_tags.tag_for(tx, id)
    if game_tag is None:
        raise refusals.not_found()
    if game_tag.visibility == "private" and game_tag.seat is None:
        with desk.database.reading() as tx:
            table_lookup.check_guest(tx, id, game_tag.token.account if game_tag.token else None)
    return game_tag


def page(desk: Desk, id: str, game_tag: GameTag) -> bytes | None:
    """Return a game's JSON from the response cache, if it is there for this tag and this view."""
    return desk.response_cache.get((id, game_tag.tag, game_tag.sight))


def game(desk: Desk, id: str, account: str | None) -> tuple[str, bytes]:
    """Return a game as this account may see it: its tag, and its JSON."""
    with desk.database.reading() as tx:
        table = table_lookup.table_of(tx, id, account)
        seat = table_lookup.sight_of(table, account)
        text = desk.response_cache.get((id, table.tag, seat))
        if text is None:
            table, document = game_document(desk, tx, table, seat)
            text = orjson.dumps(document)
            desk.response_cache.put((id, table.tag, seat), text)
    return table.tag, text


def game_document(
    desk: Desk, tx: Transaction, table: Table, seat: Seat | None
) -> tuple[Table, Document]:
    """Return everything about a game that a seat may see, and the table it was made from."""
    details: Document = {"me": seat, "head": None, "state": None, "end": "", "result": None}
    if table.started is None:
        reserved = reservations.ends(tx, [table], desk.now())
        return table, summary(table, reserved.get(table.id, ())) | details
    table, position = table_lookup.settled(desk, tx, table)
    document = summary(table) | details
    if seat is not None and table.status == "running":
        for player, row in zip(document["players"], table.seated, strict=True):
            player["absences"] = absences.visible_absences(row, table.created)
    view = desk.positions.view(tx, table, position, seat)
    document |= {"head": position.head.hex(), "state": shown(position.rules, view)}
    if table.status == "running":
        document["awaited"] = _awaited(table, position)
        document["end"] = end_in_sight(position.rules, view, seat_names.names_of(table), seat)
    if position.ended:
        document["result"] = {
            "reason": position.ended.reason,
            "winners": list(position.ended.winners),
            "results": [plain_data(result) for result in position.ended.results],
        }
    return table, document


def summary(table: Table, reserved: Sequence[str] = ()) -> Document:
    """Return a game as lists of games show it; `reserved` are the ends of its reservations."""
    pace = paces.read(table.pace)
    return {
        "id": table.id,
        "title": table.title,
        "board": table.board,
        "variants": list(table.variants),
        "seats": table.seats,
        "reserved": list(reserved),
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
            _player(seat, name) | {"nonce_given": nonce_given(table, seat), "colour": colour}
            for seat, name, colour in zip(
                table.seated, seat_names.names_of(table), _colours(table), strict=True
            )
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


def _colours(table: Table) -> list[str | None]:
    """Return the colour of each player: before the game begins, only those that were chosen."""
    if table.started is None:
        return [seat.colour for seat in table.seated]
    return [look.name for look in seat_looks.looks_of(table)]


def nonce_given(table: Table, seat: Seated) -> bool:
    """Return whether this seat has given a nonce after the commitment to the seed was published.

    Old games do not say when that was; in them the account that opened the game was too early.
    """
    return bool(seat.nonce) and (table.committed is not None or seat.joined > table.created)


def _awaited(table: Table, position: Position) -> list[Document]:
    """Return who is awaited, and what for, as far as everybody may know."""
    rows = {seat.number: seat for seat in table.seated}
    return [
        {
            "seat": decision.seat,
            "since": rows[decision.seat].awaited_since,
            "deadline": rows[decision.seat].deadline,
            "for": waiting(position.rules, decision),
        }
        for decision in position.state.awaiting
    ]


def listed(desk: Desk, filters: GameFilter) -> list[Document]:
    """Return the games that fit this filter, the newest first."""
    with desk.database.reading() as tx:
        tables = games.tables(tx, game_lists.listed(tx, filters))
        reserved = reservations.ends(tx, tables, desk.now())
        return [summary(table, reserved.get(table.id, ())) for table in tables]


def decision(desk: Desk, id: str, account: str, *, all_options: bool = False) -> Document | None:
    """Return the open decision of this account in a game; None if it has none."""
    with desk.database.reading() as tx:
        table = table_lookup.table_of(tx, id, account)
        seat = table.seat_of(account)
        if seat is None:
            raise refusals.Refused("forbidden", say("You have no seat at this table."))
        return _decision(desk, tx, table, account, all_options=all_options)


def newly_opened(
    desk: Desk, id: str, account: str, version: int | None
) -> tuple[int | None, Document | None]:
    """Return the open decision of this account, if its version is not `version`, and its version.

    A decision is identified by the version at which it was opened.
    """
    with desk.database.reading() as tx:
        table = table_lookup.table_of(tx, id, account)
        seat = table.seat_of(account)
        if seat is None or seat.decision_version in (None, version):
            return version, None
        return seat.decision_version, _decision(desk, tx, table, account)


def _decision(
    desk: Desk, tx: Transaction, table: Table, account: str, *, all_options: bool = False
) -> Document | None:
    if table.status != "running":
        return None
    table, position = table_lookup.settled(desk, tx, table)
    seat = table.seat_of(account)
    if seat is None or seat.house:
        return None
    return decisions.document(
        table,
        position,
        seat.number,
        seat.awaited_since,
        seat.deadline,
        all_options=all_options,
    )


class Awaiting(NamedTuple):
    """A part of the open decisions of an account, the most urgent first."""

    places: list[tuple[str, str]]
    """Their places in the whole list; one more if the list goes on."""
    decisions: list[Document]
    games: str
    """A digest of the open and running games of the account."""
    tag: str
    """An entity tag: changes with the decisions and with the games."""


def awaiting(
    desk: Desk,
    account: str,
    after: tuple[str, str] | None,
    limit: int,
    *,
    all_options: bool = False,
) -> Awaiting:
    """Return the open decisions of this account, at most `limit`, from the place `after` on."""
    with desk.database.reading() as tx:
        places = games.awaited(tx, account, after, limit + 1)
        tables = games.tables(tx, [game for _, game in places[:limit]])
        listed = [_decision(desk, tx, table, account, all_options=all_options) for table in tables]
        going = _digest(games.running_of(tx, account))
    decisions = [decision for decision in listed if decision is not None]
    tag = _digest([going, places, decisions])
    return Awaiting(places, decisions, going, tag)


def _digest(document: object) -> str:
    return hashlib.sha256(orjson.dumps(document)).hexdigest()[:16]


def events(desk: Desk, id: str, account: str | None, after: int) -> Document:
    """Return the events after number `after`, a limited number at a time.

    None before the game begins.
    """
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
    is_over = position.ended is not None
    moves = ((move, events_of(move)) for move in log)
    seat = table_lookup.sight_of(table, account)
    documents = list(
        event_documents.documents(table, position, moves, seat, after, open_to_all=is_over)
    )
    through = documents[-1]["seq"] if documents else after
    done = table.status != "running" and through >= position.seq
    more = through < position.seq
    return {"events": documents, "version": last, "last": through, "more": more, "over": done}


def log(desk: Desk, id: str, account: str | None) -> list[str]:
    """Return the whole log of a game that is over, with its seed, for `nightmail verify`."""
    with desk.database.reading() as tx:
        table = table_lookup.table_of(tx, id, account)
        # At an open table nothing was dealt, so there is nothing to check.
        if table.status not in OVER:
            raise refusals.Refused("not_over", say("The log is published when the game is over."))
        moves = games.moves_after(tx, id, BEFORE)
    opening = opening_record(opening_of(table))
    seed = reveal_record(table.seed, abandoned=table.status == "abandoned")
    last = tied(moves[-1].hash, seed, id, b"")
    return lines_of(
        [
            {**opening, "hash": tied(b"", opening, id, b"").hex()},
            *({**json.loads(move.record), "hash": move.hash.hex()} for move in moves),
            {**seed, "hash": last.hex()},
        ]
    )
