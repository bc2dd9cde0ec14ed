"""Which lines of a reply were written for it: those above the quotation and the signature.

Every step is one pass over the lines. The libraries that know the habits of many mail programs
do it with expressions that take the cube of a line's length, and anybody may send a line.
"""

import html
import string
import unicodedata
from collections.abc import Iterable, Sequence

from service.i18n import catalogue

MARKER = catalogue.sayable("Reply above this line")
"""Stands in every letter of ours at the place where quotations of it begin, in some language."""
MOST = 20
"""So many lines of a reply are read."""
LONGEST = 400
LONGEST_LINE = 1_000
MOST_SEEN = 2_000
"""So many lines are looked at, with those that say nothing."""

_WROTE = (
    *("wrote", "schrieb", "a écrit", "escribió", "ha scritto", "escreveu", "schreef", "skrev"),
    *("napisał", "napisala", "napsal", "kirjoitti", "пишет", "написал", "írta", "写道"),
)
_BEGINS = (
    *("on ", "am ", "le ", "el ", "il ", "em ", "op ", "den ", "på ", "w dniu ", "dnia ", "dne "),
)
"""How a line begins that says who wrote when, where it may be broken in two or three."""
_HEADERS = {
    *("from", "sent", "to", "subject", "date", "cc", "von", "gesendet", "an", "betreff", "datum"),
    *("de", "envoyé", "à", "objet", "da", "inviato", "a", "oggetto", "enviado", "para", "asunto"),
    *("assunto", "van", "verzonden", "aan", "onderwerp", "från", "skickat", "till", "ämne", "fra"),
    *(
        "sendt",
        "til",
        "emne",
        "od",
        "wysłano",
        "do",
        "temat",
        "差出人",
        "件名",
        "发件人",
        "发送时间",
    ),
}
_RULED = ("original message", "ursprüngliche nachricht", "message d'origine", "mensaje original")
_SENT_FROM = (
    *("sent from ", "sent with ", "gesendet von ", "von meinem ", "envoyé de ", "enviado desde "),
    *("enviado do ", "inviato da ", "verzonden vanaf ", "skickat från ", "get outlook for "),
)
_LOWER = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)
_BREAKS = {
    *("p", "div", "br", "li", "tr", "table", "ul", "ol", "pre", "hr", "section", "article", "body"),
    *("h1", "h2", "h3", "h4", "h5", "h6", "blockquote"),
}
_UNSEEN = ("script", "style", "head", "title", "template")
_QUOTED = (
    *("gmail_quote", "yahoo_quoted", "moz-cite-prefix", "protonmail_quote", "zmail_extra"),
    *("appendonsend", "divrplyfwdmsg", "mail-editor-reference-message-container"),
)
"""What mail programs call the element in which they put the mail that is answered."""


def written(lines: Sequence[str]) -> list[str]:
    """The lines that say something, one more than are read if there are so many."""
    found: list[str] = []
    tidied = [_tidied(line) for line in lines[:MOST_SEEN]]
    for number, line in enumerate(tidied):
        if _ends(tidied, number):
            break
        if line and not line.startswith(">"):
            found.append(line[:LONGEST])
        if len(found) > MOST:
            break
    return found


def _tidied(line: str) -> str:
    """A line in one form, without what nobody sees."""
    bare = unicodedata.normalize("NFC", line[:LONGEST_LINE])
    spaced = "".join(char if char.isprintable() else " " for char in bare if char != "\u200b")
    # The space in "-- " is part of the sign, so a line keeps what it ends with.
    return "-- " if spaced.rstrip("\r") == "-- " else " ".join(spaced.split())


def _ends(lines: Sequence[str], number: int) -> bool:
    """Whether here begins what was not written for this reply."""
    line = lines[number]
    said = line.lower().lstrip("> *_").rstrip()
    return (
        _is_marked(said)
        or line in ("-- ", "--")
        or said.startswith(_SENT_FROM)
        or _is_rule(line)
        or any(word in said for word in _RULED)
        or _is_header(lines, number)
        or _is_attribution(lines, number)
    )


def _is_marked(said: str) -> bool:
    """Whether this is where a letter of ours began, in whichever language it was."""
    texts = map(catalogue.catalogue, catalogue.languages())
    return any(language.gettext(MARKER).lower() in said for language in texts)


def _is_rule(line: str) -> bool:
    """A line across the page, as Outlook draws it."""
    return len(line) >= 10 and not line.strip("_-=—─ ")


def _is_header(lines: Sequence[str], number: int) -> bool:
    """The first of several lines such as “From: …”, with which a quoted mail begins."""
    return _names_header(lines[number]) and any(map(_names_header, _next(lines, number, 2)))


def _names_header(line: str) -> bool:
    word, colon, _ = line.lstrip("> *").partition(":")
    return bool(colon) and len(word) < 20 and word.strip(" *").lower() in _HEADERS


def _is_attribution(lines: Sequence[str], number: int) -> bool:
    """“On Friday Ada wrote:”, which may be broken into three lines."""
    said = lines[number].lower().lstrip("> ")
    more = _next(lines, number, 2) if said.startswith(_BEGINS) else []
    for line in ("", *more):
        said = f"{said} {line.lower()}".strip()
        if said.endswith((":", "\N{FULLWIDTH COLON}")):
            return "@" in said or any(word in said for word in _WROTE)
    return False


def _next(lines: Sequence[str], number: int, most: int) -> list[str]:
    return list(lines[number + 1 : number + 1 + most])


def unflowed(lines: Iterable[str]) -> list[str]:
    """Lines as they were before a mail program broke them (RFC 3676)."""
    found: list[str] = []
    open_line = False
    for line in lines:
        bare = line.removeprefix(" ")
        if open_line and not bare.startswith(">") and len(found[-1]) < LONGEST_LINE:
            found[-1] += bare
        else:
            found.append(bare)
        open_line = bare.endswith(" ") and bare != "-- "
    return found


def lines_of_html(page: str) -> list[str]:
    """What a browser would show, line by line, up to where a mail program quotes.

    Each step finds the end of something or ends the page, so all of it is one pass.
    """
    folded = page.translate(_LOWER)
    text: list[str] = []
    at = 0
    while at < len(page):
        opens = page.find("<", at)
        text.append(page[at : opens if opens >= 0 else len(page)].replace("\n", " "))
        if opens < 0:
            break
        after = _after_tag(folded, opens)
        if after is None or _quotes(folded[opens:after]):
            break
        if _name(folded, opens) in _BREAKS:
            text.append("\n")
        at = after
    return [html.unescape(line[:LONGEST_LINE]) for line in "".join(text).split("\n")]


def _after_tag(page: str, opens: int) -> int | None:
    """Where the text goes on after a tag, a comment or something that is not shown."""
    if page.startswith("<!--", opens):
        end, width = page.find("-->", opens), 3
    elif (name := _name(page, opens)) in _UNSEEN and not page.startswith("</", opens):
        end, width = page.find(f"</{name}", opens), 0
    else:
        end, width = page.find(">", opens), 1
    return None if end < 0 else end + width


def _name(page: str, opens: int) -> str:
    said = page[opens + 1 : opens + 12].lstrip("/")
    return said.replace("/", " ").replace(">", " ").replace("\n", " ").split(" ")[0]


def _quotes(tag: str) -> bool:
    """Whether this tag opens what is quoted."""
    return tag.startswith("<blockquote") or (
        tag.startswith("<div") and any(name in tag[:LONGEST_LINE] for name in _QUOTED)
    )
