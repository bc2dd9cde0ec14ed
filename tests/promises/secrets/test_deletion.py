"""Promise 30: deleting an account leaves no trace of it, and every game replays as before."""

import json
import secrets
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from io import StringIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import pytest
from flask.testing import FlaskClient
from sqlalchemy import text

from api.http import request_log
from service import account_deletion
from service.desk import Desk
from service.games import lobby, talk
from service.games.log_files import checked
from service.people import accounts, names
from service.people.tokens import Caller, caller_of
from store import sqlite, timestamps
from store.database import Database
from store.games import games
from store.notify import notices
from tests.api.framing import settings
from tests.api.logging import logged_to
from tests.api.serving import fresh_app, newcomer
from tests.promises.support.database_checks import head_of, moves_of, text_of
from tests.promises.support.http_calls import ask
from tests.promises.support.web_server import Web, fresh_name
from tests.promises.support.writers import Writers
from tests.support.waiting import until

LEAVERS = 20


class Leaver(NamedTuple):
    """An account that will be deleted, and the words that must disappear with it."""

    bearer: dict[str, str]
    traces: tuple[str, ...]


class Place(NamedTuple):
    """The application, its database and folder, and its log."""

    web: FlaskClient
    database: Database
    folder: Path
    log: StringIO

    def post(self, path: str, caller: dict[str, str], **body: Any) -> Any:
        """Send a request with an Idempotency-Key, and return the parsed response."""
        headers_sent = {**caller, "Idempotency-Key": secrets.token_hex(16)}
        response = self.web.post(path, json=body, headers=headers_sent)
        assert 201 == response.status_code, response.text
        return response.json

    def everything(self) -> bytes:
        """All stored bytes and texts: the files on disk, the rows and the log."""
        text = text_of(self.database) + self.log.getvalue()
        files = self.folder.iterdir() if self.database.is_sqlite else ()
        return b"".join(file.read_bytes() for file in files) + text.encode()


@contextmanager
def _place(url: str, folder: Path) -> Iterator[Place]:
    with logged_to(StringIO()) as stream:
        request_log.set_up(settings(LOG_LEVEL="debug"), stream)
        app, desk = fresh_app(url, DATA_DIR=str(folder), OPEN_GAMES="1000")
        yield Place(app.test_client(), desk.database, folder, stream)
        desk.close()


def _leaver(place: Place, number: int) -> Leaver:
    """An account with a former name, two tokens and two mail addresses."""
    word = f"Zyx{secrets.token_hex(6)}"
    old, new, mail = f"Old {word}", f"New {word}", f"{word}@leaver.example"
    _, bearer = newcomer(
        place.web, old, email=mail, time_zone="Europe/Vaduz", kind=("person", "bot")[number % 2]
    )
    place.post("/v1/me/tokens", bearer, label=f"Phone {word}", scopes=["read"])
    response = place.web.patch("/v1/me", json={"name": new, "email": f"x{mail}"}, headers=bearer)
    assert 200 == response.status_code, response.text
    key = names.skeleton(word)
    return Leaver(bearer, (word, key, word.lower(), json.dumps(word)))


def _sit_down(place: Place, leavers: list[Leaver], seats: int) -> str:
    """A game with these players, each of whom has posted a message."""
    title = f"Table {secrets.token_hex(4)}"
    opener = leavers[0]
    game = str(place.post("/v1/games", opener.bearer, board="usa", seats=seats, title=title)["id"])
    for leaver in leavers[1:]:
        place.post(f"/v1/games/{game}/seats", leaver.bearer, nonce="any")
    for leaver in leavers:
        place.post(f"/v1/games/{game}/messages", leaver.bearer, text=f"I am {leaver.traces[0]}.")
    return game


def _play(place: Place, game: str, players: list[dict[str, str]], most: int = 10_000) -> int:
    """Play on, claiming routes where possible, until the end or for at most this many moves."""
    for made in range(most):
        for bearer in players:
            response = place.web.get(f"/v1/games/{game}/decision?options=all", headers=bearer)
            if response.json:
                options = response.json["options"]
                claims = [
                    option for option in options if option["text"].startswith("claim")
                ] or options
                long = max(claims, key=lambda option: len(option["text"]))
                place.post(f"/v1/games/{game}/moves", bearer, action=long["action"])
                break
        else:
            return made
    return most


def _traces(place: Place, leavers: list[Leaver]) -> list[str]:
    """Traces that are still there."""
    everything = place.everything().lower()
    return [
        trace
        for leaver in leavers
        for trace in leaver.traces
        if trace.lower().encode() in everything
    ]


class Heads(NamedTuple):
    """What must not change: each game's version and its head."""

    versions: dict[str, int]
    heads: dict[str, str]


def _heads(place: Place, games: list[str]) -> Heads:
    versions = {game: len(moves_of(place.database, game)) - 1 for game in games}
    return Heads(versions, {game: head_of(place.database, game) for game in games})


def _life(place: Place) -> tuple[list[Leaver], dict[str, str], list[str]]:
    """Twenty accounts with games, messages and notes, one that stays, and the games that began."""
    leavers = [_leaver(place, number) for number in range(LEAVERS)]
    _, stays = newcomer(place.web, "Methuselah", email="methuselah@example.org")
    finished = _sit_down(place, leavers[:2], 2)
    _play(place, finished, [leaver.bearer for leaver in leavers[:2]])
    running = []
    for start in range(0, LEAVERS, 4):
        game = _sit_down(place, leavers[start : start + 4], 5)
        place.post(f"/v1/games/{game}/seats", stays, nonce="stay")
        place.post(f"/v1/games/{game}/messages", stays, text="Hello, all of you.")
        _play(place, game, [*(player.bearer for player in leavers[start : start + 4]), stays], 8)
        for leaver in leavers[start : start + 4]:
            notes = {"notes": f"{leaver.traces[0]} goes south.", "sketch": []}
            kept = place.web.put(f"/v1/games/{game}/notebook", json=notes, headers=leaver.bearer)
            assert 200 == kept.status_code
        waiting = _sit_down(place, leavers[start : start + 4], 5)
        place.web.get(f"/v1/games/{waiting}", headers=stays)
        running.append(game)
    return leavers, stays, [finished, *running]


def test_nothing_is_left_of_an_account(url: str, tmp_path: Path) -> None:
    """Deleting twenty accounts leaves no trace of them, and every game still replays.

    The search covers the database files on disk, the rows and the log.
    """
    with _place(url, tmp_path) as place:
        leavers, stays, games = _life(place)
        before = _heads(place, games)
        assert _traces(place, leavers)
        log = place.web.get(f"/v1/games/{games[0]}/log", headers=stays).data

        for leaver in leavers:
            assert 204 == place.web.delete("/v1/me", headers=leaver.bearer).status_code

        assert [] == _traces(place, leavers)
        for game in games:
            head_of(place.database, game)
            move = moves_of(place.database, game)[before.versions[game]]
            assert before.heads[game] == move.hash.hex()
        assert log == place.web.get(f"/v1/games/{games[0]}/log").data
        assert before.heads[games[0]] == checked(log).log.lines[-2]["hash"]
        assert b"Methuselah" in place.everything()
        assert 500 < place.log.getvalue().count("\n")


@pytest.mark.parametrize("fault", ["answers", "pages", "journal"])
def test_traces_are_noticed(fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted faults: traces in recorded answers, free pages or the journal are found."""
    if fault == "answers":
        monkeypatch.setattr("store.recorded_answers.forget_of", lambda *_: None)
    elif fault == "pages":
        monkeypatch.setitem(sqlite.PRAGMAS, "secure_delete", "0")
    else:
        monkeypatch.setattr(Database, "scrub", lambda _: None)
    with _place(f"sqlite:///{tmp_path}/nightmail.db", tmp_path) as place:
        leavers = [_leaver(place, number) for number in range(5)]
        _sit_down(place, leavers, 5)
        for leaver in leavers:
            place.web.delete("/v1/me", headers=leaver.bearer)
        assert _traces(place, leavers)


def test_going_disturbs_nobody(web: Web) -> None:
    """Renaming players while they move, and then deleting them all at once, fails no request."""
    writers = Writers(web, 4)
    statuses = set()
    with writers.at_work():
        for table in writers.tables:
            for player in table.players:
                for _ in range(5):
                    response = ask(web, "PATCH", "/v1/me", {"name": fresh_name()}, player.token)
                    statuses.add(response.status)
        writers.go_on(20)
    assert {200} == statuses
    with ThreadPoolExecutor(8) as pool:
        players = [player for table in writers.tables for player in table.players]
        gone = list(
            pool.map(lambda leaver: ask(web, "DELETE", "/v1/me", None, leaver.token), players)
        )
    assert {204} == {response.status for response in gone}
    assert [] == [line for line in web.log().splitlines() if '"level": "error"' in line]


def test_talk_while_somebody_goes(
    postgres: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PostgreSQL: a message to a finished game and a player's deletion do not deadlock."""
    _, desk = fresh_app(postgres, DATA_DIR=str(tmp_path))
    ada, ben = (_caller(desk, name) for name in ("Ada", "Ben"))
    game = str(lobby.open_game(desk, ada.account, lobby.NewGame("usa", (), 2), None)["id"])
    lobby.join(desk, ben.account, game, "", None)
    with desk.database.writing() as tx:
        games.close(tx, game, "finished", timestamps.now())
    with ThreadPoolExecutor(1) as pool:
        going: list[Future[None]] = []

        def add(*args: Any) -> None:
            going.append(pool.submit(account_deletion.delete, desk, ben))
            until(lambda: _waiting(desk.database), "somebody who waits for a lock")
            notices.add(*args)

        monkeypatch.setattr(talk, "notices", SimpleNamespace(add=add))
        talk.say(desk, ada.account, game, "Well played.", None)
        going[0].result()
    desk.close()


def _caller(desk: Desk, name: str) -> Caller:
    caller = caller_of(desk, accounts.create(desk, {"name": name}, None)["token"]["token"])
    assert caller is not None
    return caller


def _waiting(database: Database) -> bool:
    with database.reading() as tx:
        return bool(tx.scalar(text("SELECT count(*) FROM pg_locks WHERE NOT granted")))
