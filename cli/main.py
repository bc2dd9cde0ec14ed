"""The command `nightmail`: its subcommands, loaded on demand, and how they report errors."""

import os
import sys
from importlib import import_module
from io import TextIOWrapper
from typing import Any

import click

from engine.text import clean

INTERRUPTED = 130
COMMANDS = {
    "serve": (
        "cli.web",
        "Run everything in one process: upgrade the database, serve, deliver, and run the clocks.",
    ),
    "web": ("cli.web", "Serve HTTP requests; the database must be up to date."),
    "worker": ("cli.workers", "Deliver mail, call webhooks, and play for the house."),
    "clock": (
        "cli.workers",
        "Run the clocks: send reminders, and play for seats whose time is up.",
    ),
    "inbox": (
        "cli.workers",
        "Receive players' email replies from the mail server in front of it.",
    ),
    "db": ("cli.db", "Manage the database."),
    "token": (
        "cli.web",
        "Create a token for the account with this NAME, and print it once.",
    ),
    "selfplay": ("cli.selfplay", "Let random players play whole games."),
    "arena": ("cli.arena", "Let bots play a round robin."),
    "bot": ("cli.bot", "Try out bots."),
    "hook": ("cli.listening.command", "Try out programs behind webhooks on your own machine."),
    "mcp": ("cli.mcp.command", "Serve the tools of an AI agent over standard input and output."),
    "maps": ("cli.maps", "List the boards and their variants, or check map files."),
    "verify": ("cli.verify", "Check the logs of finished games."),
    "show": ("cli.show", "Retell a game log in sentences."),
}
"""The module and the summary of each command, so that the list of commands loads none of them."""


class Nightmail(click.Group):
    """A group whose commands report errors in one line and end quietly when interrupted."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command, and import its module only now."""
        name, listed, rest = super().resolve_command(ctx, args)
        if listed is None or listed.name not in COMMANDS:
            return name, listed, rest
        module, _ = COMMANDS[listed.name]
        command: click.Command = getattr(import_module(module), listed.name)
        return name, command, rest

    def main(self, *args: Any, **extra: Any) -> Any:
        """Run a command and exit with its status."""
        try:
            status = super().main(*args, **{**extra, "standalone_mode": False})
        except click.ClickException as error:
            click.echo(_one_line(error), err=True)
            status = error.exit_code
        except click.Abort:
            status = INTERRUPTED
        sys.exit(status if isinstance(status, int) else 0)


def _one_line(error: click.ClickException) -> str:
    """Return the error in one line; for wrong usage with a hint at --help."""
    message = clean(" ".join(error.format_message().split()))
    context = getattr(error, "ctx", None)
    if context is None:
        return message
    end = "" if message.endswith("?") else "."
    return f"{context.command_path}: {message.rstrip('.')}{end} Try {context.command_path} --help."


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

    Exit status: 0 success, 1 something is wrong, 2 wrong usage.
    """
    if os.environ.get("NO_COLOR"):
        context.color = False
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


for command, (_, summary) in COMMANDS.items():
    nightmail.add_command(click.Command(command, help=summary))


def main() -> None:
    """Run the command line; characters that the terminal cannot show are replaced."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")
    nightmail()
