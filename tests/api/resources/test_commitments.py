"""Commitments over HTTP: what is published before the opener of a game sends a nonce."""

import json
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from sqlalchemy import Connection

from engine import Chance, secret_of
from service.games import commitments
from service.games.commitments import Committed, draw
from tests.api.serving import fresh_app, newcomer

Json = dict[str, Any]

NONCE = "made afterwards"


class Opener:
    """A client that opens games and records every request and response, in order."""

    def __init__(self, web: FlaskClient) -> None:
        self._web = web
        self._bearer = newcomer(web, "Ada")[1]
        self.traffic: list[str] = []

    def post(self, path: str, body: Json | None = None) -> Json:
        """Send a request and return the JSON of its response, whatever the status."""
        self.traffic.append(json.dumps(body))
        answer = self._web.post(path, json=body, headers=self._bearer)
        self.traffic.append(answer.text)
        document: Json = answer.json or {}
        return document

    def first(self, text: str) -> int:
        """The position in the traffic at which a text first appears."""
        return next(at for at, line in enumerate(self.traffic) if text in line)


@pytest.fixture
def opener(tmp_path: Path) -> Iterator[Opener]:
    """A client with an account."""
    app, desk = fresh_app(f"sqlite:///{tmp_path}/nightmail.db")
    yield Opener(app.test_client())
    desk.close()


def opened(opener: Opener, promised: Json) -> Json:
    """Open a game against the house with this commitment."""
    body = {"board": "usa", "seats": 2, "bots": {"easy": 1}, "nonce": NONCE}
    return opener.post("/v1/games", body | {"commitment": promised["commitment"]})


def holds(promised: Json, game: Json) -> bool:
    """Whether a game has the promised commitment and id, which every opener can check."""
    return (promised["commitment"], promised["game"]) == (game["commitment"], game["id"])


def test_all_that_chance_hangs_on_is_published_before_the_nonce(opener: Opener) -> None:
    """The commitment and the id of the game are published before the nonce is sent."""
    promised = opener.post("/v1/commitments")
    game = opened(opener, promised)

    assert holds(promised, game)
    assert opener.first(game["commitment"]) < opener.first(NONCE)
    assert opener.first(game["id"]) < opener.first(NONCE)
    assert "running" == game["status"]


def test_a_nonce_without_a_commitment_is_refused(opener: Opener) -> None:
    """A nonce without a commitment is refused, and the detail names the commitment."""
    refused = opener.post("/v1/games", {"board": "usa", "seats": 2, "nonce": NONCE})

    assert ("unreadable", 400) == (refused["code"], refused["status"])
    assert ["nonce"] == [error["at"] for error in refused["errors"]]
    assert "commitment" in refused["detail"]


def _lucky(committed: Committed) -> bool:
    """Whether the house likes the first draws of a game with this seed and this id."""
    chance = Chance(secret_of(committed.seed, [NONCE, ""]), committed.game, 0)
    return [0, 0, 0] == [chance.below(4) for _ in range(3)]


def _other_seed(_: Committed) -> Committed:
    return draw("2030-01-01T00:00:00.000Z")


def _other_id(kept: Committed) -> Committed:
    return Committed(draw(kept.at).game, kept.seed, kept.at)


@pytest.mark.parametrize("choose", [_other_seed, _other_id])
def test_a_house_that_looks_for_lucky_draws_is_caught(
    opener: Opener, choose: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Planted fault: a house that tries seeds or ids until it likes one breaks its commitment."""
    honest, tried = commitments.use, count()

    def grind(tx: Connection, account: str, cited: str, at: str) -> Committed:
        commitment = honest(tx, account, cited, at)
        while not _lucky(commitment):
            next(tried)
            commitment = choose(commitment)
        return commitment

    promised = opener.post("/v1/commitments")
    monkeypatch.setattr(commitments, "use", grind)
    game = opened(opener, promised)

    assert "running" == game["status"]
    assert next(tried) == 0 or not holds(promised, game)
