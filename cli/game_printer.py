"""A game on paper: its moves in sentences, the rounds between them, the scores at the end."""

from collections.abc import Sequence

import click

from cli.terminal import columns, faint, grid, heading, painted, width, wrapped
from service.views.retelling import Standing, Told
from service.views.scores import Sheet

NUMBER = 5
"""Columns for a move's number."""


def print_move(told: Told, names: Sequence[str]) -> None:
    """A move: its number, then one sentence a line, and the standing if a round begins."""
    number = f"{told.number or '':>{NUMBER}}"
    for sentence in told.sentences:
        for line in wrapped(sentence, " " * (NUMBER + 2), " " * (NUMBER + 4)):
            click.echo(faint(number) + painted(line[NUMBER:], names))
            number = " " * NUMBER
    if told.standing:
        print_standing(told.standing, names)
    if told.sheet:
        print_sheet(told.sheet)


def print_standing(standing: Standing, names: Sequence[str]) -> None:
    """How things stand at the beginning of a round, for all who have lost count."""
    lead = f"Round {standing.round:<{NUMBER}}"
    click.echo()
    for label, said in (
        *((label, _by_name(names, cells)) for label, cells in standing.columns),
        *((label, ", ".join(cards)) for label, cards in standing.cards),
    ):
        for line in wrapped(said, f"{lead}{label.lower()}  ") if said else ():
            cut = len(lead) + len(label)
            click.echo(heading(line[: len(lead)]) + faint(line[len(lead) : cut]) + line[cut:])
            lead = " " * len(lead)


def _by_name(names: Sequence[str], cells: Sequence[str]) -> str:
    return ", ".join(f"{name}: {cell}" for name, cell in zip(names, cells, strict=True))


def print_sheet(sheet: Sheet) -> None:
    """The final scores with everything that they are made of."""
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
    """Who completed which tickets, and who did not."""
    for name, completed, failed in zip(sheet.names, sheet.completed, sheet.failed, strict=True):
        click.echo(painted(name, sheet.names))
        for label, tickets in (("completed", completed), ("failed", failed)):
            if tickets:
                for line in _tickets(label, tickets):
                    click.echo(line)
        if not (completed or failed):
            click.echo("  held no tickets")


def _tickets(label: str, tickets: Sequence[str]) -> list[str]:
    """Tickets one after the other; none is broken over two lines."""
    lead, lines = f"  {label:<11}", []
    line = lead
    for at, ticket in enumerate(tickets):
        said = ticket + ("," if at < len(tickets) - 1 else "")
        if line.strip() and line != lead and width(line) + 1 + width(said) > columns():
            lines.append(line)
            line = " " * len(lead)
        line += said if line in (lead, " " * len(lead)) else f" {said}"
    return [*lines, line]
