"""The command `nightmail`: its subcommands, and how all of them fail."""

import os
import sys
from contextlib import suppress
from typing import Any

import click

from cli.arena import arena
from cli.db import db
from cli.maps import maps
from cli.selfplay import selfplay
from cli.show import show
from cli.verify import verify
from cli.web import serve, token, web
from cli.workers import clock, inbox, worker
from engine.words import clean

INTERRUPTED = 130


class Nightmail(click.Group):
    """A group whose commands fail in one line, and end quietly when they are cut off."""

    def main(self, *args: Any, **extra: Any) -> Any:
        """Run a command and leave with its status."""
        try:
            status = super().main(*args, **{**extra, "standalone_mode": False})
        except click.ClickException as error:
            click.echo(_one_line(error), err=True)
            status = error.exit_code
        except click.Abort:
            status = INTERRUPTED
        sys.exit(status if isinstance(status, int) else 0)


def _one_line(error: click.ClickException) -> str:
    """What is wrong; with a command that was misunderstood also where to read how it goes."""
    said = clean(" ".join(error.format_message().split()))
    context = getattr(error, "ctx", None)
    if context is None:
        return said
    end = "" if said.endswith("?") else "."
    return f"{context.command_path}: {said.rstrip('.')}{end} Try {context.command_path} --help."


@click.group(
    cls=Nightmail,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Example: nightmail selfplay --board usa --seats 3 --tell",
)
@click.version_option(package_name="nightmail", message="nightmail %(version)s")
@click.pass_context
def nightmail(context: click.Context) -> None:
    """Train games by mail: play them, read them, check them.

    Exit status: 0 all is well, 1 something does not hold, 2 the command was not understood.
    """
    if os.environ.get("NO_COLOR"):
        context.color = False
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


for command in (serve, web, worker, clock, inbox, db, token, selfplay, arena, maps, verify, show):
    nightmail.add_command(command)


def main() -> None:
    """The entry point; what a terminal cannot show is replaced, not a reason to stop."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(AttributeError):
            stream.reconfigure(errors="replace")  # type: ignore[union-attr]  # not every stream can
    nightmail()
