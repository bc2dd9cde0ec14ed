"""Measure pictures of a full board as SVG and PNG.

The PNG is compared with one that is rasterised from the whole SVG at once.
"""

from collections.abc import Callable, Iterator
from statistics import median
from time import process_time

import pictures
from bench.table import Goal, comparison, row
from pictures import EMPTY, raster
from service.boards import atlas

ROUNDS = 9
NAMES = ("Ada", "Ben", "Cem", "Dora", "Eli")
MOST_BYTES = {"SVG": 150_000, "PNG": 400_000}
MOST_MS = {"SVG": 15.0, "PNG": 150.0}


def run() -> Iterator[str]:
    """Yield a line for SVG, a line for PNG and a ratio for each board."""
    yield row("pictures", "nightmail", "plain", "ratio", "spread", "bar", "aim", "")
    for board in atlas.board_ids():
        yield from _measured(board)


def _measured(name: str) -> Iterator[str]:
    board = atlas.board(name)
    seats = board.seats[1]
    table = EMPTY._replace(
        claimed={route: [n % seats] for n, route in enumerate(board.routes)}, names=NAMES[:seats]
    )
    routes = list(board.routes)

    def drawn() -> bytes:
        return pictures.svg(board, table, last=routes[:1], interactive=True).encode()

    def rastered() -> bytes:
        raster.packed.cache_clear()  # otherwise only the first call draws
        return pictures.png(board, table, last=routes[:1])

    whole = pictures.svg(board, table, last=routes[:1])
    plain = [_timed(lambda: raster.rastered(whole, raster.WIDTH)) for _ in range(3)]
    for kind, make in (("SVG", drawn), ("PNG", rastered)):
        make()
        times = [_timed(make) for _ in range(ROUNDS)]
        size, most = len(make()), MOST_BYTES[kind]
        verdict = "" if median(times) <= MOST_MS[kind] and size <= most else "MISSED"
        yield (
            f"{name}, every route claimed, {kind}: {median(times):.1f} ms (at most "
            f"{MOST_MS[kind]:.0f}), {size / 1000:.0f} kB (at most {most / 1000:.0f}) {verdict}"
        ).rstrip()
    pairs = [(_timed(rastered), median(plain)) for _ in range(ROUNDS)]
    yield comparison(
        Goal(f"{name}, PNG of pieces against PNG of the whole", "ms", 0.6, 0.4, least=False), pairs
    )


def _timed(make: Callable[[], object]) -> float:
    """Measure CPU time in milliseconds, which other load on the machine hardly changes."""
    start = process_time()
    make()
    return (process_time() - start) * 1000
