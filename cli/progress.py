"""A progress bar for long work, shown only on a terminal and after two seconds."""

import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from typing import Any, TypeVar

import click

T = TypeVar("T")
PATIENCE = 2.0


def with_progress(items: Iterable[T], length: int, label: str) -> Iterator[T]:
    """Yield the items, and show the progress on standard error."""
    started, done = time.monotonic(), 0
    bar: Any = None
    with ExitStack() as stack:
        for item in items:
            yield item
            done += 1
            spent = time.monotonic() - started
            if bar is None and sys.stderr.isatty() and spent > PATIENCE and done < length:
                bar = stack.enter_context(
                    click.progressbar(length=length, label=label, file=sys.stderr, show_pos=True)
                )
                bar.start -= spent
                bar.update(done)
            elif bar is not None:
                bar.update(1)
