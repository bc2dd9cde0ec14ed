"""`nightmail bot`: tools for authors of bots."""

import secrets
from collections.abc import Iterator, Sequence
from typing import Any

import click

from bots.arena import Match
from bots.player import HOUSE
from cli.contest import (
    CallSettings,
    Played,
    announce,
    call_settings,
    entrant,
    jobs_for,
    played,
    serve_games,
    tell,
    with_url_options,
)
from cli.progress import with_progress
from cli.remote_bot import is_url
from cli.table_options import ruleset, with_table_options
from cli.terminal import grid


@click.group()
def bot() -> None:
    """Try out bots."""


@bot.command("try", epilog="Example: nightmail bot try http://127.0.0.1:5000/ --games 4")
@click.argument("url")
@with_table_options(seats=2)
@click.option(
    "--against", type=click.Choice(list(HOUSE)), default="medium", show_default=True,
    help="Who plays the other seats.",
)  # fmt: skip
@click.option(
    "--games", type=click.IntRange(1), default=2, show_default=True, help="How many games."
)
@with_url_options
@click.option("--seed", metavar="TEXT", help="The same text gives the same games.")
def try_(url: str, **options: Any) -> None:
    """Play the bot at this URL against the house.

    The bot is called as the service calls a webhook: it gets a signed decision.opened and answers
    with a move. No server and no database are needed. The bot plays every deal from every seat.

    Answers that are not a move are counted and shown once, and the default is played instead;
    after three of them in a row the bot is given up and the run ends.

    Exit status: 0 every answer was a move; 1 some were not; 2 wrong usage.
    """
    if not is_url(url):
        raise click.UsageError("give the bot's URL, such as http://127.0.0.1:5000/")
    rules, settings = ruleset(options), call_settings(options)
    text = secrets.token_hex(8) if options["seed"] is None else options["seed"]
    matches = list(_matches(url, options["against"], rules.seats, options["games"], settings))
    announce(rules, text, [url], options, settings)
    serve_games([entrant(url, settings)], options["port"])
    jobs = jobs_for(rules, text, matches, settings)
    done = list(with_progress(played(jobs), len(jobs), "Playing"))
    for line in _results(url, done):
        click.echo(line)
    tell(done)


def _matches(
    url: str, house: str, seats: int, games: int, settings: CallSettings
) -> Iterator[Match]:
    """Yield every deal from every seat."""
    guest, host = entrant(url, settings), entrant(house, settings)
    for number in range(games):
        seated = tuple(guest if seat == number % seats else host for seat in range(seats))
        yield Match(number // seats, seated)


def _results(url: str, done: Sequence[Played]) -> list[str]:
    """Return a line for every finished game: the bot's seat and the result."""
    rows = [("Game", "seat", "points", "others", "moves", "")]
    for at, game in enumerate(done, 1):
        if game.score is None:
            continue
        _, names, totals, winners, moves, _ = game.score
        seat = names.index(url)
        others = ", ".join(str(total) for other, total in enumerate(totals) if other != seat)
        outcome = ("won" if len(winners) == 1 else "shared") if seat in winners else "lost"
        rows.append((str(at), str(seat + 1), str(totals[seat]), others, str(moves), outcome))
    return grid(rows) if len(rows) > 1 else []
