"""Compression of responses: when it is used, and what the length reveals."""

import gzip
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.api.lines import Line, get
from tests.promises.support.http_calls import Response, ask
from tests.promises.support.web_server import Here, newcomer, opened, served_here


@pytest.fixture
def here(tmp_path: Path) -> Iterator[Here]:
    """A server that runs in this process."""
    with served_here(f"sqlite:///{tmp_path}/nightmail.db") as served:
        yield served


def packed(here: Here, path: str, token: str = "", **headers: str) -> Response:
    """The response to a client that accepts gzip."""
    return ask(here, "GET", path, None, token, Accept_Encoding="gzip, br", **headers)


@pytest.mark.parametrize(
    "path", ["/openapi.json", "/docs/files/docs/swagger-ui.css", "/", "/v1/boards/usa/picture.svg"]
)
def test_long_answers_are_compressed_for_those_who_want_it(here: Here, path: str) -> None:
    """Long responses are compressed if the client accepts gzip, and Vary says so either way."""
    plain, small = ask(here, "GET", path), packed(here, path)
    assert (None, plain.headers["Vary"]) == (
        plain.headers.get("Content-Encoding"),
        small.headers["Vary"],
    )
    assert "Accept-Encoding" in plain.headers["Vary"]
    assert "gzip" == small.headers["Content-Encoding"]
    assert len(small.body) < len(plain.body)
    if path != "/":  # the CSRF token in its form is masked anew
        assert plain.body == gzip.decompress(small.body)


def test_a_tag_names_the_same_version_in_other_bytes(here: Here) -> None:
    """The ETag of a compressed response is weak, and works in If-None-Match and If-Match."""
    ada, ben = newcomer(here, "Ada"), newcomer(here, "Ben")
    game = opened(here, ada, ben)
    plain, small = (read(here, f"/v1/games/{game}", ada.token) for read in (_plain, packed))
    assert f"W/{plain.headers['ETag']}" == small.headers["ETag"]
    assert plain.json == json.loads(gzip.decompress(small.body))
    assert "Authorization, Accept-Encoding" == small.headers["Vary"]
    known = small.headers["ETag"]
    assert 304 == packed(here, f"/v1/games/{game}", ada.token, If_None_Match=known).status
    moved = ask(
        here, "POST", f"/v1/games/{game}/moves", {"text": "keep all"}, ada.token, If_Match=known
    )
    assert 201 == moved.status


def _plain(here: Here, path: str, token: str) -> Response:
    return ask(here, "GET", path, None, token)


def test_secrets_short_answers_and_streams_are_not_compressed(here: Here) -> None:
    """Responses with secrets, short ones and streams are not compressed, nor if gzip is refused."""
    ada = newcomer(here, "Ada")
    game = opened(here, ada, newcomer(here, "Ben"))
    with_secrets = ("/v1/me", "/sign-in", "/settings", "/mailbox")
    for response in (
        *(packed(here, path, ada.token) for path in with_secrets),
        packed(here, "/healthz"),
        ask(here, "GET", "/openapi.json", Accept_Encoding="gzip;q=0, identity"),
    ):
        assert "Content-Encoding" not in response.headers
    with Line(here.port) as line:
        accepts = "Accept: text/event-stream", "Accept-Encoding: gzip"
        begun = line.ask(get(f"/v1/games/{game}/events", *accepts))
        assert (200, None) == (begun.status, begun.headers["Content-Encoding"])


def test_lengths_are_random(here: Here) -> None:
    """Compressed lengths vary at random, so that a length does not confirm a guess."""
    lengths = {len(packed(here, "/openapi.json").body) for _ in range(20)}

    assert len(lengths) > 5
