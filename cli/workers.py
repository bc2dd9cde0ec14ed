"""`nightmail worker`, `clock` and `inbox`: what is done without a request, a process each."""

import click

from api.http import request_log
from cli.db import chosen, troubles
from service import upkeep
from service.settings import Settings
from workers.background import processes


@click.command(epilog="Example: REDIS_URL=redis://localhost nightmail worker")
def worker() -> None:
    """Deliver mail and tell webhooks what happens.

    Any number of these may run. With REDIS_URL they are told at once that something is there;
    without it they look every second. Stops in good order at SIGTERM or Ctrl-C.

    Exit status: 0 it was stopped, 1 the database cannot be used, 2 a setting is wrong.
    """
    processes.worker(_ready())


@click.command(epilog="Example: nightmail clock")
def clock() -> None:
    """Keep the clocks: remind those who are awaited, and play for those whose time is over.

    One is enough; several do no harm. Stops in good order at SIGTERM or Ctrl-C.

    Exit status: 0 it was stopped, 1 the database cannot be used, 2 a setting is wrong.
    """
    processes.clock(_ready())


@click.command(epilog="Example: INBOX_BIND=127.0.0.1:8025 INBOX_PROTOCOL=lmtp nightmail inbox")
def inbox() -> None:
    """Take in the mail with which players answer, from the mail server in front of it.

    INBOX_BIND says where it listens and INBOX_PROTOCOL what it speaks, smtp or lmtp. Stops in good
    order at SIGTERM or Ctrl-C.

    Exit status: 0 it was stopped, 1 it cannot listen or there is no database, 2 a setting is wrong.
    """
    settings = _ready()
    try:
        processes.inbox(settings)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        said = f"cannot listen on {settings.inbox_bind}: {reason}; choose another INBOX_BIND."
        raise click.ClickException(said) from None


def _ready() -> Settings:
    """The settings, once the database is known to be what we need."""
    settings = chosen()
    with troubles():
        upkeep.check_database(settings)
    request_log.set_up(settings)
    upkeep.restrict_files(settings)
    return settings
