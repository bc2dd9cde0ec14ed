"""Fill databases with games, and prepare the requests that continue them."""

import hashlib
import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random
from threading import get_ident
from typing import Any, NamedTuple

import orjson
from sqlalchemy import Column, Connection, Engine, MetaData, Table, Text, insert, select, text
from sqlalchemy.event import listen, remove
from werkzeug.datastructures import Headers
from werkzeug.test import Client

from bench.bare import ROOT
from bench.load import Lane
from engine import Action, Chance, State, decide, options, text_of
from engine.codec import write
from service.desk import Desk, open_desk
from service.games import lobby, moves, reading
from service.games.decided_moves import ChosenMove, DecidedMove, decide_move
from service.games.move_requests import hash_of_key
from service.ids import new_id
from service.memory.positions import BEFORE, Position, folded
from service.people import accounts
from service.settings import Settings
from store import schema, tables
from store.games import games
from store.games.packing import packed

DRAWS = 0.65
"""Probability of drawing when other actions are possible.

People draw cards in about two thirds of their turns.
"""
MANY = "900000000/second"
TABLES = (tables.games, tables.seats, tables.moves)
"""Tables that keep the rows of a game; notices are deleted once they are delivered."""


class Player(NamedTuple):
    account: str
    token: str


class Script(NamedTuple):
    """A game, and the moves that will be made in it."""

    game: str
    version: int
    position: Position
    steps: list[tuple[str, bytes]]
    """The token and the body of each request."""
    kinds: list[str]
    """The kind of each step; steps of the same kind cost about the same."""


class Shelf(NamedTuple):
    """A desk, and players who can take a seat."""

    desk: Desk
    players: list[Player]

    def token_of(self, account: str | None) -> str:
        """Return the API token of this account."""
        return next(token for name, token in self.players if name == account)


def environ(url: str, folder: Path, port: int = 8000) -> dict[str, str]:
    """Return production settings, but with one process and without limits."""
    return {
        "DATABASE_URL": url,
        "DATA_DIR": str(folder),
        "SECRET_KEYS": "a secret of the bench that is long enough for it",
        "BIND": f"127.0.0.1:{port}",
        "WEB_WORKERS": "1",
        "RATE_LIMIT_TOKEN": MANY,
        "RATE_LIMIT_ADDRESS": MANY,
        "RATE_LIMIT_ACCOUNTS": MANY,
        "OPEN_GAMES": "1000000",
        "RUNNING_GAMES": "1000000",
    }


@contextmanager
def shelf(url: str, folder: Path) -> Iterator[Shelf]:
    """Open a desk on a new database and create a few accounts."""
    desk = open_desk(Settings.of(environ(url, folder)))
    try:
        schema.upgrade(desk.database)
        new_accounts = [accounts.create(desk, {"name": f"Player {n}"}, None) for n in range(5)]
        yield Shelf(
            desk,
            [
                Player(account["account"]["id"], account["token"]["token"])
                for account in new_accounts
            ],
        )
    finally:
        desk.close()


def dealt(shelf: Shelf, seats: int) -> str:
    """Start a new game and return its id."""
    desk, (first, *others) = shelf.desk, shelf.players[:seats]
    game: str = lobby.open_game(desk, first.account, lobby.NewGame("usa", (), seats), None)["id"]
    for player in others:
        lobby.join(desk, player.account, game, "", None)
    return game


def position_of(desk: Desk, game: str) -> tuple[games.Table, Position]:
    """Return the table and the current position of a game."""
    with desk.database.reading() as tx:
        table = games.table(tx, game)
        if table is None:
            raise LookupError(game)
        return table, folded(table, games.moves_after(tx, game, BEFORE))


def advanced(desk: Desk, game: str, events: int) -> list[DecidedMove]:
    """Play until the game has this number of events, or ends; return the moves made."""
    rng, stored_moves = Random(events), []
    table, position = position_of(desk, game)
    with desk.database.writing() as tx:
        while position.seq < events and position.state.awaiting:
            seat = position.state.awaiting[0].seat
            action = chosen(rng, position, position.state, seat)
            key, digest = hash_of_key(_key(position.version + 1)), secrets.token_bytes(16)
            played = decide_move(
                table, position, ChosenMove(seat, action, "api", key, digest), desk.now()
            )
            moves.store(tx, played)
            stored_moves.append(played)
            position = played.after
    return stored_moves


def chosen(rng: Random, position: Position, state: State, seat: int) -> Action:
    """Choose an action at random, with a preference for drawing cards."""
    actions = options(position.rules, state, seat).actions
    cards = [action for action in actions if action.kind in ("draw_blind", "draw_face_up")]
    return rng.choice(cards if cards and rng.random() < DRAWS else actions)


def copied(desk: Desk, game: str, number: int) -> list[str]:
    """Store copies of a game, as if all had been played at the same time; return their ids."""
    ids = sorted(new_id() for _ in range(number))
    fresh = Table("fresh", MetaData(), Column("id", Text), prefixes=["TEMPORARY"])
    with desk.database.writing() as tx:
        if desk.database.is_sqlite:
            tx.execute(text("PRAGMA cache_size = -1000000"))
        else:
            tx.execute(text("SET LOCAL session_replication_role = replica"))
            tx.execute(text("SET LOCAL statement_timeout = 0"))
        fresh.create(tx)
        tx.execute(insert(fresh), [{"id": id} for id in ids])
        for table in TABLES:
            _copy(tx, table, game, fresh)
        fresh.drop(tx)
    return ids


def _copy(tx: Connection, table: Table, game: str, fresh: Table) -> None:
    owner = table.c.id if table is tables.games else table.c.game
    order = [table.c.number] if "number" in table.c else []
    query = select(*(fresh.c.id if column is owner else column for column in table.c))
    rows = query.join_from(table, fresh, owner == game).order_by(*order, fresh.c.id)
    tx.execute(insert(table).from_select(list(table.c), rows))


def settle(desk: Desk) -> None:
    """Make the database do pending maintenance now, so that it does not disturb a measurement."""
    with desk.database.reading() as tx:
        if desk.database.is_sqlite:
            tx.execute(text("PRAGMA wal_checkpoint(TRUNCATE)"))
        else:
            tx.execute(text("VACUUM ANALYZE"))
            tx.execute(text("CHECKPOINT"))


def size(desk: Desk) -> int:
    """Return the bytes that games, seats and moves take on disk, with their indexes."""
    settle(desk)
    with desk.database.reading() as tx:
        if desk.database.is_sqlite:
            return Path(str(desk.database.url.database)).stat().st_size
        sizes = text("SELECT pg_total_relation_size(CAST(:name AS regclass))")
        return sum(tx.scalar(sizes, {"name": table.name}) or 0 for table in TABLES)


def scripts(shelf: Shelf, start: str, ids: Sequence[str], most: int) -> list[Script]:
    """Prepare random moves for copies of this game; each copy has its own randomness."""
    table, position = position_of(shelf.desk, start)
    tokens = [shelf.token_of(seat.account) for seat in table.seated]
    return [_script(position, id, tokens, most) for id in ids]


def _script(position: Position, game: str, tokens: Sequence[str], most: int) -> Script:
    rng, rules = Random(game), position.rules
    state, number = position.state, position.version
    script = Script(game, number, position, [], [])
    while state.awaiting and len(script.steps) < most:
        seat, number = state.awaiting[0].seat, number + 1
        action = chosen(rng, position, state, seat)
        body = {"text": text_of(rules, action)} if number % 2 else {"action": write(action)}
        chance = Chance(position.secret, game, number)
        state = decide(rules, state, seat, action, chance).state
        script.steps.append((tokens[seat], orjson.dumps(body)))
        again = any(decision.seat == seat for decision in state.awaiting)
        script.kinds.append(f"{action.kind}, {'more asked' if again else 'turn over'}")
    return script


def moving(script: Script) -> Lane:
    """Return the moves of a script as a lane of requests."""
    return Lane(
        [
            _post(f"/v1/games/{script.game}/moves", token, version, body)
            for version, (token, body) in enumerate(script.steps, script.version)
        ],
        201,
    )


def bare_moving(game: str, token: str, version: int, number: int) -> Lane:
    """Return a lane with this number of move requests to the bare endpoint."""
    path, body = f"{ROOT}/v1/games/{game}/moves", b'{"text":"draw"}'
    return Lane([_post(path, token, version + n, body) for n in range(number)], 201)


def _key(version: int) -> str:
    name = hashlib.sha256(str(version).encode()).hexdigest()
    return f"{name[:8]}-{name[8:12]}-{name[12:16]}-{name[16:20]}-{name[20:32]}"


def _post(path: str, token: str, version: int, body: bytes) -> bytes:
    key = _key(version + 1)
    head = (
        f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: */*\r\nUser-Agent: bench\r\n"
        f'Authorization: Bearer {token}\r\nIdempotency-Key: {key}\r\nIf-Match: "{version}"\r\n'
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


def reading_of(path: str, token: str, tag: str | None = None) -> Lane:
    """Return a lane that repeats one GET request, with an ETag to compare if given."""
    condition = f"If-None-Match: {tag}\r\n" if tag else ""
    head = (
        f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: */*\r\nUser-Agent: bench\r\n"
        f"Authorization: Bearer {token}\r\n{condition}\r\n"
    )
    return Lane([head.encode()], 304 if tag and not path.startswith(ROOT) else 200, again=True)


def rows_of(shelf: Shelf, game: str, done: Sequence[DecidedMove]) -> list[dict[str, Any]]:
    """Return what each move of a game stored, for the bare endpoint to store the same."""
    table, _ = position_of(shelf.desk, game)
    rows = []
    for played in done:
        before, after = played.before.state.awaiting, played.after.state.awaiting
        if not after:
            break
        was, now = ({decision.seat: decision for decision in some} for some in (before, after))
        changed = [
            seat for seat in sorted(was.keys() | now.keys()) if was.get(seat) is not now.get(seat)
        ]
        notified = {decision.seat for decision in after if decision not in before}
        rows.append(
            {
                "seat": played.rows[0].seat,
                "record": packed(played.rows[0].record).hex(),
                "at": played.at,
                "waits": [[seat, played.at if seat in now else None] for seat in changed],
                "notices": [
                    [seat.number, seat.account] for seat in table.seated if seat.number in notified
                ],
            }
        )
    return rows


def statements_of(app: Any, lane: Lane) -> list[list[str]]:
    """Return the SQL statements that each request of a lane runs in this thread."""
    statements: list[list[str]] = []
    this_thread = get_ident()

    def note(_: Connection, __: Any, statement: str, *___: Any) -> None:
        if get_ident() == this_thread:
            statements[-1].append(statement)

    listen(Engine, "before_cursor_execute", note)
    try:
        for request in lane.requests:
            statements.append([])
            _ask(Client(app), request, lane.status)
    finally:
        remove(Engine, "before_cursor_execute", note)
    return statements


def _ask(client: Client, request: bytes, status: int) -> None:
    head, body = request.decode().split("\r\n\r\n")
    first, *headers = head.split("\r\n")
    method, path, _ = first.split(" ")
    pairs = [header.partition(": ")[::2] for header in headers]
    answer = client.open(path, method=method, headers=Headers(pairs), data=body.encode())
    if answer.status_code != status:
        raise ValueError(answer.text)


def page_of(shelf: Shelf, game: str) -> Any:
    """Return the JSON document of a game as its first player sees it."""
    _, page = reading.game(shelf.desk, game, shelf.players[0].account)
    return orjson.loads(page)
