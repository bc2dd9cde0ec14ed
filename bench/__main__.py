"""Run the benchmarks and print a table: `python -m bench [NAME …]`.

Most results are ratios of two measurements from the same run, since absolute times are noisy.
"""

import sys
from collections.abc import Callable, Iterable

from bench import (
    api,
    boards,
    bots,
    crowd,
    engine,
    hooks,
    mail,
    orders,
    outbox,
    pictures,
    trails,
    waiting,
)
from bench.site import pages, turns
from tests.support import machine

PARTS: dict[str, Callable[[], Iterable[str]]] = {
    "engine": engine.run,
    "boards": boards.run,
    "trails": trails.run,
    "bots": bots.run,
    "api": api.run,
    "waiting": waiting.run,
    "pages": pages.run,
    "outbox": outbox.run,
    "mail": mail.run,
    "hooks": hooks.run,
    "orders": orders.run,
    "pictures": pictures.run,
}
SMALLER: dict[str, Callable[[], Iterable[str]]] = {
    **{f"api.{name}": api.part(name) for name in api.PARTS},
    "crowd": crowd.run,
    "turns": turns.run,
}
"""Benchmarks that run only when named on the command line."""


def main(names: list[str]) -> None:
    """Run the named benchmarks, or all of `PARTS` if none is named."""
    parts = PARTS | SMALLER
    unknown = [name for name in names if name not in parts]
    if unknown:
        sys.exit(f"There is no benchmark “{unknown[0]}”; there are: {', '.join(parts)}.")
    machine.forget()
    for name in names or PARTS:
        for line in parts[name]():
            print(line, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
