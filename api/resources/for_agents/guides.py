"""The documents of docs/ as they are written, with their titles and first sentences."""

import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).parents[3] / "docs"
"""In the source tree, and next to our packages where they are installed."""
FIRST = ("agents", "api-guide", "bots", "webhooks", "rules")
"""What programs that play need; the other guides are listed after them."""
_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
_SENTENCE = re.compile(r".*?\.(?=\s|$)", re.DOTALL)


class Guide(NamedTuple):
    """A document with its title and first sentence."""

    name: str
    title: str
    summary: str


@cache
def names() -> frozenset[str]:
    """Return the names of all documents, also of those about decisions."""
    paths = (*FOLDER.glob("*.md"), *FOLDER.glob("decisions/*.md"))
    return frozenset(path.relative_to(FOLDER).with_suffix("").as_posix() for path in paths)


@cache
def markdown(name: str) -> str:
    """Return a document as it is written."""
    if name not in names():
        raise LookupError(name)
    return (FOLDER / f"{name}.md").read_text(encoding="utf-8")


def guide(name: str) -> Guide:
    """Return the title and the first sentence of a document."""
    title, *paragraphs = markdown(name).split("\n\n")
    text = next(part for part in paragraphs if not part.startswith(("#", "|", "```")))
    sentence = _SENTENCE.match(plain := _LINK.sub(r"\1", text))
    words = (sentence[0] if sentence else plain).split()
    return Guide(name, title.removeprefix("# ").strip(), " ".join(words))


def others() -> list[str]:
    """Return the names of the guides that are not among the first."""
    return sorted(name for name in names() if "/" not in name and name not in FIRST)
