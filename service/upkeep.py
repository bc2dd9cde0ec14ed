"""What an operator does: bring the database up to date, and give somebody a new token."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import structlog
from structlog.typing import FilteringBoundLogger

from engine.words import clean, shortened
from service import readiness
from service.desk import Desk, open_database, open_desk
from service.notify import mail_folder
from service.people import names, opt_outs, profile, tokens
from service.people.tokens import SCOPES, Caller
from service.refusals import Refused
from service.settings import KEY_FILE, Settings
from store import postgres, private_files, schema
from store.database import Database
from store.errors import Away, StoreError
from store.people import accounts
from store.sqlite import files_of

LABEL = "from the operator"
LISTENING = 1
"""Connections of a web process beside its pool: the one that listens for news."""
OTHER_PROCESSES = 3
"""A worker, a clock and an inbox, each with a pool."""

log: FilteringBoundLogger = structlog.get_logger()


class Trouble(Exception):
    """What an operator asked for cannot be done; one line that says why."""


class Upgraded(NamedTuple):
    """The revisions of the database before and after; None before its first."""

    before: str | None
    after: str | None


def upgrade(settings: Settings) -> Upgraded:
    """Bring the database to the schema that this program needs."""
    with _reachable():
        database = Database(settings.database_direct_url or settings.database_url)
        try:
            return Upgraded(*schema.upgrade(database))
        finally:
            database.close()


def keep_private(settings: Settings) -> None:
    """Take from others the right to read what earlier versions have made, and log it.

    A folder that DATABASE_URL names may be shared, and stays as it is.
    """
    for path in _ours(settings):
        try:
            for changed in private_files.tighten([path]):
                log.warning("others can no longer read it", path=str(changed))
        except OSError as error:
            log.warning("others may read it", path=str(path), error=error.strerror)


def _ours(settings: Settings) -> Iterator[Path]:
    """Everything that the service keeps in files."""
    mail = mail_folder.folder(settings)
    yield from (settings.data_dir, settings.data_dir / KEY_FILE, mail)
    yield from files_of(settings.database_url)
    yield from mail.glob("*")
    if settings.metrics_dir and settings.data_dir in settings.metrics_dir.parents:
        yield settings.metrics_dir


def check(settings: Settings) -> None:
    """Whether the database is there, and up to date."""
    with _reachable(), _desk(settings):
        pass


def check_connections(settings: Settings) -> None:
    """Refuse more connections than PostgreSQL allows; a database that is away is not asked."""
    if settings.embedded or settings.database_direct_url:
        return  # SQLite has no limit, and a pooler has one of its own
    database = open_database(settings)
    try:
        with database.reading() as tx:
            allowed = postgres.connection_limit(tx)
    except Away:
        return
    finally:
        database.close()
    needed = settings.web_workers * (settings.database_pool + LISTENING)
    if needed > allowed:
        raise Trouble(_too_many(settings, needed, allowed))
    if needed + OTHER_PROCESSES * settings.database_pool > allowed:
        log.warning(
            "few connections are left for a worker, a clock and an inbox",
            needed=needed,
            allowed=allowed,
        )


def _too_many(settings: Settings, needed: int, allowed: int) -> str:
    return (
        f"{settings.web_workers} web processes (WEB_WORKERS) with {settings.database_pool} "
        f"connections each (DATABASE_POOL), and one more to listen, need {needed} connections, "
        f"but PostgreSQL allows {allowed}; lower one of the two, or raise max_connections"
    )


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


def forget_opt_outs(settings: Settings) -> int:
    """Give up all opt-outs when the key that they are stored under is lost; how many."""
    with _reachable():
        desk = open_desk(settings)
        try:
            return opt_outs.forget_all(desk)
        finally:
            desk.database.close()


def write_again(settings: Settings, email: str) -> bool:
    """Let strangers' letters go to an address again; whether its reader had opted out."""
    with _reachable(), _desk(settings) as desk:
        try:
            return opt_outs.remove(desk, profile.email(email))
        except Refused:
            raise Trouble("that is no mail address") from None


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
    except StoreError as error:
        reason = shortened(clean(" ".join(str(error).split())), 300)
        raise Trouble(f"the database cannot be used: {reason}") from None
