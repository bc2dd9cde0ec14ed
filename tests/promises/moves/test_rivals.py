"""Promise 4: of rivals for one place in the log exactly one wins, and nothing is overwritten."""

import json
import secrets
from collections.abc import Sequence
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, delete, insert, update

from service.desk import Desk
from service.games import lobby, moves, reading
from service.games.move_requests import from_body
from service.people import accounts
from service.people.tokens import caller_of
from store import tables
from store.database import Database
from store.games.games import SeatWait, StoredMove
from tests.api.serving import fresh_app
from tests.promises.support.database_checks import head_of, moves_of
from tests.promises.support.http_calls import Json, Reachable, Request, Response, Volley, ask
from tests.promises.support.web_server import Player, Table, Web, moving, served_here
from tests.service.support.meanwhile import meanwhile

RIVALS = 16
Won = dict[tuple[str, int], Json]
"""The action of every move that was acknowledged, by game and number."""


def _rivals(
    table: Table, player: Player, decision: Json, **more: str
) -> list[tuple[Json, Request]]:
    """Sixteen requests to move in one position, as different as its options allow."""
    options = [option["action"] for option in decision["options"]]
    table.rng.shuffle(options)
    return [
        (action, moving(table.game, player, action, Idempotency_Key=secrets.token_hex(8), **more))
        for action in islice(cycle(options), RIVALS)
    ]


def _winners(
    game: str, rivals: Sequence[tuple[Json, Request]], responses: Sequence[Response]
) -> Won:
    return {
        (game, answer.json["move"]): action
        for (action, _), answer in zip(rivals, responses, strict=True)
        if answer.status == 201
    }


def _check_stored(web: Reachable, database: Database, table: Table, won: Won) -> None:
    """Check that the logs contain exactly the winners, and that clients see their replay."""
    stored = {
        (game, move.number): json.loads(move.record)["action"]
        for game in table.games
        for move in moves_of(database, game)
        if move.number > 0
    }
    assert won == stored
    for game in table.games:
        assert head_of(database, game) == ask(web, "GET", f"/v1/games/{game}").json["head"]


def _check_expecting(web: Reachable, database: Database, rounds: int) -> None:
    table, won = Table(web, "rivals"), Won()
    with Volley(RIVALS) as volley:
        for _ in range(rounds):
            player, decision = table.awaited()
            rivals = _rivals(table, player, decision, If_Match=f'"{decision["version"]}"')
            responses = volley.fire(web, [request for _, request in rivals])
            assert [201] + [412] * (RIVALS - 1) == sorted(response.status for response in responses)
            late = [response for response in responses if response.status == 412]
            assert {("stale", decision["version"] + 1)} == {
                (response.code, response.json["version"]) for response in late
            }
            won |= _winners(table.game, rivals, responses)
    assert rounds == len(won)
    _check_stored(web, database, table, won)


def test_rivals_that_expect_a_version(web: Web) -> None:
    """Of sixteen moves with If-Match for one position one is made, and fifteen get 412."""
    database = Database(web.url)
    try:
        _check_expecting(web, database, 50)
    finally:
        database.close()


def test_rivals_that_expect_nothing(web: Web) -> None:
    """Without If-Match each of sixteen moves is judged by the position when its turn comes."""
    database = Database(web.url)
    table, won = Table(web, "anything"), Won()
    with Volley(RIVALS) as volley:
        for _ in range(25):
            player, decision = table.awaited()
            rivals = _rivals(table, player, decision)
            responses = volley.fire(web, [request for _, request in rivals])
            refused = {response.code for response in responses if response.status != 201}
            assert refused <= {"not_awaited", "illegal", "game_over"}
            fresh = _winners(table.game, rivals, responses)
            assert fresh
            assert sum(response.status == 201 for response in responses) == len(fresh)
            won |= fresh
    _check_stored(web, database, table, won)
    database.close()


def _overwrite(
    tx: Connection, game: str, added: Sequence[StoredMove], _: Sequence[SeatWait], *__: Any
) -> None:
    """Let the last writer win."""
    rows, moved = tables.moves.c, added[-1].number
    tx.execute(delete(tables.moves).where(rows.game == game, rows.number == moved))
    tx.execute(insert(tables.moves), [{"game": game, **move._asdict()} for move in added])
    tx.execute(update(tables.games).where(tables.games.c.id == game).values(version=moved))


def test_overwriting_is_noticed(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted fault: if the last writer wins, the check fails."""
    with served_here(url) as here:
        database = Database(url)
        monkeypatch.setattr("service.games.moves.games.append", _overwrite)
        with pytest.raises(AssertionError):
            _check_expecting(here, database, 10)
        database.close()


def test_a_move_made_while_another_player_resigns(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A move that was decided before a player left is decided again.

    Otherwise the game would wait for ever for a seat that nobody plays.
    """
    _, desk = fresh_app(url, DATA_DIR=str(tmp_path))
    ada, ben = (_account(desk, name) for name in ("Ada", "Ben"))
    game = str(lobby.open_game(desk, ada, lobby.NewGame("usa", (), 2), None)["id"])
    lobby.join(desk, ben, game, "", None)
    while True:
        decision = reading.decision(desk, game, ada)
        mover = ada if decision else ben
        decision = decision or reading.decision(desk, game, ben)
        assert decision is not None
        if mover == ada and decision["kind"] == "draw_second_card":
            break
        moves.submit(desk, mover, game, from_body({"action": decision["default"]["action"]}))
    meanwhile(monkeypatch, lambda: lobby.leave(desk, ben, game))
    moves.submit(desk, ada, game, from_body({"action": decision["default"]["action"]}))

    assert reading.decision(desk, game, ada) is not None
    head_of(desk.database, game)
    desk.close()


def _account(desk: Desk, name: str) -> str:
    caller = caller_of(desk, accounts.create(desk, {"name": name}, None)["token"]["token"])
    assert caller is not None
    return caller.account
