"""`nightmail db`, and helpers for all commands that use the database."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

import click

from service import upkeep
from service.settings import SettingError, Settings


class WrongSetting(click.ClickException):
    """A setting is wrong; exits with status 2."""

    exit_code = 2


def chosen() -> Settings:
    """Read the settings from the environment; a wrong one ends the command with an error."""
    try:
        return Settings.of(os.environ)
    except SettingError as error:
        raise WrongSetting(str(error)) from None
    except OSError as error:
        raise WrongSetting(f"DATA_DIR cannot be used: {error.strerror}.") from None


@contextmanager
def troubles() -> Iterator[None]:
    """End the command with an error of one line if the database or a setting does not allow it."""
    try:
        yield
    except upkeep.OperatorError as trouble:
        raise click.ClickException(f"{trouble}.") from None


@click.group()
def db() -> None:
    """Manage the database.

    Exit status: 0 success, 1 the database cannot be used, 2 a setting is wrong.

    Example: nightmail db upgrade
    """


@db.command(epilog="Example: DATABASE_URL=postgresql://me@localhost/nightmail nightmail db upgrade")
def upgrade() -> None:
    """Upgrade the database to the current schema; create it if it does not exist.

    DATABASE_URL names the database. Running this repeatedly or concurrently does no harm.

    Exit status: 0 it is up to date, 1 the database cannot be used, 2 a setting is wrong.
    """
    settings = chosen()
    click.echo(upgraded(settings))
    upkeep.restrict_files(settings)


@db.command("forget-opt-outs", epilog="Example: nightmail db forget-opt-outs --yes")
@click.confirmation_option(prompt="People who opted out of our mail will get it again. Continue?")
def forget_opt_outs() -> None:
    """Delete all opt-outs, if the keys that they were stored under are lost.

    The service does not start without SECRET_KEYS that can read the opt-outs, because it might
    write to people who have opted out. Use this if the keys cannot be recovered.

    Exit status: 0 done, 1 the database cannot be used, 2 a setting is wrong.
    """
    with troubles():
        count = upkeep.forget_opt_outs(chosen())
    click.echo(f"Deleted {count} opt-outs. A new key is made with the next email.")


@db.command("write-again", epilog="Example: nightmail db write-again ada@example.org")
@click.argument("address")
def write_again(address: str) -> None:
    """Delete the opt-out of ADDRESS, at its owner's request.

    Owners can do this themselves with the link in any of our emails; this command is for those
    who have none left. Make sure that they want it.

    Exit status: 0 done, 1 the database cannot be used, 2 a setting is wrong.
    """
    with troubles():
        existed = upkeep.lift_opt_out(chosen(), address)
    click.echo("Deleted the opt-out." if existed else "This address had not opted out.")


def upgraded(settings: Settings) -> str:
    """Upgrade the database, and return a sentence about it."""
    with troubles():
        before, after = upkeep.upgrade(settings)
    if before == after:
        return f"The database is already at revision {after}."
    if not before:
        return f"Created the database at revision {after}."
    return f"Upgraded the database from revision {before} to {after}."
