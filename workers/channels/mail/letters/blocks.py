"""What a letter is made of. Text and HTML are two ways to write down the same blocks."""

from typing import NamedTuple

from engine.display import Fact
from service.views.story import Group


class Title(NamedTuple):
    text: str
    kind: str = "title"


class Heading(NamedTuple):
    text: str
    kind: str = "heading"


class Said(NamedTuple):
    """A paragraph."""

    text: str
    kind: str = "said"


class Strong(NamedTuple):
    """A paragraph that must not be missed."""

    text: str
    kind: str = "strong"


class Quote(NamedTuple):
    """What somebody else has said, in several lines perhaps."""

    text: str
    kind: str = "quote"


class Items(NamedTuple):
    """Sentences, one after the other."""

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
    """A group of options, and where they can be played."""

    group: Group
    link: str


class Options(NamedTuple):
    groups: tuple[Offered, ...]
    way: str
    """What a link to one of them is called."""
    kind: str = "options"


class Link(NamedTuple):
    label: str
    url: str
    kind: str = "link"


class Picture(NamedTuple):
    """The board; the text stands for it where it cannot be seen."""

    cid: str
    text: str
    kind: str = "picture"


class Small(NamedTuple):
    """What stands at the foot."""

    text: str
    kind: str = "small"


class SmallLink(NamedTuple):
    label: str
    url: str
    kind: str = "small_link"


Block = (
    Title | Heading | Said | Strong | Quote | Items | Facts | Grid | Options
    | Link | Picture | Small | SmallLink
)  # fmt: skip
