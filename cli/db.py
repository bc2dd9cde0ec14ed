"""`nightmail db upgrade`, and what every command needs that works on a database."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

import click

from service import upkeep
from service.settings import SettingError, Settings


class WrongSetting(click.ClickException):
    """A setting that cannot be; the command was not understood."""

    exit_code = 2


def chosen() -> Settings:
    """The settings of the environment; a wrong one ends the command with one line."""
    try:
        return Settings.of(os.environ)
    except SettingError as error:
        raise WrongSetting(str(error)) from None
    except OSError as error:
        raise WrongSetting(f"DATA_DIR cannot be used: {error.strerror}.") from None


@contextmanager
def troubles() -> Iterator[None]:
    """What keeps the operator's command from being done ends it with one line."""
    try:
        yield
    except upkeep.Trouble as trouble:
        raise click.ClickException(f"{trouble}.") from None


@click.group()
def db() -> None:
    """Look after the database.

    Exit status: 0 all is well, 1 the database cannot be used, 2 a setting is wrong.

    Example: nightmail db upgrade
    """


@db.command(epilog="Example: DATABASE_URL=postgresql://me@localhost/nightmail nightmail db upgrade")
def upgrade() -> None:
    """Bring the database to the present schema; make it if there is none.

    DATABASE_URL names it. It can be done again without harm, and by several at once.

    Exit status: 0 it is up to date, 1 the database cannot be used, 2 a setting is wrong.
    """
    click.echo(upgraded(chosen()))


def upgraded(settings: Settings) -> str:
    """Upgrade the database, and say so."""
    with troubles():
        before, after = upkeep.upgrade(settings)
    if before == after:
        return f"The database is at revision {after} already."
    return (
        f"The database was {f'at revision {before}' if before else 'empty'}, now it is at {after}."
    )
