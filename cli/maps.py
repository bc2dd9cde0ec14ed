"""`nightmail maps`: list the boards, and check map files."""

from pathlib import Path

import click

from cli.paper import heading, wrapped
from engine import MapError
from engine.board import Variant
from engine.words import clean, count, shortened
from service.boards import atlas
from service.boards.map_check import MapReport, check, tickets_of


@click.command(
    epilog="Examples: nightmail maps; nightmail maps --check; nightmail maps my/map.toml"
)
@click.argument("files", metavar="[FILE]...", nargs=-1, type=click.Path(path_type=Path))
@click.option(
    "--check", "bundled", is_flag=True, help="Check the maps that Nightmail brings along."
)
def maps(files: tuple[Path, ...], *, bundled: bool) -> None:
    """List the boards and their variants, or check map files.

    For every FILE of a map's author it says what cannot be, with the place and the reason, puts
    the rules together for every number of seats and every combination of variants, and warns of
    what looks odd. How to write a map: docs/maps.md.

    Exit status: 0 all maps hold, warnings or not; 1 one does not; 2 the command was wrong.
    """
    if files and bundled:
        raise click.UsageError("--check is for the bundled maps; leave it out to check files")
    if bundled:
        holds = [_report(f"maps/{name}/map.toml", _bundled(name)) for name in atlas.board_ids()]
    elif files:
        holds = [_report(clean(click.format_filename(path)), _given(path)) for path in files]
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
        return MapError("id", f"“{checked.board.id}” lies in the folder “{name}”")
    return checked


def _given(path: Path) -> MapReport | MapError:
    try:
        return check(atlas.read_map(path))
    except MapError as error:
        return error


def _report(name: str, found: MapReport | MapError) -> bool:
    """Say what was found in one file, and whether it holds."""
    if isinstance(found, MapError):
        place = "" if found.place.endswith(name) else f"{found.place}: "
        click.echo(_line(f"{name}: {place}{found.reason}"), err=True)
        return False
    for finding in found.findings:
        level = "warning: " if finding.warning else ""
        click.echo(_line(f"{name}: {level}{finding.place}: {finding.reason}"), err=True)
    if found.holds and found.board:
        board = found.board
        size = (
            f"{count(len(board.cities), 'city')}, {count(len(board.routes), 'route')}, "
            f"{count(len(board.tickets), 'ticket')}, {count(found.tables, 'table')}"
        )
        click.echo(f"{name}: holds ({size})")
    return found.holds


def _line(text: str) -> str:
    return shortened(clean(text), 300)


def _listed(name: str) -> bool:
    """Say what there is to know about one board, and whether there is one."""
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
