"""Letters of invitation: sending them, to an account or to an address, and what they say."""

from typing import Any, NamedTuple

from engine.translate import say, says
from service.boards import atlas
from service.boards.board_documents import variant_names
from service.clocks import paces
from service.desk import Desk
from service.games import seat_names
from service.games.inviting import invitation_codes
from service.ids import new_id
from service.links import signed_links
from service.people import mail_limits
from store.database import Transaction
from store.games import games, invitations
from store.games.games import Table
from store.games.invitations import Invitation
from store.notify import deliveries, notices
from store.notify.deliveries import Delivery
from store.notify.notices import Notice
from store.people import accounts
from store.people.accounts import Account

Document = dict[str, Any]

KIND = "invited"


class Letter(NamedTuple):
    """The contents of a letter of invitation."""

    email: str
    """Where it goes: never the host's own address."""
    host: str
    guest: Account | None
    """The account that is invited; None for an address without an account."""
    table: Document
    link: str
    code: str
    """What a guest writes after “join” to accept by mail."""
    reserved_until: str | None
    """When the reservation of a seat ends; None without one."""
    waits: bool
    """Whether the guest waits for a seat to be reserved."""


def send(desk: Desk, tx: Transaction, row: Invitation, at: str) -> None:
    """Store the notice or the letter, if the guest accepts mail; the host never learns of it."""
    data = {"invitation": row.id}
    if row.guest is not None:
        account = accounts.account(tx, row.guest)
        email = account.email if account and account.email_confirmed else None
        if email is None or mail_limits.may_send(desk, tx, KIND, email):
            notices.add(tx, [Notice(row.guest, KIND, row.game, data=data)], at)
    elif row.email is not None and _is_welcome(desk, tx, row.email):
        letter = Delivery(
            new_id(), row.host, "mail", None, KIND, row.game, None, None, data, at, 0, at
        )
        deliveries.add(tx, [letter])


def _is_welcome(desk: Desk, tx: Transaction, email: str) -> bool:
    """Return whether a letter may go to this address."""
    owners = accounts.by_ids(tx, [id for id, _ in invitations.owners(tx, email)])
    quiet = any(owner.settings["notifications"]["mode"] == "off" for owner in owners.values())
    if quiet or invitations.is_bouncing(tx, email):
        return False
    return mail_limits.may_send(desk, tx, KIND, email)


def letter(desk: Desk, id: str) -> Letter | None:
    """Return the contents of an invitation's letter; None if it must not be sent any more."""
    with desk.database.reading() as tx:
        row = invitations.invitation(tx, id)
        table = games.table(tx, row.game) if row else None
        if row is None or table is None or table.status != "open" or row.state != invitations.OPEN:
            return None
        by_id = accounts.by_ids(tx, [id for id in (row.host, row.guest) if id])
    guest = by_id.get(row.guest) if row.guest else None
    email = guest.email if guest else row.address
    if email is None or (row.guest and table.seat_of(row.guest)):
        return None
    return Letter(
        email,
        by_id[row.host].name,
        guest,
        shown(table),
        signed_links.invitation(desk, id),
        row.game if row.guest else invitation_codes.code_of(desk, id),
        row.reserved_until if row.reserved_until and row.reserved_until > desk.now() else None,
        row.waits_since is not None,
    )


def shown(table: Table) -> Document:
    """Return a table as a guest sees it."""
    board = atlas.ruleset(table.board, table.variants, table.seats).board
    return {
        "title": table.title,
        "board": board.spoken,
        "variants": variant_names(table.board, table.variants),
        "seats": table.seats,
        "free": table.seats - len(table.seated),
        "pace": _pace(table.pace),
        "players": seat_names.names_of(table),
    }


def _pace(stored: str) -> str:
    """Return how long a decision may take, as text."""
    seconds = paces.read(stored).per_decision
    if seconds is None:
        return say("no time limit")
    days, hours, minutes = seconds // 86400, seconds // 3600, seconds // 60
    if seconds == days * 86400:
        return says("{n} day for each decision", "{n} days for each decision", days)
    if seconds == hours * 3600:
        return says("{n} hour for each decision", "{n} hours for each decision", hours)
    if seconds == minutes * 60:
        return says("{n} minute for each decision", "{n} minutes for each decision", minutes)
    return says("{n} second for each decision", "{n} seconds for each decision", seconds)
