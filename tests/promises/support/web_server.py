"""A server as operators start it, and players who reach it through real sockets."""

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
from tests.promises.support.http_calls import Asked, Json, Reachable, ask, asking
from tests.support.child_servers import Child, free_port


class Web(Child):
    """`nightmail web` or `serve` in processes of its own, to be killed and started again."""

    def __init__(self, url: str, command: str = "web", **environ: str) -> None:
        super().__init__()
        self.command = command
        self.port = free_port()
        self.url = url
        self._environ = {
            **OFTEN,
            "PATH": os.defpath,
            "PYTHONPATH": str(Path(__file__).parents[3]),  # what is tested is what lies here
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
        """Start it, also after kill9, and wait until it answers."""
        self.launch([Path(sys.executable).with_name("nightmail"), self.command], self._ready)

    def stop(self) -> None:
        """End it; that it could take its leave in good order takes time and is tested elsewhere."""
        self.kill9()

    def log(self) -> str:
        """All that it has written so far."""
        return (self.home / "log").read_text(encoding="utf-8")

    def _ready(self, _: int) -> bool:
        try:
            return ask(self, "GET", "/readyz").status == 200
        except OSError:
            return False

    @property
    def surroundings(self) -> Json:
        """What a process of ours is started with."""
        return {"cwd": self.home, "env": self._environ, "start_new_session": True}

    def _surroundings(self) -> Json:
        return self.surroundings


@contextmanager
def running_web(url: str, command: str = "web", **environ: str) -> Iterator[Web]:
    """A server on this database, which gets its tables first."""
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
    """This database, up to date, for a look past the server."""
    upgrade(Settings.of({"SECRET_KEYS": KEY, "DATABASE_URL": url}))
    database = Database(url)
    try:
        yield database
    finally:
        database.close()


class Here(NamedTuple):
    """A server in this process, whose parts a test can replace by faulty ones."""

    port: int
    url: str
    places: Places
    """Where its long polls and streams are counted."""


@contextmanager
def served_here(url: str, **environ: str) -> Iterator[Here]:
    """The application on this database, in threads of this process."""
    app, desk = fresh_app(url, OPEN_GAMES="100000", **environ)
    with listening(app) as port:
        yield Here(port, url, app.extensions["nightmail.state"].places)
    desk.close()


@contextmanager
def listening(app: Flask, port: int = 0) -> Iterator[int]:
    """The port on which the application answers, behind the server of production."""
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
    """A name that nobody has, nor one like it."""
    return f"Tester {secrets.token_hex(8)}"


def newcomer(web: Reachable, name: str = "", **more: Any) -> Player:
    """A new account."""
    said = ask(web, "POST", "/v1/accounts", {"name": name or fresh_name(), **more})
    assert 201 == said.status, said.body
    account = said.json["account"]
    return Player(account["id"], account["name"], said.json["token"]["token"])


def opened(web: Reachable, *players: Player, board: str = "usa", **more: Any) -> str:
    """The id of a game that these players have begun."""
    wanted = {"board": board, "seats": len(players), **more}
    said = ask(web, "POST", "/v1/games", wanted, players[0].token)
    assert 201 == said.status, said.body
    game = str(said.json["id"])
    for player in players[1:]:
        assert 201 == ask(web, "POST", f"/v1/games/{game}/seats", {}, player.token).status
    return game


def decision(web: Reachable, game: str, players: Sequence[Player]) -> tuple[Player, Json] | None:
    """The first of these players who is awaited, and what is asked; None if nobody is."""
    for player in players:
        said = ask(web, "GET", f"/v1/games/{game}/decision", None, player.token)
        if said.status == 200:
            return player, said.json
        assert 204 == said.status, said.body
    return None


def moving(game: str, player: Player, action: Json, **headers: str) -> Asked:
    """The request that makes a move."""
    return asking("POST", f"/v1/games/{game}/moves", {"action": action}, player.token, **headers)


class Table:
    """Two players who go on for ever: when a game is over they open the next."""

    def __init__(self, web: Reachable, seed: int | str = 0) -> None:
        self.web = web
        self.rng = random.Random(seed)
        self.players = newcomer(web), newcomer(web)
        self.game = opened(web, *self.players)
        self.games = [self.game]

    def asked(self) -> tuple[Player, Json]:
        """Who is awaited, and for what."""
        found = decision(self.web, self.game, self.players)
        if found is None:
            self.game = opened(self.web, *self.players)
            self.games.append(self.game)
            found = decision(self.web, self.game, self.players)
        assert found is not None
        return found

    def action(self, asked: Json) -> Json:
        """Any of the options, the drawing of cards more often, so that games last."""
        options = asked["options"]
        drawing = [one for one in options if one["group"] == "draw"]
        chosen = drawing if drawing and self.rng.random() < 0.7 else options
        action: Json = self.rng.choice(chosen)["action"]
        return action
