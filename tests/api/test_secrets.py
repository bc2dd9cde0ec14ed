"""An HTTP response to a caller does not depend on anything hidden from that caller."""

import json
import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import func, select

from engine import Event, Move, Refusal, read, replay
from engine.log import canonical, record_of
from service.desk import Desk
from service.games import account_news, reading
from service.memory.positions import Positions
from service.memory.response_cache import ResponseCache
from service.notify import hook_bodies, hook_deliveries
from service.notify.outbox import Delivery
from service.views import game_page, story
from store.games.games import StoredMove
from store.games.packing import packed
from store.tables import games, moves, notebooks, notices, seats
from tests.amounts import amount
from tests.api.serving import fresh_app, newcomer, signed_in
from tests.engine.test_secrets import attempts_on
from tests.random_games import Table, played
from tests.worlds import another_world

NAMES = ("Ada", "Ben", "Cem", "Dora", "Eli")
TABLES = [
    Table("usa", (), 3),
    Table("europe", (), 3),
    Table("uk", ("advanced_technologies",), 3),
    Table("europe", ("dice",), 2),
]
PAIRS = amount(8, soak=80)
CHANGES = {"X-Request-Id", "RateLimit-Remaining", "RateLimit-Reset"}
"""Headers that differ with every request, even when the game is the same."""
AT = "2026-01-01T12:00:00.000Z"


class Service:
    """An application with one table of players, whose log a test can replace."""

    def __init__(self, folder: Path, table: Table) -> None:
        self.table = table
        self.app: Flask
        self.desk: Desk
        self.app, self.desk = fresh_app(f"sqlite:///{folder}/nightmail.db")
        self.web: FlaskClient = self.app.test_client()
        self.callers: list[dict[str, str]] = [{}]
        for name in NAMES[: table.seats]:
            account, bearer = newcomer(self.web, name)
            session = signed_in(self.desk, account["id"])
            self.callers.append({**bearer, "Cookie": f"nightmail={session}"})
        body = {"board": table.board, "variants": list(table.variants), "seats": table.seats}
        made = self.web.post("/v1/games", json=body, headers=self.callers[1])
        assert made.json is not None
        self.game = made.json["id"]
        for caller in self.callers[2:]:
            self.web.post(f"/v1/games/{self.game}/seats", json={}, headers=caller)
        self.order = self._order()

    def _order(self) -> list[dict[str, str]]:
        """The callers in the order of their seats, with the spectator last."""
        orders: dict[int, dict[str, str]] = {}
        for caller in self.callers[1:]:
            seen = self.web.get(f"/v1/games/{self.game}", headers=caller).json
            assert seen is not None
            orders[seen["me"]] = caller
        return [*(orders[seat] for seat in sorted(orders)), {}]

    def plan(self, seat: int) -> None:
        """Let the player of this seat write notes and sketch some routes."""
        routes = list(self.table.rules.board.routes)[::7]
        body = {"notes": f"what seat {seat} means to do", "sketch": routes}
        address = f"/v1/games/{self.game}/notebook"
        assert 200 == self.web.put(address, json=body, headers=self.order[seat]).status_code

    def put(self, log: list[Move], awaited: list[int]) -> None:
        """Replace the log of the table with this one; the stored hashes are all zero."""
        rows, seq = [], 0
        for move in log:
            seq += len(move.events)
            text = canonical(record_of(move._replace(at=AT))).decode()
            known = move.number, move.seat, seq, move.number
            row = StoredMove(*known, None, None, None, text, bytes(32))
            rows.append({"game": self.game, **row._asdict(), "record": packed(text)})
        with self.desk.database.writing() as tx:
            tx.execute(moves.delete().where(moves.c.game == self.game))
            tx.execute(moves.insert(), rows)
            tx.execute(games.update().values(version=log[-1].number, started=AT))
            for seat in range(self.table.seats):
                since = AT if seat in awaited else None
                here = seats.c.number == seat
                version = log[-1].number if since else None
                waits = {"awaited_since": since, "deadline": since, "decision_version": version}
                tx.execute(seats.update().where(here).values(**waits))
        self.desk = self.desk._replace(positions=Positions(), response_cache=ResponseCache())
        self.app.extensions["nightmail"] = self.desk

    def resign(self, seat: int) -> None:
        """Mark this seat as resigned a moment ago, so that a caretaker plays it."""
        with self.desk.database.writing() as tx:
            here = seats.c.number == seat
            tx.execute(seats.update().where(here).values(resigned=AT, house="caretaker"))
            tx.execute(games.update().values(changes=1))

    def outputs(self, seat: int | None, attempts: list[str]) -> Iterator[str]:
        """Every byte of the responses to this seat, or to a spectator, in this position."""
        caller = self.order[-1 if seat is None else seat]
        game = f"/v1/games/{self.game}"
        drawn = f"{game}/board.svg?tickets=true"
        addresses = [game, drawn, f"{game}/events", f"{game}/messages", f"{game}/log", "/v1/games"]
        if seat is not None:
            addresses += [f"{game}/decision", "/v1/me/decisions", "/v1/games?mine=true"]
            addresses += [f"{game}/notebook"]
        page = f"/games/{self.game}"
        addresses += [page, f"{page}?at=1"]
        for address in addresses:
            yield from self._answer("GET", address, caller)
        yield from self._answer("GET", game, {**caller, "If-None-Match": '"1"'})
        if seat is not None:
            yield from self._notified(seat)
        for text in attempts if seat is not None else ():
            yield from self._answer("POST", f"{game}/moves", caller, {"text": text})

    def _notified(self, seat: int) -> Iterator[str]:
        """The emails and webhooks that this seat would receive now."""
        with self.desk.database.reading() as tx:
            account = tx.scalar(select(seats.c.account).where(seats.c.number == seat))
            version = tx.scalar(select(games.c.version))
        assert account is not None
        assert version is not None
        yield f"letter {story.of_account(self.desk, self.game, account)}"
        for kind in ("decision_opened", "game_moved", "game_started"):
            about = (
                account,
                "webhook",
                "hook",
                kind,
                self.game,
                seat,
                version,
                {hook_deliveries.REDELIVER: True},
            )
            body = hook_bodies.body(self.desk, Delivery("id", *about, AT, 1, AT))
            yield f"hook {kind} {body!r}"

    def _answer(
        self, method: str, address: str, caller: dict[str, str], body: Any = None
    ) -> Iterator[str]:
        answer = self.web.open(address, method=method, headers=caller, json=body)
        if method == "POST" and answer.status_code == 201:
            raise AssertionError("an attempt was accepted, and has changed the world")
        headers = sorted((name, value) for name, value in answer.headers if name not in CHANGES)
        # A page's CSRF token is masked differently each time.
        text = re.sub(r'name="csrf_token" value="[0-9a-f]*"', "", answer.text)
        yield f"{method} {address} {body} {answer.status_code} {headers} {text}"


def differences(
    service: Service, pairs: int, resigned: int | None = None
) -> Iterator[tuple[str, str]]:
    """Compare pairs of worlds and yield the outputs that differ; half of the pairs are late.

    The worlds of a pair look the same to a random seat or to spectators.
    With `resigned`, they look the same to spectators, and the outputs are those of that seat.
    """
    table = service.table
    rules, game = table.rules, played(table, 0).game
    rng = random.Random(f"{table} over HTTP")
    changed = 0
    for pair in range(pairs):
        first = len(game.moves) * 4 // 5 if pair % 2 else 1
        log = game.moves[: rng.randrange(first, len(game.moves))]
        eyes = None if resigned is not None else rng.choice([None, *range(table.seats)])
        seat = eyes if resigned is None else resigned
        other = _moves(log, another_world(rules, _events(log), eyes, rng))
        changed += log != other
        awaited = _awaited(table, log)
        refused = [text for text in attempts_on(rules, rng) if not _legal(table, log, seat, text)]
        answers = []
        for world in (log, other):
            service.put(world, awaited)
            answers.append(list(service.outputs(seat, refused)))
        here, there = answers
        assert len(here) == len(there)
        yield from ((a, b) for a, b in zip(here, there, strict=True) if a != b)
    assert changed, "no pair is of two worlds"


def _events(log: list[Move]) -> list[Event]:
    return [event for move in log for event in move.events]


def _moves(log: list[Move], events: list[Event]) -> list[Move]:
    """The same moves with different events."""
    left = iter(events)
    return [move._replace(events=tuple(next(left) for _ in move.events)) for move in log]


def _awaited(table: Table, log: list[Move]) -> list[int]:
    return [decision.seat for decision in replay(table.rules, _events(log)).awaiting]


def _legal(table: Table, log: list[Move], seat: int | None, text: str) -> bool:
    if seat is None:
        return False
    try:
        read(table.rules, replay(table.rules, _events(log)), seat, text)
    except Refusal:
        return False
    return True


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_worlds_cannot_be_told_apart_over_http(table: Table, tmp_path: Path) -> None:
    """Bodies, headers, lengths, ETags, refusals and lists are the same in both worlds.

    So is what a notebook says about the routes that its owner means to claim.
    """
    service = Service(tmp_path, table)
    for seat in range(table.seats):
        service.plan(seat)

    assert [] == list(differences(service, PAIRS))


def leaks_of_a_notebook(service: Service) -> list[int | None]:
    """The other seats, and None for spectators, that could notice the notebook of seat 0."""
    table = service.table
    log = played(table, 0).game.moves[:20]
    service.put(log, _awaited(table, log))
    readers = [None, *range(1, table.seats)]
    before = [_all_heard(service, seat) for seat in readers]
    service.plan(0)
    after = [_all_heard(service, seat) for seat in readers]
    return [
        seat
        for seat, earlier, later in zip(readers, before, after, strict=True)
        if earlier != later
    ]


def _all_heard(service: Service, seat: int | None) -> list[object]:
    """Every output for a seat, the tag for its live updates, and the first news of its stream."""
    with service.desk.database.reading() as tx:
        account = tx.scalar(select(seats.c.account).where(seats.c.number == seat))
        notices_waiting = tx.execute(select(notices)).all()
    news = account_news.beginning(service.desk, account, AT)[1] if account else None
    tag = game_page.tag(service.desk, service.game, account, account)
    return [*service.outputs(seat, []), tag, news, notices_waiting]


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_a_notebook_changes_nothing_for_anybody_else(table: Table, tmp_path: Path) -> None:
    """With a notebook at another seat every page, response, tag, notice and stream is the same."""
    assert [] == leaks_of_a_notebook(Service(tmp_path, table))


def test_a_tag_that_tells_of_a_notebook_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Planted fault: a page whose tag counts all notebooks tells that somebody has written."""
    honest = game_page.tag_of

    def leaky(table: Any) -> str:
        with service.desk.database.reading() as tx:
            return f"{honest(table)}{tx.scalar(select(func.sum(notebooks.c.version)))}"

    service = Service(tmp_path, TABLES[0])
    monkeypatch.setattr(game_page, "tag_of", leaky)

    assert [None, 1, 2] == leaks_of_a_notebook(service)


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_whoever_has_resigned_sees_what_spectators_see(table: Table, tmp_path: Path) -> None:
    """The caretaker's cards and tickets appear in no response, page, picture, email or webhook."""
    service = Service(tmp_path, table)
    service.resign(1)

    assert [] == list(differences(service, PAIRS, resigned=1))


LEAKS: dict[str, Callable[[Any], Any]] = {
    "the head hashes what is hidden": lambda position: hash(str(position.state.parts["cards"])),
    "an aggregate of the deck": lambda position: max(position.state.parts["cards"].deck) % 2,
    "others' tickets": lambda position: position.state.parts["tickets"].held,
}


@pytest.mark.parametrize("leak", LEAKS)
def test_a_leak_in_the_game_is_found(
    leak: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Planted fault: a field computed from the whole state makes the worlds differ."""
    honest = reading.game_document

    def leaky(desk: Desk, tx: Any, table: Any, seat: int | None) -> Any:
        table, document = honest(desk, tx, table, seat)
        position = desk.positions.of(tx, table)
        return table, document | {"more": json.loads(json.dumps(LEAKS[leak](position)))}

    monkeypatch.setattr(reading, "game_document", leaky)

    assert any(differences(Service(tmp_path, TABLES[0]), 40))


def test_a_leak_in_the_page_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted fault: an ETag computed from the whole state makes the worlds differ."""
    honest = game_page._from_state

    def leaky(table: Any, position: Any, seat: int | None, view: Any) -> Any:
        hidden = hash(str(position.state.parts["cards"]))
        return honest(table, position, seat, view)._replace(tag=f"{hidden}")

    monkeypatch.setattr(game_page, "_from_state", leaky)

    assert any(differences(Service(tmp_path, TABLES[0]), 8))


def test_a_stranger_is_not_told_that_a_private_game_exists(tmp_path: Path) -> None:
    """Every URL of a private game answers a stranger as if the game did not exist."""
    app, _ = fresh_app(f"sqlite:///{tmp_path}/nightmail.db")
    web = app.test_client()
    _, owner = newcomer(web, "Ada")
    _, stranger = newcomer(web, "Ben")
    new_game = {"board": "usa", "seats": 2, "visibility": "private", "bots": {"easy": 1}}
    made = web.post("/v1/games", json=new_game, headers=owner).json
    assert made is not None
    for way in ("", "/events", "/messages", "/log", "/decision"):
        here = web.get(f"/v1/games/{made['id']}{way}", headers=stranger)
        nowhere = web.get(f"/v1/games/{'x' * 22}{way}", headers=stranger)
        assert (404, nowhere.text) == (here.status_code, here.text), way
    for way, body in (("/moves", {"text": "draw"}), ("/messages", {"text": "hello"})):
        here = web.post(f"/v1/games/{made['id']}{way}", json=body, headers=stranger)
        nowhere = web.post(f"/v1/games/{'x' * 22}{way}", json=body, headers=stranger)
        assert (404, nowhere.text) == (here.status_code, here.text), way
    assert 404 == web.delete(f"/v1/games/{made['id']}/seats/mine", headers=stranger).status_code
