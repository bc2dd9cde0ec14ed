"""Prints a game: its moves in sentences, the standing at each round, and the final scores."""

from collections.abc import Sequence

import click

from cli.terminal import columns, faint, grid, heading, painted, width, wrapped
from service.views.retelling import MoveText, Standing
from service.views.scores import Sheet

NUMBER = 5
"""The width of the column for a move's number."""


def print_move(move: MoveText, names: Sequence[str]) -> None:
    """Print a move: its number, a line per sentence, and the standing if a round begins."""
    number = f"{move.number or '':>{NUMBER}}"
    for sentence in move.sentences:
        for line in wrapped(sentence, " " * (NUMBER + 2), " " * (NUMBER + 4)):
            click.echo(faint(number) + painted(line[NUMBER:], names))
            number = " " * NUMBER
    if move.standing:
        print_standing(move.standing, names)
    if move.sheet:
        print_sheet(move.sheet)


def print_standing(standing: Standing, names: Sequence[str]) -> None:
    """Print the standing at the beginning of a round."""
    lead = f"Round {standing.round:<{NUMBER}}"
    click.echo()
    for label, value in (
        *((label, _by_name(names, cells)) for label, cells in standing.columns),
        *((label, ", ".join(cards)) for label, cards in standing.cards),
    ):
        for line in wrapped(value, f"{lead}{label.lower()}  ") if value else ():
            cut = len(lead) + len(label)
            click.echo(heading(line[: len(lead)]) + faint(line[len(lead) : cut]) + line[cut:])
            lead = " " * len(lead)


def _by_name(names: Sequence[str], cells: Sequence[str]) -> str:
    return ", ".join(f"{name}: {cell}" for name, cell in zip(names, cells, strict=True))


def print_sheet(sheet: Sheet) -> None:
    """Print the final scores in detail."""
    rows = [("", sheet.names), *sheet.kinds, sheet.total, *sheet.facts]
    lines = grid([(label, *cells) for label, cells in rows])
    rule = faint("─" * max(map(width, lines)))
    kinds = len(sheet.kinds)
    click.echo()
    click.echo(painted(lines[0], sheet.names))
    for line in (*lines[1 : 1 + kinds], rule, heading(lines[1 + kinds]), rule, *lines[2 + kinds :]):
        click.echo(line)
    click.echo()
    print_tickets(sheet)
    click.echo()
    click.echo(heading(sheet.verdict))


def print_tickets(sheet: Sheet) -> None:
    """Print each player's completed and failed tickets."""
    for name, completed, failed in zip(sheet.names, sheet.completed, sheet.failed, strict=True):
        click.echo(painted(name, sheet.names))
        for label, tickets in (("completed", completed), ("failed", failed)):
            if tickets:
                for line in _tickets(label, tickets):
                    click.echo(line)
        if not (completed or failed):
            click.echo("  held no tickets")


def _tickets(label: str, tickets: Sequence[str]) -> list[str]:
    """Return a list of tickets, wrapped between tickets only."""
    lead, lines = f"  {label:<11}", []
    line = lead
    for at, ticket in enumerate(tickets):
        text = ticket + ("," if at < len(tickets) - 1 else "")
        if line.strip() and line != lead and width(line) + 1 + width(text) > columns():
            lines.append(line)
            line = " " * len(lead)
        line += text if line in (lead, " " * len(lead)) else f" {text}"
    return [*lines, line]
