"""Answers to opening and joining a table, which are recorded and may be repeated later."""

from typing import Any

from service.desk import Desk
from service.games import reading, seat_names, table_lookup
from service.games.seating import reservations
from store.database import Transaction
from store.games import games
from store.games.games import Table
from store.people import accounts

Document = dict[str, Any]


def document(desk: Desk, tx: Transaction, table: Table, account: str) -> Document:
    """Return the table that an account has just joined, as it is recorded.

    Names are not recorded: they may change, and depend on the language.
    """
    reserved = reservations.ends(tx, [table], desk.now()).get(table.id, [])
    document = reading.summary(table, reserved)
    for player, seat in zip(document["players"], table.seated, strict=True):
        player["account"] = seat.account
        player["name"] = ""
    return document | {"me": table_lookup.sight_of(table, account), "tag": table.tag}


def with_names(desk: Desk, document: Document) -> Document:
    """Return a recorded answer with the names that its players have now."""
    sitting = [(player, player.pop("account")) for player in document["players"]]
    with desk.database.reading() as tx:
        account_names = accounts.names_by_id(tx, [account for _, account in sitting if account])
    names = seat_names.named(
        [(account_names.get(account), player["house"]) for player, account in sitting]
    )
    for (player, _), name in zip(sitting, names, strict=True):
        player["name"] = name
        player.setdefault("colour", None)  # answers recorded by the release before have none
    document.setdefault("reserved", [])  # nor these
    return document


def current(desk: Desk, account: str, game: str) -> Document:
    """Return a table that an account has joined, as it is now."""
    with desk.database.reading() as tx:
        recorded = document(desk, tx, table_lookup.existing(tx, game), account)
    return with_names(desk, recorded)


def is_there(desk: Desk, game: str, account: str | None = None) -> bool:
    """Return whether the game still exists, and this account has a seat in it."""
    with desk.database.reading() as tx:
        table = games.table(tx, game)
    return table is not None and (account is None or table.seat_of(account) is not None)
