"""The words, links and pictures of a letter in HTML."""

import re
from html.parser import HTMLParser


class Words(HTMLParser):
    """Collects the visible text, the links and the alternative texts of HTML."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.links: list[str] = []
        self.inside: list[str] = []
        self.preheader = ""
        self.hidden = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep a link's target and a picture's alternative text."""
        given = dict(attrs)
        self.inside.append(tag)
        self.hidden = "nm_preheader" in (given.get("class") or "")
        if tag == "a":
            self.links.append(given["href"] or "")
        if tag == "img":
            self.texts.append(given["alt"] or "")

    def handle_endtag(self, tag: str) -> None:
        """Leave an element."""
        self.hidden = False
        if tag in self.inside:
            self.inside.remove(tag)

    def handle_data(self, data: str) -> None:
        """Keep visible text."""
        if self.hidden:
            self.preheader += data
        elif not {"style", "title"} & set(self.inside):
            self.texts.append(data)


def words_of(html: str) -> Words:
    """Parse HTML."""
    words = Words()
    words.feed(html)
    return words


def bag(text: str) -> set[str]:
    """The words of a text, without links and punctuation."""
    bare = re.sub(r"https?://\S+", " ", text)
    return set(re.findall(r"[^\W_]{2,}", bare))
