"""Hooks: addresses to which programs of our players are told what happens."""

import json

from sqlalchemy import Connection, or_, select

from store.tables import hooks


def wanting(tx: Connection, account: str, game: str | None, told: str) -> list[str]:
    """Those of an account's hooks that want to be told this."""
    rows = tx.execute(
        select(hooks.c.id, hooks.c.types).where(
            hooks.c.account == account,
            hooks.c.off_since.is_(None),
            or_(hooks.c.game.is_(None), hooks.c.game == game),
        )
    )
    return [row.id for row in rows if told in json.loads(row.types)]
