"""A web server as operators start it, and players who reach it over real sockets."""

import os
import random
import secrets
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import uvicorn
from flask import Flask

from api.http.places import Places
from api.server import serving
from api.server.front import Front
from service.desk import Desk
from service.settings import Settings
from service.upkeep import upgrade
from store.database import Database
from tests.api.serving import KEY, OFTEN, fresh_app
from tests.promises.support.http_calls import Json, Reachable, Request, ask, asking
from tests.support.child_servers import Child, free_port


class Web(Child):
    """`nightmail web` or `serve` in its own processes, which can be killed and restarted."""

    def __init__(self, url: str, command: str = "web", **environ: str) -> None:
        super().__init__()
        self.command = command
        self.port = free_port()
        self.url = url
        self._environ = {
            **OFTEN,
            "PATH": os.defpath,
            "PYTHONPATH": str(Path(__file__).parents[3]),  # tests this checkout
            "SECRET_KEYS": KEY,
            "LOG_FORMAT": "json",
            "OPEN_GAMES": "100000",
            "DATA_DIR": str(self.home),
            "PUBLIC_URL": f"http://127.0.0.1:{self.port}",
            **environ,
            "DATABASE_URL": url,
            "BIND": f"127.0.0.1:{self.port}",
        }

    def start(self) -> None:
        """Start the server, also after kill9, and wait until it is ready."""
        self.launch([Path(sys.executable).with_name("nightmail"), self.command], self._ready)

    def stop(self) -> None:
        """Kill the server; an orderly shutdown takes time and is tested elsewhere."""
        self.kill9()

    def log(self) -> str:
        """Everything that the server has logged so far."""
        return (self.home / "log").read_text(encoding="utf-8")

    def _ready(self, _: int) -> bool:
        try:
            return ask(self, "GET", "/readyz").status == 200
        except OSError:
            return False

    @property
    def surroundings(self) -> Json:
        """Working directory and environment for a process of ours."""
        return {"cwd": self.home, "env": self._environ, "start_new_session": True}

    def _surroundings(self) -> Json:
        return self.surroundings


@contextmanager
def running_web(url: str, command: str = "web", **environ: str) -> Iterator[Web]:
    """Migrate this database, and run a server on it."""
    with open_database(url):
        pass
    web = Web(url, command, **environ)
    try:
        web.start()
        yield web
    finally:
        web.close()


@contextmanager
def open_database(url: str) -> Iterator[Database]:
    """Migrate and open this database, for access that bypasses the server."""
    upgrade(Settings.of({"SECRET_KEYS": KEY, "DATABASE_URL": url}))
    database = Database(url)
    try:
        yield database
    finally:
        database.close()


class Here(NamedTuple):
    """A server in this process, whose parts a test can replace with faulty ones."""

    port: int
    url: str
    places: Places
    """Counts its long polls and streams."""


@contextmanager
def served_here(url: str, **environ: str) -> Iterator[Here]:
    """Serve the application on this database from threads of this process."""
    app, desk = fresh_app(url, OPEN_GAMES="100000", **environ)
    with listening(app) as port:
        yield Here(port, url, app.extensions["nightmail.state"].places)
    desk.close()


@contextmanager
def listening(app: Flask, port: int = 0) -> Iterator[int]:
    """Run the application behind the production server; yields the port."""
    desk: Desk = app.extensions["nightmail"]
    listener = serving.listen(f"127.0.0.1:{port}")
    front = Front(app.wsgi_app, desk.waiters, desk.settings.web_threads)
    chosen = serving.config(desk.settings, front)
    chosen.lifespan, chosen.timeout_graceful_shutdown = "off", 1
    server = uvicorn.Server(chosen)
    thread = threading.Thread(target=server.run, args=([listener],))
    thread.start()
    try:
        yield int(listener.getsockname()[1])
    finally:
        front.stop()
        server.should_exit = True
        thread.join()
        front.close()


class Player(NamedTuple):
    """An account and its token."""

    id: str
    name: str
    token: str


def fresh_name() -> str:
    """A name that no account has, nor a similar one."""
    return f"Tester {secrets.token_hex(8)}"


def newcomer(web: Reachable, name: str = "", **more: Any) -> Player:
    """A new account."""
    response = ask(web, "POST", "/v1/accounts", {"name": name or fresh_name(), **more})
    assert 201 == response.status, response.body
    account = response.json["account"]
    return Player(account["id"], account["name"], response.json["token"]["token"])


def opened(web: Reachable, *players: Player, board: str = "usa", **more: Any) -> str:
    """Open a game with these players, and return its id."""
    body = {"board": board, "seats": len(players), **more}
    response = ask(web, "POST", "/v1/games", body, players[0].token)
    assert 201 == response.status, response.body
    game = str(response.json["id"])
    for player in players[1:]:
        assert 201 == ask(web, "POST", f"/v1/games/{game}/seats", {}, player.token).status
    return game


def decision(web: Reachable, game: str, players: Sequence[Player]) -> tuple[Player, Json] | None:
    """The first of these players with an open decision, and the decision; None if there is none."""
    for player in players:
        response = ask(web, "GET", f"/v1/games/{game}/decision?options=all", None, player.token)
        if response.status == 200:
            return player, response.json
        assert 204 == response.status, response.body
    return None


def moving(game: str, player: Player, action: Json, **headers: str) -> Request:
    """A request that makes a move."""
    return asking("POST", f"/v1/games/{game}/moves", {"action": action}, player.token, **headers)


class Table:
    """Two players who never stop: when a game is over they open the next."""

    def __init__(self, web: Reachable, seed: int | str = 0) -> None:
        self.web = web
        self.rng = random.Random(seed)
        self.players = newcomer(web), newcomer(web)
        self.game = opened(web, *self.players)
        self.games = [self.game]

    def awaited(self) -> tuple[Player, Json]:
        """The player with an open decision, and the decision."""
        open_decision = decision(self.web, self.game, self.players)
        if open_decision is None:
            self.game = opened(self.web, *self.players)
            self.games.append(self.game)
            open_decision = decision(self.web, self.game, self.players)
        assert open_decision is not None
        return open_decision

    def action(self, decision: Json) -> Json:
        """A random option, more often a draw of cards so that games last."""
        options = decision["options"]
        drawing = [option for option in options if option["text"].startswith(("draw", "take"))]
        chosen = drawing if drawing and self.rng.random() < 0.7 else options
        action: Json = self.rng.choice(chosen)["action"]
        return action
