"""`nightmail arena`: bots against each other, and who is stronger by how much."""

import csv
import secrets
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from statistics import median, quantiles
from typing import Any, NamedTuple

import click

from bots.arena import Entrant, Match, Score, matches, play
from bots.player import HOUSE, Unknown, named
from bots.standings import Duel, Rating, duels, ratings
from cli.chart import chart
from cli.paper import faint, grid, heading
from cli.progress import with_progress
from cli.show import title
from engine import MapError, Ruleset
from engine.words import clean, signed
from service import atlas

CHUNK = 8
"""So many games are handed to a process at a time."""


class Job(NamedTuple):
    """A game as another process is told of it: names only, it finds the bots itself."""

    board: str
    variants: tuple[str, ...]
    text: str
    number: int
    names: tuple[str, ...]


@click.command(epilog="Example: nightmail arena --board europe --games 400 --bots medium,hard")
@click.option("--board", default="usa", show_default=True, help="The board; see nightmail maps.")
@click.option("--variant", "variants", multiple=True, help="A variant; may be given repeatedly.")
@click.option("--seats", type=int, default=2, show_default=True, help="How many play.")
@click.option(
    "--games", type=click.IntRange(1), default=100, show_default=True, help="For every pair."
)
@click.option("--bots", "names", default=",".join(HOUSE), show_default=True, help="Who takes part.")
@click.option("--seed", metavar="TEXT", help="The same text gives the same games.")
@click.option(
    "--csv", "table", metavar="FILE", type=click.Path(dir_okay=False, path_type=Path),
    help="Write a line for every game.",
)  # fmt: skip
@click.option(
    "--plot", metavar="FILE", type=click.Path(dir_okay=False, path_type=Path),
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
    """
    rules, entrants = _rules(asked), _entrants(asked["names"])
    text = secrets.token_hex(8) if asked["seed"] is None else asked["seed"]
    click.echo(heading(title(rules)) + faint(f"  seed {clean(text)}"))
    pairs = list(matches(entrants, rules.seats, asked["games"]))
    jobs = [_job(rules, text, match) for match in pairs]
    played = with_progress(_played(jobs, asked["processes"]), len(jobs), "Playing")
    scores = list(played)
    fought = duels(scores)
    rated = ratings([entrant.name for entrant in entrants], fought)
    for line in (*_duels(fought), "", *_ratings(rated)):
        click.echo(line)
    for line in _times(scores):
        click.echo(faint(line), err=True)
    if asked["table"] is not None:
        _write(asked["table"], scores)
    if asked["plot"] is not None:
        asked["plot"].write_text(chart(title(rules), fought, rated), encoding="utf-8")


def _rules(asked: dict[str, Any]) -> Ruleset:
    try:
        return atlas.ruleset(asked["board"], asked["variants"], asked["seats"])
    except MapError as error:
        raise click.UsageError(str(error)) from None


def _entrants(said: str) -> list[Entrant]:
    names = list(dict.fromkeys(name.strip() for name in said.split(",") if name.strip()))
    if len(names) < 2:
        raise click.UsageError("--bots names at least two, with a comma between them")
    try:
        return [Entrant(name, named(name)) for name in names]
    except Unknown as error:
        raise click.UsageError(f"--bots: {error}") from None


def _job(rules: Ruleset, text: str, match: Match) -> Job:
    board = rules.board
    names = tuple(entrant.name for entrant in match.seated)
    return Job(board.id, board.variants, text, match.number, names)


def _played(jobs: Sequence[Job], processes: int) -> Iterator[Score]:
    if processes == 1:
        yield from map(_play, jobs)
        return
    with ProcessPoolExecutor(processes) as pool:
        yield from pool.map(_play, jobs, chunksize=CHUNK)


def _play(job: Job) -> Score:
    rules = atlas.ruleset(job.board, job.variants, len(job.names))
    seated = tuple(Entrant(name, named(name)) for name in job.names)
    return play(rules, Match(job.number, seated), job.text, time.perf_counter)


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


def _ratings(rated: Sequence[Rating]) -> list[str]:
    rows = [("Bot", "Elo", "±")]
    rows += [(one.name, signed(round(one.elo)), str(round(one.margin))) for one in rated]
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
