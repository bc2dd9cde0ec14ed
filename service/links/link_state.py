"""The state of a signed link for a seat: where it leads, whether it is open, what it has done."""

import hashlib
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from engine.translate import say
from service import refusals
from service.desk import Desk
from service.games.decided_moves import DecidedMove
from service.games.move_requests import hash_of_key
from service.links import signed_links
from store.database import Transaction
from store.games import games, invitations
from store.games.games import Seated, StoredMove, Table
from store.notify import received_mail
from store.people import accounts
from store.people.signed_links import seat_links

Payload = Mapping[str, Any]
"""The fields of a link, as `signed_links.read` returns them."""


class Place(NamedTuple):
    """The seat for which a link was made."""

    table: Table
    seat: Seated
    account: str


def place_of(tx: Transaction, payload: Payload) -> Place | None:
    """Return the seat that a link is for; None if nobody sits there any more."""
    table = games.table(tx, payload["game"])
    seats = [seat for seat in table.seated if seat.number == payload["seat"]] if table else []
    if table is None or not seats or seats[0].account is None:
        return None
    return Place(table, seats[0], seats[0].account)


def reader_locale(desk: Desk, payload: Payload) -> str | None:
    """Return the locale of the account that a link was made for.

    None if there is no such account.
    """
    with desk.database.reading() as tx:
        if "invitation" in payload:
            invitation = invitations.invitation(tx, payload["invitation"])
            reader = invitation.guest if invitation else None
        elif "account" in payload:
            reader = payload["account"]
        elif "mailbox" in payload:
            reader = None
        else:
            place = place_of(tx, payload)
            reader = place.account if place else None
        account = accounts.account(tx, reader) if reader else None
    return account.locale if account else None


def state_of(desk: Desk, tx: Transaction, payload: Payload, place: Place | None) -> str:
    """Return the state of a link that makes a move: done if it has, else that of its decision."""
    is_valid = place is not None and place.seat.links == payload["links"]
    is_done = place is not None and is_valid and _is_done(tx, payload, place)
    return "done" if is_done else decision_state(desk, payload, place)


def _is_done(tx: Transaction, payload: Payload, place: Place) -> bool:
    """Return whether a link has made a move, or carried out the lines of a mail."""
    if payload["asked"] is None:
        return received_mail.is_stored(tx, place.account, digest_of(payload))
    return bool(moves_made_with(tx, payload, place))


def decision_state(desk: Desk, payload: Payload, place: Place | None) -> str:
    """Return the state of a link or a session for one decision: gone, void, late, stale, or open.

    It is open only while the seat has to make exactly the decision that `asked` names. A link for a
    mail about no decision has none there, and is open until it expires.
    """
    if place is None:
        return "gone"
    if place.seat.links != payload["links"]:
        return "void"
    if signed_links.is_expired(desk, payload):
        return "late"
    if payload["asked"] is None:
        return "open"
    if place.seat.resigned or place.seat.decision_version != payload["asked"]:
        return "stale"
    deadline = place.seat.deadline
    return "late" if deadline is not None and deadline <= desk.now() else "open"


def idempotency_key(payload: Payload) -> str:
    """Return the idempotency key of a link's move; pressing its button twice is one move."""
    if payload["asked"] is None:
        return f"link-{digest_of(payload).hex()[:32]}"
    content = payload["entry"] if "entry" in payload else "\n".join(payload["lines"])
    digest = hashlib.sha256(f"{payload['links']} {content}".encode()).hexdigest()[:16]
    return f"link-{payload['asked']}-{digest}"


def digest_of(payload: Payload) -> bytes:
    """Return the hash that identifies a mail about no decision: of its seat, and when it came.

    The lines are not part of it: of a long mail, a letter and a page may show different parts.
    """
    fields = (payload[name] for name in ("game", "seat", "links", "until"))
    return hashlib.sha256(" ".join(map(str, ("letter link", *fields))).encode()).digest()


def moves_made_with(tx: Transaction, payload: Payload, place: Place) -> list[StoredMove]:
    """Return the moves that were made with a link; each line of a letter can be one."""
    key = idempotency_key(payload)
    keys = [key] if "entry" in payload else [f"{key}-{n}" for n in range(len(payload["lines"]))]
    stored = (
        games.move_by_key(tx, place.table.id, place.seat.number, hash_of_key(key)) for key in keys
    )
    return [move for move in stored if move is not None]


def refuse_if_void(payload: Payload) -> Callable[[Transaction, DecidedMove], None]:
    """Return a check for the transaction of a move: refuses if its link was made void meanwhile."""

    def check(tx: Transaction, _: DecidedMove) -> None:
        row = seat_links(tx, payload["game"], payload["seat"])
        if row is None or row.links != payload["links"]:
            raise refusals.Refused("forbidden", say("This link is no longer valid."))

    return check
