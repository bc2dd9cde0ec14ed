"""The commands of an operator: upgrade and check the database, opt-outs, a new token."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import structlog
from structlog.typing import FilteringBoundLogger

from engine.text import clean, shortened
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
"""The label of a token that an operator creates."""
LISTENING = 1
"""Connections of a web process beside its pool: the one that listens for news."""
OTHER_PROCESSES = 3
"""A worker, a clock and an inbox, each with a pool."""

log: FilteringBoundLogger = structlog.get_logger()


class OperatorError(Exception):
    """A command of the operator failed; the message says why, in one line."""


class Upgraded(NamedTuple):
    """The schema revisions before and after an upgrade; None for an empty database."""

    before: str | None
    after: str | None


def upgrade(settings: Settings) -> Upgraded:
    """Upgrade the database to the schema that this version needs."""
    with _database_errors():
        database = Database(settings.database_direct_url or settings.database_url)
        try:
            return Upgraded(*schema.upgrade(database))
        finally:
            database.close()


def restrict_files(settings: Settings) -> None:
    """Remove other users' permission to read our files, which earlier versions left readable.

    The folder of DATABASE_URL may be shared, so it stays as it is.
    """
    for path in _service_files(settings):
        try:
            for changed in private_files.tighten([path]):
                log.warning("other users can no longer read this file", path=str(changed))
        except OSError as error:
            log.warning("other users may read this file", path=str(path), error=error.strerror)


def _service_files(settings: Settings) -> Iterator[Path]:
    """Yield all files and folders in which the service keeps data."""
    mail = mail_folder.folder(settings)
    yield from (settings.data_dir, settings.data_dir / KEY_FILE, mail)
    yield from files_of(settings.database_url)
    yield from mail.glob("*")
    if settings.metrics_dir and settings.data_dir in settings.metrics_dir.parents:
        yield settings.metrics_dir


def check_database(settings: Settings) -> None:
    """Raise an error unless the database can be reached and is up to date."""
    with _database_errors(), _desk(settings):
        pass


def check_connections(settings: Settings) -> None:
    """Refuse more connections than PostgreSQL allows; skipped if the database cannot be reached."""
    if settings.embedded or settings.database_direct_url:
        return  # SQLite has no limit, and a pooler has its own
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
        raise OperatorError(_too_many(settings, needed, allowed))
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
    """Open a desk on a database that is up to date."""
    desk = open_desk(settings)
    try:
        if faults := readiness.faults(desk):
            raise OperatorError("; ".join(faults))
        yield desk
    finally:
        desk.close()


def forget_opt_outs(settings: Settings) -> int:
    """Delete all opt-outs, because the key of their fingerprints is lost; return how many."""
    with _database_errors():
        desk = open_desk(settings)
        try:
            return opt_outs.forget_all(desk)
        finally:
            desk.close()


def lift_opt_out(settings: Settings, email: str) -> bool:
    """Delete the opt-out of an address, and return whether there was one."""
    with _database_errors(), _desk(settings) as desk:
        try:
            return opt_outs.remove(desk, profile.checked_email(email))
        except Refused:
            raise OperatorError("that is not an email address") from None


def new_token(settings: Settings, name: str) -> str:
    """Create a token with every scope for the account with this name."""
    with _database_errors(), _desk(settings) as desk:
        with desk.database.reading() as tx:
            account = accounts.id_by_name(tx, names.skeleton(name))
        if account is None:
            raise OperatorError(f"there is no account with the name “{shortened(clean(name), 60)}”")
        caller = Caller(account, "", frozenset(SCOPES))
        document = tokens.create(desk, caller, {"label": LABEL, "scopes": list(SCOPES)}, None)
        text: str = document["token"]
        return text


@contextmanager
def _database_errors() -> Iterator[None]:
    """Turn errors of the database into messages for the operator."""
    try:
        yield
    except StoreError as error:
        reason = shortened(clean(" ".join(str(error).split())), 300)
        raise OperatorError(f"the database cannot be used: {reason}") from None
