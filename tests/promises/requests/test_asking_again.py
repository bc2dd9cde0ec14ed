"""Promise 33: a client that polls on one connection gets the truth each time."""

from collections.abc import Iterator
from typing import NamedTuple

import pytest

from tests.api.lines import Line, RawResponse
from tests.promises.support.http_calls import Json, ask, send
from tests.promises.support.web_server import (
    Player,
    Web,
    decision,
    moving,
    newcomer,
    opened,
    running_web,
)

PROBLEM = "application/problem+json"
COUNTED = {"RATE_LIMIT_TOKEN": "1000/day"}


class Asking(NamedTuple):
    """A client that polls on one connection, with a token that it uses for nothing else."""

    line: Line
    web: Web
    players: tuple[Player, Player]
    game: str
    token: Json

    def again(self, known: str, path: str = "", token: str = "") -> RawResponse:
        """Request the game with this ETag in If-None-Match."""
        lines = [
            f"GET /v1/games/{path or self.game} HTTP/1.1",
            "Host: x",
            f"Authorization: Bearer {token or self.token['token']}",
            f"If-None-Match: {known}",
        ]
        return self.line.ask("\r\n".join([*lines, "", ""]).encode())


@pytest.fixture
def asking(url: str) -> Iterator[Asking]:
    """A client in a game on each database, with a rate limit by the day."""
    with running_web(url, **COUNTED) as web:
        players = newcomer(web), newcomer(web)
        body = {"label": "x", "scopes": ["read"]}
        made = ask(web, "POST", "/v1/me/tokens", body, players[0].token).json
        with Line(web.port) as line:
            yield Asking(line, web, players, opened(web, *players), made)


def tag_of(response: RawResponse) -> str:
    """The ETag of a response."""
    return str(response.headers["ETag"])


def test_news_are_told(asking: Asking) -> None:
    """An unchanged game gives 304, a changed one its new state, and each request counts once."""
    answers = [asking.again('"old"')]
    for _ in range(4):
        known = tag_of(answers[-1])
        answers += [asking.again(known) for _ in range(3)]
        assert [(304, known)] * 3 == [(answer.status, tag_of(answer)) for answer in answers[-3:]]
        _move(asking)
        answers.append(asking.again(known))
        fresh = ask(asking.web, "GET", f"/v1/games/{asking.game}", None, asking.players[0].token)
        assert (200, fresh.body) == (answers[-1].status, answers[-1].body)
        assert fresh.headers["ETag"] == tag_of(answers[-1]) != known
    left = [int(answer.headers["RateLimit-Remaining"]) for answer in answers]
    assert left == list(range(999, 999 - len(answers), -1))


def _move(asking: Asking) -> None:
    open_decision = decision(asking.web, asking.game, asking.players)
    assert open_decision is not None
    mover, opened = open_decision
    move = moving(asking.game, mover, opened["options"][0]["action"])
    assert 201 == send(asking.web, move).status


def test_refusals_are_told(asking: Asking) -> None:
    """404 and 400 come each time; a revoked token gets 401 at once, and another still works."""
    owner = asking.players[0].token
    tag = tag_of(asking.again('"old"'))
    for path, status in ((asking.game, 304), ("nowhere", 404), (f"{asking.game}?x=1", 400)):
        assert [status] * 2 == [asking.again(tag, path).status for _ in range(2)]
    assert 304 == asking.again(tag).status
    assert (
        200 == ask(asking.web, "DELETE", f"/v1/me/tokens/{asking.token['id']}", None, owner).status
    )
    refused = asking.again(tag)
    assert (401, PROBLEM) == (refused.status, refused.headers["Content-Type"])
    assert 304 == asking.again(tag, token=owner).status
