"""Notebooks over HTTP: one's own only, with entity tags that keep two clients apart."""

from typing import Any

import pytest
from flask.testing import FlaskClient

from tests.api.serving import newcomer

Headers = dict[str, str]
Json = dict[str, Any]
PLAN: Json = {"notes": "The south first.", "sketch": ["el_paso-houston", "houston-new_orleans"]}


@pytest.fixture
def ben(web: FlaskClient) -> Headers:
    """Ben's token."""
    return newcomer(web, "Ben")[1]


@pytest.fixture
def notebook(web: FlaskClient, ada: Headers, ben: Headers) -> str:
    """The path of notebooks in a running game of Ada and Ben."""
    game = _opened(web, ada)
    assert 201 == web.post(f"{game}/seats", headers=ben).status_code
    return f"{game}/notebook"


def _opened(web: FlaskClient, caller: Headers) -> str:
    made = web.post("/v1/games", json={"board": "usa", "seats": 2}, headers=caller).json
    assert made is not None
    return f"/v1/games/{made['id']}"


def _read(web: FlaskClient, notebook: str, caller: Headers) -> Json:
    document: Json | None = web.get(notebook, headers=caller).json
    assert document is not None
    return document


def test_a_notebook_is_written_and_read(web: FlaskClient, notebook: str, ada: Headers) -> None:
    """It begins empty; notes and sketch come back, each route with what it still needs."""
    assert ("", [], 0) == tuple(
        _read(web, notebook, ada)[name] for name in ("notes", "sketch", "version")
    )
    written = web.put(notebook, json=PLAN, headers=ada)
    document = _read(web, notebook, ada)

    assert (200, document) == (written.status_code, written.json)
    assert (PLAN["notes"], 1) == (document["notes"], document["version"])
    first, second = document["sketch"]
    assert ("El Paso–Houston", "open", 6, 15) == tuple(
        first[name] for name in ("name", "status", "trains", "points")
    )
    assert second["route"] == "houston-new_orleans"
    assert (8, 45, 17) == tuple(
        document["forecast"][name] for name in ("trains", "trains_left", "points")
    )


def test_nobody_else_sees_it(web: FlaskClient, notebook: str, ada: Headers, ben: Headers) -> None:
    """Other players have notebooks of their own; strangers have none."""
    web.put(notebook, json=PLAN, headers=ada)
    _, cem = newcomer(web, "Cem")

    assert ("", []) == tuple(_read(web, notebook, ben)[name] for name in ("notes", "sketch"))
    for method in ("GET", "PUT", "DELETE"):
        body = PLAN if method == "PUT" else None
        assert 401 == web.open(notebook, method=method, json=body).status_code
        assert 403 == web.open(notebook, method=method, json=body, headers=cem).status_code


def test_there_is_none_before_the_game_begins(web: FlaskClient, ada: Headers) -> None:
    """A waiting table has no notebooks yet."""
    answer = web.get(f"{_opened(web, ada)}/notebook", headers=ada)

    assert (404, True) == (answer.status_code, "not begun yet" in answer.text)


def test_two_clients_do_not_overwrite_each_other(
    web: FlaskClient, notebook: str, ada: Headers
) -> None:
    """With the tag of an older version a change is refused, and the answer names the new one."""
    tag = web.get(notebook, headers=ada).headers["ETag"]
    newer = web.put(notebook, json=PLAN, headers={**ada, "If-Match": tag}).headers["ETag"]
    other = {"notes": "other", "sketch": []}
    for method in ("PUT", "DELETE"):
        body = other if method == "PUT" else None
        late = web.open(notebook, method=method, json=body, headers={**ada, "If-Match": tag})
        assert (412, "stale", 1) == (late.status_code, *_named(late.json, "code", "version"))

    assert PLAN["notes"] == _read(web, notebook, ada)["notes"]
    assert 200 == web.put(notebook, json=other, headers={**ada, "If-Match": newer}).status_code
    assert 200 == web.put(notebook, json=PLAN, headers={**ada, "If-Match": '"2"'}).status_code


def _named(document: Json | None, *names: str) -> tuple[Any, ...]:
    assert document is not None
    return tuple(document[name] for name in names)


def test_the_tag_changes_with_the_game_and_stays_good_for_changes(
    web: FlaskClient, notebook: str, ada: Headers, ben: Headers
) -> None:
    """A move changes what is missing, so the document is new; the notebook itself is not."""
    tag = web.put(notebook, json=PLAN, headers=ada).headers["ETag"]
    known = {**ada, "If-None-Match": tag}
    assert 304 == web.get(notebook, headers=known).status_code
    web.post(notebook.replace("notebook", "moves"), json={"text": "keep all"}, headers=ben)

    assert 200 == web.get(notebook, headers=known).status_code
    assert 200 == web.put(notebook, json=PLAN, headers={**ada, "If-Match": tag}).status_code


def test_it_is_emptied(web: FlaskClient, notebook: str, ada: Headers) -> None:
    """After DELETE nothing is left of it."""
    web.put(notebook, json=PLAN, headers=ada)

    assert 204 == web.delete(notebook, headers=ada).status_code
    assert ("", []) == tuple(_read(web, notebook, ada)[name] for name in ("notes", "sketch"))


@pytest.mark.parametrize(
    ("body", "at"),
    [
        ({"notes": ""}, "sketch"),
        ({"sketch": []}, "notes"),
        (PLAN | {"notes": "x" * 4001}, "notes"),
        (PLAN | {"notes": 7}, "notes"),
        (PLAN | {"sketch": ["atlantis-houston"]}, "sketch"),
        (PLAN | {"sketch": ["el_paso-houston"] * 2}, "sketch"),
        (PLAN | {"sketch": "el_paso-houston"}, "sketch"),
        (PLAN | {"color": "red"}, "color"),
    ],
)
def test_bad_input_changes_nothing(
    web: FlaskClient, notebook: str, ada: Headers, body: Json, at: str
) -> None:
    """A wrong body is refused with the field, and the notebook stays as it was."""
    web.put(notebook, json=PLAN, headers=ada)
    before = _read(web, notebook, ada)
    refused = web.put(notebook, json=body, headers=ada)

    assert 400 == refused.status_code
    assert at in refused.text
    assert before == _read(web, notebook, ada)


def test_a_token_needs_the_scope(web: FlaskClient, notebook: str, ada: Headers) -> None:
    """`read` is enough to read it, and `play` is needed to change it."""
    body = {"label": "reader", "scopes": ["read"]}
    minted = web.post("/v1/me/tokens", json=body, headers=ada).json
    assert minted is not None
    reader = {"Authorization": f"Bearer {minted['token']}"}

    assert 200 == web.get(notebook, headers=reader).status_code
    assert 403 == web.put(notebook, json=PLAN, headers=reader).status_code
    assert 403 == web.delete(notebook, headers=reader).status_code


@pytest.mark.parametrize(
    ("board", "variants"),
    [("usa", ["dice"]), ("europe", []), ("uk", []), ("uk", ["advanced_technologies"])],
)
def test_every_route_of_every_board_can_be_planned(
    web: FlaskClient, ada: Headers, board: str, variants: list[str]
) -> None:
    """The whole board fits into a sketch, on boards with other rules, too."""
    opened = {"board": board, "variants": variants, "seats": 2, "bots": {"easy": 1}}
    made = web.post("/v1/games", json=opened, headers=ada).json
    routes = web.get(f"/v1/boards/{board}").json
    assert made is not None
    assert routes is not None
    sketch = [route["id"] for route in routes["routes"]]
    plan = {"notes": "", "sketch": sketch}
    document = web.put(f"/v1/games/{made['id']}/notebook", json=plan, headers=ada).json

    assert document is not None
    assert sketch == [route["route"] for route in document["sketch"]]
    forecast = document["forecast"]
    assert 0 < forecast["trains"] <= forecast["trains_left"]
    assert bool(forecast["missing"]) == (variants != ["dice"])
