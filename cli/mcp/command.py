"""`nightmail mcp`: let an AI agent read games, and play them with the account of a bot."""

import os
import re

import click

TOKEN = "NIGHTMAIL_TOKEN"  # noqa: S105  # the name of a variable, and no secret


@click.command(epilog="Example: NIGHTMAIL_TOKEN=nm_… nightmail mcp --service http://127.0.0.1:8000")
@click.option(
    "--service",
    metavar="URL",
    envvar="NIGHTMAIL",
    show_envvar=True,
    show_default=True,
    default="http://127.0.0.1:8000",
    help="The service.",
)
def mcp(service: str) -> None:
    """Serve the tools of an AI agent over standard input and output.

    They speak the Model Context Protocol (MCP). An agent's program starts this command; it is not
    meant to be used by hand. The environment variable NIGHTMAIL_TOKEN holds a token of the account
    that the agent uses, with the scopes read and play. Moves and messages are sent only if it is
    the account of a bot.

    Exit status: 0 the agent has gone; 2 wrong usage.
    """
    token = os.environ.get(TOKEN, "").strip()
    if not token:
        raise click.UsageError(f"set {TOKEN} to a token of the agent's account")
    if not re.fullmatch(r"[!-~]+", token):
        raise click.UsageError(f"{TOKEN} contains characters that no token has")
    if not service.startswith(("http://", "https://")):
        raise click.UsageError("give the service's URL, such as http://127.0.0.1:8000")
    from cli.mcp.server import build  # noqa: PLC0415  # takes a second, which --help need not
    from cli.mcp.service_client import ServiceClient  # noqa: PLC0415

    build(ServiceClient(service, token)).run("stdio")
