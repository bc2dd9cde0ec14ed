"""Accounts that can be notified, their notices and their deliveries."""

import json
from datetime import timedelta
from typing import Any

from sqlalchemy import insert, select, update

from service.desk import Desk
from service.ids import new_id
from service.notify import channels, outbox
from service.notify.outbox import Delivery, spread
from store import timestamps
from store.notify import notices
from store.notify.notices import Notice
from store.tables import accounts, deliveries, hooks
from tests.service.support.newcomers import newcomer


def reachable(desk: Desk, name: str = "Ada", **settings: Any) -> str:
    """Create an account with a confirmed address and no pending notice."""
    account = newcomer(desk, name, email=f"{name.lower().replace(' ', '.')}@example.org").account
    confirm(desk, account)
    if settings:
        preferences = {"mode": "each_turn", "quiet_hours": None} | settings
        change(desk, account, settings=_settings(preferences))
    with desk.database.writing() as tx:
        notices.take(tx, 1000)
    return account


def _settings(notifications: dict[str, Any]) -> str:
    return json.dumps({"notifications": notifications, "absences": [], "asked": []})


def confirm(desk: Desk, account: str) -> None:
    """Mark the account's address as confirmed."""
    change(desk, account, email_confirmed=desk.now())


def change(desk: Desk, account: str, **values: Any) -> None:
    """Change an account's row."""
    with desk.database.writing() as tx:
        tx.execute(update(accounts).where(accounts.c.id == account).values(**values))


def hook(desk: Desk, account: str, *types: str, game: str | None = None) -> str:
    """Store a hook of this account for notices of these types."""
    id = new_id()
    row = {"id": id, "account": account, "url": "http://127.0.0.1:1/", "secret": b"", "game": game}
    listed = ", ".join(f'"{type_}"' for type_ in types)
    with desk.database.writing() as tx:
        tx.execute(insert(hooks), [{**row, "types": f"[{listed}]", "created": desk.now()}])
    change(desk, account, hooks=1)
    return id


def owe(desk: Desk, account: str, kind: str = "message_posted", **more: Any) -> None:
    """Store a notice for an account."""
    with desk.database.writing() as tx:
        notices.add(tx, [Notice(account, kind, **more)], desk.now())


def post(desk: Desk, account: str, kind: str = "message_posted", **more: Any) -> None:
    """Store a notice for an account, and turn it into deliveries."""
    owe(desk, account, kind, **more)
    assert 1 == spread(desk)


def on_its_way(desk: Desk, *columns: str) -> list[Any]:
    """These columns of every delivery, the oldest first."""
    with desk.database.reading() as tx:
        rows = tx.execute(select(*deliveries.c[columns]).order_by(deliveries.c.at))
        return [tuple(row) if len(columns) > 1 else row[0] for row in rows]


def claim_mail(desk: Desk, most: int) -> list[list[Delivery]]:
    """Claim the mail that is due, grouped into letters."""
    return outbox.claim(desk, channels.named("mail"), most)


def at(desk: Desk, moment: str) -> Desk:
    """The same desk, with its clock stopped at this moment."""
    return desk._replace(now=lambda: moment)


def after(desk: Desk, **span: float) -> Desk:
    """The same desk, with its clock stopped this much later."""
    return at(desk, timestamps.later(desk.now(), timedelta(**span)))


def ids(claimed: list[Delivery]) -> list[str]:
    """The ids of these deliveries."""
    return [delivery.id for delivery in claimed]
