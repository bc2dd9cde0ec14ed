"""Compare the HTTP API with bare endpoints in the same server, on SQLite and PostgreSQL."""

import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from itertools import count
from pathlib import Path

from bench import growth, stock
from bench.bare import ROOT
from bench.load import Lane, Order, client
from bench.place import GAMES, SECONDS, STEPS, Place, Served, served, tables, taking_turns
from bench.serve import joint
from bench.stock import Shelf
from bench.table import Goal, comparison, row
from tests.support.servers import own_postgres

CONNECTIONS = (16, 4)
READ_SECONDS = 0.25
PAGES = 64
ALL_PAGES = 350
"""More games than the response cache holds, but fewer than the position cache holds.

Every response is therefore made anew from a cached position.
"""

Part = Callable[[Place], Iterator[str]]


def run() -> Iterator[str]:
    """Run every part on both databases and yield one line per goal."""
    yield from _run(list(PARTS.values()))


def part(name: str) -> Callable[[], Iterator[str]]:
    """Return a function that runs one part on both databases."""
    return lambda: _run([PARTS[name]])


def _run(parts: Sequence[Part]) -> Iterator[str]:
    yield row("", "nightmail", "bare", "ratio", "spread", "bar", "aim", "")
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="nightmail-bench-")))
        asking = stack.enter_context(client())
        files = (f"sqlite:///{folder}/{number}.db" for number in count())
        yield from _at(Place("SQLite", partial(next, files), folder, asking), parts)
        cluster = stack.enter_context(own_postgres())
        urls = (cluster.create_database(f"bench{number}") for number in count())
        yield from _at(Place("PostgreSQL", partial(next, urls), folder, asking), parts)


def _at(place: Place, parts: Sequence[Part]) -> Iterator[str]:
    for measured in parts:
        yield from measured(place)


def moves(place: Place) -> Iterator[str]:
    """Compare POST of a move with an endpoint that runs the same SQL without the engine."""
    url = place.fresh()
    with stock.shelf(url, place.folder) as shelf:
        bare_lanes, rows = _bare_tables(shelf)
        lanes = {"nightmail": tables(shelf), "bare": bare_lanes}
        if stray := other_sql(shelf, rows):
            yield f"{place.name}: the bare endpoint runs other SQL than a move does: {stray}"
        stock.settle(shelf.desk)
    asking = place.client
    with served(place, url, {"pages": {}, "rows": rows}) as server:
        asking.learn(server.port, lanes)
        for name in lanes:
            asking.run(Order(name, 16, 0.5))
        for connections in CONNECTIONS:
            nightmail, bare = (
                (server, Order(name, connections, SECONDS)) for name in ("nightmail", "bare")
            )
            turns = taking_turns(asking, nightmail, bare)
            what = f"{place.name}: POST move, {connections} connections"
            yield comparison(Goal(what, "requests/s", 0.6, 0.75), [turn.rates for turn in turns])
            yield comparison(
                Goal(what, "p99 ms", 3, None, least=False), [turn.slowest for turn in turns]
            )
            yield comparison(Goal(what, "worker µs", least=False), [turn.worked for turn in turns])


def other_sql(shelf: Shelf, rows: list[dict[str, object]]) -> str | None:
    """Return an SQL statement that only one of the two endpoints runs, or None.

    The comparison is fair only if both endpoints run the same SQL.
    """
    start = stock.dealt(shelf, 3)
    script, *_ = stock.scripts(shelf, start, stock.copied(shelf.desk, start, 1), 60)
    (game,) = stock.copied(shelf.desk, start, 1)
    bare = stock.bare_moving(game, shelf.players[0].token, script.version, 60)
    desk = shelf.desk._replace(settings=replace(shelf.desk.settings, log_level="error"))
    app = joint(desk, {"pages": {}, "rows": rows})
    move_sql, bare_sql = (
        longest(stock.statements_of(app, lane)) for lane in (stock.moving(script), bare)
    )
    return next(iter(set(move_sql) ^ set(bare_sql)), None)


def longest(requests: Sequence[list[str]]) -> list[str]:
    """Return the SQL statements of the request that ran the most.

    The first request is left out, because the game is not yet in the cache.
    """
    return max(requests[1:], key=len)


def _bare_tables(shelf: Shelf) -> tuple[list[Lane], list[dict[str, object]]]:
    """Prepare games for the bare endpoint: their requests, and the rows that it stores."""
    start = stock.dealt(shelf, 3)
    ids = stock.copied(shelf.desk, start, GAMES)
    _, position = stock.position_of(shelf.desk, start)
    rows = stock.rows_of(shelf, start, stock.advanced(shelf.desk, start, 10**6))
    token, version = shelf.players[0].token, position.version
    return [stock.bare_moving(id, token, version, 5 * STEPS) for id in ids], rows


def reads(place: Place) -> Iterator[str]:
    """Compare GET of a game with bare endpoints.

    A 200 response is compared with orjson serialising the same data, a 304 response with a
    constant greeting.
    """
    url = place.fresh()
    with stock.shelf(url, place.folder) as shelf:
        start = stock.dealt(shelf, 3)
        stock.advanced(shelf.desk, start, 200)
        ids = stock.copied(shelf.desk, start, ALL_PAGES)
        pages = {id: stock.page_of(shelf, id) for id in ids}
        token = shelf.players[0].token
        stock.settle(shelf.desk)
    paths = [f"/v1/games/{id}" for id in ids]
    pages_read = [stock.reading_of(path, token) for path in paths]
    bare = [stock.reading_of(f"{ROOT}{path}", token) for path in paths]
    tag = f'"{pages[ids[0]]["version"]}"'
    lanes = {
        "page": pages_read[:PAGES],
        "new page": pages_read,
        "dumped": bare,
        "tag": [stock.reading_of(path, token, tag) for path in paths[:PAGES]],
        "greeting": [stock.reading_of(f"{ROOT}/greeting/{id}", token) for id in ids[:PAGES]],
        "hello": [stock.reading_of(f"{ROOT}/hello", token, tag)] * PAGES,
    }
    with served(place, url, {"pages": pages, "rows": []}) as server:
        place.client.learn(server.port, lanes)
        for name in lanes:
            place.client.run(Order(name, 16, 1))
        for connections in CONNECTIONS:
            yield from _reads(place, server, connections)


def _reads(place: Place, server: Served, connections: int) -> Iterator[str]:
    for lane, bare_lane, bar, aim, says in (
        ("page", "dumped", 0.5, 0.8, "GET game"),
        ("new page", "dumped", None, None, "GET game after a change"),
        ("tag", "hello", 0.8, None, "GET game, 304"),
        ("greeting", "hello", None, None, "a greeting after one SELECT"),
    ):
        nightmail, bare = (
            (server, Order(name, connections, READ_SECONDS)) for name in (lane, bare_lane)
        )
        turns = taking_turns(place.client, nightmail, bare)
        what = f"{place.name}: {says}, {connections} connections"
        yield comparison(Goal(what, "requests/s", bar, aim), [turn.rates for turn in turns])
        yield comparison(Goal(what, "worker µs", least=False), [turn.worked for turn in turns])


def servers(place: Place) -> Iterator[str]:
    """Compare our server with gunicorn and its threads, both running the same application."""
    kinds = ("nightmail", "gunicorn")
    with ExitStack() as stack:
        running = {}
        for kind in kinds:
            url = place.fresh()
            lanes = _lanes(place, url)
            server = stack.enter_context(served(place, url, {"pages": {}, "rows": []}, kind))
            place.client.learn(server.port, {f"{kind} {name}": lanes[name] for name in lanes})
            running[kind] = server
        for name, seconds, bar in (
            ("GET game, 304", READ_SECONDS, 1.8),
            ("GET game, 200", READ_SECONDS, 1.8),
            ("GET decision", READ_SECONDS, 1.4),
            ("POST move", SECONDS, 1.1),
        ):
            for kind in kinds:
                place.client.run(Order(f"{kind} {name}", 16, seconds))
            nightmail, gunicorn = (
                (running[kind], Order(f"{kind} {name}", 16, seconds)) for kind in kinds
            )
            turns = taking_turns(place.client, nightmail, gunicorn)
            what = f"{place.name}: {name}, 16 connections, against gunicorn"
            yield comparison(Goal(what, "requests/s", bar), [turn.rates for turn in turns])
            yield comparison(Goal(what, "p99 ms", 1, least=False), [turn.slowest for turn in turns])


def _lanes(place: Place, url: str) -> dict[str, list[Lane]]:
    """Prepare a new database and the requests of each kind."""
    with stock.shelf(url, place.folder) as shelf:
        moving = tables(shelf)
        start = stock.dealt(shelf, 3)
        stock.advanced(shelf.desk, start, 200)
        ids = stock.copied(shelf.desk, start, PAGES)
        tag = f'"{stock.page_of(shelf, ids[0])["version"]}"'
        table, position = stock.position_of(shelf.desk, start)
        token = shelf.token_of(table.seated[position.state.awaiting[0].seat].account)
        stock.settle(shelf.desk)
    paths = [f"/v1/games/{id}" for id in ids]
    return {
        "GET game, 304": [stock.reading_of(path, token, tag) for path in paths],
        "GET game, 200": [stock.reading_of(path, token) for path in paths],
        "GET decision": [stock.reading_of(f"{path}/decision", token) for path in paths],
        "POST move": moving,
    }


PARTS: dict[str, Part] = {
    "servers": servers,
    "moves": moves,
    "reads": reads,
    "growth": growth.growth,
    "size": growth.sizes,
}
