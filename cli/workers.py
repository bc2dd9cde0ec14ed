"""`nightmail worker`, `clock` and `inbox`: background processes."""

import click

from api.http import request_log
from cli.db import chosen, troubles
from service import upkeep
from service.settings import Settings
from workers.background import processes


@click.command(epilog="Example: REDIS_URL=redis://localhost nightmail worker")
def worker() -> None:
    """Deliver mail, call webhooks, and play for the house.

    Any number of workers may run. With REDIS_URL they are woken at once when there is something to
    do; without it they poll every second. SIGTERM or Ctrl-C stops it gracefully.

    Exit status: 0 it was stopped, 1 the database cannot be used, 2 a setting is wrong.
    """
    processes.worker(_ready())


@click.command(epilog="Example: nightmail clock")
def clock() -> None:
    """Run the clocks: send reminders, and play for seats whose time is up.

    One is enough; several do no harm. SIGTERM or Ctrl-C stops it gracefully.

    Exit status: 0 it was stopped, 1 the database cannot be used, 2 a setting is wrong.
    """
    processes.clock(_ready())


@click.command(epilog="Example: INBOX_BIND=127.0.0.1:8025 INBOX_PROTOCOL=lmtp nightmail inbox")
def inbox() -> None:
    """Receive players' email replies from the mail server in front of it.

    INBOX_BIND is the address to listen on and INBOX_PROTOCOL the protocol, smtp or lmtp. SIGTERM
    or Ctrl-C stops it gracefully.

    Exit status: 0 it was stopped, 1 it cannot listen or there is no database, 2 a setting is wrong.
    """
    settings = _ready()
    try:
        processes.inbox(settings)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        message = f"cannot listen on {settings.inbox_bind}: {reason}; choose another INBOX_BIND."
        raise click.ClickException(message) from None


def _ready() -> Settings:
    """Read the settings, and check that the database can be used."""
    settings = chosen()
    with troubles():
        upkeep.check_database(settings)
    request_log.set_up(settings)
    upkeep.restrict_files(settings)
    return settings
