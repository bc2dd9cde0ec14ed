"""`nightmail verify`: check the log of a game that is over."""

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
    help="Also look for this head hash, as it stood in a mail.",
)
def verify(files: tuple[BinaryIO, ...], head: str | None) -> None:
    """Check the logs of games that are over.

    FILE is what the service gives out after the end, one JSON object a line; - reads standard
    input. No server and no network is needed. The seed must be the one that was committed to, the
    hash chain must be whole, and every move is decided once more and must come out as the log says.

    Exit status: 0 the log holds; 1 it does not, or it cannot be read, or its board is not known
    here, with the first line at fault; 2 there is no such file, or an option is wrong.
    """
    if head is not None and not re.fullmatch(rf"[0-9a-fA-F]{{{SHORTEST_HEAD},64}}", head):
        wanted = f"give all 64 hexadecimal digits of the hash, or at least {SHORTEST_HEAD}"
        raise click.BadParameter(wanted, param_hint="--head")
    for file in files:
        _report(file, head)


def _report(file: BinaryIO, head: str | None) -> None:
    with faults_of(file):
        found = checked(file.read())
    line = line_of_head(found.log, head) if head else None
    if head and line is None:
        raise click.ClickException(f"{name_of(file)}: no line of this log has the head hash {head}")
    click.echo(heading(f"{name_of(file)}: the log holds"))
    for row in grid_of(found):
        click.echo(row)
    if line is not None:
        click.echo(f"head given   stands in line {line}: {place_of(found, line)}")


def grid_of(found: Verified) -> list[str]:
    """What was checked, one thing a line."""
    opening, moves = found.log.opening, len(found.log.moves) - 1
    table = ", ".join([opening.board, *opening.variants, f"{opening.seats} seats"])
    names = [f"Seat {seat + 1}" for seat in range(opening.seats)]
    rows = [
        ("game", f"{clean(opening.game)} ({table})"),
        ("commitment", "the seed is the one that line 1 commits to"),
        ("hash chain", f"{count(len(found.log.lines), 'line')}, the last of which has the head"),
        ("head", found.head),
        ("moves", f"the set-up and {count(moves, 'move')} re-decided, all as the log says"),
        ("result", _result(found.ended, names)),
    ]
    return [f"{label:<12} {said}" for label, said in rows]


def _result(ended: GameEnded | None, names: list[str]) -> str:
    if ended is None:
        return "none: the game was abandoned, since everybody had left it"
    return f"{verdict(ended, names)} The end: {ended.reason.replace('_', ' ')}."


def place_of(found: Verified, line: int) -> str:
    """What a line of a whole log holds."""
    if line == 1:
        return "the opening, before the first move"
    if line == len(found.log.lines):
        return "the end, with the seed"
    return f"the game as it was after move {line - 2}" if line > 2 else "the set-up"
