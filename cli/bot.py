"""`nightmail bot`: for those who write bots."""

import secrets
from collections.abc import Iterator, Sequence
from typing import Any

import click

from bots.arena import Match
from bots.player import HOUSE
from cli.contest import (
    Manner,
    Played,
    announce,
    asking_urls,
    entrant,
    jobs_for,
    manner,
    open_rooms,
    played,
    tell,
)
from cli.progress import with_progress
from cli.remote_bot import is_url
from cli.table_options import at_a_table, ruleset
from cli.terminal import grid


@click.group()
def bot() -> None:
    """Try out bots."""


@bot.command("try", epilog="Example: nightmail bot try http://127.0.0.1:5000/ --games 4")
@click.argument("url")
@at_a_table(seats=2)
@click.option(
    "--against", type=click.Choice(list(HOUSE)), default="medium", show_default=True,
    help="Who plays the other seats.",
)  # fmt: skip
@click.option("--games", type=click.IntRange(1), default=2, show_default=True, help="How many.")
@asking_urls
@click.option("--seed", metavar="TEXT", help="The same text gives the same games.")
def try_(url: str, **asked: Any) -> None:
    """Play the bot at this URL against the house.

    It is asked as the service asks a webhook: a signed decision.opened, answered with a move. No
    server and no database are needed. The bot has every seat in turn, with the same luck.

    Whatever is no move is counted and shown once, and the default is played instead; after three
    in a row the bot is given up.

    Exit status: 0 every answer was a move; 1 some were not; 2 the command was wrong.
    """
    if not is_url(url):
        raise click.UsageError("the bot needs a URL such as http://127.0.0.1:5000/")
    rules, asking = ruleset(asked), manner(asked)
    text = secrets.token_hex(8) if asked["seed"] is None else asked["seed"]
    matches = list(_matches(url, asked["against"], rules.seats, asked["games"], asking))
    announce(rules, text, [url], asked, asking)
    open_rooms([entrant(url, asking)], asked["port"])
    jobs = jobs_for(rules, text, matches, asking)
    done = list(with_progress(played(jobs), len(jobs), "Playing"))
    for line in _results(url, done):
        click.echo(line)
    tell(done)


def _matches(url: str, house: str, seats: int, games: int, asking: Manner) -> Iterator[Match]:
    """Every draw of the luck from every seat."""
    guest, host = entrant(url, asking), entrant(house, asking)
    for number in range(games):
        seated = tuple(guest if seat == number % seats else host for seat in range(seats))
        yield Match(number // seats, seated)


def _results(url: str, done: Sequence[Played]) -> list[str]:
    """A line for every finished game: where the bot sat, and what came of it."""
    rows = [("Game", "seat", "points", "the others", "moves", "")]
    for at, one in enumerate(done, 1):
        if one.score is None:
            continue
        _, names, totals, winners, moves, _ = one.score
        seat = names.index(url)
        others = ", ".join(str(total) for other, total in enumerate(totals) if other != seat)
        outcome = ("won" if len(winners) == 1 else "shared") if seat in winners else "lost"
        rows.append((str(at), str(seat + 1), str(totals[seat]), others, str(moves), outcome))
    return grid(rows) if len(rows) > 1 else []
