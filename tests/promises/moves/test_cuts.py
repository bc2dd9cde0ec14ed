"""Promise 5: a client that never saw the response learns by retrying whether it counted."""

import http.client
import secrets
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import NamedTuple

import pytest
from sqlalchemy import text

from service.games.move_requests import hash_of_key
from store.database import Database
from tests.promises.support.database_checks import count, head_of, moves_of
from tests.promises.support.http_calls import PATIENCE, Reachable, Request, asking, send
from tests.promises.support.web_server import Table, Web, moving, served_here

CUTS = ("after the request", "after the commit", "in the answer")


class Line(NamedTuple):
    """The port of the cutter, and the server's database."""

    port: int
    url: str


class Cutter:
    """A proxy that cuts every connection at a chosen point."""

    def __init__(self, web: Reachable) -> None:
        self._web = web
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.line = Line(self._listener.getsockname()[1], web.url)
        self.where = CUTS[0]

    def serve(self) -> None:
        """Cut one connection after the other until the listener is closed."""
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                with client, socket.create_connection(("127.0.0.1", self._web.port)) as server:
                    client.settimeout(PATIENCE)
                    server.settimeout(PATIENCE)
                    self._cut(client, server)

    def _cut(self, client: socket.socket, server: socket.socket) -> None:
        server.sendall(_message(client))
        if self.where == CUTS[0]:
            return
        answer = _message(server)
        if self.where == CUTS[2]:
            client.sendall(answer[: len(answer) // 2])

    def close(self) -> None:
        """Stop listening."""
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()


def _message(peer: socket.socket) -> bytes:
    """Read a complete request or response, by its Content-Length."""
    response = b""
    while b"\r\n\r\n" not in response:
        response += _more(peer)
    head, _, body = response.partition(b"\r\n\r\n")
    length = 0
    for line in head.lower().split(b"\r\n"):
        if line.startswith(b"content-length:"):
            length = int(line.partition(b":")[2])
    while len(body) < length:
        body += _more(peer)
    return head + b"\r\n\r\n" + body


def _more(peer: socket.socket) -> bytes:
    received = peer.recv(1 << 16)
    if not received:
        raise ConnectionError
    return received


@contextmanager
def _cutting(web: Reachable) -> Iterator[Cutter]:
    cutter = Cutter(web)
    thread = threading.Thread(target=cutter.serve)
    thread.start()
    try:
        yield cutter
    finally:
        cutter.close()
        thread.join()


def _lost(cutter: Cutter, request: Request) -> None:
    """Send a request whose response does not arrive."""
    with pytest.raises((OSError, http.client.HTTPException)):
        send(cutter.line, request)


def _check_moves(web: Reachable, database: Database, cuts: int) -> None:
    """Check that each move with a lost response is made once, and that a retry returns it."""
    table, responses = Table(web, "cuts"), []
    with _cutting(web) as cutter:
        for number in range(cuts):
            cutter.where = CUTS[number % 3]
            player, decision = table.awaited()
            key = secrets.token_hex(8)
            request = moving(table.game, player, table.action(decision), Idempotency_Key=key)
            _lost(cutter, request)
            response = send(web, request)
            assert 201 == response.status, response.body
            responses.append((table.game, response.json["move"], hash_of_key(key)))
            assert response.body == send(web, request).body
    stored = [(game, move) for game in table.games for move in moves_of(database, game)]
    assert responses == [(game, move.number, move.key) for game, move in stored if move.number > 0]
    for game in table.games:
        head_of(database, game)


def test_moves_whose_answer_was_lost(web: Web) -> None:
    """Of 150 moves cut off in three ways none is made twice, and a retry returns each."""
    database = Database(web.url)
    try:
        _check_moves(web, database, 150)
    finally:
        database.close()


def test_messages_whose_answer_was_lost(web: Web) -> None:
    """Of 51 messages cut off in three ways none is posted twice, and a retry returns its number."""
    database = Database(web.url)
    table = Table(web)
    before = count(database, "messages")
    with _cutting(web) as cutter:
        for number in range(51):
            cutter.where = CUTS[number % 3]
            path, token = f"/v1/games/{table.game}/messages", table.players[number % 2].token
            request = asking("POST", path, {"text": "Hi."}, token, Idempotency_Key=f"k{number}")
            _lost(cutter, request)
            response = send(web, request)
            assert (201, number + 1) == (response.status, response.json["number"])
    assert before + 51 == count(database, "messages")
    database.close()


def test_a_repeated_move_is_noticed(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted fault: if a move's key is not checked together with the move, the check fails."""
    monkeypatch.setattr("service.games.moves._made_before", lambda *_: None)
    with served_here(url) as here:
        database = Database(url)
        with database.writing() as tx:
            tx.execute(text("DROP INDEX uq_moves_game_seat_key"))
        with pytest.raises(AssertionError):
            _check_moves(here, database, 15)
        database.close()
