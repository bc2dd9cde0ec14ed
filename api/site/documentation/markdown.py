"""Renders a Markdown document as HTML, with anchors and links to other documents.

Raw HTML in a document is shown as text, and links only lead to pages and to http addresses.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup

LinkTo = Callable[[str], str | None]
"""Returns the URL of a link in a document; None if its target is not served."""
DEEPEST = 3
"""The lowest level of headings in a table of contents."""
SCHEMES = ("http://", "https://", "mailto:")


class Heading(NamedTuple):
    """A heading below the title of a document."""

    level: int
    anchor: str
    text: str


class Rendered(NamedTuple):
    """A document as HTML."""

    title: str
    summary: str
    """The first paragraph, as plain text."""
    headings: Sequence[Heading]
    html: Markup


def render(text: str, link_to: LinkTo) -> Rendered:
    """Render a document; its first heading becomes the title."""
    parser = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
    parser.add_render_rule("table_open", _table_open)
    parser.add_render_rule("table_close", _table_close)
    tokens = parser.parse(text)
    title, body = _without_title(tokens)
    _relink(body, link_to)
    for token in body:
        if token.type in ("fence", "code_block"):
            token.attrSet("tabindex", "0")  # a long line can be scrolled by keyboard
    headings = list(_anchored(body))
    html = Markup(parser.renderer.render(body, parser.options, {}))  # noqa: S704  # without raw HTML
    return Rendered(title, _summary(body), headings, html)


def _without_title(tokens: list[Token]) -> tuple[str, list[Token]]:
    if tokens and (tokens[0].type, tokens[0].tag) == ("heading_open", "h1"):
        return _plain(tokens[1]), tokens[3:]
    raise ValueError("a document begins with a heading of the first level")


def _anchored(tokens: Sequence[Token]) -> Iterator[Heading]:
    """Give every heading an anchor, and yield those of the table of contents."""
    counts: dict[str, int] = {}
    for at, token in enumerate(tokens):
        if token.type != "heading_open":
            continue
        text = _plain(tokens[at + 1])
        anchor = anchor_of(text)
        repeated = counts.get(anchor, 0)
        counts[anchor] = repeated + 1
        if repeated:
            anchor = f"{anchor}-{repeated}"
        token.attrSet("id", anchor)
        if int(token.tag[1]) <= DEEPEST:
            yield Heading(int(token.tag[1]), anchor, text)


def anchor_of(heading: str) -> str:
    """Return the anchor of a heading, as the sites that host repositories make it."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def _plain(inline: Token) -> str:
    children = inline.children or ()
    return "".join(" " if child.type == "softbreak" else child.content for child in children)


def _summary(tokens: Sequence[Token]) -> str:
    for at, token in enumerate(tokens):
        if token.type == "paragraph_open":
            return _plain(tokens[at + 1])
    return ""


def _relink(tokens: Sequence[Token], link_to: LinkTo) -> None:
    """Point links to the pages of a service; those that lead nowhere there become plain text."""
    for token in tokens:
        is_dead = False
        for child in token.children or ():
            if child.type == "link_open":
                href = str(child.attrGet("href") or "")
                url = href if href.startswith(("#", *SCHEMES)) else link_to(href)
                is_dead = url is None
                child.attrSet("href", url or "")
            if is_dead and child.type in ("link_open", "link_close"):
                child.type, child.tag, child.attrs = "dead_link", "span", {}
                is_dead = child.nesting == 1


def _table_open(*_: object) -> str:
    return '<div class="scroll" tabindex="0"><table>\n'


def _table_close(*_: object) -> str:
    return "</table></div>\n"
