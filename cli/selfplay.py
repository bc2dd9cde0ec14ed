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
from cli.table_options import ruleset, with_table_options
from cli.terminal import faint, heading
from engine import Game
from engine.text import clean, count, shortened
from service.games.bots.selfplay import Series, Violation, figures_of
from service.views.retelling import Teller

NAMES = ("Ada", "Ben", "Cem", "Dora", "Eli", "Fay", "Gus", "Hal")
"""Names for the seats."""


@click.command(epilog="Example: nightmail selfplay --board usa --seats 4 --games 1000 --check")
@with_table_options(seats=3)
@click.option(
    "--games", type=click.IntRange(1), default=1, show_default=True, help="How many games."
)
@click.option("--seed", metavar="TEXT", help="The same text gives the same games.")
@click.option(
    "--first",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    help="The number of the first game, to repeat one of many.",
)
@click.option("--tell", is_flag=True, help="Tell one game move by move.")
@click.option(
    "--save",
    metavar="FOLDER",
    type=click.Path(file_okay=False, path_type=Path),
    help="Write every log to FOLDER/<game>.jsonl.",
)
@click.option(
    "--check", is_flag=True, help="Check invariants after every move, and audit every log."
)
def selfplay(**options: Any) -> None:
    """Let random players play whole games.

    Prints a summary, or with --tell the game itself, with Ada, Ben, Cem, Dora and Eli as example
    names. Times go to standard error, so that the same --seed gives the same output. Without
    --seed a random one is used and printed.

    Exit status: 0 success; 1 a game went wrong; 2 wrong usage.
    """
    if options["tell"] and options["games"] > 1:
        raise click.UsageError("--tell works for one game only; leave out --games")
    rules = ruleset(options)
    series = Series(rules, secrets.token_hex(8) if options["seed"] is None else options["seed"])
    if options["save"] is not None:
        _make(options["save"])
    click.echo(heading(title(rules)) + faint(f"  seed {clean(series.text)}"))
    try:
        (_tell if options["tell"] else _count)(series, options)
    except Violation as violation:
        raise click.ClickException(shortened(clean(f"violation in {violation}"), 900)) from None
    if options["check"]:
        click.echo("\nno violations")


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise click.UsageError(f"--save: {folder} cannot be created: {error.strerror}") from None


def _tell(series: Series, options: dict[str, Any]) -> None:
    """Print one game while it is played."""
    names = NAMES[: series.rules.seats]
    teller = Teller(series.rules, names)
    for game in series.watch(options["first"], check=options["check"]):
        print_move(teller.tell(game.moves[-1]), names)
        if game.is_over:
            _save(game, options["save"])


def _count(series: Series, options: dict[str, Any]) -> None:
    """Play many games and print a summary."""
    tallies, started = [], time.monotonic()
    numbers = range(options["first"], options["first"] + options["games"])
    for number in with_progress(numbers, len(numbers), "Playing"):
        game = series.play(number, check=options["check"])
        _save(game, options["save"])
        tallies.append(figures_of(game))
    spent = time.monotonic() - started
    for line in summary(tallies, NAMES[: series.rules.seats]):
        click.echo(line)
    moves = sum(tally.moves for tally in tallies)
    speed = f"{count(round(moves / spent), 'move')} and {len(tallies) / spent:.1f} games per second"
    click.echo(faint(f"{spent:.1f} seconds: {speed}"), err=True)


def _save(game: Game, folder: Path | None) -> None:
    if folder is None:
        return
    path = folder / f"{game.id}.jsonl"
    try:
        path.write_text("".join(f"{line}\n" for line in game.lines()), encoding="utf-8", newline="")
    except OSError as error:
        raise click.UsageError(f"--save: {path} cannot be written: {error.strerror}") from None
