"""`nightmail show`: retells a game log in sentences."""

from typing import BinaryIO

import click

from cli.files import faults_of
from cli.game_printer import print_move
from cli.terminal import faint, heading
from engine import Log, Ruleset
from engine.text import clean
from service.games.log_files import log_of, rules_of
from service.views.retelling import Hide, Teller, as_seen_by, open_to_all, retell

TABLE = "table"


@click.command(epilog="Example: nightmail show game.jsonl --as 2 --from 40")
@click.argument("file", type=click.File("rb"))
@click.option(
    "--as",
    "reader",
    metavar="SEAT|table",
    help="Show only what this seat (from 1) or a spectator (table) could see during the game.",
)
@click.option("--from", "first", type=click.IntRange(0), default=0, help="The first move to show.")
@click.option("--to", "last", type=click.IntRange(0), help="The last move to show.")
def show(file: BinaryIO, reader: str | None, first: int, last: int | None) -> None:
    """Retell a game log in sentences.

    FILE is the log of a finished or running game, one JSON object per line; - reads standard
    input. Without --as everything in the log is shown. With --as the cards and tickets of others
    stay hidden, even if the game is over; the final scores are shown.

    The log is not checked; use `nightmail verify` for that.
    """
    with faults_of(file):
        log = log_of(file.read())
        rules = rules_of(log)
        tell_log(log, rules, _hide(reader, rules.seats), first, last)


def _hide(reader: str | None, seats: int) -> Hide:
    if reader is None:
        return open_to_all
    if reader == TABLE:
        return as_seen_by(None)
    if reader.isascii() and reader.isdigit() and int(reader[:4]) in range(1, seats + 1):
        return as_seen_by(int(reader[:4]) - 1)
    raise click.BadParameter(
        f"“{clean(reader)}” is neither a seat from 1 to {seats} nor “{TABLE}”", param_hint="--as"
    )


def tell_log(log: Log, rules: Ruleset, hide: Hide, first: int, last: int | None) -> None:
    """Print the title, the moves from the first to the last, and who is to move."""
    names = [f"Seat {seat + 1}" for seat in range(rules.seats)]
    click.echo(heading(title(rules)) + faint(f"  game {clean(log.opening.game)}"))
    if not log.moves:
        click.echo("The game has not begun yet.")
        return
    end = len(log.moves) - 1
    if first > min(end, end if last is None else last):
        raise click.BadParameter(f"the log has moves 0 to {end}", param_hint="--from")
    teller = Teller(rules, names, hide)
    for move in retell(log, teller):
        if first <= move.number and (last is None or move.number <= last):
            print_move(move, names)
    left = "The game was abandoned: everybody left." if log.abandoned else teller.awaited()
    if left and (last is None or last >= end):
        click.echo(f"\n{left}")


def title(rules: Ruleset) -> str:
    """Return the board, its variants and the seats, by their names."""
    board = rules.board
    chosen = [variant.name for variant in board.catalogue if variant.id in board.variants]
    return " · ".join([board.name, *chosen, f"{rules.seats} seats"])
