"""Notebooks: what players write down for themselves in a game. They are not part of its log."""

import json
from typing import NamedTuple

from sqlalchemy import Connection, insert, select, update

from store.errors import Clash
from store.tables import notebooks


class Notebook(NamedTuple):
    """The notes and the sketch of one account in one game."""

    version: int = 0
    """Counts changes; 0 before the first."""
    notes_version: int = 0
    """The version in which the notes were last changed."""
    notes: str = ""
    sketch: tuple[str, ...] = ()
    """The routes that the account means to claim, in this order."""


def read(tx: Connection, game: str, account: str) -> Notebook:
    """Return the notebook of an account; an empty one if it has written nothing."""
    row = tx.execute(
        select(*notebooks.c["version", "notes_version", "notes", "sketch"]).where(
            notebooks.c.game == game, notebooks.c.account == account
        )
    ).one_or_none()
    if row is None:
        return Notebook()
    return Notebook(row.version, row.notes_version, row.notes, tuple(json.loads(row.sketch)))


def version(tx: Connection, game: str, account: str) -> int:
    """Return the version of the notebook of an account."""
    here = notebooks.c.game == game, notebooks.c.account == account
    return tx.scalar(select(notebooks.c.version).where(*here)) or 0


def replace(tx: Connection, game: str, account: str, notebook: Notebook, at: str) -> None:
    """Store the next version of a notebook.

    Raises Clash if the version before it is not the one stored.
    """
    values = {
        "version": notebook.version,
        "notes_version": notebook.notes_version,
        "notes": notebook.notes,
        "sketch": json.dumps(notebook.sketch),
        "at": at,
    }
    if notebook.version == 1:
        tx.execute(insert(notebooks).values(game=game, account=account, **values))
        return
    changed = tx.execute(
        update(notebooks)
        .where(
            notebooks.c.game == game,
            notebooks.c.account == account,
            notebooks.c.version == notebook.version - 1,
        )
        .values(**values)
    )
    if not changed.rowcount:
        raise Clash("the notebook was changed meanwhile")
