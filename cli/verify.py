"""`nightmail verify`: checks the log of a finished game."""

import re
from typing import BinaryIO

import click

from cli.files import faults_of, name_of
from cli.terminal import heading
from engine import GameEnded, verdict
from engine.text import clean, count
from service.games.log_files import Verified, checked, line_of_head

SHORTEST_HEAD = 16


@click.command(epilog="Example: nightmail verify game.jsonl --head 5f1c0a9be2d47f63")
@click.argument("files", metavar="FILE...", nargs=-1, required=True, type=click.File("rb"))
@click.option(
    "--head",
    metavar="HASH",
    help="Also look for this head hash, for example from an email.",
)
def verify(files: tuple[BinaryIO, ...], head: str | None) -> None:
    """Check the logs of finished games.

    FILE is a log that the service publishes after the end, one JSON object per line; - reads
    standard input. No server and no network are needed. The seed must match the commitment, the
    hash chain must be intact, and every move is decided again and must give the events in the log.

    Exit status: 0 the log is valid; 1 it is not, cannot be read or has an unknown board, and the
    first wrong line is printed; 2 there is no such file, or an option is wrong.
    """
    if head is not None and not re.fullmatch(rf"[0-9a-fA-F]{{{SHORTEST_HEAD},64}}", head):
        hint = f"give all 64 hexadecimal digits of the hash, or at least {SHORTEST_HEAD}"
        raise click.BadParameter(hint, param_hint="--head")
    for file in files:
        _report(file, head)


def _report(file: BinaryIO, head: str | None) -> None:
    with faults_of(file):
        verified = checked(file.read())
    line = line_of_head(verified.log, head) if head else None
    if head and line is None:
        raise click.ClickException(f"{name_of(file)}: no line of this log has the head hash {head}")
    click.echo(heading(f"{name_of(file)}: the log is valid"))
    for row in grid_of(verified):
        click.echo(row)
    if line is not None:
        click.echo(f"head given   found in line {line}: {place_of(verified, line)}")


def grid_of(verified: Verified) -> list[str]:
    """Return what was checked, one line each."""
    opening, moves = verified.log.opening, len(verified.log.moves) - 1
    table = ", ".join([opening.board, *opening.variants, f"{opening.seats} seats"])
    names = [f"Seat {seat + 1}" for seat in range(opening.seats)]
    rows = [
        ("game", f"{clean(opening.game)} ({table})"),
        ("commitment", "the seed matches the commitment in line 1"),
        ("hash chain", f"{count(len(verified.log.lines), 'line')}, the last one has the head"),
        ("head", verified.head),
        ("moves", f"the set-up and {count(moves, 'move')} decided again, with the same events"),
        ("result", _result(verified.ended, names)),
    ]
    return [f"{label:<12} {value}" for label, value in rows]


def _result(ended: GameEnded | None, names: list[str]) -> str:
    if ended is None:
        return "none: the game was abandoned because everybody left"
    return f"{verdict(ended, names)} The end: {ended.reason.replace('_', ' ')}."


def place_of(verified: Verified, line: int) -> str:
    """Return what a line of a complete log contains."""
    if line == 1:
        return "the opening, before the first move"
    if line == len(verified.log.lines):
        return "the end, with the seed"
    return f"the game as it was after move {line - 2}" if line > 2 else "the set-up"
