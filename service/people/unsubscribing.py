"""The page behind the unsubscribe link of a letter: stops mail about games, and resumes it."""

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from service.desk import Desk
from service.people import tokens
from service.refusals import Refused
from store.database import Transaction
from store.games import games
from store.people import accounts, signed_links

Payload = Mapping[str, Any]
Page = dict[str, Any]

ONE_CLICK = "one-click"
"""The choice that a mail program posts on behalf of its reader (RFC 8058)."""
STATE_AFTER = {"game": "stopped", "all": "stopped", "again": "resumed", "keep": "kept"}
"""The choices on the page, and the state that the page shows after each."""


def unsubscribe_page(desk: Desk, payload: Payload, choice: str | None = None) -> Page:
    """Show the page on which mail is stopped or resumed, and carry out a choice on it."""
    if choice == ONE_CLICK:
        choice = "all" if payload["game"] is None else "game"
    if choice in STATE_AFTER:
        _carry_out(desk, payload["account"], payload["game"], choice)
    page = _page(desk, payload)
    if choice is None or page["stands"] == "gone":
        return page
    return page | {"stands": STATE_AFTER.get(choice, "unchosen")}


def _carry_out(desk: Desk, account: str, game: str | None, choice: str) -> None:
    if choice == "game" and game is not None:
        mute(desk, account, game)
    elif choice == "again":
        resume(desk, account, game)
    elif choice == "all":
        with desk.database.writing() as tx:
            _switch_mail(tx, account, on=False)


def mute(desk: Desk, account: str, game: str) -> None:
    """Stop mail about one game."""
    with desk.database.writing() as tx:
        signed_links.mute(tx, game, account, desk.now())


def resume(desk: Desk, account: str, game: str | None) -> None:
    """Resume all mail of an account if it was off, and mail about this game."""
    with desk.database.writing() as tx:
        if game is not None:
            signed_links.mute(tx, game, account, None)
        _switch_mail(tx, account, on=True)


def _switch_mail(tx: Transaction, id: str, *, on: bool) -> None:
    """Turn all mail of an account on or off."""
    with suppress(Refused):  # a deleted account gets no mail anyway
        account = tokens.lock_account(tx, id)
        notifications = account.settings["notifications"]
        if on == (notifications["mode"] == "off"):
            notifications = notifications | {"mode": "each_turn" if on else "off"}
            settings = account.settings | {"notifications": notifications}
            accounts.change(tx, id, {"settings": settings})


def _page(desk: Desk, payload: Payload) -> Page:
    with desk.database.reading() as tx:
        account = accounts.account(tx, payload["account"])
        table = games.table(tx, payload["game"]) if payload["game"] else None
    if account is None:
        return {"stands": "gone"}
    seat = table.seat_of(account.id) if table else None
    return {
        "stands": "open",
        "name": account.name,
        "title": table.title if table and seat else None,
        "off": account.settings["notifications"]["mode"] == "off",
        "muted": seat is not None and seat.muted is not None,
    }
