"""Lets random players play on every table, and checks invariants after every move.

It stops at the first violation and prints how to repeat it.
"""

import secrets

import click

from cli.progress import with_progress
from engine import MapError
from service.boards import atlas
from service.games.bots.selfplay import Series, Violation


@click.command(help=__doc__)
@click.option(
    "--games", type=click.IntRange(1), default=20, show_default=True, help="Games per table."
)
@click.option("--board", "boards", multiple=True, help="Only these boards.")
@click.option("--seed", help="The same text gives the same games.")
def main(games: int, boards: tuple[str, ...], seed: str | None) -> None:
    """Play games on every table."""
    text = secrets.token_hex(4) if seed is None else seed
    moves = 0
    try:
        tables = list(atlas.tables(*boards))
        for table in with_progress(tables, len(tables), "Tables"):
            series = Series(atlas.ruleset(*table), text)
            moves += sum(series.play(number, check=True).version for number in range(1, games + 1))
    except (MapError, Violation) as error:
        raise click.ClickException(str(error)) from None
    click.echo(
        f"{len(tables)} tables, {games} games each, {moves} moves, seed {text}: no violations"
    )


if __name__ == "__main__":
    main()
