"""Renders blocks as text and as HTML."""

import re
import textwrap
from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import css_inline
from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template

from engine.text import shortened
from service.i18n.catalogue import current_language
from workers.channels.mail.letters.blocks import Block, Grid
from workers.channels.mail.letters.phrases import marker

TEMPLATES = Path(__file__).parent.parent / "templates"
WIDTH = 76
"""Columns of the text part; mail programs wrap what is longer than 78."""
LONGEST_PREHEADER = 140
FILLER = "\u034f\u200c\N{NO-BREAK SPACE}"
"""An invisible character with width in lists of letters."""
_GAP = "  "
"""Between columns."""
_CLASS = re.compile(r"^\.([a-z_]+)\b", re.MULTILINE)
_STYLE = re.compile(r'style="([^"]*)"')
_BLANK = re.compile(r"([:;,])\s+")
_QUOTED = re.compile(r"^(\s*)>", re.MULTILINE)
"""A line that mail programs and readers of replies take for a quotation."""
_UNQUOTED = "\\1\N{SINGLE RIGHT-POINTING ANGLE QUOTATION MARK}"
_PLACE, _LATER = re.compile(r"\(css\.(\w+)\)"), "(css later)"
"""Where the template of a letter wants a style, and all other rules."""


class Written(NamedTuple):
    """The two parts of a letter, with the same content."""

    text: str
    html: str


class _Templates(NamedTuple):
    text: Template
    html: Template


def written(blocks: Sequence[Block], subject: str, preheader: str, *, answers: bool) -> Written:
    """Return a letter as text and HTML; one that can be answered begins with the marker line.

    The preheader is shown by lists of letters, and hidden in the letter itself, which says the
    same elsewhere. It is filled up, or lists would show what the letter says next.
    """
    templates = _templates()
    values = {"blocks": blocks, "subject": subject, "language": current_language()}
    values["preheader"] = shortened(preheader, LONGEST_PREHEADER)
    values["filler"] = FILLER * (LONGEST_PREHEADER - len(values["preheader"]))
    values["marker"] = marker() if answers else ""
    text = _QUOTED.sub(_UNQUOTED, templates.text.render(values))
    return Written(text, templates.html.render(values))


@lru_cache(maxsize=1)
def _templates() -> _Templates:
    """Return the templates, read once in a process."""
    for_text, for_html = _environment(autoescape=False), _environment(autoescape=True)
    for_text.filters |= {"wrapped": wrapped, "under": under, "lined_up": lined_up}
    return _Templates(
        for_text.get_template("letter.txt"),
        for_html.from_string(_styled((TEMPLATES / "letter.html").read_text(encoding="utf-8"))),
    )


def _styled(template: str) -> str:
    """Return a template in which stands what the stylesheet says of each class that it names.

    Rules for screens that are dark or small, which cannot stand in an attribute, stay together.
    """
    sheet = (TEMPLATES / "letter.css").read_text(encoding="utf-8")
    plain, _, later = sheet.partition("@media")
    styles = {name: _style(name, plain) for name in _CLASS.findall(plain)}
    return _PLACE.sub(lambda match: styles[match[1]], template).replace(_LATER, f"@media{later}")


def _environment(*, autoescape: bool) -> Environment:
    return Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=autoescape,  # noqa: S701  # plain text has no mark-up that could be forged
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )


def _style(name: str, sheet: str) -> str:
    inlined = css_inline.inline_fragment(f'<div class="{name}"></div>', sheet)
    style = _STYLE.search(inlined)
    # It stands there once for each entry, and some mail programs cut what is long.
    return _BLANK.sub(r"\1", style[1]).rstrip(";") if style else ""


@lru_cache(maxsize=512)  # many paragraphs are the same in most letters
def wrapped(text: str, indent: str = "", first: str | None = None) -> str:
    """Wrap sentences in lines that fit everywhere; links stay whole."""
    first = indent if first is None else first
    if len(first) + len(text) <= WIDTH:
        return first + text
    room = WIDTH - max(len(first), len(indent))
    return textwrap.fill(
        " ".join(word if "://" in word else _cut(word, room) for word in text.split()),
        WIDTH,
        initial_indent=first,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _cut(word: str, most: int) -> str:
    """Return a word in pieces of at most this length."""
    return " ".join(word[at : at + most] for at in range(0, len(word), most))


def under(text: str, line: str) -> str:
    """Return a heading, underlined."""
    lines = wrapped(text).splitlines()
    return "\n".join([*lines, line * max(map(len, lines), default=0)])


def lined_up(grid: Grid) -> str:
    """Return a table whose columns stand below each other.

    If that is too wide, the words of each row stand in a line of their own above its numbers.
    """
    rows = grid.head, *grid.rows
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    if sum(widths) + len(_GAP) * (len(widths) - 1) <= WIDTH:
        return "\n".join(_line(row, widths, grid.words) for row in rows)
    numbers = widths[grid.words :]
    lines: list[str] = []
    for row in rows:
        words = _GAP.join(filter(None, row[: grid.words]))
        lines += [wrapped(words)] if words else []
        lines.append(_line(row[grid.words :], numbers, 0))
    return "\n".join(lines)


def _line(row: Iterable[str], widths: Sequence[int], words: int) -> str:
    cells = [
        cell.ljust(width) if n < words else cell.rjust(width)
        for n, (cell, width) in enumerate(zip(row, widths, strict=True))
    ]
    return _GAP.join(cells).rstrip()
