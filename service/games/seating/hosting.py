"""What the host of an open table can do: let people in with a link that can be copied.

The host is the player who has been at the table for the longest time; that is the one who opened
it, as long as they stay. A link reserves nothing: whoever has it may take a free seat that is not
reserved, also at a private table. It is valid until the host makes it void or the game begins.
"""

from collections.abc import Callable, Mapping
from typing import Any

from engine.translate import say
from service import refusals
from service.clocks import paces
from service.desk import Desk
from service.games import reading, seat_looks, table_lookup
from service.games.seating import reservations
from service.links import signed_links
from service.memory.news import of_game
from store.database import Transaction
from store.games import games, open_tables
from store.games.games import Table

Payload = Mapping[str, Any]


def host_of(table: Table) -> str | None:
    """Return the account that is the host of a table."""
    players = [seat for seat in table.seated if seat.account is not None]
    return min(players, key=lambda seat: (seat.joined, seat.number)).account if players else None


def hosted(tx: Transaction, game: str, account: str) -> Table:
    """Return the table, locked, if the account is its host and the game has not begun."""
    table_lookup.table_of(tx, game, account)
    table = games.lock(tx, game)
    if table is None:
        raise refusals.not_found()
    _check_host(table, account)
    return table


def _check_host(table: Table, account: str) -> None:
    if host_of(table) != account:
        raise refusals.Refused("forbidden", say("Only the host of this table can do that."))
    if table.status != "open":
        raise refusals.Refused("already_started", say("The game has already started."))


def link(desk: Desk, account: str, game: str) -> str:
    """Return the current link to a table, for its host."""
    with desk.database.reading() as tx:
        table = table_lookup.table_of(tx, game, account)
    _check_host(table, account)
    return signed_links.table(desk, game, table.link)


def renew_link(desk: Desk, account: str, game: str) -> str:
    """Make the link to a table void; the new one."""
    with desk.database.writing() as tx:
        table = hosted(tx, game, account)
        open_tables.change(tx, game, {"link": table.link + 1})
    desk.news.publish(of_game(game))
    return signed_links.table(desk, game, table.link + 1)


def link_page(desk: Desk, payload: Payload, account: str | None) -> dict[str, Any]:
    """Return what the page of a link to a table shows, and the state of the link (`stands`).

    The states are: open, done (the account has a seat), stale (the game has begun), void, gone.
    """
    with desk.database.reading() as tx:
        table = games.table(tx, payload["game"])
        reserved = reservations.as_seen(tx, [table], account, desk.now()) if table else {}
    if table is None:
        return {"stands": "gone"}
    if table.seat_of(account):
        return {"stands": "done"}
    if table.link != payload["number"]:
        return {"stands": "void"}
    if table.status != "open":
        return {"stands": "stale"}
    is_slow = paces.read(table.pace).is_slow
    game = reading.summary(table) | reserved[table.id]._asdict()
    colours = seat_looks.free_colours(table)
    return {"stands": "open", "game": game, "slow": is_slow, "colours": colours}


def admission(payload: Payload) -> Callable[[Transaction, Table], None]:
    """Return a check for the transaction that takes a seat: refuses if the link was made void."""

    def check(_: Transaction, table: Table) -> None:
        if table.link != payload["number"]:
            raise refusals.Refused("forbidden", say("This link is no longer valid."))

    return check
