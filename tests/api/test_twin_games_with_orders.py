"""Two games that are alike, one played by orders and one by hand: others see the same bytes."""

import json
import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from flask.testing import FlaskClient
from sqlalchemy import Table, select

from api.wsgi import app_at
from engine import Action, Ruleset, State, read
from service.clocks import deadlines
from service.desk import Desk, open_desk
from service.games import account_news, reading
from service.games.bots import house
from service.games.ordering import carrying_out, giving
from service.settings import Settings
from store.games import games as stored_games
from store.games.games import Seated
from store.tables import games, moves, notices, seats
from tests.api.serving import KEY, OFTEN, fresh_app, newcomer, signed_in
from tests.service.support.tables import default_text, keep_tickets, play
from tests.service.support.timing import Hands, by_hand, seat_at

NAMES = "Ada", "Ben", "Cem"
PACE = {"per_decision": 86400, "bank": 7200, "reminders": [0.01, 0.5]}
MASKED = (
    (r'name="csrf_token" value="[0-9a-f]*"', ""),  # masked differently each time
    (r"[0-9a-f]{64}", "HASH"),  # heads of the hash chain, which hash each line with a nonce
)
CHANGES = {"X-Request-Id", "RateLimit-Remaining", "RateLimit-Reset"}
"""Headers that differ with every request."""
STORED: dict[Table, tuple[str, ...]] = {
    games: ("id", "version", "changes", "status", "last_message", "house_due"),
    moves: ("number", "seat", "seq", "until"),
    seats: (
        *("number", "awaited_since", "deadline", "due", "bank", "missed", "decision_version"),
        *("house", "resigned"),
    ),
}
"""What the responses to others, and the times at which they are told, are made of."""


class World(NamedTuple):
    """A service with one game of three, and a clock that is moved by hand."""

    desk: Desk
    hands: Hands
    web: FlaskClient
    game: str
    players: list[str]
    """Ada, who may leave orders, then the others."""
    callers: list[dict[str, str]]
    """The headers of the players, and of a spectator."""

    def seen(self) -> list[str]:
        """All that the others and spectators are sent, and what will be sent to them."""
        return [*self._responses(), *self._stored(), *self._notices(), *self._streams()]

    def _responses(self) -> Iterator[str]:
        game = f"/v1/games/{self.game}"
        public = (game, f"{game}/events", f"{game}/messages", f"{game}/log", "/v1/games")
        own = (f"{game}/decision", f"{game}/orders", "/v1/me", "/v1/me/decisions")
        for caller in self.callers[1:]:
            me = self.web.get("/v1/me", headers=caller).json or {}
            calendar = [me["calendar"]] if "calendar" in me else []
            for address in (*public, *own, *calendar, f"/games/{self.game}", "/games"):
                answer = self.web.get(address, headers=caller)
                headers = sorted(pair for pair in answer.headers if pair[0] not in CHANGES)
                yield masked(f"{address} {answer.status_code} {headers} {answer.text}")

    def _stored(self) -> Iterator[str]:
        with self.desk.database.reading() as tx:
            for stored, names in STORED.items():
                rows = tx.execute(select(*stored.c[names]).order_by(*stored.c[names[:2]]))
                yield f"{stored.name} {[tuple(row) for row in rows]}"

    def _notices(self) -> Iterator[str]:
        with self.desk.database.reading() as tx:
            names = "account", "kind", "game", "seat", "version", "at"
            rows = tx.execute(select(*notices.c[names]).order_by(notices.c.at, notices.c.kind))
            yield f"notices {[tuple(row) for row in rows if row.account != self.players[0]]}"

    def _streams(self) -> Iterator[str]:
        for account in self.players[1:]:
            news = account_news.beginning(self.desk, account, "2030-01-01T00:00:00.000Z")
            yield f"stream {news}"

    def others_play(self, text: str = "") -> None:
        """Let the others play their turns by hand until it is Ada's."""
        awaited = True
        while awaited:
            awaited = False
            for account in self.players[1:]:
                while seat_at(self.desk, self.game, account).awaited_since:
                    play_text = text or default_text(self.desk, self.game, account)
                    play(self.desk, self.game, account, play_text)
                    awaited = True


def masked(text: str) -> str:
    """The text without what differs between two games that are alike."""
    for pattern, put in MASKED:
        text = re.sub(pattern, put, text)
    return text


def world_at(url: str, game: str, players: list[str], callers: list[dict[str, str]]) -> World:
    """The service on this database."""
    settings = Settings.of({"SECRET_KEYS": KEY, "LOG_LEVEL": "error", **OFTEN, "DATABASE_URL": url})
    desk, hands = by_hand(open_desk(settings))
    return World(desk, hands, app_at(desk).test_client(), game, players, callers)


def copy(database: Path, to: Path) -> None:
    """Copy a database that is in use."""
    with sqlite3.connect(database) as here, sqlite3.connect(to) as there:
        here.backup(there)


@pytest.fixture
def twins(tmp_path: Path) -> Iterator[tuple[World, World]]:
    """Two services with the same database, in which it is Ada's turn."""
    app, desk = fresh_app(f"sqlite:///{tmp_path}/first.db")
    web = app.test_client()
    players, callers = [], []
    for name in NAMES:
        account, bearer = newcomer(web, name)
        players.append(account["id"])
        callers.append({**bearer, "Cookie": f"nightmail={signed_in(desk, account['id'])}"})
    body = {"board": "usa", "seats": 3, "pace": PACE}
    game = web.post("/v1/games", json=body, headers=callers[0]).json["id"]  # type: ignore[index]
    for caller in callers[1:]:
        web.post(f"/v1/games/{game}/seats", json={}, headers=caller)
    desk.close()
    first = world_at(f"sqlite:///{tmp_path}/first.db", game, players, [*callers, {}])
    keep_tickets(first.desk, game, players)
    while not seat_at(first.desk, game, players[0]).awaited_since:
        first.others_play("draw")
    copy(tmp_path / "first.db", tmp_path / "second.db")
    second = world_at(f"sqlite:///{tmp_path}/second.db", game, players, [*callers, {}])
    second.hands.moment = first.hands.moment
    yield first, second
    first.desk.close()
    second.desk.close()


def played_by_orders(world: World) -> list[str]:
    """Carry out the orders that are due, and return the moves that they made."""
    before = len(_played(world))
    while carrying_out.play_next(world.desk):
        pass
    return _played(world)[before:]


def _played(world: World) -> list[str]:
    shown = giving.shown(world.desk, world.players[0], world.game)
    return [move["move"] for move in shown["played"]] if shown else []


def due(world: World) -> str:
    """Move the clock to the moment at which orders are due."""
    seconds = carrying_out.seconds_left(world.desk)
    assert seconds is not None
    world.hands.on(seconds=seconds)
    return world.hands()


def differences(first: World, second: World) -> list[tuple[str, str]]:
    """What others are sent by only one of these services."""
    return [pair for pair in zip(first.seen(), second.seen(), strict=True) if pair[0] != pair[1]]


def play_turns(first: World, second: World, orders: str, turns: int) -> Iterator[tuple[str, str]]:
    """Play turns by orders in the first world, and the same by hand in the second."""
    ada = first.players[0]
    giving.give(first.desk, ada, first.game, orders)
    for turn in range(turns):
        second.hands.to(due(first) if turn else first.hands())
        for text in played_by_orders(first):
            play(second.desk, second.game, ada, text)
        yield from differences(first, second)
        for world in (first, second):
            world.hands.on(minutes=7)
            world.others_play("draw")
        yield from differences(first, second)


def test_turns_by_orders_look_like_turns_by_hand(twins: tuple[World, World]) -> None:
    """Responses, tags, streams, calendars, notices, clocks and banks of the others are the same."""
    orders = "draw; draw; claim portland-seattle when I can, meanwhile draw; draw for 2 turns"

    assert [] == [*play_turns(*twins, orders, 4)]


def test_replacing_stopping_and_deleting_orders_shows_nothing(twins: tuple[World, World]) -> None:
    """Whatever becomes of orders, the others are sent the same as if there had never been any."""
    first, second = twins
    ada = first.players[0]
    assert [] == [*play_turns(first, second, "draw; draw; ask me", 1)]
    second.hands.to(due(first))
    assert [] == played_by_orders(first)
    assert [] == differences(first, second)
    giving.give(first.desk, ada, first.game, "claim portland-seattle when I can")
    giving.take_back(first.desk, ada, first.game)
    assert [] == differences(first, second)
    for world in twins:
        play(world.desk, world.game, ada, "draw")
    assert [] == differences(first, second)


def test_orders_of_an_absent_player_look_like_the_caretaker(
    twins: tuple[World, World], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where a caretaker plays the same moves, nobody can tell that they were ordered."""
    first, second = twins
    ada = first.players[0]

    def draws(rules: Ruleset, view: State, seat: Seated) -> Action:
        return read(rules, view, seat.number, "draw")

    monkeypatch.setattr(house, "answer", draws)
    for world in twins:
        while seat_at(world.desk, world.game, ada).missed < 3:
            world.hands.on(days=2)
            deadlines.sweep(world.desk)
            world.others_play("draw")
    giving.give(first.desk, ada, first.game, "draw for 9 turns")
    for _ in range(3):
        for world in twins:
            world.hands.to(str(seat_at(world.desk, world.game, ada).deadline))
            while house.play_next(world.desk):
                pass
        assert [] == differences(first, second)
        for world in twins:
            world.others_play("draw")
    assert ["draw"] * 3 == _played(first)


def test_a_leak_is_found(twins: tuple[World, World], monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted fault: a game that tells how its last move came in is noticed."""
    honest = reading.game_document

    def leaky(desk: Desk, tx: Any, table: Any, seat: int | None) -> Any:
        table, document = honest(desk, tx, table, seat)
        last = stored_games.moves_between(tx, table.id, table.version, table.version)
        return table, document | {"more": len(json.loads(last[0].record)["source"])}

    monkeypatch.setattr(reading, "game_document", leaky)

    assert [*play_turns(*twins, "draw for 2 turns", 1)]
