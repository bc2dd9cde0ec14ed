"""Games between bots, as clients see them."""

import base64
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from service.boards import atlas
from tests.api.serving import fresh_app, newcomer

BULK: dict[str, Any] = {"board": "usa", "games": 2, "bots": {"easy": 1}}


@pytest.fixture
def web(tmp_path: Path) -> Iterator[FlaskClient]:
    """The application on a SQLite file."""
    app, desk = fresh_app(f"sqlite:///{tmp_path}/nightmail.db", BOT_GAMES="4")
    yield app.test_client()
    desk.close()


def test_from_nothing_to_a_rated_bot(web: FlaskClient) -> None:
    """A bot opens two games, leaves them, and then appears on the ladder, which comes in pages."""
    _, owl = newcomer(web, "Owl", kind="bot")
    made = web.post("/v1/bot-games", json=BULK, headers=owl)
    assert made.json is not None
    assert 201 == made.status_code, made.text
    for game in made.json["games"]:
        seen = web.get(f"/v1/games/{game}").json
        assert seen is not None
        assert (True, "live") == (seen["rated"], seen["pace"])
        assert 204 == web.delete(f"/v1/games/{game}/seats/mine", headers=owl).status_code
    first = web.get("/v1/ladder?limit=1")
    assert first.json is not None
    link = first.headers["Link"]
    second = web.get(link[1 : link.index(">")])
    assert second.json is not None

    bots = [*first.json["bots"], *second.json["bots"]]
    assert ["House (easy)", "Owl"] == [bot["name"] for bot in bots]
    assert bots[0]["standing"] > bots[1]["standing"]
    assert all(abs(bot["rating"] - 2 * bot["deviation"] - bot["standing"]) < 3 for bot in bots)
    assert "Link" not in second.headers


def test_beyond_the_limit_is_refused(web: FlaskClient) -> None:
    """The refusal has a code and says how many games are allowed."""
    _, owl = newcomer(web, "Owl", kind="bot")
    for _ in range(2):
        assert 201 == web.post("/v1/bot-games", json=BULK, headers=owl).status_code
    answer = web.post("/v1/bot-games", json=BULK, headers=owl)
    assert answer.json is not None

    assert (409, "too_many_open") == (answer.status_code, answer.json["code"])
    assert "4" in answer.json["detail"]


def test_challenges_are_switched_on_by_their_owner(web: FlaskClient) -> None:
    """Challenges are off until the bot's owner switches them on."""
    me, rook = newcomer(web, "Rook", kind="bot")
    assert me["challenges"] is False
    changed = web.patch("/v1/me", json={"challenges": True}, headers=rook).json
    assert changed is not None
    assert changed["challenges"] is True
    _, owl = newcomer(web, "Owl", kind="bot")

    body = {"board": "usa", "games": 1, "opponents": ["Rook"]}
    assert 201 == web.post("/v1/bot-games", json=body, headers=owl).status_code


def test_a_board_that_there_is_not_has_no_ladder(web: FlaskClient) -> None:
    """The ladder of an unknown board is refused, and the detail lists the boards that exist."""
    answer = web.get("/v1/ladder?board=mars")
    assert answer.json is not None

    assert (400, "unreadable") == (answer.status_code, answer.json["code"])
    assert ["board"] == [error["at"] for error in answer.json["errors"]]
    assert ", ".join(atlas.board_ids()) in answer.json["detail"]


@pytest.mark.parametrize("place", ["2026-03-02T18:30:00.000Z|x", "9" * 30 + "|x", "1|", "x"])
def test_a_cursor_of_another_list_is_refused(web: FlaskClient, place: str) -> None:
    """A cursor from another list is refused."""
    cursor = base64.urlsafe_b64encode(place.encode()).decode()
    answer = web.get(f"/v1/ladder?cursor={cursor}")

    assert 400 == answer.status_code


def test_games_in_bulk_need_not_be_rated(web: FlaskClient) -> None:
    """Unrated games are marked in the response and at the table, and count towards the limit."""
    _, owl = newcomer(web, "Owl", kind="bot")
    games = []
    for _ in range(2):
        made = web.post("/v1/bot-games", json={**BULK, "rated": False}, headers=owl)
        assert made.json is not None
        assert (201, False) == (made.status_code, made.json["rated"])
        games += made.json["games"]
    seen = web.get(f"/v1/games/{games[0]}").json
    assert seen is not None

    assert seen["rated"] is False
    assert 409 == web.post("/v1/bot-games", json=BULK, headers=owl).status_code
    web.delete(f"/v1/games/{seen['id']}/seats/mine", headers=owl)
    assert {"bots": []} == web.get("/v1/ladder").json


def test_a_rated_table_is_for_bots(web: FlaskClient) -> None:
    """Only a bot can open or join a rated game; the problem names the field `rated`."""
    _, ada = newcomer(web, "Ada")
    _, owl = newcomer(web, "Owl", kind="bot")
    body = {"board": "usa", "seats": 2, "rated": True}
    refused = web.post("/v1/games", json=body, headers=ada)
    made = web.post("/v1/games", json=body, headers=owl)
    assert refused.json is not None
    assert made.json is not None

    assert (400, "rated") == (refused.status_code, refused.json["errors"][0]["at"])
    assert (201, True) == (made.status_code, made.json["rated"])
    joined = web.post(f"/v1/games/{made.json['id']}/seats", json={}, headers=ada)
    assert 403 == joined.status_code
    assert "Only bots can join" in web.get(f"/games/{made.json['id']}").text
