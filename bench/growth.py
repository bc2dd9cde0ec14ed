"""Measure moves and memory in long games, and with many stored games."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from statistics import median

from bench import stock
from bench.load import Load, Order
from bench.place import ROUNDS, SECONDS, Place, Served, served, tables, taking_turns
from bench.table import Goal, comparison, row, verdict

MB = 1e6
FEW, MANY = 100, 10_000
EVENTS = 105
"""Events in each stored game; with MANY games, over a million in all."""
EARLY, LATE = 20, 500
GROWING = 8
GROWING_STEPS = 50
STORED_EVENTS, STORED = 400, 300
SPREAD_GAMES, SPREAD_MOVES = 1_000, 10


def growth(place: Place) -> Iterator[str]:
    """Compare late moves with early ones, and many stored games with few."""
    yield from late(place)
    yield from many(place)


def late(place: Place) -> Iterator[str]:
    url = place.fresh()
    by_length: list[list[stock.Script]] = []
    with stock.shelf(url, place.folder) as shelf:
        start = stock.dealt(shelf, 5)
        for events in (EARLY, LATE):
            stock.advanced(shelf.desk, start, events)
            ids = stock.copied(shelf.desk, start, GROWING)
            by_length.append(stock.scripts(shelf, start, ids, GROWING_STEPS))
        stock.settle(shelf.desk)
    # Early, late, early, …
    scripts = [script for pair in zip(*by_length, strict=True) for script in pair]
    with served(place, url, {"pages": {}, "rows": []}) as server:
        place.client.learn(server.port, {"growing": [stock.moving(script) for script in scripts]})
        # Fill the cache with every game.
        place.client.run(Order("growing", 1, most=2 * len(scripts)))
        each = (GROWING_STEPS - 2) // ROUNDS * len(scripts)
        pairs = [
            _by_kind(scripts, place.client.run(Order("growing", 1, most=each)))
            for _ in range(ROUNDS)
        ]
    goal = Goal(f"{place.name}: move at event {LATE} against {EARLY}", "ms", 1.2, 1.05, least=False)
    yield comparison(goal, pairs)


def _by_kind(scripts: Sequence[stock.Script], load: Load) -> tuple[float, float]:
    """Return the milliseconds per late and early move, weighted by the same mix of kinds."""
    times: dict[str, tuple[list[float], list[float]]] = {}
    for lane, step, seconds in load.answered:
        kind = scripts[lane].kinds[step]
        times.setdefault(kind, ([], []))[lane % 2].append(seconds)
    both = {kind: some for kind, some in times.items() if all(len(part) >= 5 for part in some)}
    shares = {kind: len(early) + len(later) for kind, (early, later) in both.items()}
    early, later = (
        sum(median(some[at]) * shares[kind] for kind, some in both.items()) / sum(shares.values())
        for at in (0, 1)
    )
    return later * 1e3, early * 1e3


def many(place: Place) -> Iterator[str]:
    asking = place.client
    sides: dict[str, tuple[Served, Order]] = {}
    with ExitStack() as stack:
        for name, number in (("few", FEW), ("many", MANY)):
            url = place.fresh()
            with stock.shelf(url, place.folder) as shelf:
                start = stock.dealt(shelf, 3)
                stock.advanced(shelf.desk, start, EVENTS)
                stock.copied(shelf.desk, start, number)
                lanes = tables(shelf)
                stock.settle(shelf.desk)
            server = stack.enter_context(served(place, url, {"pages": {}, "rows": []}))
            asking.learn(server.port, {name: lanes})
            sides[name] = server, Order(name, 16, SECONDS)
        for _, order in sides.values():
            asking.run(order)
        turns = taking_turns(asking, sides["many"], sides["few"])
    goal = Goal(f"{place.name}: move with {MANY} games against {FEW}", "ms", 1.2, 1.05, least=False)
    yield comparison(goal, [(1e3 / turn.nightmail.rate, 1e3 / turn.bare.rate) for turn in turns])


def sizes(place: Place) -> Iterator[str]:
    """Measure the disk space of a game, and the memory of a worker after many moves."""
    url = place.fresh()
    with stock.shelf(url, place.folder) as shelf:
        start = stock.dealt(shelf, 3)
        stock.advanced(shelf.desk, start, STORED_EVENTS)
        stock.copied(shelf.desk, start, 10)
        before = stock.size(shelf.desk)
        stock.copied(shelf.desk, start, STORED)
        each = (stock.size(shelf.desk) - before) / STORED
        start = stock.dealt(shelf, 3)
        ids = stock.copied(shelf.desk, start, SPREAD_GAMES)
        scripts = stock.scripts(shelf, start, ids, SPREAD_MOVES)
        lanes = [stock.moving(script) for script in scripts]
        token = shelf.players[0].token
        stock.settle(shelf.desk)
    goal = Goal("", "kB", 100, least=False)
    what = f"{place.name}: a game of {STORED_EVENTS} events (games, seats, moves), kB"
    yield row(what, f"{each / 1e3:.1f}", "–", "–", "–", "100", "–", verdict(goal, each / 1e3))
    asking = place.client
    with served(place, url, {"pages": {}, "rows": []}) as server:
        pages = [stock.reading_of(f"/v1/games/{id}", token) for id in ids]
        asking.learn(server.port, {"moves": lanes, "pages": pages})
        empty = server.worker.memory_info().rss / MB
        asking.run(Order("moves", 16))
        asking.run(Order("pages", 16, most=SPREAD_GAMES))
        full = server.worker.memory_info().rss / MB
    what = (
        f"{place.name}: worker after {SPREAD_GAMES * SPREAD_MOVES} moves, {SPREAD_GAMES} pages, MB"
    )
    ok = verdict(Goal("", "MB", 150, least=False), full)
    yield row(what, f"{full:.0f}", f"{empty:.0f}", "–", "–", "150", "–", ok)
