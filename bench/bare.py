"""What the interface is measured against: plain Flask, the same SQL, and no game."""

import hashlib
from typing import Any

import orjson
from flask import Flask, Response, request
from sqlalchemy import bindparam, insert, select, update

from store.database import Database
from store.glances import glance
from store.prepared import Prepared
from store.tables import accounts, games, moves, notices, seats, tokens

JSON = "application/json"
BEARER = len("Bearer ")

# Read as ours are, through the driver: or the ratio would praise us for the way and not the work.
TOKEN = Prepared(
    select(
        *tokens.c["id", "account", "label", "scopes", "created", "expires"],
    ).where(tokens.c.hash == bindparam("hash"))
)
TABLE = Prepared(
    select(
        *games.c,
        *seats.c["number", "account"],
        *accounts.c["name", "kind"],
        *seats.c["house", "nonce", "resigned", "awaited_since", "asked", "deadline"],
        *seats.c["bank", "missed", "muted", "links"],
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
BY_KEY = Prepared(
    select(
        *moves.c["number", "seat", "seq", "through", "key", "digest", "until", "record", "hash"]
    ).where(
        moves.c.game == bindparam("game"),
        moves.c.seat == bindparam("seat"),
        moves.c.key == bindparam("key"),
    )
)
CHANGES = list(games.c).index(games.c.changes)
ADVANCE = (
    update(games)
    .where(games.c.id == bindparam("game"), games.c.version == bindparam("expected"))
    .where(games.c.changes == bindparam("table"), games.c.status == "running")
    .values(version=bindparam("number"))
)
APPEND = insert(moves)
AWAIT = (
    update(seats)
    .where(seats.c.game == bindparam("of"), seats.c.number == bindparam("at"))
    .values(
        awaited_since=bindparam("since"),
        asked=bindparam("version"),
        deadline=bindparam("until"),
        due=bindparam("until"),
        bank=None,
        missed=0,
    )
)
NOTIFY = insert(notices)


def bare_app(database: Database, stock: dict[str, Any]) -> Flask:
    """Endpoints without engine and frame; the stock holds what they store and answer."""
    app = Flask("bare", static_folder=None)
    pages: dict[str, Any] = stock["pages"]
    rows: list[dict[str, Any]] = stock["rows"]

    @app.get("/hello")
    def hello() -> Response:
        return Response(b'{"hello":"world"}', mimetype=JSON)

    @app.get("/asked/<game>")
    def asked(game: str) -> Response:
        with database.reading() as tx:
            found = glance(tx, game, _hash(request.headers["Authorization"][BEARER:]))
        if found is None or found.token is None:
            raise ValueError("the bare client asks nonsense")
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
            account = TOKEN.rows(tx, {"hash": _hash(token)})
            table = TABLE.rows(tx, {"game": game})
            made = BY_KEY.rows(tx, {"game": game, "seat": row["seat"], "key": key})
        if made or not (account and table):
            raise ValueError("the bare client asks nonsense")
        with database.writing() as tx:
            known = {"game": game, "expected": expected, "table": table[0][CHANGES]}
            _write(tx, known, row, {"key": key, "digest": body})
        return Response(orjson.dumps({"version": expected + 1}), 201, mimetype=JSON)

    return app


def _hash(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()


def _body() -> bytes:
    orjson.loads(request.get_data())
    return hashlib.sha256(request.get_data()).digest()[:16]


def _write(tx: Any, known: dict[str, Any], row: dict[str, Any], sent: dict[str, Any]) -> None:
    game, number, at = known["game"], known["expected"] + 1, row["at"]
    if tx.execute(ADVANCE, {**known, "number": number}).rowcount != 1:
        raise ValueError("the bare client has lost count")
    tx.execute(
        APPEND,
        [
            {
                "game": game,
                "number": number,
                "seat": row["seat"],
                "seq": number * 2,
                "through": number,
                **sent,
                "record": bytes.fromhex(row["record"]),
                "hash": bytes(32),
            }
        ],
    )
    if row["waits"]:
        waits = [
            {"of": game, "at": n, "since": t, "until": t, "version": number}
            for n, t in row["waits"]
        ]
        tx.execute(AWAIT, waits)
    if row["notices"]:
        told = [
            {
                "account": account,
                "kind": "decision_opened",
                "game": game,
                "seat": seat,
                "version": number,
                "at": at,
            }
            for seat, account in row["notices"]
        ]
        tx.execute(NOTIFY, told)
