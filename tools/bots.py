"""Lets house bots play on every board, variant and number of seats, and checks every move.

It stops at the first move that is refused, or at a game that does not end.
"""

import click

from bots.arena import Entrant, Match, play
from bots.player import HOUSE
from cli.progress import with_progress
from cli.show import title
from service.boards import atlas


@click.command(help=__doc__)
@click.option(
    "--games", type=click.IntRange(1), default=12, show_default=True, help="Games per table."
)
@click.option("--board", "boards", multiple=True, help="Only these boards.")
@click.option(
    "--seed", default="tools", show_default=True, help="The same text gives the same games."
)
def main(games: int, boards: tuple[str, ...], seed: str) -> None:
    """Play games on every table, with all bots in turn on every seat."""
    tables, names, moves = list(atlas.tables(*boards)), list(HOUSE), 0
    for table in with_progress(tables, len(tables), "Tables"):
        rules, before = atlas.ruleset(*table), moves
        for number in range(games):
            seated = [names[(seat + number) % len(names)] for seat in range(rules.seats)]
            entrants = tuple(Entrant(name, HOUSE[name]) for name in seated)
            moves += play(rules, Match(number, entrants), seed).moves
        click.echo(f"{title(rules)}: {games} games, {moves - before} moves")
    click.echo(f"{len(tables)} tables, {games} games each, {moves} moves: no errors")


if __name__ == "__main__":
    main()
