"""`nightmail web`, `serve` and `token`: start the service, and create tokens."""

import random
import socket

import click

from api import asgi
from api.http import request_log
from api.server import serving
from cli.db import chosen, troubles, upgraded
from cli.terminal import heading
from service import upkeep
from service.settings import Settings
from workers.background.all_in_one import AllInOne

EVERYWHERE = {"0.0.0.0": "127.0.0.1", "[::]": "[::1]"}  # noqa: S104  # only to print an address
JSON = "-H 'Content-Type: application/json'"


@click.command(epilog="Example: PUBLIC_URL=https://trains.example.org WEB_WORKERS=4 nightmail web")
def web() -> None:
    """Serve HTTP requests; the database must be up to date.

    The settings are environment variables: DATABASE_URL, BIND, PUBLIC_URL, WEB_WORKERS and others;
    see the documentation. A BIND that other machines can reach needs a PUBLIC_URL. SIGTERM or
    Ctrl-C stops it gracefully.

    Exit status: 0 it was stopped, 1 it cannot listen or start, 2 a setting is wrong.
    """
    settings = chosen()
    listener = _listener(settings.bind)
    _check_connections(settings)
    asgi.serve(settings, listener)


@click.command(epilog="Example: nightmail serve")
def serve() -> None:
    """Run everything in one process: upgrade the database, serve, deliver, and run the clocks.

    Without any settings, the database is a file in the folder var, mail is written to the folder
    var/mail and can be read at /mailbox, and the service listens on http://127.0.0.1:8000. SIGTERM
    or Ctrl-C stops it gracefully.

    Exit status: 0 it was stopped, 1 it cannot listen or start, 2 a setting is wrong.
    """
    settings = chosen()
    listener = _listener(settings.bind)
    click.echo(upgraded(settings))
    _check_connections(settings)
    _welcome(settings.bind)
    asgi.serve(settings, listener, beside=AllInOne)


@click.command(epilog="Example: nightmail token Ada")
@click.argument("name")
def token(name: str) -> None:
    """Create a token for the account with this NAME, and print it once.

    For players who have lost all their tokens. The token has every scope; the player can list and
    revoke it like any other.

    Exit status: 0 it was printed, 1 there is no such account or no database, 2 a setting is wrong.
    """
    with troubles():
        click.echo(upkeep.new_token(chosen(), name))


def _listener(bind: str) -> socket.socket:
    """Bind the listening socket first, so that a port that is taken is reported at once."""
    try:
        return serving.listen(bind)
    except OSError as error:
        reason = f"cannot listen on {bind}: {(error.strerror or str(error)).lower()}"
        raise click.ClickException(f"{reason}; choose another with BIND=HOST:PORT.") from None


def _check_connections(settings: Settings) -> None:
    """Refuse settings that need more connections than the database allows."""
    request_log.set_up(settings)
    with troubles():
        upkeep.check_connections(settings)


def address(bind: str) -> tuple[str, str]:
    """Return the URL for this bind address, and the extra option that curl needs for it."""
    if bind.startswith("unix:"):
        return "http://localhost", f" --unix-socket {bind.removeprefix('unix:')}"
    host, _, port = bind.rpartition(":")
    return f"http://{EVERYWHERE.get(host, host)}:{port}", ""


def _welcome(bind: str) -> None:
    """Print the address and what to try first, with a new account name each time."""
    url, more = address(bind)
    name = f"Ada {random.randrange(1000, 10000)}"  # noqa: S311  # it only has to be unused
    click.echo(
        f"""\
{heading("Nightmail")} listens on {url}; open it in a browser and play.
Guides and the API reference are at {url}/docs.
Try the API in another terminal: create an account and a game.

TOKEN=$(curl -s{more} {url}/v1/accounts {JSON} \\
  -d '{{"name": "{name}"}}' | grep -o 'nm_[A-Za-z0-9]*')
curl -s{more} {url}/v1/games {JSON} -H "Authorization: Bearer $TOKEN" \\
  -d '{{"board": "usa", "seats": 3, "bots": {{"easy": 2}}}}'
curl -s{more} {url}/v1/me/decisions -H "Authorization: Bearer $TOKEN"
"""
    )
