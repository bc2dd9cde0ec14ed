"""Games and boards as pictures over HTTP."""

from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from tests.api.serving import fresh_app, newcomer

PNG = b"\x89PNG\r\n"


@pytest.fixture
def web(tmp_path: Path) -> FlaskClient:
    """A client of an application of its own."""
    return fresh_app(f"sqlite:///{tmp_path}/nightmail.db")[0].test_client()


def opened(web: FlaskClient, caller: dict[str, str], **more: Any) -> str:
    """Open a game on the USA board and return its URL."""
    made = web.post("/v1/games", json={"board": "usa", "seats": 2, **more}, headers=caller)
    assert made.json is not None
    return f"/v1/games/{made.json['id']}"


def test_a_board_can_be_looked_at(web: FlaskClient) -> None:
    """Anyone can get the picture of a board, light or dark, and its ETag gets 304."""
    day, night = (web.get(f"/v1/boards/uk/picture.svg{more}") for more in ("", "?theme=dark"))
    assert "image/svg+xml" == day.mimetype
    assert day.text.startswith("<svg")
    assert day.text != night.text
    tag = {"If-None-Match": day.headers["ETag"]}
    assert 304 == web.get("/v1/boards/uk/picture.svg", headers=tag).status_code
    assert 404 == web.get("/v1/boards/atlantis/picture.svg").status_code
    assert 400 == web.get("/v1/boards/uk/picture.svg?theme=pink").status_code


def test_a_game_can_be_looked_at(web: FlaskClient) -> None:
    """The picture of a game shows names, and marks tickets for their owner only."""
    ada, ben = (newcomer(web, name)[1] for name in ("Ada", "Ben"))
    game = opened(web, ada)
    assert "1 Ada" in web.get(f"{game}/board.svg").text
    web.post(f"{game}/seats", json={}, headers=ben)
    document = web.get(f"{game}/decision", headers=ada).json
    assert document is not None
    kept = {"action": document["default"]["action"]}
    assert 201 == web.post(f"{game}/moves", json=kept, headers=ada).status_code
    plain = web.get(f"{game}/board.svg", headers=ada)
    mine, theirs, nobodys = (
        web.get(f"{game}/board.svg?tickets=true", headers=who).text for who in (ada, ben, {})
    )
    assert mine != plain.text
    assert plain.text == theirs == nobodys
    assert web.get(f"{game}/board.png?tickets=true", headers=ada).data.startswith(PNG)
    tag = {**ada, "If-None-Match": plain.headers["ETag"]}
    assert 304 == web.get(f"{game}/board.png", headers=tag).status_code


def test_a_private_game_is_shown_to_its_own(web: FlaskClient) -> None:
    """The picture of a private game is not found by a stranger."""
    ada, ben = (newcomer(web, name)[1] for name in ("Ada", "Ben"))
    game = opened(web, ada, visibility="private")
    for kind in ("svg", "png"):
        assert 200 == web.get(f"{game}/board.{kind}", headers=ada).status_code
        assert 404 == web.get(f"{game}/board.{kind}", headers=ben).status_code
        assert 404 == web.get(f"{game}/board.{kind}").status_code
