"""Seats that are kept for people who were invited by name or by email address.

A reservation belongs to an open invitation, and ends when the guest sits down or declines, when
the invitation is withdrawn, or at a stated time. There are never more reservations than free seats:
further invitations wait, and get a seat in the order in which they were sent as soon as one is
freed. The end of a reservation frees a seat, and never starts a game.

Whatever changes reservations works in a transaction that has locked the table.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from engine.translate import say
from service import refusals
from service.clocks import paces
from service.desk import Desk
from service.games.inviting import invitation_letters
from service.i18n import dates
from store import timestamps
from store.database import Transaction
from store.games import games, open_tables
from store.games import invitations as invitation_rows
from store.games.games import Table
from store.games.invitations import Invitation
from store.people import accounts
from store.people.accounts import Account

FOR_SLOW_GAMES = timedelta(days=7)
FOR_LIVE_GAMES = timedelta(hours=2)
"""For games whose players wait at the page for their turn."""
MOST_TIDIED = 100
"""Tables whose waiting invitations are looked at in one go."""


class Reserved(NamedTuple):
    """When the reservations of a table end."""

    reserved: list[str]
    """Those for others than the reader, the first at the beginning."""
    reserved_for_me: str | None
    """The reader's own; None without one."""


def period(table: Table) -> timedelta:
    """Return how long a seat at this table is kept for a guest."""
    return FOR_SLOW_GAMES if paces.read(table.pace).is_slow else FOR_LIVE_GAMES


def active(table: Table, invitations: Sequence[Invitation], now: str) -> list[Invitation]:
    """Return the invitations that reserve a seat now, the one that ends first at the beginning."""
    reserving = [row for row in invitations if row.game == table.id and is_active(table, row, now)]
    return sorted(reserving, key=lambda row: row.reserved_until or "")


def is_active(table: Table, row: Invitation, now: str) -> bool:
    """Return whether an invitation reserves a seat now."""
    is_open = table.status == "open" and row.state == invitation_rows.OPEN
    is_kept = row.reserved_until is not None and row.reserved_until > now
    return is_open and is_kept and table.seat_of(row.guest) is None


def waits(table: Table, row: Invitation) -> bool:
    """Return whether an invitation waits for a seat that can be reserved."""
    is_open = table.status == "open" and row.state == invitation_rows.OPEN
    return is_open and row.waits_since is not None and table.seat_of(row.guest) is None


def ends(tx: Transaction, tables: Sequence[Table], now: str) -> dict[str, list[str]]:
    """Return when the reservations of these tables end, by table."""
    waiting = [table for table in tables if table.status == "open"]
    reserving = invitation_rows.of_games(tx, [table.id for table in waiting]) if waiting else []
    return {
        table.id: [row.reserved_until or "" for row in active(table, reserving, now)]
        for table in waiting
    }


def as_seen(
    tx: Transaction, tables: Sequence[Table], account: str | None, now: str
) -> dict[str, Reserved]:
    """Return the reservations of these tables, as the pages of this account show them."""
    waiting = [table for table in tables if table.status == "open"]
    rows = invitation_rows.of_games(tx, [table.id for table in waiting]) if waiting else []
    player = accounts.account(tx, account) if rows and account else None
    reserved: dict[str, Reserved] = {}
    for table in tables:
        kept = active(table, rows, now)
        own = [row for row in kept if player and is_for(row, player)]
        reserved[table.id] = Reserved(
            [row.reserved_until or "" for row in kept if row not in own],
            own[-1].reserved_until if own else None,
        )
    return reserved


def reserve(tx: Transaction, table: Table, row: Invitation, now: str) -> Invitation:
    """Return a new invitation with a reserved seat, or as one that waits for a seat."""
    if _unreserved(tx, table, now) < 1:
        return row._replace(waits_since=now)
    return row._replace(reserved_until=timestamps.later(now, period(table)))


def _unreserved(tx: Transaction, table: Table, now: str) -> int:
    """Return the number of seats that are free and not reserved."""
    reserved = active(table, invitation_rows.of_game(tx, table.id), now)
    return table.seats - len(table.seated) - len(reserved)


def has_seat(desk: Desk, id: str) -> bool:
    """Return whether the guest of an invitation would get a seat now."""
    now = desk.now()
    with desk.database.reading() as tx:
        row = invitation_rows.invitation(tx, id)
        table = games.table(tx, row.game) if row else None
        if row is None or table is None:
            return False
        return is_active(table, row, now) or _unreserved(tx, table, now) > 0


def assign(desk: Desk, tx: Transaction, game: str) -> None:
    """Reserve seats that have been freed for the invitations that wait, and tell their guests."""
    table = games.table(tx, game)
    if table is None or table.status != "open":
        return
    now = desk.now()
    room = max(0, _unreserved(tx, table, now))
    waiting = [row for row in invitation_rows.of_game(tx, game) if waits(table, row)]
    for row in sorted(waiting, key=lambda row: (row.waits_since or "", row.id))[:room]:
        invitation_rows.reserve(tx, row.id, timestamps.later(now, period(table)), None)
        invitation_letters.send(desk, tx, row, now)


def use(desk: Desk, tx: Transaction, table: Table, account: str) -> None:
    """Check that an account may take a free seat, and use up its own reservation.

    Refused if all free seats are reserved for others.
    """
    assign(desk, tx, table.id)
    now, player = desk.now(), accounts.account(tx, account)
    invitations = invitation_rows.of_game(tx, table.id)
    own = [row for row in invitations if player and is_for(row, player)]
    reserved = active(table, invitations, now)
    others = [row for row in reserved if row not in own]
    has_reservation = len(others) < len(reserved)
    if not has_reservation and table.seats - len(table.seated) <= len(others):
        raise _reserved(others[0].reserved_until or now, player, is_guest=bool(own))
    for row in own:
        invitation_rows.give(tx, row.id, account)
        invitation_rows.reserve(tx, row.id, None, None)


def check_unreserved(desk: Desk, tx: Transaction, table: Table) -> None:
    """Refuse the host of a table a seat that is reserved."""
    assign(desk, tx, table.id)
    if _unreserved(tx, table, desk.now()) < 1:
        sentence = say("All free seats are reserved for your guests. Withdraw an invitation first.")
        raise refusals.Refused("seat_reserved", sentence)


def is_for(row: Invitation, player: Account) -> bool:
    """Return whether an open invitation was sent to this account, or to its confirmed address."""
    if row.state != invitation_rows.OPEN:
        return False
    email = player.email if player.email_confirmed else None
    by_address = (
        bool(row.address and email) and (row.address or "").lower() == (email or "").lower()
    )
    return row.guest == player.id or by_address


def _reserved(until: str, player: Account | None, *, is_guest: bool) -> refusals.Refused:
    time = dates.short_time(datetime.fromisoformat(until), player.time_zone if player else "UTC")
    if is_guest:
        sentence = say(
            "All free seats are reserved for other guests at the moment, the first until {time}. "
            "When a seat is freed, we keep it for you and write to you.",
            time=time,
        )
    else:
        sentence = say(
            "All free seats are reserved for people who were invited, the first until {time}. "
            "Try again then, join another table, or open one yourself.",
            time=time,
        )
    return refusals.Refused("seat_reserved", sentence, until=until)


def lock(tx: Transaction, game: str) -> None:
    """Lock a table that has not begun, before one of its invitations is closed."""
    table = games.table(tx, game)
    if table is not None and table.status == "open":
        games.lock(tx, game)


def tidy(desk: Desk) -> None:
    """Reserve the seats of reservations that have ended for the guests who wait for them."""
    now = desk.now()
    with desk.database.reading() as tx:
        tables = games.tables(tx, open_tables.with_waiting_guests(tx, MOST_TIDIED))
        freed = [table.id for table in tables if _unreserved(tx, table, now) > 0]
    for game in freed:
        with desk.database.writing() as tx:
            games.lock(tx, game)
            assign(desk, tx, game)
    if freed:
        desk.wakeup.send()
