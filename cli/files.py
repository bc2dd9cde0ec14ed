"""Files given on the command line, and how errors in them are reported."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

import click

from engine import LogError
from engine.text import clean, shortened

LONGEST = 500
"""The most characters of a reason that are shown; it may quote a whole event."""


class NewFile(click.Path):
    """A file that is written at the end; whether it can be written is checked at the beginning."""

    def __init__(self) -> None:
        super().__init__(dir_okay=False, writable=True)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        path = Path(os.fsdecode(super().convert(value, param, ctx)))
        if not path.exists() and not os.access(path.parent, os.W_OK | os.X_OK):
            why = "cannot be written" if path.parent.is_dir() else "does not exist"
            folder = clean(click.format_filename(path.parent))
            self.fail(f"the folder “{folder}” {why}.", param, ctx)
        return path


def name_of(file: BinaryIO) -> str:
    """Return the name of a file for messages; `<stdin>` for standard input."""
    name = getattr(file, "name", 0)
    return clean(click.format_filename(name)) if isinstance(name, str) else "<stdin>"


@contextmanager
def faults_of(file: BinaryIO) -> Iterator[None]:
    """End the command if a log is wrong, with the file's name, the line and the reason."""
    try:
        yield
    except LogError as error:
        reason = shortened(clean(f"line {error.line}: {error.reason}"), LONGEST)
        raise click.ClickException(f"{name_of(file)}: {reason}") from None
