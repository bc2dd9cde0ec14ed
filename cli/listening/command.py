"""`nightmail hook`: tools for authors of programs behind webhooks."""

import json
import queue
import threading
from datetime import datetime
from typing import Any

import click

from cli.contest import call_settings
from cli.listening.event_stream import ServerEvent
from cli.listening.forwarder import Forwarder
from cli.listening.service_client import PAUSE, Busy, Refused, ServiceClient
from cli.remote_bot import is_url
from cli.terminal import faint
from engine import Refusal
from engine.text import clean
from workers.calling.connector import DEADLINE

Json = dict[str, Any]
News = queue.SimpleQueue[ServerEvent | Refused]
"""What the thread that reads the stream passes on: events, or why it has ended for good."""


@click.group()
def hook() -> None:
    """Try out programs behind webhooks on your own machine."""


@hook.command(epilog="Example: nightmail hook listen --forward http://127.0.0.1:5000/")
@click.option("--forward", "url", required=True, metavar="URL", help="Where your program listens.")
@click.option(
    "--service",
    metavar="URL",
    envvar="NIGHTMAIL",
    show_envvar=True,
    show_default=True,
    default="http://127.0.0.1:8000",
    help="The service.",
)
@click.option(
    "--token",
    metavar="nm_…",
    envvar="NIGHTMAIL_TOKEN",
    show_envvar=True,
    help="A token with the scopes read and play; better in the environment than in the history "
    "of your shell.",
)
@click.option(
    "--secret",
    metavar="whsec_…",
    envvar="NIGHTMAIL_SECRET",
    show_envvar=True,
    help="The secret that signs the messages; random unless given.",
)
@click.option(
    "--deadline",
    type=click.FloatRange(0, DEADLINE, min_open=True),
    metavar="SECONDS",
    default=DEADLINE,
    show_default=True,
    help="How long your program may take to answer.",
)
@click.option("--game", metavar="ID", help="Only this game.")
def listen(url: str, service: str, token: str | None, game: str | None, **options: Any) -> None:
    """Bring webhook messages to a program on this machine.

    No tunnel and no webhook are needed: the command reads the stream of your account, sends your
    program the messages that a webhook would get, signed in the same way, and makes the moves in
    its answers. It begins with every open decision, and goes on after a break of the connection.

    Forwarded are decision.opened, message.posted, game.started and game.finished. A decision
    without a legal move in the answer is sent again until it is made.

    It runs until you press Ctrl-C. Exit status: 1 the token is refused; 2 wrong usage.
    """  # fmt: skip
    if not is_url(url) or not is_url(service):
        raise click.UsageError("give URLs, such as http://127.0.0.1:5000/")
    if not token:
        raise click.UsageError("set NIGHTMAIL_TOKEN to a token of your account, or give --token")
    settings = call_settings(options)
    client = ServiceClient(service, token)
    try:
        forwarder = Forwarder(client, url, settings.secret, settings.deadline, _say)
    except Refusal as refusal:
        raise click.UsageError(refusal.sentence) from None
    if options["secret"] is None:
        click.echo(faint(f"signed with {settings.secret}; choose another with --secret"), err=True)
    news: News = queue.SimpleQueue()
    stopped = threading.Event()
    try:
        _say(f"Listening for {forwarder.greet()} at {client.address}.")
        threading.Thread(target=_read, args=(client, news, stopped), daemon=True).start()
        _forward(forwarder, news, game)
    except Refused as refused:
        raise click.ClickException(f"{client.address}: {refused}") from None
    finally:
        stopped.set()
        forwarder.close()


def _forward(forwarder: Forwarder, news: News, game: str | None) -> None:
    """Forward events as they come, and decisions again when they are due; ends only by Refused."""
    while True:
        forwarder.send_due()
        try:
            event = news.get(timeout=forwarder.seconds_to_wait())
        except queue.Empty:
            continue
        if isinstance(event, Refused):
            raise event
        data: Json = json.loads(event.data)
        if game is None or data.get("game") == game:
            forwarder.take(event.name, data)


def _read(client: ServiceClient, news: News, stopped: threading.Event) -> None:
    """Read the stream of the account, again from the last event after each break."""
    last_id = None
    while not stopped.is_set():
        pause, reason = PAUSE, ""
        try:
            for event in client.stream(last_id):
                last_id = event.id or last_id
                news.put(event)
        except Busy as busy:
            pause, reason = busy.seconds, f": {busy}"
        except Refused as refused:
            news.put(refused)
            return
        if reason:  # a stream that has ended is simply opened again
            _say(f"The stream broke{reason}; connecting again in {pause:.0f} s.")
        stopped.wait(pause)


def _say(line: str) -> None:
    click.echo(f"{faint(datetime.now().strftime('%H:%M:%S'))} {clean(line)}")  # noqa: DTZ005  # the reader's own clock
