"""The command `nightmail`: its subcommands, and how all of them fail."""

import os
import sys
from contextlib import suppress
from importlib import import_module
from typing import Any

import click

from engine.text import clean

INTERRUPTED = 130
COMMANDS = {
    "serve": (
        "cli.web",
        "Run everything: bring the database up to date, answer requests, deliver, keep the clocks.",
    ),
    "web": ("cli.web", "Answer requests, with the database that is there."),
    "worker": ("cli.workers", "Deliver mail and tell webhooks what happens."),
    "clock": (
        "cli.workers",
        "Keep the clocks: remind those who are awaited, and play for those whose time is over.",
    ),
    "inbox": (
        "cli.workers",
        "Take in the mail with which players answer, from the mail server in front of it.",
    ),
    "db": ("cli.db", "Look after the database."),
    "token": (
        "cli.web",
        "Make a new token for the account with this NAME, and print it once.",
    ),
    "selfplay": ("cli.selfplay", "Let random players play whole games."),
    "arena": ("cli.arena", "Let bots play a round robin."),
    "bot": ("cli.bot", "Try out bots."),
    "maps": ("cli.maps", "List the boards and their variants, or check map files."),
    "verify": ("cli.verify", "Check the logs of games that are over."),
    "show": ("cli.show", "Retell a log in sentences."),
}
"""Where each is, and what the list of commands says about it: so that listing them loads none."""


class Nightmail(click.Group):
    """A group whose commands fail in one line, and end quietly when they are cut off."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that is meant; only now the part of the program is loaded that it needs."""
        name, listed, rest = super().resolve_command(ctx, args)
        if listed is None or listed.name not in COMMANDS:
            return name, listed, rest
        module, _ = COMMANDS[listed.name]
        found: click.Command = getattr(import_module(module), listed.name)
        return name, found, rest

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


for command, (_, says) in COMMANDS.items():
    nightmail.add_command(click.Command(command, help=says))


def main() -> None:
    """The entry point; what a terminal cannot show is replaced, not a reason to stop."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(AttributeError):
            stream.reconfigure(errors="replace")  # type: ignore[union-attr]  # not every stream can
    nightmail()
