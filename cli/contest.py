"""Games between house bots and bots behind URLs, one after another or in several processes."""

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
from workers.channels.webhook.connector import DEADLINE

Command = TypeVar("Command", bound=Callable[..., Any])
CHUNK = 8
"""So many games are handed to a process at a time."""

_remotes: dict[tuple[str, "Manner"], RemoteBot] = {}
"""Those of this process: connections and patience last from game to game."""


class Manner(NamedTuple):
    """How bots behind URLs are asked."""

    secret: str
    deadline: float


class Job(NamedTuple):
    """A game as another process is told of it: names only, it finds the bots itself."""

    id: str
    board: str
    variants: tuple[str, ...]
    text: str
    number: int
    names: tuple[str, ...]
    manner: Manner


class Played(NamedTuple):
    """What came of a job, and how those behind URLs have behaved."""

    score: Score | None
    """None if it was broken off."""
    conducts: dict[str, Conduct]
    given_up: str | None = None
    """Why it was."""


def asking_urls(command: Command) -> Command:
    """Give a command the options that say how bots behind URLs are asked."""
    within = click.FloatRange(0, DEADLINE, min_open=True)
    for option in (
        click.option(
            "--deadline", type=within, metavar="SECONDS", default=DEADLINE, show_default=True,
            help="How long a bot behind a URL may take for an answer.",
        ),
        click.option(
            "--secret", metavar="whsec_…", envvar="NIGHTMAIL_SECRET", show_envvar=True,
            help="What signs the messages to bots behind URLs.",
        ),
        click.option(
            "--port", type=click.IntRange(1, 65535), metavar="PORT",
            help="Where the bot behind a URL can read its games; a free one unless given. "
            "The next bots have the next ports.",
        ),
    ):  # fmt: skip
        command = option(command)
    return command


def manner(asked: dict[str, Any]) -> Manner:
    """How to ask, with a secret that is made up if there is none."""
    secret = asked["secret"]
    if secret is not None and not is_secret(secret):
        raise click.UsageError("--secret: must be whsec_ and base64 behind it")
    return Manner(secret or fresh_secret(), asked["deadline"])


def announce(
    rules: Ruleset, text: str, names: Iterable[str], asked: dict[str, Any], asking: Manner
) -> None:
    """Say what is played, and what those behind URLs have to know if it was made up."""
    click.echo(heading(title(rules)) + faint(f"  seed {clean(text)}"))
    if asked["secret"] is None and any(map(is_url, names)):
        click.echo(faint(f"signed with {asking.secret}, which --secret changes"), err=True)


def open_rooms(entrants: Iterable[Entrant], port: int | None) -> None:
    """Let each bot behind a URL read its games on this machine, and say where."""
    remotes = [bot for _, bot in entrants if isinstance(bot, RemoteBot)]
    for at, remote in enumerate(remotes):
        try:
            address = remote.open_room(port + at if port else 0)
        except (OSError, OverflowError):
            _hang_up()
            raise click.UsageError(f"--port: {(port or 0) + at} cannot be used") from None
        click.echo(faint(f"{remote.url} can read its games at {address}"), err=True)


def entrant(name: str, asked: Manner) -> Entrant:
    """Who is called so: a house bot, or the bot at this URL."""
    try:
        return Entrant(name, _bot(name, asked))
    except Unknown as error:
        raise click.UsageError(f"{error}, and those at URLs") from None
    except Refusal as refusal:
        raise click.UsageError(refusal.sentence) from None


def jobs_for(rules: Ruleset, text: str, some: Iterable[Match], asked: Manner) -> list[Job]:
    """The matches as jobs; every game has a name of its own, even where the luck is the same."""
    board, run = rules.board, hashlib.sha256(text.encode()).hexdigest()[:8]
    return [
        Job(f"game-{run}-{at}", board.id, board.variants, text, match.number, match.names, asked)
        for at, match in enumerate(some, 1)
    ]


def played(jobs: Sequence[Job], processes: int = 1) -> Iterator[Played]:
    """What comes of the jobs, in their order, until somebody is given up."""
    with ExitStack() as stack:
        stack.callback(_hang_up)
        outcomes: Iterator[Played]
        if processes == 1:
            outcomes = map(_played, jobs)
        else:
            pool = stack.enter_context(ProcessPoolExecutor(processes))
            outcomes = pool.map(_played, jobs, chunksize=CHUNK)
        for one in outcomes:
            yield one
            if one.given_up:
                return


def tell(done: Sequence[Played]) -> None:
    """Say how those behind URLs have behaved; what went wrong becomes the exit status."""
    found: dict[str, list[Conduct]] = {}
    for one in done:
        for name, conduct in one.conducts.items():
            found.setdefault(name, []).append(conduct)
    whole = {name: together(some) for name, some in found.items()}
    for name, conduct in whole.items():
        click.echo(f"\n{heading(name)}")
        for line in report(conduct):
            click.echo(line)
    for one in done:
        if one.given_up:
            raise click.ClickException(one.given_up)
    if any(conduct.faults for conduct in whole.values()):
        click.get_current_context().exit(1)


def _played(job: Job) -> Played:
    rules = atlas.ruleset(job.board, job.variants, len(job.names))
    seated = tuple(Entrant(name, _bot(name, job.manner)) for name in job.names)
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
    return Played(score, {name: one.conduct for name, one in remotes.items()}, given_up)


def _bot(name: str, asked: Manner) -> Bot:
    if not is_url(name):
        return named(name)
    if (name, asked) not in _remotes:
        _remotes[name, asked] = RemoteBot(name, *asked)
    return _remotes[name, asked]


def _hang_up() -> None:
    while _remotes:
        _remotes.popitem()[1].close()
