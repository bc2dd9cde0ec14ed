"""Formats text for a terminal or a pipe: widths, columns, wrapped lines, colours."""

import re
import shutil
import sys
import unicodedata
from collections.abc import Sequence

import click

WIDEST = 100
NARROWEST = 40
BREAK = r"(?<!\d) (?![(\d])"
"""Spaces where a line may be broken: those not next to a number."""
SEAT_COLOURS = ("cyan", "magenta", "yellow", "green", "blue", "bright_red", "white", "bright_black")


def columns() -> int:
    """Return the width of a line: that of the terminal, within limits that read well."""
    if not sys.stdout.isatty():
        return WIDEST
    return max(NARROWEST, min(WIDEST, shutil.get_terminal_size().columns))


def width(text: str) -> int:
    """Return how many columns a text takes."""
    return sum(_width(char) for char in text)


def _width(char: str) -> int:
    if unicodedata.combining(char) or unicodedata.category(char) in ("Cf", "Me", "Mn"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def left(text: str, size: int) -> str:
    """Return the text, left-aligned in a column."""
    return text + " " * (size - width(text))


def right(text: str, size: int) -> str:
    """Return the text, right-aligned in a column."""
    return " " * (size - width(text)) + text


def wrapped(text: str, first: str = "", rest: str | None = None) -> list[str]:
    """Return the text wrapped to lines, with a prefix for the first line and one for the rest."""
    rest = " " * width(first) if rest is None else rest
    most, lines, line = columns(), [], first
    blank = True
    for word in re.split(BREAK, text):
        if not blank and width(line) + 1 + width(word) > most:
            lines.append(line)
            line, blank = rest, True
        line += word if blank else f" {word}"
        blank = False
    return [*lines, line]


def grid(rows: Sequence[Sequence[str]], gap: int = 3) -> list[str]:
    """Return rows as aligned columns: the first left-aligned, the others right-aligned."""
    sizes = [max(map(width, column)) for column in zip(*rows, strict=True)]
    return [
        (
            left(first, sizes[0])
            + "".join(
                " " * gap + right(cell, size) for cell, size in zip(cells, sizes[1:], strict=True)
            )
        ).rstrip()
        for first, *cells in rows
    ]


def heading(text: str) -> str:
    return click.style(text, bold=True)


def faint(text: str) -> str:
    return click.style(text, dim=True)


def painted(text: str, names: Sequence[str]) -> str:
    """Return the text with every seat's name in its colour; click removes colours in a pipe."""
    colours = {name: SEAT_COLOURS[at % len(SEAT_COLOURS)] for at, name in enumerate(names)}
    pattern = "|".join(re.escape(name) for name in colours)
    return re.sub(
        rf"\b(?:{pattern})\b", lambda match: click.style(match[0], fg=colours[match[0]]), text
    )
