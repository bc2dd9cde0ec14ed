"""The baseline for the API benchmarks: plain Flask endpoints with the same SQL and no engine."""

import hashlib
from collections.abc import Iterator
from typing import Any

import orjson
from flask import Flask, Response, request
from sqlalchemy import bindparam, insert, literal_column, select, update

from store.database import Database
from store.games.game_tags import tag_for
from store.games.games import Table
from store.games.orders import StoredOrders
from store.tables import accounts, games, moves, notices, orders, seats, tokens

JSON = "application/json"
ROOT = "/bare"
"""Path prefix of the bare endpoints; the real API keeps its usual paths."""
BEARER = len("Bearer ")

TOKEN = select(
    *tokens.c["id", "account", "label", "scopes", "created", "expires", "parent"],
).where(tokens.c.hash == bindparam("hash"))
GAME = list(games.c[Table._fields[:-1]])
TABLE = (
    select(
        *GAME,
        *seats.c["number", "account"],
        *accounts.c["name", "kind"],
        *seats.c["house", "nonce", "joined", "resigned", "awaited_since", "decision_version"],
        *seats.c["deadline", "bank", "missed", "muted", "links", "colour"],
        *accounts.c["hooks", "settings", "time_zone"],
    )
    .select_from(
        games.outerjoin(seats, seats.c.game == games.c.id).outerjoin(
            accounts, seats.c.account == accounts.c.id
        )
    )
    .where(games.c.id == bindparam("game"))
    .order_by(seats.c.number)
)
BY_KEY = select(
    *moves.c["number", "seat", "seq", "through", "key", "digest", "until", "record", "hash"]
).where(
    moves.c.game == bindparam("game"),
    moves.c.seat == bindparam("seat"),
    moves.c.key == bindparam("key"),
)
CHANGES = GAME.index(games.c.changes)
ADVANCE = (
    update(games)
    .where(games.c.id == bindparam("game"), games.c.version == bindparam("expected"))
    .where(games.c.changes == bindparam("table"), games.c.status == literal_column("'running'"))
    .values(version=bindparam("number"), house_due=bindparam("due"))
)
APPEND = insert(moves)
WAITED = ("awaited_since", "decision_version", "deadline", "due", "bank", "missed")
AWAIT = (
    update(seats)
    .where(seats.c.game == bindparam("of"), seats.c.number == bindparam("at"))
    .values({name: bindparam(f"new_{name}") for name in WAITED})
)
NOTIFY = insert(notices).inline()
ORDERS = select(*orders.c[StoredOrders._fields]).where(
    orders.c.game == bindparam("game"), orders.c.state == literal_column("'waiting'")
)


def bare_app(database: Database, stock: dict[str, Any]) -> Flask:
    """Create an app without the engine and the API framework.

    `stock` holds the rows that its endpoints store and the pages that they return.
    """
    app = Flask("bare", static_folder=None)
    pages: dict[str, Any] = stock["pages"]
    rows: list[dict[str, Any]] = stock["rows"]

    @app.get("/hello")
    def hello() -> Response:
        return Response(b'{"hello":"world"}', mimetype=JSON)

    @app.get("/greeting/<game>")
    def greeting(game: str) -> Response:
        with database.reading() as tx:
            tag = tag_for(tx, game, _hash(request.headers["Authorization"][BEARER:]))
        if tag is None or tag.token is None:
            raise ValueError("the request does not match the stock")
        return Response(b'{"hello":"world"}', mimetype=JSON)

    @app.get("/v1/games/<game>")
    def page(game: str) -> Response:
        return Response(orjson.dumps(pages[game]), mimetype=JSON)

    @app.post("/v1/games/<game>/moves")
    def move(game: str) -> Response:
        token, headers, body = request.headers["Authorization"][BEARER:], request.headers, _body()
        expected, key = int(headers["If-Match"].strip('"')), _hash(headers["Idempotency-Key"])[:16]
        row = rows[expected % len(rows)]
        with database.reading() as tx:
            account = tx.execute(TOKEN, {"hash": _hash(token)}).all()
            table = tx.execute(TABLE, {"game": game}).all()
            repeats = tx.execute(BY_KEY, {"game": game, "seat": row["seat"], "key": key}).all()
        if repeats or not (account and table):
            raise ValueError("the request does not match the stock")
        with database.writing() as tx:
            keys = {"game": game, "expected": expected, "table": table[0][CHANGES]}
            advance = {**keys, "number": expected + 1, "due": None}
            if tx.execute(ADVANCE, advance).rowcount != 1:
                raise ValueError("the request has the wrong version")
            for statement, *changes in _written(keys, row, {"key": key, "digest": body}):
                tx.execute(statement, changes)
        return Response(orjson.dumps({"version": expected + 1}), 201, mimetype=JSON)

    return app


def _hash(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()


def _body() -> bytes:
    orjson.loads(request.get_data())
    return hashlib.sha256(request.get_data()).digest()[:16]


def _written(
    keys: dict[str, Any], row: dict[str, Any], sent: dict[str, Any]
) -> Iterator[tuple[Any, ...]]:
    """Yield the remaining SQL statements of a move, each followed by its parameter sets."""
    game, number = keys["game"], keys["expected"] + 1
    seat, record = row["seat"], bytes.fromhex(row["record"])
    stored = {"game": game, "number": number, "seat": seat, "seq": number * 2, "through": number}
    yield APPEND, {**stored, **sent, "until": None, "record": record, "hash": bytes(32)}
    if row["waits"]:
        yield (
            AWAIT,
            *(
                {"of": game, "at": n, "new_awaited_since": t, "new_decision_version": number}
                | {"new_deadline": t, "new_due": t, "new_bank": None, "new_missed": 0}
                for n, t in row["waits"]
            ),
        )
    yield ORDERS, {"game": game}
    if row["notices"]:
        notice = {"kind": "decision_opened", "game": game, "version": number, "data": None}
        yield (
            NOTIFY,
            *(
                {**notice, "seat": seat, "account": account, "at": row["at"]}
                for seat, account in row["notices"]
            ),
        )
