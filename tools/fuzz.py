"""Random players on every table, with a look at the laws after every move.

`python -m tools.fuzz [--games 20] [--board uk] [--seed TEXT]` stops at the first violation and
prints the command that repeats it.
"""

import secrets
import sys

import click

from cli.progress import with_progress
from service import atlas
from service.selfplay import Series, Violation


@click.command(help=__doc__)
@click.option("--games", type=click.IntRange(1), default=20, show_default=True, help="A table.")
@click.option("--board", "boards", multiple=True, help="Only these boards.")
@click.option("--seed", help="The same text gives the same games.")
def main(games: int, boards: tuple[str, ...], seed: str | None) -> None:
    """Play so many games on every table."""
    text = secrets.token_hex(4) if seed is None else seed
    tables = [
        (board, variants, seats)
        for board in boards or atlas.board_ids()
        for variants, seats in atlas.tables(board)
    ]
    moves = 0
    for board, variants, seats in with_progress(tables, len(tables), "Tables"):
        series = Series(atlas.ruleset(board, variants, seats), text)
        for number in range(1, games + 1):
            try:
                moves += series.play(number, check=True).version
            except Violation as violation:
                print(f"{board} {' '.join(variants)} {seats} seats: {violation}")
                chosen = " ".join(f"--variant {variant}" for variant in variants)
                print(
                    f"repeat: nightmail selfplay --board {board} {chosen} --seats {seats}"
                    f" --seed {text} --first {number} --check"
                )
                sys.exit(1)
    print(f"{len(tables)} tables, {games} games each, {moves} moves, seed {text}: no violation")


if __name__ == "__main__":
    main()
