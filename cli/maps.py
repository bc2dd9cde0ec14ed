"""`nightmail maps`: list the boards, and check map files."""

from pathlib import Path

import click

from cli.terminal import heading, wrapped
from engine import MapError
from engine.board import Variant
from engine.text import clean, count, shortened
from service.boards import atlas
from service.boards.map_check import MapReport, check, tickets_of


@click.command(
    epilog="Examples: nightmail maps; nightmail maps --check; nightmail maps my/map.toml"
)
@click.argument("files", metavar="[FILE]...", nargs=-1, type=click.Path(path_type=Path))
@click.option("--check", "bundled", is_flag=True, help="Check the maps that come with Nightmail.")
def maps(files: tuple[Path, ...], *, bundled: bool) -> None:
    """List the boards and their variants, or check map files.

    For every FILE it reports errors with their place and reason, builds the rules for every number
    of seats and every combination of variants, and warns about anything odd. docs/maps.md explains
    how to write a map.

    Exit status: 0 all maps are valid, warnings or not; 1 one is not; 2 wrong usage.
    """
    if files and bundled:
        raise click.UsageError("--check is for the bundled maps; leave it out to check files")
    if bundled:
        holds = [_report(f"maps/{name}/map.toml", _bundled(name)) for name in atlas.board_ids()]
    elif files:
        holds = [_report(clean(click.format_filename(path)), _from_file(path)) for path in files]
    else:
        holds = [_listed(name) for name in atlas.board_ids()]
    if not all(holds):
        click.get_current_context().exit(1)


def _bundled(name: str) -> MapReport | MapError:
    try:
        checked = check(atlas.source(name))
    except MapError as error:
        return error
    if checked.board and checked.board.id != name:
        return MapError("id", f"“{checked.board.id}” is in the folder “{name}”")
    return checked


def _from_file(path: Path) -> MapReport | MapError:
    try:
        return check(atlas.read_map(path))
    except MapError as error:
        return error


def _report(name: str, result: MapReport | MapError) -> bool:
    """Print the findings in one file, and return whether it is valid."""
    if isinstance(result, MapError):
        place = "" if result.place.endswith(name) else f"{result.place}: "
        click.echo(_line(f"{name}: {place}{result.reason}"), err=True)
        return False
    for finding in result.findings:
        level = "warning: " if finding.warning else ""
        click.echo(_line(f"{name}: {level}{finding.place}: {finding.reason}"), err=True)
    if result.holds and result.board:
        board = result.board
        size = (
            f"{count(len(board.cities), 'city')}, {count(len(board.routes), 'route')}, "
            f"{count(len(board.tickets), 'ticket')}, {count(result.tables, 'table')}"
        )
        click.echo(f"{name}: valid ({size})")
    return result.holds


def _line(text: str) -> str:
    return shortened(clean(text), 300)


def _listed(name: str) -> bool:
    """Print a board and its variants, and return whether the map is valid."""
    try:
        board = atlas.board(name)
    except MapError as error:
        click.echo(_line(f"{name}: {error}"), err=True)
        return False
    least, most = board.seats
    click.echo(f"{heading(name)}  {board.name}")
    size = (
        f"{least} to {most} seats · {count(len(board.cities), 'city')} · "
        f"{count(len(board.routes), 'route')} · {count(tickets_of(board), 'ticket')}"
    )
    click.echo(f"  {size}")
    for variant in board.catalogue:
        _list_variant(variant)
    click.echo()
    return True


def _list_variant(variant: Variant) -> None:
    click.echo(f"  {heading(variant.id)}  {variant.name}")
    _say(variant.summary, "    ")
    if variant.excludes:
        _say(f"Not with {', '.join(variant.excludes)}.", "    ")


def _say(text: str, lead: str) -> None:
    for line in wrapped(text, lead):
        click.echo(line)
