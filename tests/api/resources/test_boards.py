from collections.abc import Iterator
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from service.boards import atlas
from tests.api.serving import fresh_app

BOARDS = atlas.board_ids()


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FlaskClient]:
    """A client without a token."""
    app, desk = fresh_app(f"sqlite:///{tmp_path_factory.mktemp('boards')}/nightmail.db")
    yield app.test_client()
    desk.close()


def shown(web: FlaskClient, path: str) -> Any:
    """Return the JSON of the response at this path."""
    answer = web.get(f"/v1/boards{path}")
    assert 200 == answer.status_code, answer.text
    return answer.json


def refused(answer: TestResponse, status: int, code: str) -> str:
    """Return the detail of a refused request, after checking its status and code."""
    assert answer.json is not None
    assert (status, code) == (answer.status_code, answer.json["code"])
    detail: str = answer.json["detail"]
    return detail


def test_every_board_is_listed_with_its_variants(web: FlaskClient) -> None:
    """The list gives the numbers of seats and the variants that can be combined."""
    listed = {board["id"]: board for board in shown(web, "")["boards"]}
    variants = {variant["id"]: variant for variant in listed["usa"]["variants"]}

    assert BOARDS == list(listed)
    assert [2, 5] == listed["usa"]["seats"]
    assert "usa_1910" in variants["new_edition"]["excludes"]
    assert [] == variants["dice"]["excludes"]
    assert all(variant["description"] for variant in variants.values())


@pytest.mark.parametrize("board", BOARDS)
def test_a_board_hangs_together(web: FlaskClient, board: str) -> None:
    """Routes and tickets name cities of the board, and twin routes name each other."""
    document = shown(web, f"/{board}")
    cities = {city["id"] for city in document["cities"]}
    ends = cities | {place["id"] for place in document["places"]}
    routes = {route["id"]: route for route in document["routes"]}

    assert cities.issuperset(city for route in routes.values() for city in route["cities"])
    assert ends.issuperset(end for ticket in document["tickets"] for end in ticket["ends"])
    assert {str(route["length"]) for route in routes.values()}.issubset(document["route_points"])
    for id, route in routes.items():
        tracks = [id]
        while (twin := routes[tracks[-1]]["twin"]) and twin not in tracks:
            tracks.append(twin)
        assert twin in {id, None}, route  # along the twins, back to the first


def test_a_board_says_what_a_player_must_know(web: FlaskClient) -> None:
    """Coordinates, lengths, colours, ferries, trains and points are those of the map."""
    document = shown(web, "/europe")
    ferries = [route for route in document["routes"] if route["kind"] == "ferry"]

    assert (45, 4) == (document["trains"], document["both_tracks_from"])
    assert {"1": 1, "2": 2, "3": 4, "4": 7, "6": 15, "8": 21} == document["route_points"]
    assert all(route["locomotives"] > 0 for route in ferries)
    assert ferries
    assert {"each": 3, "unused_points": 4} == document["parameters"]["stations"]
    assert all(30 < city["lat"] < 70 for city in document["cities"])


def test_variants_change_what_is_played_with(web: FlaskClient) -> None:
    """Tickets, technologies and modules are those of a game with these variants."""
    plain, basic = shown(web, "/usa"), shown(web, "/uk")
    other = shown(web, "/usa?variant=usa_1910")
    more = shown(web, "/uk?variant=advanced_technologies")

    assert (30, 35) == (len(plain["tickets"]), len(other["tickets"]))
    assert {"globetrotter"} == set(other["modules"]) - set(plain["modules"])
    assert (11, 16) == (len(basic["technologies"]), len(more["technologies"]))
    assert [] == plain["technologies"]
    assert plain["digest"] != other["digest"]


@pytest.mark.parametrize(
    "query",
    [
        "variant=dice&variant=usa_1910",
        "variant=usa_1910&variant=dice",
        "variant=dice,usa_1910",
        "variant=&variant=usa_1910,dice",
    ],
)
def test_variants_can_be_named_in_any_way(web: FlaskClient, query: str) -> None:
    """Variants in any order, repeated or with commas, give the same board with the same ETag."""
    answer, other = web.get(f"/v1/boards/usa?{query}"), web.get("/v1/boards/usa?variant=")

    assert answer.json is not None
    assert ["usa_1910", "dice"] == answer.json["chosen"]
    assert web.get("/v1/boards/usa?variant=usa_1910,dice").headers["ETag"] == answer.headers["ETag"]
    assert other.headers["ETag"] != answer.headers["ETag"]


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        ("variant=usa_1910,new_edition", "“usa_1910” and “new_edition” cannot be played together."),
        ("variant=steam", "there is no variant “steam” here; there are: new_edition, usa_1910"),
        ("variant=dice,dice", "a variant is named twice."),
        ("variant=%1b[2J", "there is no variant “�[2J” here"),
    ],
)
def test_what_does_not_go_together_is_unreadable(web: FlaskClient, query: str, reason: str) -> None:
    """The refusal gives the map's own reason, without control characters."""
    problem = refused(web.get(f"/v1/boards/usa?{query}"), 400, "unreadable")

    assert f"variant: {reason}" in problem
    assert problem.isprintable()


def test_an_unknown_board_is_not_found(web: FlaskClient) -> None:
    """The refusal lists the boards that exist."""
    problem = refused(web.get("/v1/boards/atlantis"), 404, "not_found")

    assert f"There is no such board. The boards are: {', '.join(BOARDS)}." == problem


@pytest.mark.parametrize("path", ["", "/usa", "/europe?variant=dice"])
def test_a_board_can_be_kept(web: FlaskClient, path: str) -> None:
    """The response may be cached publicly, and its ETag gets 304 while nothing has changed."""
    first = web.get(f"/v1/boards{path}")
    tag = first.headers["ETag"]
    again = web.get(f"/v1/boards{path}", headers={"If-None-Match": tag})

    assert (304, b"") == (again.status_code, again.data)
    for answer in (first, again):
        assert [tag] == answer.headers.getlist("ETag")
        assert ["public, max-age=3600"] == answer.headers.getlist("Cache-Control")
        assert "Vary" not in answer.headers
    assert not tag.startswith("W/")


def test_nothing_else_can_be_asked(web: FlaskClient) -> None:
    """An unknown query parameter is refused, not ignored."""
    refused(web.get("/v1/boards?variant=dice"), 400, "unreadable")
    refused(web.get("/v1/boards/usa?variants=dice"), 400, "unreadable")
