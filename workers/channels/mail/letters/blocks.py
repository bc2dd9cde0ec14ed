"""The blocks of a letter, which the templates render as text and as HTML."""

from typing import NamedTuple

from engine.display import Fact


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
    spread: bool = False
    """Whether the words of a row have a line of their own above its numbers, to save width."""
    kind: str = "grid"


class EntryRow(NamedTuple):
    """An entry of the menu, and the link to its page."""

    number: str
    """Its number in the menu, after the letter of its game if the letter is about several."""
    title: str
    details: str
    """Its ways, or how many things are chosen; empty if there is nothing to say."""
    things: tuple[str, ...]
    note: str
    """The tickets that it serves."""
    url: str


class Entries(NamedTuple):
    """Entries of the menu with their numbers."""

    rows: tuple[EntryRow, ...]
    kind: str = "entries"


class ExampleRow(NamedTuple):
    """A text to answer with, what it means, and both in one line."""

    answer: str
    meaning: str
    line: str


class Examples(NamedTuple):
    """Texts to answer with, each with what it means."""

    rows: tuple[ExampleRow, ...]
    kind: str = "examples"


class BigLink(NamedTuple):
    """The link that most readers will follow."""

    label: str
    url: str
    kind: str = "big_link"


class Link(NamedTuple):
    label: str
    url: str
    kind: str = "link"


class PlainLink(NamedTuple):
    """A link that is a sentence of its own."""

    label: str
    url: str
    kind: str = "plain_link"


class Picture(NamedTuple):
    """The board; the text describes it to readers without pictures."""

    cid: str
    text: str
    width: int
    """Pixels at which it is shown; narrow screens show it smaller."""
    height: int
    kind: str = "picture"


class Caption(NamedTuple):
    """What a picture shows, in words."""

    lines: tuple[str, ...]
    kind: str = "caption"


class Small(NamedTuple):
    """A line at the foot."""

    text: str
    kind: str = "small"


class SmallLink(NamedTuple):
    label: str
    url: str
    kind: str = "small_link"


Block = (
    Title | Heading | Paragraph | Strong | Quote | Items | Facts | Grid | Entries | Examples
    | BigLink | Link | PlainLink | Picture | Caption | Small | SmallLink
)  # fmt: skip
