import base64
import re
from typing import Any

import pytest
from flask.testing import FlaskClient

from tests.api.serving import newcomer

Headers = dict[str, str]


@pytest.fixture
def ben(web: FlaskClient) -> Headers:
    """Ben's token."""
    return newcomer(web, "Ben")[1]


def opened(web: FlaskClient, caller: Headers, **more: Any) -> str:
    """Open a game and return its id."""
    answer = web.post("/v1/games", json={"board": "usa", "seats": 2, **more}, headers=caller)
    assert answer.json is not None
    assert 201 == answer.status_code, answer.text
    id: str = answer.json["id"]
    return id


@pytest.fixture
def game(web: FlaskClient, ada: Headers, ben: Headers) -> str:
    """A running game of Ada and Ben."""
    id = opened(web, ada)
    assert 201 == web.post(f"/v1/games/{id}/seats", headers=ben).status_code
    return id


def code(answer: Any) -> str:
    """The code of a problem response."""
    assert "application/problem+json" == answer.content_type
    value: str = answer.json["code"]
    return value


def test_an_opened_game_says_where_it_is(web: FlaskClient, ada: Headers) -> None:
    """Opening a game returns the URL of the game in the Location header."""
    answer = web.post("/v1/games", json={"board": "usa", "seats": 2}, headers=ada)
    assert answer.json is not None

    assert f"/v1/games/{answer.json['id']}" == answer.headers["Location"]
    assert 200 == web.get(answer.headers["Location"]).status_code


def test_a_game_carries_its_version_as_a_tag(web: FlaskClient, ada: Headers, game: str) -> None:
    """The ETag gets 304 until a move changes it."""
    first = web.get(f"/v1/games/{game}", headers=ada)
    assert '"0"' == first.headers["ETag"]
    known = {**ada, "If-None-Match": '"0"'}
    again = web.get(f"/v1/games/{game}", headers=known)
    assert (304, b"", '"0"') == (again.status_code, again.data, again.headers["ETag"])

    made = web.post(f"/v1/games/{game}/moves", json={"text": "keep all"}, headers=ada)

    assert '"1"' == made.headers["ETag"]
    assert 200 == web.get(f"/v1/games/{game}", headers=known).status_code


def test_whoever_changes_a_game_is_told_its_tag(
    web: FlaskClient, ada: Headers, ben: Headers
) -> None:
    """Opening, joining and moving return the same ETag as reading the game afterwards."""
    cem = newcomer(web, "Cem")[1]
    opened = web.post("/v1/games", json={"board": "usa", "seats": 3}, headers=ada)
    path = opened.headers["Location"]
    assert web.get(path).headers["ETag"] == opened.headers["ETag"]
    sat = web.post(f"{path}/seats", headers=ben)
    assert web.get(path).headers["ETag"] == sat.headers["ETag"]
    sat = web.post(f"{path}/seats", headers=cem)
    assert web.get(path).headers["ETag"] == sat.headers["ETag"]
    web.delete(f"{path}/seats/mine", headers=ben)
    made = web.post(f"{path}/moves", json={"text": "keep all"}, headers=ada)

    assert web.get(path).headers["ETag"] == made.headers["ETag"]
    assert re.fullmatch(r'"\d+-1"', made.headers["ETag"])
    assert "tag" not in (opened.json or {}) | (sat.json or {}) | (made.json or {})


def test_comings_and_goings_change_the_tag(web: FlaskClient, ada: Headers, ben: Headers) -> None:
    """The ETag changes when a player joins or resigns."""
    id = opened(web, ada, seats=3)
    tags = [web.get(f"/v1/games/{id}").headers["ETag"]]
    web.post(f"/v1/games/{id}/seats", headers=ben)
    tags.append(web.get(f"/v1/games/{id}").headers["ETag"])
    web.post(f"/v1/games/{id}/seats", headers=newcomer(web, "Cem")[1])
    tags.append(web.get(f"/v1/games/{id}").headers["ETag"])
    web.delete(f"/v1/games/{id}/seats/mine", headers=ben)
    tags.append(web.get(f"/v1/games/{id}").headers["ETag"])

    assert 4 == len(set(tags))
    late = {**ada, "If-Match": tags[-1]}
    kept = web.post(f"/v1/games/{id}/moves", json={"text": "keep all"}, headers=late)
    assert 201 == kept.status_code


def test_a_new_name_changes_the_tag(web: FlaskClient, ada: Headers, game: str) -> None:
    """The ETag changes when a player's name changes."""
    known = {"If-None-Match": web.get(f"/v1/games/{game}").headers["ETag"]}
    assert 304 == web.get(f"/v1/games/{game}", headers=known).status_code
    assert 200 == web.patch("/v1/me", json={"name": "Adelaide"}, headers=ada).status_code

    assert "Adelaide" in web.get(f"/v1/games/{game}", headers=known).text


def test_a_move_may_insist_on_its_version(
    web: FlaskClient, ada: Headers, ben: Headers, game: str
) -> None:
    """A stale If-Match gets 412 with the current version; the current version is accepted."""
    web.post(f"/v1/games/{game}/moves", json={"text": "keep all"}, headers=ada)
    body, late = {"text": "keep all"}, {**ben, "If-Match": '"0"'}
    answer = web.post(f"/v1/games/{game}/moves", json=body, headers=late)
    assert (412, "stale") == (answer.status_code, code(answer))
    assert answer.json is not None
    assert 1 == answer.json["version"]

    right = {**ben, "If-Match": '"1"'}
    assert 201 == web.post(f"/v1/games/{game}/moves", json=body, headers=right).status_code


@pytest.mark.parametrize(
    ("body", "status", "expected"),
    [
        ({}, 400, "unreadable"),
        ({"text": "draw", "action": {"type": "draw_blind"}}, 400, "unreadable"),
        ({"text": 7}, 400, "unreadable"),
        ({"action": "draw"}, 400, "unreadable"),
        ({"action": {"type": "fly"}}, 400, "unreadable"),
        ({"action": {"type": "claim"}}, 400, "unreadable"),
        ({"action": {"type": "claim", "route": "boston-miami"}}, 400, "unreadable"),
        ({"text": "fly to the moon"}, 400, "unreadable"),
        ({"action": {"type": "draw_blind"}}, 422, "illegal"),
        ({"text": "keep 1"}, 422, "illegal"),
    ],
    ids=repr,
)
def test_bad_moves_are_refused_with_a_reason(
    web: FlaskClient, ada: Headers, game: str, body: Any, status: int, expected: str
) -> None:
    """A refused move has a code and a reason, and changes nothing."""
    answer = web.post(f"/v1/games/{game}/moves", json=body, headers=ada)

    assert (status, expected) == (answer.status_code, code(answer))
    assert answer.json is not None
    assert answer.json["detail"]
    assert ("rule" in answer.json) == (expected == "illegal")
    assert '"0"' == web.get(f"/v1/games/{game}").headers["ETag"]


def test_who_is_not_asked_is_told_so(web: FlaskClient, ada: Headers, game: str) -> None:
    """A move out of turn gets 409, and the decision gets 204."""
    web.post(f"/v1/games/{game}/moves", json={"text": "keep all"}, headers=ada)
    answer = web.post(f"/v1/games/{game}/moves", json={"text": "draw"}, headers=ada)

    assert (409, "not_awaited") == (answer.status_code, code(answer))
    assert 204 == web.get(f"/v1/games/{game}/decision", headers=ada).status_code


def test_strangers_look_on_and_do_not_act(web: FlaskClient, game: str) -> None:
    """Anyone can read a public game, but only its players can act in it."""
    cem = newcomer(web, "Cem")[1]
    seen = web.get(f"/v1/games/{game}", headers=cem).json
    assert seen is not None
    assert seen["me"] is None
    for answer in (
        web.post(f"/v1/games/{game}/moves", json={"text": "draw"}, headers=cem),
        web.post(f"/v1/games/{game}/messages", json={"text": "Hello"}, headers=cem),
        web.get(f"/v1/games/{game}/decision", headers=cem),
        web.delete(f"/v1/games/{game}/seats/mine", headers=cem),
    ):
        assert (403, "forbidden") == (answer.status_code, code(answer))
    assert 401 == web.post(f"/v1/games/{game}/moves", json={"text": "draw"}).status_code


def test_unlisted_games_are_found_by_their_id_only(web: FlaskClient, ada: Headers) -> None:
    """The list contains public games and, for a caller with a token, their own games."""
    for visibility in ("public", "unlisted", "private"):
        opened(web, ada, visibility=visibility, title=visibility, bots={"easy": 1})

    def titles(**more: Any) -> set[str]:
        listed = web.get("/v1/games", **more).json
        assert listed is not None
        return {game["title"] for game in listed["games"]}

    assert {"public"} == titles()
    assert {"public", "unlisted", "private"} == titles(headers=ada)


def test_a_long_list_comes_in_parts(web: FlaskClient, ada: Headers) -> None:
    """The `next` links lead through every game once, newest first."""
    made = [opened(web, ada) for _ in range(7)]
    created: dict[str, str] = {}
    ids, address = [], "/v1/games?limit=3&status=open"
    while address:
        answer = web.get(address)
        assert answer.json is not None
        ids += [game["id"] for game in answer.json["games"]]
        created |= {game["id"]: game["created"] for game in answer.json["games"]}
        link = answer.headers.get("Link", "")
        address = link[1 : link.index(">")] if link else ""

    assert sorted(made) == sorted(ids)
    assert ids == sorted(ids, key=lambda id: (created[id], id), reverse=True)
    for raw in (b"nonsense", b"[" * 2900, b'["\\ud800", "a"]', b"2026|a\0", "٣|a".encode()):
        cursor = base64.urlsafe_b64encode(raw).decode()
        assert 400 == web.get(f"/v1/games?cursor={cursor}").status_code
    assert 400 == web.get("/v1/games?cursor=nonsense").status_code
    assert 400 == web.get("/v1/games?limit=1000").status_code
    assert 400 == web.get("/v1/games?colour=red").status_code


def test_lists_can_be_narrowed(web: FlaskClient, ada: Headers, ben: Headers, game: str) -> None:
    """Lists can be filtered by status, by board and to the caller's own games."""
    lone = opened(web, ben, board="europe")

    def ids(query: str, caller: Headers) -> list[str]:
        listed = web.get(f"/v1/games?{query}", headers=caller).json
        assert listed is not None
        return [game["id"] for game in listed["games"]]

    assert [game] == ids("status=running", ada)
    assert [lone] == ids("status=open", ada)
    assert [lone] == ids("board=europe", ada)
    assert [game] == ids("mine=true", ada)
    assert [] == ids("status=finished", ada)
    assert 401 == web.get("/v1/games?mine=true").status_code


def test_decisions_of_all_games_come_together(web: FlaskClient, ada: Headers) -> None:
    """Open decisions come in order of deadline, with those that have none last."""
    paces = {
        opened(web, ada, pace=pace, bots={"easy": 1}): pace for pace in ("none", "week", "live")
    }
    listed = web.get("/v1/me/decisions", headers=ada).json
    assert listed is not None

    assert ["live", "week", "none"] == [paces[decision["game"]] for decision in listed["decisions"]]
    first = web.get("/v1/me/decisions?limit=2", headers=ada)
    assert first.json is not None
    link = first.headers["Link"]
    rest = web.get(link[1 : link.index(">")], headers=ada).json
    assert rest is not None
    assert listed["decisions"] == first.json["decisions"] + rest["decisions"]


def test_talk_stays_at_its_table(web: FlaskClient, ada: Headers, ben: Headers, game: str) -> None:
    """Messages come in order, with their authors, and can be read in pages."""
    for caller, text in ((ada, "Hello"), (ben, "Good luck"), (ada, "You too")):
        response = web.post(f"/v1/games/{game}/messages", json={"text": text}, headers=caller)
        assert 201 == response.status_code
    page = web.get(f"/v1/games/{game}/messages?after=1").json
    assert page is not None

    assert [("Ben", "Good luck"), ("Ada", "You too")] == [
        (message["name"], message["text"]) for message in page["messages"]
    ]
    for text in ("", " \n ", "x" * 2001, "bell \a", "turn \u202e around"):
        refused = web.post(f"/v1/games/{game}/messages", json={"text": text}, headers=ada)
        assert (400, "unreadable") == (refused.status_code, code(refused))


def test_the_log_is_published_in_the_end(web: FlaskClient, ada: Headers) -> None:
    """The log of a game gets 409 while the game runs, and is published when it is over."""
    id = opened(web, ada, bots={"easy": 1})
    early = web.get(f"/v1/games/{id}/log")
    assert (409, "not_over") == (early.status_code, code(early))
    while (response := web.get(f"/v1/games/{id}/decision", headers=ada)).json:
        body = {"text": response.json["default"]["text"]}
        web.post(f"/v1/games/{id}/moves", json=body, headers=ada)
    late = web.get(f"/v1/games/{id}/log")

    assert (200, "application/jsonl") == (late.status_code, late.content_type)
    assert '"seed"' in late.text.splitlines()[-1]
    over = web.post(f"/v1/games/{id}/moves", json={"text": "draw"}, headers=ada)
    assert (409, "game_over") == (over.status_code, code(over))


def test_a_token_that_may_not_read_sees_nothing(web: FlaskClient, ada: Headers, game: str) -> None:
    """A token without the scope `read` is refused even for a public game."""
    body = {"label": "keys only", "scopes": ["manage"]}
    made = web.post("/v1/me/tokens", json=body, headers=ada).json
    assert made is not None
    keys = {"Authorization": f"Bearer {made['token']}"}
    for way in ("", "/events", "/messages", "/decision"):
        answer = web.get(f"/v1/games/{game}{way}", headers=keys)
        assert (403, "forbidden") == (answer.status_code, code(answer))


def test_talk_goes_on_when_somebody_is_gone(
    web: FlaskClient, ada: Headers, ben: Headers, game: str
) -> None:
    """Messages of a deleted account are gone, and their numbers are not used again."""
    numbers = []
    for caller in (ada, ben):
        response = web.post(f"/v1/games/{game}/messages", json={"text": "Hello"}, headers=caller)
        assert response.json is not None
        numbers.append(response.json["number"])
    assert 204 == web.delete("/v1/me", headers=ben).status_code
    again = web.post(f"/v1/games/{game}/messages", json={"text": "Ben?"}, headers=ada)
    assert again.json is not None
    page = web.get(f"/v1/games/{game}/messages?limit=1")
    assert page.json is not None

    assert [1, 2, 3] == [*numbers, again.json["number"]]
    assert [1] == [message["number"] for message in page.json["messages"]]
    assert f'</v1/games/{game}/messages?limit=1&after=1>; rel="next"' == page.headers["Link"]


def test_nobody_is_awaited_at_an_abandoned_table(web: FlaskClient, ada: Headers) -> None:
    """An abandoned game says that it is abandoned, and awaits no one."""
    id = opened(web, ada, bots={"easy": 1})
    assert 204 == web.delete(f"/v1/games/{id}/seats/mine", headers=ada).status_code
    seen = web.get(f"/v1/games/{id}").json
    assert seen is not None

    assert ("abandoned", []) == (seen["status"], seen["awaited"])


def test_a_game_says_how_near_its_end_is(web: FlaskClient, ada: Headers, ben: Headers) -> None:
    """`end` has the sentence of the page while a game runs: with a player's own turns for them."""
    open_table = opened(web, ada)
    assert "" == web.get(f"/v1/games/{open_table}", headers=ada).json["end"]  # type: ignore[index]

    web.post(f"/v1/games/{open_table}/seats", headers=ben)
    everybody = (
        "Everybody has 45 trains left. At 2 the last round begins. That is at least 15 turns away"
    )
    own = set()
    for player in (ada, ben):
        shown = web.get(f"/v1/games/{open_table}", headers=player).json
        seat = shown["me"]  # type: ignore[index]
        own.add(seat)
        assert f"{everybody} (yours: {8 - seat})." == shown["end"]  # type: ignore[index]
    assert {0, 1} == own
    assert f"{everybody}." == web.get(f"/v1/games/{open_table}").json["end"]  # type: ignore[index]
