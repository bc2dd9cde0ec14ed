"""llms.txt, and the guides as Markdown."""

import posixpath
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from api.site.documentation import library
from tests.api.serving import fresh_app

DOCS = Path(__file__).parents[2] / "docs"
PUBLIC = "http://nightmail.test"
_LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")


@pytest.fixture
def web(tmp_path: Path) -> Iterator[FlaskClient]:
    """A client of an application with a public address."""
    app, desk = fresh_app(f"sqlite:///{tmp_path}/nightmail.db", PUBLIC_URL=PUBLIC)
    yield app.test_client()
    desk.close()


def test_every_link_answers(web: FlaskClient) -> None:
    """Every link of llms.txt begins with the public address, and leads to something."""
    text = web.get("/llms.txt").text
    links = _LINK.findall(text)

    assert {f"{PUBLIC}/openapi.json", f"{PUBLIC}/docs/agents.md"} <= {*links}
    for link in links:
        path = link.removeprefix(PUBLIC)
        assert path.startswith("/")
        assert 200 == web.get(path).status_code, link


def test_nothing_is_left_out(web: FlaskClient) -> None:
    """llms.txt lists every guide with its title, and every subject of the OpenAPI document."""
    text = web.get("/llms.txt").text
    openapi = web.get("/openapi.json").json
    assert openapi is not None

    for name in (name for group in library.GROUPS for name in group.names):
        title = (DOCS / f"{name}.md").read_text(encoding="utf-8").splitlines()[0].removeprefix("# ")
        assert f"- [{title}]({PUBLIC}/docs/{name}.md): " in text
    for tag in openapi["tags"]:
        assert f"- {tag['name']}: {tag['description']}" in text


def test_its_form(web: FlaskClient) -> None:
    """llms.txt is Markdown with a title, a summary and lists of links, and has an ETag."""
    response = web.get("/llms.txt")

    assert "text/plain; charset=utf-8" == response.content_type
    assert response.text.startswith("# Nightmail\n\n> Nightmail is ")
    assert [] == [line for line in response.text.splitlines() if line.endswith(": ")]
    again = web.get("/llms.txt", headers={"If-None-Match": response.headers["ETag"]})
    assert 304 == again.status_code


def test_guides_are_served(web: FlaskClient) -> None:
    """A guide is served as it is written, and its links to other guides lead there."""
    response = web.get("/docs/agents.md")

    assert "text/markdown; charset=utf-8" == response.content_type
    assert (DOCS / "agents.md").read_bytes() == response.data
    for link in _LINK.findall(response.text):
        target, _, _ = link.partition("#")
        if target.endswith(".md"):
            path = posixpath.normpath(f"/docs/{target}")
            assert 200 == web.get(path).status_code, link


@pytest.mark.parametrize(
    "path", ["nothing.md", "../README.md", "%2e%2e/README.md", "postfix/main.cf", ".md", "rules.MD"]
)
def test_only_guides_are_served(web: FlaskClient, path: str) -> None:
    """Nothing outside of the guides can be read."""
    assert 404 == web.get(f"/docs/{path}").status_code
