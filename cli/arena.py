"""`nightmail arena`: bots against each other, and who is stronger by how much."""

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
    Manner,
    announce,
    asking_urls,
    entrant,
    jobs_for,
    manner,
    open_rooms,
    played,
    tell,
)
from cli.files import NewFile
from cli.progress import with_progress
from cli.ratings import Rating, ratings
from cli.show import title
from cli.table_options import at_a_table, ruleset
from cli.terminal import faint, grid
from engine import Ruleset


@click.command(epilog="Example: nightmail arena --board europe --games 400 --bots medium,hard")
@at_a_table(seats=2)
@click.option(
    "--games", type=click.IntRange(1), default=100, show_default=True, help="For every pair."
)
@click.option(
    "--bots", "names", metavar="NAMES", default=",".join(HOUSE), show_default=True,
    help="Who takes part: house bots and URLs, with commas between them.",
)  # fmt: skip
@asking_urls
@click.option("--seed", metavar="TEXT", help="The same text gives the same games.")
@click.option(
    "--csv", "table", metavar="FILE", type=NewFile(),
    help="Write a line for every game.",
)  # fmt: skip
@click.option(
    "--plot", metavar="FILE", type=NewFile(),
    help="Draw what came of it, as an SVG.",
)  # fmt: skip
@click.option(
    "--processes", type=click.IntRange(1), default=1, show_default=True, help="At the same time."
)
def arena(**asked: Any) -> None:
    """Let bots play a round robin.

    Every pair plays so many games. Each draw of the luck is played twice, with seats rotated; of a
    shared victory each has a part. What the clock says goes to standard error, so that the same
    --seed gives the same output. Without --seed one is made up and printed.

    Bots behind URLs are asked as by nightmail bot try, and what they did wrong is told at the end.

    Exit status: 0 all is well; 1 a bot behind a URL gave no move when it should; 2 the command was
    wrong.
    """
    if asked["port"] is not None and asked["processes"] > 1:
        raise click.UsageError("--port: bots can read their games with one process only")
    rules, asking = ruleset(asked), manner(asked)
    entrants = _entrants(asked["names"], asking)
    text = secrets.token_hex(8) if asked["seed"] is None else asked["seed"]
    announce(rules, text, [one.name for one in entrants], asked, asking)
    if asked["processes"] == 1:
        open_rooms(entrants, asked["port"])
    jobs = jobs_for(rules, text, matches(entrants, rules.seats, asked["games"]), asking)
    done = list(with_progress(played(jobs, asked["processes"]), len(jobs), "Playing"))
    scores = [one.score for one in done if one.score]
    if scores:
        _publish(rules, scores, asked)
    tell(done)


def _publish(rules: Ruleset, scores: Sequence[Score], asked: dict[str, Any]) -> None:
    fought, rated = duels(scores), ratings(scores)
    for line in (*_duels(fought), "", *_ratings(rated)):
        click.echo(line)
    for line in _times(scores):
        click.echo(faint(line), err=True)
    if asked["table"] is not None:
        _write(asked["table"], scores)
    if asked["plot"] is not None:
        asked["plot"].write_text(chart(title(rules), fought, rated), encoding="utf-8")


def _entrants(said: str, asking: Manner) -> list[Entrant]:
    names = list(dict.fromkeys(name.strip() for name in said.split(",") if name.strip()))
    if len(names) < 2:
        raise click.UsageError("--bots names at least two, with a comma between them")
    return [entrant(name, asking) for name in names]


def _duels(fought: Sequence[Duel]) -> list[str]:
    rows = [("Pair", "games", "won", "95 % between", "mean scores")]
    for duel in fought:
        low, high = duel.interval
        rows.append(
            (
                " against ".join(duel.names),
                str(duel.games),
                f"{duel.share:.1%}",
                f"{low:.1%} and {high:.1%}",
                " : ".join(f"{mean:.1f}" for mean in duel.means),
            )
        )
    return grid(rows)


def _ratings(rated: Mapping[str, Rating]) -> list[str]:
    rows = [("Bot", "rating", "95 % between")]
    for name, one in rated.items():
        low, high = map(round, one.interval)
        rows.append((name, str(round(one.rating)), f"{low} and {high}"))
    return grid(rows)


def _times(scores: Sequence[Score]) -> Iterator[str]:
    found: dict[str, list[float]] = {}
    for score in scores:
        for name, times in zip(score.names, score.times, strict=True):
            found.setdefault(name, []).extend(times)
    for name, all_times in found.items():
        late = quantiles(all_times, n=20)[-1]
        yield f"{name}: {median(all_times) * 1e3:.1f} ms a decision, 95 % under {late * 1e3:.1f} ms"


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
