"""Turns an HTML page into lines of text as they are shown, with quotations marked by “>”.

Struck-out and hidden text is left out. Table cells and list items are lines of their own.
"""

import re
from contextlib import suppress
from html.parser import HTMLParser
from typing import NamedTuple

from service.replies.reading.html_styles import Sheet, applied, sheet_of, squeezed, style_of
from service.replies.reading.limits import LONGEST_LINE

MOST_TAGS = 15_000
"""Tags that are looked at; a long letter that is quoted ten times has fewer."""
MOST_DEPTH = 150
"""Elements inside each other that are looked at."""
CHUNK = 32 * 1024
"""Characters that are parsed at a time; the parser takes much memory for longer tags."""
QUOTED = "> "
"""Begins a line that is part of a quotation."""

_BREAKS = frozenset((
    *("p", "div", "br", "li", "tr", "td", "th", "table", "tbody", "ul", "ol", "dl", "dt", "dd"),
    *("pre", "hr", "section", "article", "header", "footer", "main", "aside", "nav", "body"),
    *("h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "option", "select", "textarea", "caption"),
    *("form", "fieldset", "figure", "figcaption", "address", "center", "button", "details"),
    *("summary", "dialog", "legend", "thead", "tfoot", "hgroup", "menu", "search"),
))  # fmt: skip
"""Elements that are lines of their own."""
_VOID = frozenset((
    *("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source"),
    *("track", "wbr"),
))  # fmt: skip
"""Elements that have no end tag."""
_UNSEEN = frozenset(("script", "style", "head", "title", "template", "noscript", "object"))
_CLOSED = frozenset((
    *("dialog", "select", "option", "optgroup", "datalist", "svg", "math", "canvas", "audio"),
    *("video", "iframe", "noframes", "noembed", "rp", "rt"),
))  # fmt: skip
"""Elements whose text is not shown, or not as a part of the text around them."""
_RAISED = {"sup": "^", "sub": "_"}
"""Elements whose text is set apart from the text before it, and the mark that is put there."""
_STRUCK = frozenset(("s", "strike", "del"))
_CELLS = frozenset(("td", "th"))
_TABLE = frozenset(("table", "tbody", "thead", "tfoot", "tr", "td", "th"))
_ENDED_BY = {
    "p": frozenset(("p",)),
    "li": frozenset(("li",)),
    "option": frozenset(("option",)),
    "dt": frozenset(("dt", "dd")),
    "dd": frozenset(("dt", "dd")),
    "td": _CELLS,
    "th": _CELLS,
    "tr": frozenset(("tr", *_CELLS)),
    "body": frozenset(("head", "title", "style")),
}
"""Elements without an end tag of their own that end where this one begins."""
_QUOTATIONS = (
    *("gmail_quote", "gmail_attr", "yahoo_quoted", "moz-cite-prefix", "protonmail_quote"),
    *("zmail_extra", "tutanota_quote", "mail-editor-reference-message-container", "reply-intro"),
    *("quoted-content", "messagereplysection", "isreplycontent", "olk_src_body_section"),
    *("__quoted_text__", "airmail_on", "bloop_original_html", "ms-outlook-mobile-reference"),
)
"""Parts of the class, id or name of elements in which mail programs put the quoted mail."""
_SIGNATURES = (
    *("gmail_signature", "moz-signature", "protonmail_signature", "applemailsignature"),
    *("composer_signature", "ms-outlook-mobile-signature", "yahoo-signature", "x_signature"),
    *("messagesignaturesection", "ymail_android_signature", "zmail_signature"),
)
"""The same for signatures."""
_ENDS = ("divrplyfwdmsg", "appendonsend", "stopspelling", "zwchr", "nm_preheader")
"""The same for elements after which all is quoted; the last one begins our own letters."""
_BORDER_LEFT = re.compile(r"border-left(?:-style)?:[^;]{0,40}solid")

Attributes = list[tuple[str, str | None]]


class Page(NamedTuple):
    """The text of an HTML page."""

    lines: list[str]
    has_struck: bool
    """Whether text outside quotations is struck out or hidden; plain text may not show it."""


class _Element(NamedTuple):
    """An open element, with what it has from those around it."""

    name: str
    is_unseen: bool = False
    """Whether its content is not text, such as a stylesheet."""
    is_hidden: bool = False
    is_struck: bool = False
    is_quoted: bool = False
    keeps_breaks: bool = False
    is_white: bool = False
    """Whether its text is written in white."""
    is_painted: bool = False
    """Whether it has a background on which white can be read."""

    @property
    def is_left_out(self) -> bool:
        """Whether its text cannot be seen."""
        return self.is_hidden or (self.is_white and not self.is_painted)


def read_page(page: str) -> Page:
    """Return the lines of an HTML page, up to the point where an unmarked quotation begins."""
    page = _bounded(page)
    reader = _Reader(sheet_of(page))
    # A declaration or a number that no program writes is an error: what follows is not read.
    with suppress(AssertionError, ValueError):
        _feed(reader, page + "<br>")
    reader.break_line()
    return Page(reader.lines, reader.has_struck)


def _feed(reader: HTMLParser, page: str) -> None:
    """Hand a page to the parser, as far as each tag of it is shorter than a chunk.

    Without close(), what stays open at the end is dropped, in one pass.
    """
    for start in range(0, len(page), CHUNK):
        before = reader.getpos()
        reader.feed(page[start : start + CHUNK])
        if start and reader.getpos() == before:
            break


def _bounded(page: str) -> str:
    """Return a page up to the last tag that is looked at."""
    at = -1
    for _ in range(MOST_TAGS):
        at = page.find("<", at + 1)
        if at < 0:
            return page
    return page[:at]


class _Reader(HTMLParser):
    def __init__(self, sheet: Sheet) -> None:
        super().__init__(convert_charrefs=True)
        self._sheet = sheet
        self.lines: list[str] = []
        self.has_struck = False
        self._open: list[_Element] = [_Element("")]
        self._line: list[str] = []
        self._line_quoted = False
        self._is_over = False
        for tag in ("html", "body"):  # they are there also if no tag says so
            self._open[0] = self._element(tag, [])
        self._open[0] = self._open[0]._replace(name="")

    def handle_starttag(self, tag: str, attrs: Attributes) -> None:
        self._close_implied(tag)
        if tag in _BREAKS:
            self.break_line()
        element = self._element(tag, attrs)
        if tag in _VOID or self._is_over:
            return
        if len(self._open) > MOST_DEPTH:
            self._is_over = True
            return
        self._open.append(element)
        if tag in _RAISED and not element.is_unseen and not element.is_left_out:
            # Plain text may show “3¹” as 31.
            self.has_struck |= not element.is_quoted
            self.handle_data(_RAISED[tag])

    def handle_startendtag(self, tag: str, attrs: Attributes) -> None:
        self.handle_starttag(tag, attrs)  # “<div/>” opens an element, as in browsers

    def handle_endtag(self, tag: str) -> None:
        if tag in _BREAKS:
            self.break_line()
        for place in range(len(self._open) - 1, 0, -1):
            name = self._open[place].name
            if name == tag:
                del self._open[place:]
                return
            if name in _CELLS and tag not in _TABLE:
                return  # the end of something outside the cell

    def handle_data(self, data: str) -> None:
        here = self._open[-1]
        if self._is_over or here.is_unseen:
            return
        if here.is_left_out or here.is_struck:
            self.has_struck |= not here.is_quoted and bool(data.strip())
            if here.is_struck:
                self._line.append(" ")
            return
        if self._line and self._line_quoted != here.is_quoted:
            self.break_line()
        self._line_quoted = here.is_quoted
        first, *more = data.split("\n") if here.keeps_breaks else [data.replace("\n", " ")]
        self._line.append(first)
        for text in more:
            self.break_line()
            self._line_quoted = here.is_quoted
            self._line.append(text)

    def break_line(self) -> None:
        """End the line."""
        text = "".join(self._line)[:LONGEST_LINE]
        if self._line_quoted:
            text = QUOTED + text
        if text or (self.lines and self.lines[-1]):
            self.lines.append(text)
        self._line.clear()
        self._line_quoted = False

    def _close_implied(self, tag: str) -> None:
        ended = _ENDED_BY.get(tag, frozenset())
        while self._open[-1].name in ended:
            self._open.pop()

    def _element(self, tag: str, attrs: Attributes) -> _Element:
        around = self._open[-1]
        values = {name: (value or "")[:LONGEST_LINE].lower() for name, value in attrs}
        declarations = squeezed(values.get("style", ""))
        if "color" in values:  # <font color="white">
            declarations = f";color:{values['color']}{declarations}"
        if "bgcolor" in values:
            declarations = f";background:{values['bgcolor']}{declarations}"
        style = applied(self._sheet, tag, values).with_other(style_of(declarations))
        if not around.is_quoted and _is_end(values, declarations):
            self.break_line()
            self._is_over = True
        return _Element(
            tag,
            around.is_unseen or tag in _UNSEEN,
            self._is_within_hidden(tag) or style.is_hidden or _is_hidden(tag, values),
            around.is_struck or tag in _STRUCK or style.is_struck,
            around.is_quoted or tag == "blockquote" or _is_quotation(values, declarations),
            _keeps_breaks(tag, declarations, around),
            around.is_white if style.is_white is None else style.is_white,
            around.is_painted or style.is_painted,
        )

    def _is_within_hidden(self, tag: str) -> bool:
        """Return whether an element that begins here is hidden by those around it."""
        around = self._open[-1]
        if tag == "summary" and around.name == "details":
            around = self._open[-2]  # the summary of closed details is shown
        return around.is_hidden


def _names(values: dict[str, str]) -> str:
    """Return everything by which mail programs mark an element."""
    names = ("class", "id", "name", "data-marker")
    return " ".join(values[name] for name in names if name in values)


def _is_end(values: dict[str, str], style: str) -> bool:
    """Return whether the mail that is answered begins with this element."""
    is_outlook = "border-top:solid" in style and "padding:3" in style
    return is_outlook or any(name in _names(values) for name in _ENDS)


def _is_quotation(values: dict[str, str], style: str) -> bool:
    names = _names(values)
    return (
        any(name in names for name in (*_QUOTATIONS, *_SIGNATURES))
        or values.get("name") == "quote"
        or values.get("id") == "signature"
        or _BORDER_LEFT.search(style) is not None
    )


def _is_hidden(tag: str, values: dict[str, str]) -> bool:
    is_closed = tag in _CLOSED or (tag == "details" and "open" not in values)
    return is_closed or "hidden" in values


def _keeps_breaks(tag: str, style: str, around: _Element) -> bool:
    if "white-space:" in style:
        return "white-space:pre" in style
    return around.keeps_breaks or tag in ("pre", "textarea")
