"""Promise 12: the seed cannot be guessed, and is not shown anywhere before the end."""

import base64
import hashlib
import json
import random
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from io import StringIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from flask import Flask, Response
from flask.testing import FlaskClient

from api.http import request_log
from engine import commitment, secret_of
from service.desk import Desk
from service.games import commitments
from service.ids import new_id
from store import timestamps
from tests.api.framing import settings
from tests.api.logging import logged_to
from tests.api.serving import fresh_app, newcomer
from tests.promises.support.database_checks import moves_of, seeds

Bearer = dict[str, str]


class Wire:
    """Records every response of the application, and its log."""

    def __init__(self, app: Flask, log: StringIO) -> None:
        self._traffic: list[bytes] = []
        self._log = log
        app.after_request(self._note)

    def _note(self, response: Response) -> Response:
        self._traffic.append(str(response.headers).encode() + response.get_data())
        return response

    def holds(self, secret: bytes) -> bool:
        """Whether these bytes were sent or logged, in any usual encoding."""
        traffic = b"\n".join(self._traffic) + self._log.getvalue().encode()
        lower = traffic.lower()
        spelled = base64.b64encode(secret), base64.urlsafe_b64encode(secret)
        texts = [text.rstrip(b"=") for text in spelled]
        number = str(int.from_bytes(secret)).encode()
        listed = json.dumps(list(secret)).encode(), repr(secret)[2:-1].encode()
        return secret.hex().encode() in lower or any(
            text in traffic for text in (secret, number, *texts, *listed)
        )


@contextmanager
def _wired(url: str, folder: Path) -> Iterator[tuple[FlaskClient, Desk, Wire]]:
    with logged_to(StringIO()) as stream:
        request_log.set_up(settings(LOG_LEVEL="debug"), stream)
        app, desk = fresh_app(url, DATA_DIR=str(folder))
        wire = Wire(app, stream)
        yield app.test_client(), desk, wire
        desk.close()


def _game(web: FlaskClient) -> tuple[str, list[Bearer]]:
    bearers = [newcomer(web, name)[1] for name in ("Ada", "Ben")]
    promised: Any = web.post("/v1/commitments", headers=bearers[0]).json
    cited = {"commitment": promised["commitment"], "nonce": "cards"}
    body = {"board": "usa", "seats": 2, **cited}
    made: Any = web.post("/v1/games", json=body, headers=bearers[0])
    game = str(made.json["id"])
    web.post(f"/v1/games/{game}/seats", json={"nonce": "dice"}, headers=bearers[1])
    return game, bearers


def _look_around(web: FlaskClient, game: str, bearers: list[Bearer]) -> None:
    """Request everything that can be read, and some moves that are refused."""
    for bearer in (*bearers, {}):
        for path in ("", "/decision", "/events", "/messages", "/log", "/seed"):
            web.get(f"/v1/games/{game}{path}", headers=bearer)
        web.get("/v1/me/decisions", headers=bearer)
        web.get("/v1/games", headers=bearer)
        for body in ({"text": "fly"}, {"action": {"type": "draw_blind"}}, {"text": "seed"}):
            web.post(f"/v1/games/{game}/moves", json=body, headers=bearer | {"If-Match": '"9999"'})


def _play(web: FlaskClient, game: str, bearers: list[Bearer]) -> Iterator[int]:
    """Play until the game is over; yields the number of each move."""
    rng = random.Random(12)
    while True:
        for bearer in bearers:
            document = web.get(f"/v1/games/{game}/decision?options=all", headers=bearer).json
            if document:
                claims = [
                    option for option in document["options"] if option["text"].startswith("claim")
                ]
                action = rng.choice(claims or document["options"])["action"]
                made = web.post(f"/v1/games/{game}/moves", json={"action": action}, headers=bearer)
                yield (made.json or {})["move"]
                break
        else:
            return


def test_the_seed_is_nowhere_before_the_end(url: str, tmp_path: Path) -> None:
    """No response or log line of a running game holds the seed or the secret derived from it.

    After the end the game's log holds the seed, which shows that this test can find it.
    """
    with _wired(url, tmp_path) as (web, desk, wire):
        game, bearers = _game(web)
        seed = seeds(desk.database)[game]
        nonces = json.loads(moves_of(desk.database, game)[0].record)["nonces"]
        for number in _play(web, game, bearers):
            running = web.get(f"/v1/games/{game}").json or {}
            if number % 40 == 1 and running["status"] == "running":
                _look_around(web, game, bearers)
                assert not wire.holds(seed)
                assert not wire.holds(secret_of(seed, nonces))
        assert not wire.holds(seed)
        assert 200 == web.get(f"/v1/games/{game}/log").status_code
        assert wire.holds(seed)


def _candidates(game: str, created: str) -> Iterator[bytes]:
    """Seeds that careless code would choose: small ones, or derived from public facts."""
    moment = timestamps.read(created)
    spoken = [game, created, ""]
    for back in range(1 << 12):
        at = moment - timedelta(milliseconds=back)
        spoken += [timestamps.written(at), str(int(at.timestamp() * 1000)), str(back)]
    for text in spoken:
        for known in (text, f"{game}{text}", f"{game}|{text}", f"{text}{game}"):
            yield hashlib.sha256(known.encode()).digest()
            yield known.encode()[:32].ljust(32, b"\0")
    for number in range(1 << 12):
        yield number.to_bytes(32)
        yield number.to_bytes(32, "little")
        yield random.Random(number).randbytes(32)
        yield random.Random(int(moment.timestamp()) - number).randbytes(32)


def _guessed(document: dict[str, Any]) -> bool:
    promised = document["commitment"]
    return any(
        commitment(seed) == promised for seed in _candidates(document["id"], document["created"])
    )


def test_the_seed_is_not_guessed(url: str, tmp_path: Path) -> None:
    """No careless guess matches a game's commitment, and the seed has 32 bytes."""
    with _wired(url, tmp_path) as (web, desk, _):
        game, _ = _game(web)
        assert not _guessed(web.get(f"/v1/games/{game}").json or {})
        assert 32 == len(seeds(desk.database)[game])


def _by_id(monkeypatch: pytest.MonkeyPatch) -> None:
    ids: list[str] = []

    def noted() -> str:
        ids.append(new_id())
        return ids[-1]

    def careless(_: int) -> bytes:
        return hashlib.sha256(ids[-1].encode()).digest()

    monkeypatch.setattr(commitments, "new_id", noted)
    monkeypatch.setattr(commitments, "secrets", SimpleNamespace(token_bytes=careless))


def _by_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    def careless(_: int) -> bytes:
        return random.Random(int(datetime.now(UTC).timestamp())).randbytes(32)

    monkeypatch.setattr(commitments, "secrets", SimpleNamespace(token_bytes=careless))


def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        commitments,
        "secrets",
        SimpleNamespace(token_bytes=lambda _: random.randrange(1 << 12).to_bytes(32)),
    )


@pytest.mark.parametrize("fault", [_by_id, _by_clock, _small])
def test_careless_seeds_are_guessed(
    fault: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Planted faults: a seed derived from the game's id, the clock or few bits is guessed."""
    fault(monkeypatch)
    with _wired(f"sqlite:///{tmp_path}/nightmail.db", tmp_path) as (web, _, _):
        game, _ = _game(web)
        assert _guessed(web.get(f"/v1/games/{game}").json or {})
