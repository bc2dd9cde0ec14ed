"""Which documents of docs/ are served, in groups, and where their links lead."""

import posixpath
from collections.abc import Iterable
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

from api.site.documentation.markdown import Rendered, render

FOLDER = Path(__file__).parents[3] / "docs"
"""In the source tree, and next to our packages where they are installed."""
URL = "/docs"
DECISIONS = "decisions"
ELSEWHERE = {
    "../openapi/openapi.json": "/openapi.json",
    "../clients/python/README.md": f"{URL}/client-library",
}
"""Files outside of docs/ that a service has at another address."""


class Group(NamedTuple):
    """Documents for the same readers."""

    anchor: str
    title: str
    names: tuple[str, ...]


GROUPS = (
    Group(
        "programs",
        "For authors of clients and bots",
        (
            "api-guide",
            "recipes",
            "client-library",
            "webhooks",
            "bots",
            "agents",
            "api-policy",
            "api-changelog",
        ),
    ),
    Group(
        "players",
        "For players",
        ("pages", "replies", "mail", "links", "channels", "orders", "clocks", "fairness", "rules"),
    ),
    Group("background", "Background", ("glossary", "decisions/README")),
)


class Entry(NamedTuple):
    """A document in the list of all documents."""

    name: str
    url: str
    title: str
    summary: str


@cache
def names() -> frozenset[str]:
    """Return the names of all documents that are served."""
    decisions = (f"{DECISIONS}/{path.stem}" for path in (FOLDER / DECISIONS).glob("*.md"))
    return frozenset((*(name for group in GROUPS for name in group.names), *decisions))


@lru_cache(maxsize=128)
def document(name: str) -> Rendered:
    """Read and render a document that is served."""
    if name not in names():
        raise LookupError(name)
    return render(text(name), lambda href: link_from(name, href))


def text(name: str) -> str:
    """Read a document as it is written."""
    return (FOLDER / f"{name}.md").read_text(encoding="utf-8")


def link_from(name: str, href: str) -> str | None:
    """Return the URL of a relative link in a document; None if its target is not served."""
    if href.startswith("/"):
        return href
    path, _, anchor = href.partition("#")
    target = posixpath.normpath(posixpath.join(posixpath.dirname(name), path))
    if target in ELSEWHERE:
        return ELSEWHERE[target]
    served = target.removesuffix(".md")
    if not target.endswith(".md") or served not in names():
        return None
    return f"{URL}/{served}" + (f"#{anchor}" if anchor else "")


def entries(group: Group) -> Iterable[Entry]:
    """Return the documents of a group with their titles and first sentences."""
    for name in group.names:
        rendered = document(name)
        sentence, dot, _ = rendered.summary.partition(". ")
        yield Entry(name, f"{URL}/{name}", rendered.title, sentence + dot.strip())
