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
    except upkeep.OperatorError as trouble:
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
    settings = chosen()
    click.echo(upgraded(settings))
    upkeep.restrict_files(settings)


@db.command("forget-opt-outs", epilog="Example: nightmail db forget-opt-outs --yes")
@click.confirmation_option(prompt="People who wanted no letters will get them again. Go on?")
def forget_opt_outs() -> None:
    """Give up all opt-outs, after the keys are lost that they were stored under.

    Without SECRET_KEYS that open it, the service does not start: it would write to people who
    have asked for the contrary. If the keys cannot be had again, this is the way on.

    Exit status: 0 done, 1 the database cannot be used, 2 a setting is wrong.
    """
    with troubles():
        gone = upkeep.forget_opt_outs(chosen())
    click.echo(f"Forgotten: {gone} opt-outs. A new key is made with the next letter.")


@db.command("write-again", epilog="Example: nightmail db write-again ada@example.org")
@click.argument("address")
def write_again(address: str) -> None:
    """Let letters from strangers go again to ADDRESS, whose reader has asked for it.

    Readers can do it themselves by the link in any of our letters; this is for those who have
    none left. Be sure that it is their wish.

    Exit status: 0 done, 1 the database cannot be used, 2 a setting is wrong.
    """
    with troubles():
        known = upkeep.lift_opt_out(chosen(), address)
    click.echo("Letters can go there again." if known else "Nobody had opted out there.")


def upgraded(settings: Settings) -> str:
    """Upgrade the database, and say so."""
    with troubles():
        before, after = upkeep.upgrade(settings)
    if before == after:
        return f"The database is at revision {after} already."
    return (
        f"The database was {f'at revision {before}' if before else 'empty'}, now it is at {after}."
    )
