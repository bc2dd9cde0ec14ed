"""Options of commands that play games: board, variants and seats."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

from engine import MapError, Ruleset
from service.boards import atlas

Command = TypeVar("Command", bound=Callable[..., Any])


def with_table_options(seats: int) -> Callable[[Command], Command]:
    """Give a command these options, with this default number of seats."""
    chosen = (
        click.option(
            "--board", default="usa", show_default=True, help="The board; see nightmail maps."
        ),
        click.option("--variant", "variants", multiple=True, help="A variant; can be repeated."),
        click.option(
            "--seats", type=int, default=seats, show_default=True, help="How many players."
        ),
    )

    def decorated(command: Command) -> Command:
        for option in reversed(chosen):
            command = option(command)
        return command

    return decorated


def ruleset(options: dict[str, Any]) -> Ruleset:
    """Return the rules for the board, variants and seats in the options."""
    try:
        return atlas.ruleset(options["board"], options["variants"], options["seats"])
    except MapError as error:
        raise click.UsageError(str(error)) from None
