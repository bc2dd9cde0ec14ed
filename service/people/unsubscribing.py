"""Mail that somebody wants or does not want: unsubscribing, and having it again."""

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from service.desk import Desk
from service.people import tokens
from service.refusals import Refused
from store.database import Transaction
from store.games import games
from store.people import accounts
from store.people import signed_links as store

Said = Mapping[str, Any]
Page = dict[str, Any]

ONE_CLICK = "one-click"
"""The choice of a mail program on behalf of its reader (RFC 8058)."""


DOES = {"game": "stopped", "all": "stopped", "again": "resumed", "keep": "kept"}
"""The choices about mail, and what to call what they do."""


def mail(desk: Desk, said: Said, choice: str | None = None) -> Page:
    """The page on which mail is stopped or had again, and what that does."""
    if choice == ONE_CLICK:
        choice = "all" if said["game"] is None else "game"
    if choice in DOES:
        with desk.database.writing() as tx:
            if said["game"] is not None and choice in ("game", "again"):
                muted = desk.now() if choice == "game" else None
                store.mute(tx, said["game"], said["account"], muted)
            if choice in ("all", "again"):
                _switch(tx, said["account"], on=choice == "again")
    page = _mail(desk, said)
    if choice is None or page["stands"] == "gone":
        return page
    return page | {"stands": DOES.get(choice, "unchosen")}


def _switch(tx: Transaction, id: str, *, on: bool) -> None:
    with suppress(Refused):  # a deleted account has no mail anyway
        account = tokens.held(tx, id)
        wanted = account.settings["notifications"]
        if on == (wanted["mode"] == "off"):
            wanted = wanted | {"mode": "each_turn" if on else "off"}
            settings = account.settings | {"notifications": wanted}
            accounts.change(tx, id, {"settings": settings})


def _mail(desk: Desk, said: Said) -> Page:
    with desk.database.reading() as tx:
        account = accounts.account(tx, said["account"])
        table = games.table(tx, said["game"]) if said["game"] else None
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
