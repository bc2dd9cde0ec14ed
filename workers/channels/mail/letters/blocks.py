"""The blocks of a letter, which the templates render as text and as HTML."""

from typing import NamedTuple

from engine.display import Fact
from service.views.story import Group


class Title(NamedTuple):
    text: str
    kind: str = "title"


class Heading(NamedTuple):
    text: str
    kind: str = "heading"


class Paragraph(NamedTuple):
    text: str
    kind: str = "paragraph"


class Strong(NamedTuple):
    """An emphasised paragraph."""

    text: str
    kind: str = "strong"


class Quote(NamedTuple):
    """Text that a player has written, perhaps of several lines."""

    text: str
    kind: str = "quote"


class Items(NamedTuple):
    """A list of sentences."""

    lines: tuple[str, ...]
    kind: str = "items"


class Facts(NamedTuple):
    """Labels and values."""

    rows: tuple[Fact, ...]
    kind: str = "facts"


class Grid(NamedTuple):
    """A table; the first columns are words, the others numbers."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    words: int
    """How many columns are words."""
    kind: str = "grid"


class Offered(NamedTuple):
    """A group of options, and the link to its page."""

    group: Group
    link: str


class Options(NamedTuple):
    groups: tuple[Offered, ...]
    way: str
    """The label of the links."""
    kind: str = "options"


class Link(NamedTuple):
    label: str
    url: str
    kind: str = "link"


class Picture(NamedTuple):
    """The board; the text describes it to readers without pictures."""

    cid: str
    text: str
    kind: str = "picture"


class Small(NamedTuple):
    """A line at the foot."""

    text: str
    kind: str = "small"


class SmallLink(NamedTuple):
    label: str
    url: str
    kind: str = "small_link"


Block = (
    Title | Heading | Paragraph | Strong | Quote | Items | Facts | Grid | Options
    | Link | Picture | Small | SmallLink
)  # fmt: skip
