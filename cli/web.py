"""`nightmail web`, `serve` and `token`: starting the service, and letting somebody in."""

import random
import socket

import click

from api import asgi
from api.server import serving
from cli.db import chosen, troubles, upgraded
from cli.paper import heading
from service import upkeep
from workers.background.all_in_one import Household

EVERYWHERE = {"0.0.0.0": "127.0.0.1", "[::]": "[::1]"}  # noqa: S104  # to say where to knock
JSON = "-H 'Content-Type: application/json'"


@click.command(epilog="Example: PUBLIC_URL=https://trains.example.org WEB_WORKERS=4 nightmail web")
def web() -> None:
    """Answer requests, with the database that is there.

    The settings are environment variables: DATABASE_URL, BIND, PUBLIC_URL, WEB_WORKERS and the
    others of the documentation. A BIND that others can reach needs a PUBLIC_URL. It stops in good
    order at SIGTERM or Ctrl-C.

    Exit status: 0 it was stopped, 1 it cannot listen or start, 2 a setting is wrong.
    """
    settings = chosen()
    asgi.serve(settings, _listener(settings.bind))


@click.command(epilog="Example: nightmail serve")
def serve() -> None:
    """Run everything: bring the database up to date, answer requests, deliver, keep the clocks.

    Without any settings there is a database file in the folder var, mail goes into the folder
    var/mail and can be read at /mailbox, and the service listens on http://127.0.0.1:8000. It
    stops in good order at SIGTERM or Ctrl-C.

    Exit status: 0 it was stopped, 1 it cannot listen or start, 2 a setting is wrong.
    """
    settings = chosen()
    listener = _listener(settings.bind)
    click.echo(upgraded(settings))
    _welcome(settings.bind)
    asgi.serve(settings, listener, beside=Household)


@click.command(epilog="Example: nightmail token Ada")
@click.argument("name")
def token(name: str) -> None:
    """Make a new token for the account with this NAME, and print it once.

    For an operator whose player has lost all tokens. It has every scope; the player can list and
    revoke it like any other.

    Exit status: 0 it is printed, 1 there is no such account or no database, 2 a setting is wrong.
    """
    with troubles():
        click.echo(upkeep.new_token(chosen(), name))


def _listener(bind: str) -> socket.socket:
    """Listen at once: a port that is taken is said before anything else is done."""
    try:
        return serving.listen(bind)
    except OSError as error:
        reason = f"cannot listen on {bind}: {(error.strerror or str(error)).lower()}"
        raise click.ClickException(f"{reason}; choose another with BIND=HOST:PORT.") from None


def address(bind: str) -> tuple[str, str]:
    """Where to knock, and what curl must be told beside."""
    if bind.startswith("unix:"):
        return "http://localhost", f" --unix-socket {bind.removeprefix('unix:')}"
    host, _, port = bind.rpartition(":")
    return f"http://{EVERYWHERE.get(host, host)}:{port}", ""


def _welcome(bind: str) -> None:
    """Where we listen, and what to try first; a new name each time, since the last is taken."""
    url, more = address(bind)
    name = f"Ada {random.randrange(1000, 10000)}"  # noqa: S311  # it only has to be another
    click.echo(
        f"""\
{heading("Nightmail")} listens on {url}; open it in a browser and play.
For programs there is {url}/docs; try this in another terminal: an account, and a game.

TOKEN=$(curl -s{more} {url}/v1/accounts {JSON} \\
  -d '{{"name": "{name}"}}' | grep -o 'nm_[A-Za-z0-9]*')
curl -s{more} {url}/v1/games {JSON} -H "Authorization: Bearer $TOKEN" \\
  -d '{{"board": "usa", "seats": 3, "bots": {{"easy": 2}}}}'
curl -s{more} {url}/v1/me/decisions -H "Authorization: Bearer $TOKEN"
"""
    )
