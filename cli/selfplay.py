"""`nightmail selfplay`: random players play whole games."""

import secrets
import time
from pathlib import Path
from typing import Any

import click

from cli.game_printer import print_move
from cli.progress import with_progress
from cli.selfplay_summary import summary
from cli.show import title
from cli.table_options import at_a_table, ruleset
from cli.terminal import faint, heading
from engine import Game
from engine.text import clean, count, shortened
from service.games.selfplay import Series, Violation, figures_of
from service.views.retelling import Teller

NAMES = ("Ada", "Ben", "Cem", "Dora", "Eli", "Fay", "Gus", "Hal")
"""Example names for the seats; it is chance that plays."""


@click.command(epilog="Example: nightmail selfplay --board usa --seats 4 --games 1000 --check")
@at_a_table(seats=3)
@click.option(
    "--games", type=click.IntRange(1), default=1, show_default=True, help="How many games."
)
@click.option("--seed", metavar="TEXT", help="The same text gives the same games.")
@click.option(
    "--first",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    help="The number of the first game, to repeat one out of many.",
)
@click.option("--tell", is_flag=True, help="Tell one game move by move.")
@click.option(
    "--save",
    metavar="FOLDER",
    type=click.Path(file_okay=False, path_type=Path),
    help="Write every log to FOLDER/<game>.jsonl.",
)
@click.option(
    "--check", is_flag=True, help="Check the laws after every move, and audit every finished log."
)
def selfplay(**asked: Any) -> None:
    """Let random players play whole games.

    Prints a summary, or with --tell the game itself, with Ada, Ben, Cem, Dora and Eli as example
    names. What the clock says goes to standard error, so that the same --seed gives the same
    output. Without --seed one is made up and printed.

    Exit status: 0 all went well; 1 a game went wrong; 2 the command was wrong.
    """
    if asked["tell"] and asked["games"] > 1:
        raise click.UsageError("--tell tells one game; leave out --games")
    rules = ruleset(asked)
    series = Series(rules, secrets.token_hex(8) if asked["seed"] is None else asked["seed"])
    if asked["save"] is not None:
        _make(asked["save"])
    click.echo(heading(title(rules)) + faint(f"  seed {clean(series.text)}"))
    try:
        (_tell if asked["tell"] else _count)(series, asked)
    except Violation as violation:
        raise click.ClickException(shortened(clean(f"violation in {violation}"), 900)) from None
    if asked["check"]:
        click.echo("\nno violation")


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise click.UsageError(f"--save: {folder} cannot be made: {error.strerror}") from None


def _tell(series: Series, asked: dict[str, Any]) -> None:
    """Tell one game while it is being played."""
    names = NAMES[: series.rules.seats]
    teller = Teller(series.rules, names)
    for game in series.watch(asked["first"], check=asked["check"]):
        print_move(teller.tell(game.moves[-1]), names)
        if game.is_over:
            _save(game, asked["save"])


def _count(series: Series, asked: dict[str, Any]) -> None:
    """Play many games and sum them up."""
    tallies, started = [], time.monotonic()
    numbers = range(asked["first"], asked["first"] + asked["games"])
    for number in with_progress(numbers, len(numbers), "Playing"):
        game = series.play(number, check=asked["check"])
        _save(game, asked["save"])
        tallies.append(figures_of(game))
    spent = time.monotonic() - started
    for line in summary(tallies, NAMES[: series.rules.seats]):
        click.echo(line)
    moves = sum(tally.moves for tally in tallies)
    speed = f"{count(round(moves / spent), 'move')} and {len(tallies) / spent:.1f} games a second"
    click.echo(faint(f"{spent:.1f} seconds: {speed}"), err=True)


def _save(game: Game, folder: Path | None) -> None:
    if folder is None:
        return
    path = folder / f"{game.id}.jsonl"
    try:
        path.write_text("".join(f"{line}\n" for line in game.lines()), encoding="utf-8", newline="")
    except OSError as error:
        raise click.UsageError(f"--save: {path} cannot be written: {error.strerror}") from None
