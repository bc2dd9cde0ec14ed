"""Options that say on which table a command plays: board, variants and seats."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

from engine import MapError, Ruleset
from service.boards import atlas

Command = TypeVar("Command", bound=Callable[..., Any])


def at_a_table(seats: int) -> Callable[[Command], Command]:
    """Give a command these options, with so many seats unless others are asked for."""
    chosen = (
        click.option(
            "--board", default="usa", show_default=True, help="The board; see nightmail maps."
        ),
        click.option(
            "--variant", "variants", multiple=True, help="A variant; may be given repeatedly."
        ),
        click.option("--seats", type=int, default=seats, show_default=True, help="How many play."),
    )

    def given(command: Command) -> Command:
        for option in reversed(chosen):
            command = option(command)
        return command

    return given


def ruleset(asked: dict[str, Any]) -> Ruleset:
    """The rules of the table that was asked for."""
    try:
        return atlas.ruleset(asked["board"], asked["variants"], asked["seats"])
    except MapError as error:
        raise click.UsageError(str(error)) from None
