"""Invitations to a table, by name or by email address, and what the guests answer.

An account that is invited by name gets the notice `invited`. An address belongs to no account until
its reader answers, so its letter is a delivery of the host's account, with the invitation's id as
data; it is sent to the invited address and never to the host's. The host does not learn whose
address it is, and the host's own mail settings do not matter.
"""

import hashlib
import hmac
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from engine import Refusal
from engine.translate import say
from service import refusals
from service.desk import Desk
from service.games import lobby, seat_looks, table_lookup
from service.games.inviting import invitation_letters
from service.games.lobby import NewSeat
from service.games.seating import reservations
from service.i18n import dates
from service.i18n.catalogue import current_language, sayable
from service.idempotency import NEW, once
from service.ids import new_id
from service.links import signed_links
from service.memory.news import of_game
from service.people import (
    accounts,
    address_fingerprints,
    mail_limits,
    names,
    opt_outs,
    profile,
    tokens,
)
from store.database import Transaction
from store.games import games, open_tables
from store.games import invitations as invitation_rows
from store.games.games import Table
from store.games.invitations import Invitation
from store.people import accounts as account_rows

Document = dict[str, Any]

ALL_RESERVED = sayable(
    "All free seats are reserved for other guests at the moment. When one is freed, we keep it for "
    "you and write to you."
)
MOST_A_SEAT = 5
"""The most open invitations for each seat of a table."""


def invite(
    desk: Desk,
    host: str,
    game: str,
    body: Mapping[str, Any],
    key: str | None,
    source: str | None = None,
) -> Document:
    """Invite a guest to a table at which the host has a seat; `source` is the client's address.

    A seat is reserved for the guest, or the guest waits for one. The table becomes private, unless
    its visibility was chosen when it was opened.
    """
    if ("name" in body) == ("email" in body):
        raise refusals.unreadable(say("give a player’s name or an email address, not both."))
    email = profile.checked_email(body["email"]) if "email" in body else None

    def run(tx: Transaction) -> Document:
        table = _table_with(tx, game, host)
        guest = _guest(tx, table, body["name"]) if email is None else None
        earlier = _earlier(desk, tx, game, guest, email)
        if earlier is not None:
            return {"id": earlier.id}
        _check_room(tx, table)
        tokens.lock_account(tx, host)  # accounts come before counts, as everywhere
        mail_limits.admit_invitation(desk, tx, host)
        mail_limits.admit(desk, tx, source, email or guest or "")
        reservations.assign(desk, tx, game)  # those who wait come first
        row = Invitation(new_id(), game, host, guest, email, at := desk.now())
        row = reservations.reserve(tx, table, row, at)
        invitation_rows.add(tx, row)
        invitation_letters.send(desk, tx, row, at)
        if table.default_visibility:
            open_tables.change(tx, game, {"visibility": "private", "default_visibility": 0})
        return {"id": row.id}

    invitation, _ = once(desk, host, "invite", key, {"game": game, **body}, run)
    desk.wakeup.send()
    desk.news.publish(of_game(game))
    same = [document for document in listed(desk, host, game) if document["id"] == invitation["id"]]
    if not same:
        raise refusals.not_found(say("There is no such invitation."))
    return same[0]


def _table_with(tx: Transaction, game: str, host: str) -> Table:
    """Return the table, locked, if the host has a seat there and the game has not begun."""
    table_lookup.table_of(tx, game, host)
    table = games.lock(tx, game)
    if table is None:
        raise refusals.not_found()
    if table.seat_of(host) is None:
        raise refusals.Refused(
            "forbidden", say("Only players at this table can invite others to it.")
        )
    if table.status != "open":
        raise refusals.Refused(
            "already_started", say("The game has already started; all seats are taken.")
        )
    return table


def _guest(tx: Transaction, table: Table, name: str) -> str:
    name = names.checked_line(name, names.LONGEST_NAME, "name")
    guest = account_rows.id_by_name(tx, names.skeleton(name))
    if guest is None:
        raise refusals.not_found(say("There is no such player."))
    if table.seat_of(guest):
        raise refusals.Refused("seat_taken", say("They are already at this table."))
    return guest


def _earlier(
    desk: Desk, tx: Transaction, game: str, guest: str | None, email: str | None
) -> Invitation | None:
    """Return the open invitation of the same guest; refused if an earlier one was closed."""
    # Invitations that were closed before there was a key have the plain hash of an address.
    marks = (
        f" {_mark(desk, tx, guest, email)}",
        f" {signed_links.fingerprint(email or guest or '')}",
    )
    for row in invitation_rows.of_game(tx, game):
        if row.state == invitation_rows.OPEN and (row.guest, row.address) == (guest, email):
            return row
        if row.email and row.email.endswith(marks):
            raise refusals.Refused(
                "forbidden", say("They have already been invited to this table.")
            )
    return None


def _mark(desk: Desk, tx: Transaction, guest: str | None, email: str | None) -> str:
    """Return the fingerprint of a guest, which stays when an invitation is closed."""
    if email is not None:
        return address_fingerprints.fingerprint(desk, tx, email)
    return signed_links.fingerprint(guest or "")


def _check_room(tx: Transaction, table: Table) -> None:
    """Refuse more open invitations than the table may have."""
    waiting = [
        row for row in invitation_rows.of_game(tx, table.id) if row.state == invitation_rows.OPEN
    ]
    if len(waiting) >= MOST_A_SEAT * table.seats:
        sentence = say("This table already has too many open invitations.")
        raise refusals.Refused("too_many_open", sentence)


def listed(desk: Desk, account: str, game: str) -> list[Document]:
    """Return the invitations to a table, for an account that sits there."""
    with desk.database.reading() as tx:
        table = table_lookup.table_of(tx, game, account)
        if table.seat_of(account) is None:
            raise refusals.Refused("forbidden", say("You have no seat at this table."))
        return of_table(desk, tx, table, account)


def of_table(desk: Desk, tx: Transaction, table: Table, reader: str) -> list[Document]:
    """Return the invitations to a table, as an account that sits there sees them."""
    rows = invitation_rows.of_game(tx, table.id)
    names = account_rows.names_by_id(
        tx, {row.host for row in rows} | {row.guest or "" for row in rows}
    )
    now = desk.now()
    return [_document(table, row, names, reader) | _seat_kept(table, row, now) for row in rows]


def _seat_kept(table: Table, row: Invitation, now: str) -> Document:
    """Return whether a seat is reserved for a guest, and until when."""
    is_reserved = reservations.is_active(table, row, now)
    return {
        "reserved_until": row.reserved_until if is_reserved else None,
        "waits": reservations.waits(table, row),
    }


def _document(table: Table, row: Invitation, names: Mapping[str, str], reader: str) -> Document:
    return {
        "id": row.id,
        "host": names.get(row.host),
        "name": names.get(row.guest) if row.guest else None,
        "email": row.address if row.host == reader else None,
        "state": _state(table, row),
        "at": row.at,
    }


def _state(table: Table, row: Invitation) -> str:
    if row.guest and table.seat_of(row.guest):
        return "accepted"
    return invitation_rows.DECLINED if row.state == invitation_rows.NEVER else row.state


def withdraw(desk: Desk, host: str, game: str, id: str) -> None:
    """Withdraw an invitation; the page behind its link says so."""
    with desk.database.writing() as tx:
        table_lookup.table_of(tx, game, host)
        row = invitation_rows.invitation(tx, id)
        if row is None or (row.game, row.host) != (game, host):
            raise refusals.not_found(say("There is no such invitation."))
        _close(desk, tx, row, invitation_rows.WITHDRAWN)
    desk.wakeup.send()
    desk.news.publish(of_game(game))  # a guest may have lost sight of a private table


def _close(desk: Desk, tx: Transaction, row: Invitation, state: str) -> None:
    """Close an invitation that is open, and give its seat to a guest who waits for one."""
    reservations.lock(tx, row.game)
    current = invitation_rows.invitation(tx, row.id)  # it may have been answered meanwhile
    if current is None or current.state != invitation_rows.OPEN:
        return
    fingerprint = _mark(desk, tx, current.guest, current.email)
    invitation_rows.close(tx, current, state, fingerprint)
    reservations.assign(desk, tx, row.game)


def page(desk: Desk, payload: Mapping[str, Any]) -> Document:
    """Return what the page of an invitation shows."""
    with desk.database.reading() as tx:
        row = invitation_rows.invitation(tx, payload["invitation"])
        table = games.table(tx, row.game) if row else None
        if row is None or table is None:
            return {"stands": "gone"}
        names = account_rows.names_by_id(tx, [row.host, row.guest or ""])
        owners = invitation_rows.owners(tx, row.address) if row.address else []
        guest = account_rows.account(tx, row.guest) if row.guest else None
    zone = guest.time_zone if guest else "UTC"
    return {
        "stands": _standing(desk, payload, row, table),
        "host": names.get(row.host),
        "name": names.get(row.guest) if row.guest else None,
        "guest": row.guest,
        "email": row.address,
        "owners": [{"id": id, "name": name} for id, name in owners],
        "table": invitation_letters.shown(table),
        "game": table.id,
        "colours": seat_looks.free_colours(table),
        **_seat_kept(table, row, desk.now()),
        "reserved_time": _reserved_time(desk, table, row, zone),
    }


def _reserved_time(desk: Desk, table: Table, row: Invitation, time_zone: str) -> str:
    """Return until when a seat is reserved, as text; empty if none is."""
    until = row.reserved_until
    if until is None or not reservations.is_active(table, row, desk.now()):
        return ""
    return dates.page_time(datetime.fromisoformat(until), time_zone)


def _standing(desk: Desk, payload: Mapping[str, Any], row: Invitation, table: Table) -> str:
    state = _state(table, row)
    if state != invitation_rows.OPEN:
        return {"accepted": "done"}.get(state, state)
    if table.status != "open":
        return "stale"
    return "late" if signed_links.is_expired(desk, payload) else "open"


def decline(desk: Desk, payload: Mapping[str, Any], *, never: bool) -> Document:
    """Decline an invitation; with `never`, no more letters from strangers go to its address."""
    game = None
    with desk.database.writing() as tx:
        row = invitation_rows.invitation(tx, payload["invitation"])
        if row is not None and row.state == invitation_rows.OPEN:
            if never and row.address:
                opt_outs.add(desk, tx, row.address)
            _close(
                desk,
                tx,
                row,
                invitation_rows.NEVER if never and row.address else invitation_rows.DECLINED,
            )
            game = row.game
    if game:
        desk.wakeup.send()
        desk.news.publish(of_game(game))
    return page(desk, payload)


def decline_own(desk: Desk, guest: str, game: str) -> None:
    """Decline the open invitations of an account to a table at which it has no seat."""
    with desk.database.writing() as tx:
        table = table_lookup.table_of(tx, game, guest)
        player = account_rows.account(tx, guest)
        if player is None or table.seat_of(guest) is not None:
            return
        for row in invitation_rows.of_game(tx, game):
            if reservations.is_for(row, player):
                _close(desk, tx, row, invitation_rows.DECLINED)
    desk.wakeup.send()
    desk.news.publish(of_game(game))


def accept(
    desk: Desk,
    payload: Mapping[str, Any],
    account: str,
    time_zone: str | None = None,
    colour: str | None = None,
) -> Document:
    """Take a seat, as the invited account or as one that owns the invited address."""
    before = page(desk, payload)
    if before["stands"] != "open":
        return before
    if account not in (before["guest"], *(owner["id"] for owner in before["owners"])):
        return before | {"stands": "unchosen"}
    accounts.learn_time_zone(desk, account, time_zone)
    return _seated(desk, payload, account, colour)


def accept_as_new(
    desk: Desk,
    payload: Mapping[str, Any],
    name: str,
    time_zone: str | None = None,
    colour: str | None = None,
) -> Document:
    """Create an account and take a seat; the address is confirmed, as the link was sent there."""
    before = page(desk, payload)
    if before["stands"] != "open" or before["email"] is None:
        return before
    if not reservations.has_seat(desk, payload["invitation"]):
        return before | {"stands": "reserved", "problem": say(ALL_RESERVED)}
    if colour and colour not in before["colours"]:
        return before | _colour_taken()
    account_fields = {"name": name, "locale": current_language()}
    new_account, name_key = accounts.build(account_fields, desk.now())

    def run(tx: Transaction) -> Document:
        accounts.add(desk, tx, new_account, name_key)
        confirmed = {"email": before["email"], "email_confirmed": desk.now()}
        account_rows.change(tx, new_account.id, confirmed)
        return {"account": new_account.id}

    key = _secret(desk, payload["invitation"])
    record, _ = once(desk, NEW, "accept_invitation", key, account_fields, run)
    account: str = record["account"]
    accounts.learn_time_zone(desk, account, time_zone)
    return _seated(desk, payload, account, colour)


def _colour_taken() -> Document:
    """Return what the page shows if another player has the colour that was chosen."""
    return {"stands": "unchosen", "problem": say("This colour is taken. Choose another one.")}


def _secret(desk: Desk, id: str) -> str:
    """Return an Idempotency-Key for the new account, which the host cannot guess from the id."""
    return hmac.new(desk.settings.secret_keys[0].encode(), id.encode(), hashlib.sha256).hexdigest()


def _seated(desk: Desk, payload: Mapping[str, Any], account: str, colour: str | None) -> Document:
    """Take a seat, if the invitation is still open once the table is locked."""
    id = payload["invitation"]
    with desk.database.reading() as tx:
        row = invitation_rows.invitation(tx, id)
    if row is None:
        return {"stands": "gone"}

    def admit(tx: Transaction, _: Table) -> None:
        current = invitation_rows.invitation(tx, id)
        if current is None or current.state != invitation_rows.OPEN:
            raise refusals.not_found(say("There is no such invitation."))
        invitation_rows.give(tx, id, account)

    try:
        lobby.take_seat(desk, account, row.game, NewSeat(colour=colour), None, admit)
    except Refusal as refusal:
        after = page(desk, payload)
        if refusal.code == "seat_reserved":
            return after | {"stands": "reserved", "problem": refusal.sentence}
        if refusal.code == "colour_taken" and after["stands"] == "open":
            return after | _colour_taken()
        if after["stands"] == "open":
            raise
        return after  # withdrawn, or the last seat taken meanwhile, or the account sits there
    return page(desk, payload) | {"stands": "seated", "account": account}
