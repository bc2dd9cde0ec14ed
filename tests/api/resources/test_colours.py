"""Choosing a colour when opening or joining a game through the API."""

from typing import Any

from flask.testing import FlaskClient

from tests.api.serving import newcomer

Headers = dict[str, str]


def _opened(web: FlaskClient, caller: Headers, **more: Any) -> str:
    answer = web.post("/v1/games", json={"board": "usa", "seats": 3, **more}, headers=caller)
    assert 201 == answer.status_code, answer.text
    return f"/v1/games/{(answer.json or {})['id']}"


def _colours(web: FlaskClient, url: str, caller: Headers | None = None) -> dict[str, str | None]:
    players = (web.get(url, headers=caller).json or {})["players"]
    return {player["name"]: player["colour"] for player in players}


def test_a_colour_belongs_to_its_player(web: FlaskClient, ada: Headers) -> None:
    """Players have the colours that they chose, whatever seats are drawn; others have free ones."""
    _, ben = newcomer(web, "Ben")
    url = _opened(web, ada, colour="blue", bots={"easy": 1})
    assert "blue" == _colours(web, url)["Ada"]
    joined = web.post(f"{url}/seats", json={"colour": "red"}, headers=ben)
    assert (201, "running") == (joined.status_code, (joined.json or {})["status"])
    assert {"Ada": "blue", "Ben": "red"}.items() <= _colours(web, url).items()
    assert 3 == len(set(_colours(web, url).values()))
    assert None not in _colours(web, url).values()
    picture = web.get(f"{url}/board.svg").text
    assert {"#0a2fe0", "#88082c"} <= {ink for ink in ("#0a2fe0", "#88082c") if ink in picture}


def test_a_colour_that_is_taken_is_refused(web: FlaskClient, ada: Headers) -> None:
    """A taken colour is refused with `colour_taken` and takes no seat; another one is given."""
    _, ben = newcomer(web, "Ben")
    url = _opened(web, ada, colour="pink")
    before = web.get(url, headers=ada).headers["ETag"]
    refused = web.post(f"{url}/seats", json={"colour": "pink"}, headers=ben)
    assert (409, "colour_taken") == (refused.status_code, (refused.json or {})["code"])
    assert before == web.get(url, headers=ada).headers["ETag"]
    assert 201 == web.post(f"{url}/seats", json={"colour": "black"}, headers=ben).status_code
    assert {"Ada": "pink", "Ben": "black"} == _colours(web, url)


def test_an_unknown_colour_is_refused(web: FlaskClient, ada: Headers) -> None:
    """Only the colours of the document can be chosen; who wants none leaves the field out."""
    for colour in ("beige", "", 7, None):
        answer = web.post(
            "/v1/games", json={"board": "usa", "seats": 2, "colour": colour}, headers=ada
        )
        assert 400 == answer.status_code, colour
    assert {"Ada": None} == _colours(web, _opened(web, ada))


def test_who_chooses_nothing_has_the_colour_of_the_seat(web: FlaskClient, ada: Headers) -> None:
    """Without a choice the colours are those of the seats, in their order."""
    url = _opened(web, ada, bots={"easy": 2})
    assert ["red", "blue", "green"] == [*_colours(web, url, ada).values()]


def test_a_repeated_request_with_another_colour_is_refused(web: FlaskClient, ada: Headers) -> None:
    """The colour is part of a request: the same key with another colour is another request."""
    _, ben = newcomer(web, "Ben")
    url = _opened(web, ada)
    once = {**ben, "Idempotency-Key": "once"}
    first = web.post(f"{url}/seats", json={"colour": "pink"}, headers=once)
    assert first.json == web.post(f"{url}/seats", json={"colour": "pink"}, headers=once).json
    other = web.post(f"{url}/seats", json={"colour": "blue"}, headers=once)
    assert (422, "idempotency_mismatch") == (other.status_code, (other.json or {})["code"])
