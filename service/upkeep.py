"""What an operator does: bring the database up to date, and give somebody a new token."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from sqlalchemy.exc import SQLAlchemyError

from engine.words import clean, shortened
from service import names, readiness, tokens
from service.desk import Desk, open_desk
from service.settings import Settings
from service.tokens import SCOPES, Caller
from store import accounts, schema
from store.database import Database

LABEL = "from the operator"


class Trouble(Exception):
    """What an operator asked for cannot be done; one line that says why."""


class Upgraded(NamedTuple):
    """The revisions of the database before and after; None before its first."""

    before: str | None
    after: str | None


def upgrade(settings: Settings) -> Upgraded:
    """Bring the database to the schema that this program needs."""
    with _reachable():
        database = Database(settings.database_url)
        try:
            return Upgraded(*schema.upgrade(database))
        finally:
            database.close()


def check(settings: Settings) -> None:
    """Whether the database is there, and up to date."""
    with _reachable(), _desk(settings):
        pass


@contextmanager
def _desk(settings: Settings) -> Iterator[Desk]:
    """A desk on a database that is up to date."""
    desk = open_desk(settings)
    try:
        if faults := readiness.faults(desk):
            raise Trouble("; ".join(faults))
        yield desk
    finally:
        desk.database.close()


def new_token(settings: Settings, name: str) -> str:
    """A new token for the account with this name, with every scope."""
    with _reachable(), _desk(settings) as desk:
        with desk.database.reading() as tx:
            account = accounts.named(tx, names.skeleton(name))
        if account is None:
            raise Trouble(f"there is no account with the name “{shortened(clean(name), 60)}”")
        caller = Caller(account, "", frozenset(SCOPES))
        made = tokens.create(desk, caller, {"label": LABEL, "scopes": list(SCOPES)}, None)
        text: str = made["token"]
        return text


@contextmanager
def _reachable() -> Iterator[None]:
    """A database that does not let us in is the operator's business, not an accident."""
    try:
        yield
    except SQLAlchemyError as error:
        cause = getattr(error, "orig", None) or error
        reason = shortened(clean(" ".join(str(cause).split())), 300)
        raise Trouble(f"the database cannot be used: {reason}") from None
