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
    """The resources that a page names, and the inline code that its policy would forbid."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.resources: list[str] = []
        self.inline: list[str] = []
        self._inside = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Record what this tag fetches, and any inline handler or style."""
        self._inside = tag
        self.resources += [value or "" for name, value in attrs if name in LEADS]
        self.inline += [name for name, _ in attrs if name.startswith("on") or name == "style"]

    def handle_endtag(self, tag: str) -> None:
        """Leave the script or style."""
        del tag
        self._inside = ""

    def handle_data(self, data: str) -> None:
        """Record an inline script or style."""
        if self._inside in ("script", "style") and data.strip():
            self.inline.append(data)


@pytest.fixture
def web(tmp_path: Path) -> FlaskClient:
    """A client of an application of its own."""
    return fresh_app(f"sqlite:///{tmp_path}/docs.db")[0].test_client()


def policy(web: FlaskClient, path: str) -> dict[str, set[str]]:
    """The Content-Security-Policy of a page, by directive."""
    policy = web.get(path).headers["Content-Security-Policy"].split(";")
    return {words[0]: set(words[1:]) for words in map(str.split, policy)}


@pytest.mark.parametrize("path", ["/docs/api", "/docs/errors"])
def test_the_policy_of_a_page_allows_our_own_files_alone(web: FlaskClient, path: str) -> None:
    """The policy forbids inline scripts and styles, eval and anything from other hosts."""
    allowed = policy(web, path)
    assert {"'self'"} == allowed.pop("default-src")
    assert {"'self'", "data:"} == allowed.pop("img-src")
    assert {"frame-ancestors": {"'none'"}} == allowed


@pytest.mark.parametrize("path", ["/docs/api", "/docs/errors"])
def test_a_page_names_only_what_we_serve(web: FlaskClient, path: str) -> None:
    """Every file that a page names is served by us, with the right content type."""
    answer = web.get(path)
    page = Page(answer.text)
    assert ("text/html", []) == (answer.mimetype, page.inline)
    kinds = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
    for name in page.resources:
        assert name.startswith(("/docs/files/", "/site/", "/pages.css")), name
        file = web.get(name)
        assert (200, kinds[Path(name).suffix]) == (file.status_code, file.mimetype)
        assert "nosniff" == file.headers["X-Content-Type-Options"]
    assert (4 if path == "/docs/api" else 2) == len(page.resources)


def test_the_files_of_the_page_fetch_nothing_from_elsewhere(web: FlaskClient) -> None:
    """The style sheet has its pictures inline, and the script fetches only our OpenAPI document."""
    sheet = web.get("/docs/files/docs/swagger-ui.css").text
    leads = re.findall(r"(?:url\(|@import)\s*['\"]?([^'\")\s]+)", sheet)
    assert [] == [lead[:60] for lead in leads if not lead.startswith(("data:", "#"))]
    script = web.get("/docs/files/page.js").text
    assert ["/openapi.json"] == re.findall(r'url: "([^"]*)"', script)
    assert "validatorUrl: null" in script  # otherwise it would send the document to a third party


def test_the_document_that_the_page_shows_is_valid(web: FlaskClient) -> None:
    """The document is valid OpenAPI 3.1, and has no external references."""
    answer = web.get("/openapi.json")
    assert answer.json is not None
    validate(answer.json)
    assert [] == re.findall(r'"\$ref":\s*"(?!#/)[^"]*"', answer.text)
