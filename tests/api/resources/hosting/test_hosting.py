"""Open tables through the API: reserved seats, bots, links, filters and rematches."""

from typing import Any

from flask.testing import FlaskClient

from service.links import signed_links
from tests.api.serving import newcomer

Headers = dict[str, str]


def _opened(web: FlaskClient, caller: Headers, **more: Any) -> str:
    answer = web.post("/v1/games", json={"board": "usa", "seats": 2, **more}, headers=caller)
    assert 201 == answer.status_code, answer.text
    return str((answer.json or {})["id"])


def _ids(web: FlaskClient, query: str, caller: Headers | None = None) -> list[str]:
    answer = web.get(f"/v1/games?{query}", headers=caller)
    assert 200 == answer.status_code, answer.text
    return [game["id"] for game in (answer.json or {})["games"]]


def test_a_stranger_is_told_when_to_try_again(web: FlaskClient, ada: Headers) -> None:
    """A reserved seat is refused with `seat_reserved` and the end of the reservation."""
    game = _opened(web, ada, visibility="public")
    newcomer(web, "Ben")
    _, eve = newcomer(web, "Eve")
    url = f"/v1/games/{game}"
    invited = web.post(f"{url}/invitations", json={"name": "Ben"}, headers=ada).json or {}
    refused = web.post(f"{url}/seats", headers=eve)

    assert (409, "seat_reserved") == (refused.status_code, (refused.json or {})["code"])
    assert invited["reserved_until"] == (refused.json or {})["until"]
    assert [invited["reserved_until"]] == (web.get(url, headers=eve).json or {})["reserved"]


def test_inviting_hides_a_table_whose_visibility_was_left_out(
    web: FlaskClient, ada: Headers
) -> None:
    """Without a `visibility` the table is public until somebody is invited; otherwise as chosen."""
    for given, after in (({}, "private"), ({"visibility": "unlisted"}, "unlisted")):
        game = _opened(web, ada, **given)
        url = f"/v1/games/{game}"
        body = {"email": "dan@example.org"}
        assert 201 == web.post(f"{url}/invitations", json=body, headers=ada).status_code
        assert after == (web.get(url, headers=ada).json or {})["visibility"]


def test_a_host_fills_a_seat(web: FlaskClient, ada: Headers) -> None:
    """A house bot takes the last seat, and the game starts; an unknown strength is refused."""
    game = _opened(web, ada)
    url = f"/v1/games/{game}/bots"
    assert 400 == web.post(url, json={"strength": "mighty"}, headers=ada).status_code
    _, eve = newcomer(web, "Eve")
    assert 403 == web.post(url, json={"strength": "easy"}, headers=eve).status_code
    filled = web.post(url, json={"strength": "easy"}, headers=ada)
    assert (201, "running") == (filled.status_code, (filled.json or {})["status"])
    assert 409 == web.post(url, json={"strength": "easy"}, headers=ada).status_code


def test_a_host_reads_and_renews_the_link(web: FlaskClient, ada: Headers) -> None:
    """The host gets the link and can make it void; nobody else gets it."""
    url = f"/v1/games/{_opened(web, ada)}/link"
    first = (web.get(url, headers=ada).json or {})["link"]
    second = (web.post(url, headers=ada).json or {})["link"]
    assert first != second
    assert second == (web.get(url, headers=ada).json or {})["link"]
    assert signed_links.PATHS["table"].format("") in second
    _, eve = newcomer(web, "Eve")
    assert 403 == web.get(url, headers=eve).status_code
    assert 403 == web.post(url, headers=eve).status_code


def test_open_games_are_filtered(web: FlaskClient, ada: Headers) -> None:
    """Games are filtered by board, pace, seats, and whether their players are known."""
    _, ben = newcomer(web, "Ben")
    first = _opened(web, ada, pace="daily")
    second = _opened(web, ben, board="europe", seats=3, pace="live")
    assert [second] == _ids(web, "status=open&board=europe")
    assert [first] == _ids(web, "status=open&pace=daily")
    assert [second] == _ids(web, "status=open&seats=3")
    assert [] == _ids(web, "status=open&known=true", ada)
    assert 401 == web.get("/v1/games?known=true").status_code

    web.post(f"/v1/games/{first}/seats", headers=ben)
    assert [second] == _ids(web, "status=open&known=true", ada)
    _, cem = newcomer(web, "Cem")
    assert [] == _ids(web, "status=open&known=true", cem)


def test_a_rematch_through_the_api(web: FlaskClient, ada: Headers) -> None:
    """The first request opens the table, the second player gets a seat at it, and it starts."""
    _, ben = newcomer(web, "Ben")
    game = _opened(web, ada)
    url = f"/v1/games/{game}"
    web.post(f"{url}/seats", headers=ben)
    early = web.post(f"{url}/rematch", headers=ada)
    assert (409, "not_over") == (early.status_code, (early.json or {})["code"])
    for caller in (ada, ben):
        web.delete(f"{url}/seats/mine", headers=caller)

    opened = web.post(f"{url}/rematch", headers={**ada, "Idempotency-Key": "once"})
    again = web.post(f"{url}/rematch", headers={**ada, "Idempotency-Key": "once"})
    assert (201, opened.json) == (opened.status_code, again.json)
    assert f"/v1/games/{(opened.json or {})['id']}" == opened.headers["Location"]
    joined = web.post(f"{url}/rematch", headers=ben).json or {}
    assert ((opened.json or {})["id"], "running") == (joined["id"], joined["status"])
    _, eve = newcomer(web, "Eve")
    assert 403 == web.post(f"{url}/rematch", headers=eve).status_code
