import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from openapi_spec_validator import validate

from tests.api.serving import fresh_app

LEADS = {"href", "src", "srcset", "data", "action", "poster", "background"}
"""Attributes that make a browser fetch something."""


class Page(HTMLParser):
    """What a page names, and what stands in it that its policy would forbid."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.resources: list[str] = []
        self.inline: list[str] = []
        self._inside = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what this tag fetches, and any handler or style in it."""
        self._inside = tag
        self.resources += [value or "" for name, value in attrs if name in LEADS]
        self.inline += [name for name, _ in attrs if name.startswith("on") or name == "style"]

    def handle_endtag(self, tag: str) -> None:
        """Whatever follows is not in a script."""
        del tag
        self._inside = ""

    def handle_data(self, data: str) -> None:
        """Note a script or a style that is no file."""
        if self._inside in ("script", "style") and data.strip():
            self.inline.append(data)


@pytest.fixture
def web(tmp_path: Path) -> FlaskClient:
    """Somebody with a browser and no network beyond us."""
    return fresh_app(f"sqlite:///{tmp_path}/docs.db")[0].test_client()


def policy(web: FlaskClient, path: str) -> dict[str, set[str]]:
    """What the page allows a browser to fetch, by directive."""
    said = web.get(path).headers["Content-Security-Policy"].split(";")
    return {words[0]: set(words[1:]) for words in map(str.split, said)}


@pytest.mark.parametrize("path", ["/docs", "/docs/errors"])
def test_the_policy_of_a_page_allows_our_own_files_alone(web: FlaskClient, path: str) -> None:
    """No script or style inside the page, nothing evaluated, and nothing from elsewhere."""
    allowed = policy(web, path)
    assert {"'self'"} == allowed.pop("default-src")
    assert {"'self'", "data:"} == allowed.pop("img-src")
    assert {"frame-ancestors": {"'none'"}} == allowed


@pytest.mark.parametrize("path", ["/docs", "/docs/errors"])
def test_a_page_names_only_what_we_serve(web: FlaskClient, path: str) -> None:
    """Each file that a page names is ours, is there, and says truly what it is."""
    answer = web.get(path)
    page = Page(answer.text)
    assert ("text/html", []) == (answer.mimetype, page.inline)
    kinds = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
    for name in page.resources:
        assert name.startswith(("/docs/files/", "/site/")), name
        file = web.get(name)
        assert (200, kinds[Path(name).suffix]) == (file.status_code, file.mimetype)
        assert "nosniff" == file.headers["X-Content-Type-Options"]
    assert (4 if path == "/docs" else 1) == len(page.resources)


def test_the_files_of_the_page_fetch_nothing_from_elsewhere(web: FlaskClient) -> None:
    """The style sheet has its pictures inside, and the script asks for our document alone."""
    sheet = web.get("/docs/files/docs/swagger-ui.css").text
    leads = re.findall(r"(?:url\(|@import)\s*['\"]?([^'\")\s]+)", sheet)
    assert [] == [lead[:60] for lead in leads if not lead.startswith(("data:", "#"))]
    script = web.get("/docs/files/page.js").text
    assert ["/openapi.json"] == re.findall(r'url: "([^"]*)"', script)
    assert "validatorUrl: null" in script  # else it would send the document to a stranger


def test_the_document_that_the_page_shows_is_valid(web: FlaskClient) -> None:
    """What the page loads is OpenAPI 3.1, and refers to nothing outside of itself."""
    answer = web.get("/openapi.json")
    assert answer.json is not None
    validate(answer.json)
    assert [] == re.findall(r'"\$ref":\s*"(?!#/)[^"]*"', answer.text)
