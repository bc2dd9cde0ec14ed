"""Plays games between house bots and bots behind URLs, in one or several processes."""

import hashlib
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from typing import Any, NamedTuple, TypeVar

import click

from bots.arena import Endless, Entrant, Match, Score, play
from bots.player import Bot, Unknown, named
from cli.remote_bot import (
    Conduct,
    GivenUp,
    RemoteBot,
    fresh_secret,
    is_secret,
    is_url,
    report,
    together,
)
from cli.show import title
from cli.terminal import faint, heading
from engine import Event, Refusal, Ruleset
from engine.text import clean
from service.boards import atlas
from workers.calling.connector import DEADLINE

Command = TypeVar("Command", bound=Callable[..., Any])
CHUNK = 8
"""How many games a process gets at a time."""

_remotes: dict[tuple[str, "CallSettings"], RemoteBot] = {}
"""The remote bots of this process; connections and failure counts last from game to game."""


class CallSettings(NamedTuple):
    """How bots behind URLs are called."""

    secret: str
    deadline: float


class Job(NamedTuple):
    """A game to be played, possibly in another process, which looks up the bots by name."""

    id: str
    board: str
    variants: tuple[str, ...]
    text: str
    number: int
    names: tuple[str, ...]
    settings: CallSettings


class Played(NamedTuple):
    """The result of a job, and how bots behind URLs behaved."""

    score: Score | None
    """None if the game was broken off."""
    conducts: dict[str, Conduct]
    given_up: str | None = None
    """Why the game was broken off."""


def with_url_options(command: Command) -> Command:
    """Give a command the options for calling bots behind URLs."""
    within = click.FloatRange(0, DEADLINE, min_open=True)
    for option in (
        click.option(
            "--deadline", type=within, metavar="SECONDS", default=DEADLINE, show_default=True,
            help="How long a bot behind a URL may take to answer.",
        ),
        click.option(
            "--secret", metavar="whsec_…", envvar="NIGHTMAIL_SECRET", show_envvar=True,
            help="The secret that signs requests to bots behind URLs; random unless given.",
        ),
        click.option(
            "--port", type=click.IntRange(1, 65535), metavar="PORT",
            help="The local port on which a bot behind a URL can read its games; a free one "
            "unless given. Further bots get the next ports.",
        ),
    ):  # fmt: skip
        command = option(command)
    return command


def call_settings(options: dict[str, Any]) -> CallSettings:
    """Return the settings for calling bots, with a random secret if none was given."""
    secret = options["secret"]
    if secret is not None and not is_secret(secret):
        raise click.UsageError("--secret: must be whsec_ followed by base64")
    return CallSettings(secret or fresh_secret(), options["deadline"])


def announce(
    rules: Ruleset, text: str, names: Iterable[str], options: dict[str, Any], settings: CallSettings
) -> None:
    """Print what is played, and the secret if it was made up."""
    click.echo(heading(title(rules)) + faint(f"  seed {clean(text)}"))
    if options["secret"] is None and any(map(is_url, names)):
        click.echo(faint(f"signed with {settings.secret}; choose another with --secret"), err=True)


def serve_games(entrants: Iterable[Entrant], port: int | None) -> None:
    """Serve each bot behind a URL its games on this machine, and print where."""
    remotes = [bot for _, bot in entrants if isinstance(bot, RemoteBot)]
    for at, remote in enumerate(remotes):
        try:
            address = remote.serve_games(port + at if port else 0)
        except (OSError, OverflowError):
            _hang_up()
            raise click.UsageError(f"--port: {(port or 0) + at} cannot be used") from None
        click.echo(faint(f"{remote.url} can read its games at {address}"), err=True)


def entrant(name: str, settings: CallSettings) -> Entrant:
    """Return the house bot of this name, or the bot at this URL."""
    try:
        return Entrant(name, _bot(name, settings))
    except Unknown as error:
        raise click.UsageError(f"{error}, or a URL") from None
    except Refusal as refusal:
        raise click.UsageError(refusal.sentence) from None


def jobs_for(
    rules: Ruleset, text: str, matches: Iterable[Match], settings: CallSettings
) -> list[Job]:
    """Return the matches as jobs; every game has an id of its own, even with the same seed."""
    board, run = rules.board, hashlib.sha256(text.encode()).hexdigest()[:8]
    return [
        Job(f"game-{run}-{at}", board.id, board.variants, text, match.number, match.names, settings)
        for at, match in enumerate(matches, 1)
    ]


def played(jobs: Sequence[Job], processes: int = 1) -> Iterator[Played]:
    """Play the jobs and yield their results in order, until a bot is given up."""
    with ExitStack() as stack:
        stack.callback(_hang_up)
        outcomes: Iterator[Played]
        if processes == 1:
            outcomes = map(_played, jobs)
        else:
            pool = stack.enter_context(ProcessPoolExecutor(processes))
            outcomes = pool.map(_played, jobs, chunksize=CHUNK)
        for game in outcomes:
            yield game
            if game.given_up:
                return


def tell(done: Sequence[Played]) -> None:
    """Print how bots behind URLs behaved; exits with status 1 if anything went wrong."""
    by_name: dict[str, list[Conduct]] = {}
    for game in done:
        for name, conduct in game.conducts.items():
            by_name.setdefault(name, []).append(conduct)
    whole = {name: together(conducts) for name, conducts in by_name.items()}
    for name, conduct in whole.items():
        click.echo(f"\n{heading(name)}")
        for line in report(conduct):
            click.echo(line)
    for game in done:
        if game.given_up:
            raise click.ClickException(game.given_up)
    if any(conduct.faults for conduct in whole.values()):
        click.get_current_context().exit(1)


def _played(job: Job) -> Played:
    rules = atlas.ruleset(job.board, job.variants, len(job.names))
    seated = tuple(Entrant(name, _bot(name, job.settings)) for name in job.names)
    remotes = {name: bot for name, bot in seated if isinstance(bot, RemoteBot)}

    def watch(moves: int, news: tuple[Event, ...]) -> None:
        for remote in remotes.values():
            remote.watch(moves, news)

    score, given_up = None, None
    try:
        for remote in remotes.values():
            remote.sit(job.id)
        score = play(rules, Match(job.number, seated), job.text, time.perf_counter, watch)
    except (GivenUp, Endless) as error:
        given_up = str(error)
    return Played(score, {name: remote.conduct for name, remote in remotes.items()}, given_up)


def _bot(name: str, settings: CallSettings) -> Bot:
    if not is_url(name):
        return named(name)
    if (name, settings) not in _remotes:
        _remotes[name, settings] = RemoteBot(name, *settings)
    return _remotes[name, settings]


def _hang_up() -> None:
    while _remotes:
        _remotes.popitem()[1].close()
