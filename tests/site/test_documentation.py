"""The guides are pages of a running service: whole, safe, and linked with each other."""

import re
import tomllib
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from flask import Flask
from flask.testing import FlaskClient

from api.site.documentation import library
from api.site.documentation.markdown import Heading, anchor_of, render
from tests.api.serving import newcomer

ROOT = Path(__file__).parents[2]
GUIDES = sorted(name for group in library.GROUPS for name in group.names)


@pytest.fixture
def web(app: Flask) -> FlaskClient:
    """A client without an account."""
    return app.test_client()


class Links(HTMLParser):
    """The links and the anchors of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.hrefs: list[str] = []
        self.ids: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Collect what the tag names."""
        named = dict(attrs)
        if tag == "a":
            self.hrefs.append(named.get("href") or "")
        if anchor := named.get("id"):
            self.ids.append(anchor)


def test_the_list_leads_to_every_guide_and_the_reference(web: FlaskClient) -> None:
    """The list of documents has the reference, the problems, the document and every guide."""
    hrefs = Links(web.get("/docs").text).hrefs

    assert {"/docs/api", "/docs/errors", "/openapi.json"} <= set(hrefs)
    assert {f"/docs/{name}" for name in GUIDES} <= set(hrefs)


@pytest.mark.parametrize("name", GUIDES)
def test_a_guide_is_a_page(web: FlaskClient, name: str) -> None:
    """A guide is a page in our layout, with one main heading and unique anchors."""
    answer = web.get(f"/docs/{name}")
    links = Links(answer.text)

    assert 200 == answer.status_code
    assert 1 == answer.text.count("<h1>")
    assert len(links.ids) == len(set(links.ids))
    assert "style-src 'self'" in answer.headers["Content-Security-Policy"]


def test_every_link_between_documents_leads_somewhere(web: FlaskClient) -> None:
    """Every link to one of our own addresses is answered, and its anchor exists there."""
    pages = ["/docs", *(f"/docs/{name}" for name in sorted(library.names()))]
    links = {page: Links(web.get(page).text) for page in pages}
    anchors = {page: own.ids for page, own in links.items()}
    others = set()
    for page, own in links.items():
        for href in own.hrefs:
            path, fragment = urlsplit(href).path or page, urlsplit(href).fragment
            if not href.startswith(("/", "#")):
                assert href.startswith(("http://", "https://")), (page, href)
            elif path in anchors:
                assert not fragment or unquote(fragment) in anchors[path], (page, href)
            else:
                others.add(path)
    assert [] == [path for path in others if web.get(path).status_code not in (200, 303)]


def test_links_out_of_the_library_are_plain_text(web: FlaskClient) -> None:
    """A link to a file that is not served is shown as text, and not as a broken link."""
    page = web.get("/docs/bots").text

    assert "examples/bots</span>" in page
    assert "README.md" not in page


def test_the_manual_of_the_client_library_is_served(web: FlaskClient) -> None:
    """The manual of its package is a guide, and the guides lead to it."""
    assert 'href="/docs/client-library"' in web.get("/docs/api-guide").text
    assert "sign_in_with_device" in web.get("/docs/client-library").text


@pytest.mark.parametrize("path", ["nowhere", "architecture", "../README", "decisions/", "api.md"])
def test_other_files_are_not_served(web: FlaskClient, path: str) -> None:
    """Only the listed documents are served, and no other file by a path of the reader's making."""
    assert 404 == web.get(f"/docs/{path}").status_code


def test_every_document_is_in_the_package() -> None:
    """What is served is package data, so that an installed service has it."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    tool = project["tool"]["setuptools"]
    patterns = tool["package-data"]["docs"]
    shipped = {path for pattern in patterns for path in library.FOLDER.glob(pattern)}

    assert "docs" in tool["packages"]["find"]["include"]
    assert {library.FOLDER / f"{name}.md" for name in library.names()} <= shipped


def test_raw_html_and_scripts_stay_text() -> None:
    """HTML in a document is shown as text, and a link cannot run a script."""
    text = '# T\n\n<script>alert(1)</script> <b onclick="x">b</b>\n\n[x](javascript:alert(1))'
    rendered = render(text, lambda href: href)

    assert "<script" not in rendered.html
    assert "<b " not in rendered.html
    assert 'href="javascript' not in rendered.html


def test_headings_become_anchors() -> None:
    """Anchors are those of the sites that host repositories; repeated ones are numbered."""
    rendered = render("# T\n\nOne `two`.\n\n## Way `a`, b!\n\n## Same\n\n### Same\n", str)

    assert ("T", "One two.") == (rendered.title, rendered.summary)
    assert [
        Heading(2, "way-a-b", "Way a, b!"),
        Heading(2, "same", "Same"),
        Heading(3, "same-1", "Same"),
    ] == rendered.headings
    assert "waiting-without-asking-all-the-time" == anchor_of("Waiting without asking all the time")


def test_code_and_tables_can_be_scrolled_by_keyboard() -> None:
    """Blocks that may be wider than the screen scroll, and the keyboard reaches them."""
    html = render("# T\n\n```sh\ncurl\n```\n\n|a|b|\n|-|-|\n|1|2|\n", str).html

    assert re.search(r'<pre tabindex="0"><code class="language-sh"|<pre><code tabindex="0"', html)
    assert '<div class="scroll" tabindex="0"><table>' in html


def test_a_document_without_a_title_is_a_mistake() -> None:
    """A document begins with a heading of the first level."""
    with pytest.raises(ValueError, match="first level"):
        render("No title.\n", str)


def test_a_visitor_reads_the_guides_too(app: Flask) -> None:
    """A guide has the menu of somebody who is signed in, and is marked as English."""
    web = app.test_client()
    newcomer(web, "Ada")
    page = web.get("/docs/webhooks", headers={"Accept-Language": "de"}).text

    assert '<div class="document" lang="en">' in page
