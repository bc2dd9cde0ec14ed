"""Files that are given on the command line, and what is wrong with them."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO

import click

from engine import LogError
from engine.words import clean, shortened

LONGEST = 500
"""So much of a reason is shown; it may quote a whole event."""


def name_of(file: BinaryIO) -> str:
    """What to call a file; standard input has no name that means anything."""
    name = getattr(file, "name", 0)
    return clean(click.format_filename(name)) if isinstance(name, str) else "<stdin>"


@contextmanager
def faults_of(file: BinaryIO) -> Iterator[None]:
    """A log that does not hold ends the command with its name, the line and the reason."""
    try:
        yield
    except LogError as error:
        reason = shortened(clean(f"line {error.line}: {error.reason}"), LONGEST)
        raise click.ClickException(f"{name_of(file)}: {reason}") from None
