"""Keeps the beginning of mail that was not carried out, and shows it to its owner.

A stranger who knows a reply address can fill the list of its owner, but not more than that.
Attachments and the rest of the text are never stored.
"""

from datetime import timedelta
from typing import Any

from engine.text import clean, shortened
from engine.translate import say
from service import ids
from service.desk import Desk
from service.links import signed_links
from service.replies import sorting, trust
from service.replies.commands import runner
from service.replies.incoming_mail import Letter
from service.replies.mailboxes import Mailbox
from service.replies.quoting import MOST_LINES
from service.replies.sorting import Rule
from store import timestamps
from store.database import Transaction
from store.games import games
from store.games.games import Table
from store.notify import held_mail
from store.notify.held_mail import HeldMail

RETENTION = timedelta(days=14)
"""How long mail is kept."""
MOST = 50
"""Mails that are kept for an account; the oldest are deleted."""
LONGEST_LINE = 200
"""Characters of a line that are kept; no move is longer."""


def hold(
    tx: Transaction, box: Mailbox, letter: Letter, digest: bytes, rule: Rule, now: str
) -> bool:
    """Keep a mail for its owner; return False if it is kept already."""
    if held_mail.is_stored(tx, box.account, digest):
        return False
    written = letter.lines[:MOST_LINES]
    lines = [
        shortened(clean(line), LONGEST_LINE)
        for line in runner.lines_to_confirm(written, is_talk=box.purpose == "talk")
    ]
    mail = HeldMail(
        ids.new_id(),
        box.account,
        box.game,
        box.seat,
        box.decision_version,
        rule.reason,
        trust.sender_of(letter),
        lines,
        now,
    )
    held_mail.add(tx, mail, digest)
    held_mail.keep_newest(tx, box.account, MOST)
    return True


def is_held(tx: Transaction, account: str, digest: bytes) -> bool:
    """Return whether this mail is kept for the account."""
    return held_mail.is_stored(tx, account, digest)


def release(tx: Transaction, account: str, digest: bytes) -> None:
    """Delete a mail that was carried out after all, if it is kept."""
    held_mail.remove(tx, account, digest)


def listed(desk: Desk, account: str) -> list[dict[str, Any]]:
    """Return the mail that is kept for an account, the newest first."""
    with desk.database.reading() as tx:
        return [_document(row) for row in held_mail.of_account(tx, account)]


def listed_with_links(desk: Desk, account: str) -> list[dict[str, Any]]:
    """Return the same with the title of the game and the link to play the lines, for the owner.

    Whoever has the link can play with it, so it is not for programs that may only read.
    """
    with desk.database.reading() as tx:
        rows = held_mail.of_account(tx, account)
        ids_of_games = sorted({row.game for row in rows if row.game})
        tables = {table.id: table for table in games.tables(tx, ids_of_games)}
    return [_linked(desk, row, tables.get(row.game or "")) for row in rows]


def _document(row: HeldMail) -> dict[str, Any]:
    return {
        "id": row.id,
        "received": row.at,
        "game": row.game,
        "reason": row.reason,
        "sentence": say(sorting.sentence_of(row.reason)),
        "sender": row.sender,
        "lines": row.lines,
    }


def _linked(desk: Desk, row: HeldMail, table: Table | None) -> dict[str, Any]:
    title = table.title if table else None
    return _document(row) | {"title": title, "confirm": _link(desk, row, table)}


def _link(desk: Desk, row: HeldMail, table: Table | None) -> str | None:
    """Return the link to check the lines and play them, while the decision is open.

    The lines of a mail about no decision can be carried out at any time, if none was shortened.
    """
    seat = table.seat_of(row.account) if table else None
    if table is None or seat is None or not row.lines or seat.resigned:
        return None
    version = row.decision_version
    is_possible = version == seat.decision_version
    if version is None:
        is_possible = all(len(line) < LONGEST_LINE for line in row.lines)
    if not is_possible or seat.number != row.seat:
        return None
    return signed_links.confirm_letter(desk, table.id, seat.number, version, row.lines, row.at)


def tidy(desk: Desk) -> None:
    """Delete mail that was kept long enough."""
    with desk.database.writing() as tx:
        held_mail.forget(tx, timestamps.later(desk.now(), -RETENTION))
