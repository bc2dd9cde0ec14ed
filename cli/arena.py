"""`nightmail arena`: lets bots play each other and compares their strength."""

import csv
import secrets
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import median, quantiles
from typing import Any

import click

from bots.arena import Entrant, Score, matches
from bots.player import HOUSE
from bots.standings import Duel, duels
from cli.arena_chart import chart
from cli.contest import (
    CallSettings,
    announce,
    call_settings,
    entrant,
    jobs_for,
    played,
    serve_games,
    tell,
    with_url_options,
)
from cli.files import NewFile
from cli.progress import with_progress
from cli.ratings import Rating, ratings
from cli.show import title
from cli.table_options import ruleset, with_table_options
from cli.terminal import faint, grid
from engine import Ruleset


@click.command(epilog="Example: nightmail arena --board europe --games 400 --bots medium,hard")
@with_table_options(seats=2)
@click.option(
    "--games", type=click.IntRange(1), default=100, show_default=True, help="Games per pair."
)
@click.option(
    "--bots", "names", metavar="NAMES", default=",".join(HOUSE), show_default=True,
    help="Who takes part: house bots and URLs, separated by commas.",
)  # fmt: skip
@with_url_options
@click.option("--seed", metavar="TEXT", help="The same text gives the same games.")
@click.option(
    "--csv", "table", metavar="FILE", type=NewFile(),
    help="Write a CSV file with a line for every game.",
)  # fmt: skip
@click.option(
    "--plot", metavar="FILE", type=NewFile(),
    help="Draw the results as SVG.",
)  # fmt: skip
@click.option(
    "--processes",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    help="How many processes play at the same time.",
)
def arena(**options: Any) -> None:
    """Let bots play a round robin.

    Every pair plays the given number of games. Each deal is played twice, with seats rotated. A
    shared victory counts in part for each winner. Times go to standard error, so that the same
    --seed gives the same output. Without --seed a random one is used and printed.

    Bots behind URLs are called in the same way as by nightmail bot try; their errors are listed at
    the end.

    Exit status: 0 success; 1 a bot behind a URL failed to answer with a move; 2 wrong usage.
    """
    if options["port"] is not None and options["processes"] > 1:
        raise click.UsageError("--port: bots can read their games only with --processes 1")
    rules, settings = ruleset(options), call_settings(options)
    entrants = _entrants(options["names"], settings)
    text = secrets.token_hex(8) if options["seed"] is None else options["seed"]
    announce(rules, text, [game.name for game in entrants], options, settings)
    if options["processes"] == 1:
        serve_games(entrants, options["port"])
    jobs = jobs_for(rules, text, matches(entrants, rules.seats, options["games"]), settings)
    done = list(with_progress(played(jobs, options["processes"]), len(jobs), "Playing"))
    scores = [game.score for game in done if game.score]
    if scores:
        _publish(rules, scores, options)
    tell(done)


def _publish(rules: Ruleset, scores: Sequence[Score], options: dict[str, Any]) -> None:
    fought, rated = duels(scores), ratings(scores)
    for line in (*_duels(fought), "", *_ratings(rated)):
        click.echo(line)
    for line in _times(scores):
        click.echo(faint(line), err=True)
    if options["table"] is not None:
        _write(options["table"], scores)
    if options["plot"] is not None:
        options["plot"].write_text(chart(title(rules), fought, rated), encoding="utf-8")


def _entrants(text: str, settings: CallSettings) -> list[Entrant]:
    names = list(dict.fromkeys(name.strip() for name in text.split(",") if name.strip()))
    if len(names) < 2:
        raise click.UsageError("--bots: name at least two, separated by commas")
    return [entrant(name, settings) for name in names]


def _duels(fought: Sequence[Duel]) -> list[str]:
    rows = [("Pair", "games", "won", "95 % interval", "mean scores")]
    for duel in fought:
        low, high = duel.interval
        rows.append(
            (
                " against ".join(duel.names),
                str(duel.games),
                f"{duel.share:.1%}",
                f"{low:.1%} to {high:.1%}",
                " : ".join(f"{mean:.1f}" for mean in duel.means),
            )
        )
    return grid(rows)


def _ratings(rated: Mapping[str, Rating]) -> list[str]:
    rows = [("Bot", "rating", "95 % interval")]
    for name, rating in rated.items():
        low, high = map(round, rating.interval)
        rows.append((name, str(round(rating.rating)), f"{low} to {high}"))
    return grid(rows)


def _times(scores: Sequence[Score]) -> Iterator[str]:
    by_name: dict[str, list[float]] = {}
    for score in scores:
        for name, times in zip(score.names, score.times, strict=True):
            by_name.setdefault(name, []).extend(times)
    for name, all_times in by_name.items():
        late = quantiles(all_times, n=20)[-1]
        middle = median(all_times)
        yield f"{name}: {middle * 1e3:.1f} ms per decision, 95 % under {late * 1e3:.1f} ms"


def _write(path: Path, scores: Sequence[Score]) -> None:
    seats = range(len(scores[0].names))
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        bots, points = (
            [f"bot {seat + 1}" for seat in seats],
            [f"score {seat + 1}" for seat in seats],
        )
        writer.writerow(["draw", *bots, *points, "winners", "moves"])
        for score in scores:
            won = " ".join(str(seat + 1) for seat in score.winners)
            writer.writerow([score.number, *score.names, *score.totals, won, score.moves])
