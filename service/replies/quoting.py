"""Finds the new lines of a reply: those above the quotation and the signature.

Every step is one pass over the lines. Libraries for this use regular expressions that take cubic
time in the length of a line, and anybody can send us a line.
"""

import html
import string
import unicodedata
from collections.abc import Iterable, Sequence

from service.i18n import catalogue

MARKER = catalogue.sayable("Reply above this line")
"""The line at the top of our letters, in the reader's language; a quotation begins there."""
MOST_LINES = 20
"""Lines of a reply that are carried out."""
LONGEST_KEPT = 800
"""Characters of a line that are kept."""
LONGEST_LINE = 1_000
"""Characters of a line that are looked at."""
MOST_SCANNED = 2_000
"""Lines that are looked at, including empty ones."""

_WROTE = (
    *("wrote", "schrieb", "a écrit", "escribió", "ha scritto", "escreveu", "schreef", "skrev"),
    *("napisał", "napisala", "napsal", "kirjoitti", "пишет", "написал", "írta", "写道"),
)
"""The verb of an attribution line such as “On Friday Ada wrote:”, in many languages."""
_BEGINS = (
    *("on ", "am ", "le ", "el ", "il ", "em ", "op ", "den ", "på ", "w dniu ", "dnia ", "dne "),
)
"""How an attribution line begins, which may be broken into two or three lines."""
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
"""Names of the headers that some mail programs put above a quoted mail."""
_RULED = ("original message", "ursprüngliche nachricht", "message d'origine", "mensaje original")
"""Words in the line that Outlook puts above a quoted mail."""
_SENT_FROM = (
    *("sent from ", "sent with ", "gesendet von ", "von meinem ", "envoyé de ", "enviado desde "),
    *("enviado do ", "inviato da ", "verzonden vanaf ", "skickat från ", "get outlook for "),
)
"""How signatures of phones and mail programs begin."""
_LOWER = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)
_BREAKS = {
    *("p", "div", "br", "li", "tr", "table", "ul", "ol", "pre", "hr", "section", "article", "body"),
    *("h1", "h2", "h3", "h4", "h5", "h6", "blockquote"),
}
"""Elements of HTML that begin a new line."""
_UNSEEN = ("script", "style", "head", "title", "template")
"""Elements of HTML whose content is not shown."""
_QUOTED = (
    *("gmail_quote", "yahoo_quoted", "moz-cite-prefix", "protonmail_quote", "zmail_extra"),
    *("appendonsend", "divrplyfwdmsg", "mail-editor-reference-message-container"),
    "nm_preheader",
)
"""Classes and ids of the element in which mail programs put the quoted mail.

The last one is where our own letters begin, above the marker line.
"""


def written_lines(lines: Sequence[str]) -> list[str]:
    """The new lines of a reply that are not empty; one more than MOST_LINES if there are more."""
    kept: list[str] = []
    cleaned = [_cleaned(line) for line in lines[:MOST_SCANNED]]
    for number, line in enumerate(cleaned):
        if _starts_quotation(cleaned, number):
            break
        if line and not line.startswith(">"):
            kept.append(line[:LONGEST_KEPT])
        if len(kept) > MOST_LINES:
            break
    return kept


def _cleaned(line: str) -> str:
    """A line in normal form NFC, without invisible characters."""
    bare = unicodedata.normalize("NFC", line[:LONGEST_LINE])
    spaced = "".join(char if char.isprintable() else " " for char in bare if char != "\u200b")
    # The trailing space of the signature mark "-- " must stay.
    return "-- " if spaced.rstrip("\r") == "-- " else " ".join(spaced.split())


def _starts_quotation(lines: Sequence[str], number: int) -> bool:
    """Whether the quotation or the signature begins at this line."""
    line = lines[number]
    lowered = line.lower().lstrip("> *_").rstrip()
    return (
        _has_marker(lowered)
        or line in ("-- ", "--")
        or lowered.startswith(_SENT_FROM)
        or _is_rule(line)
        or any(word in lowered for word in _RULED)
        or _is_header(lines, number)
        or _is_attribution(lines, number)
    )


def _has_marker(lowered: str) -> bool:
    """Whether a line holds the marker of our letters, in any language."""
    texts = map(catalogue.catalogue, catalogue.languages())
    return any(language.gettext(MARKER).lower() in lowered for language in texts)


def _is_rule(line: str) -> bool:
    """Whether this is a horizontal rule, as Outlook draws it."""
    return len(line) >= 10 and not line.strip("_-=—─ ")


def _is_header(lines: Sequence[str], number: int) -> bool:
    """Whether this is the first of several lines such as “From: …” above a quoted mail."""
    return _names_header(lines[number]) and any(map(_names_header, _next(lines, number, 2)))


def _names_header(line: str) -> bool:
    word, colon, _ = line.lstrip("> *").partition(":")
    return bool(colon) and len(word) < 20 and word.strip(" *").lower() in _HEADERS


def _is_attribution(lines: Sequence[str], number: int) -> bool:
    """Whether this begins “On Friday Ada wrote:”, which may be broken into three lines."""
    text = lines[number].lower().lstrip("> ")
    more = _next(lines, number, 2) if text.startswith(_BEGINS) else []
    for line in ("", *more):
        text = f"{text} {line.lower()}".strip()
        if text.endswith((":", "\N{FULLWIDTH COLON}")):
            return "@" in text or any(word in text for word in _WROTE)
    return False


def _next(lines: Sequence[str], number: int, most: int) -> list[str]:
    return list(lines[number + 1 : number + 1 + most])


def unflowed(lines: Iterable[str]) -> list[str]:
    """Join lines that a mail program broke as format=flowed (RFC 3676)."""
    joined: list[str] = []
    open_line = False
    for line in lines:
        bare = line.removeprefix(" ")
        if open_line and not bare.startswith(">") and len(joined[-1]) < LONGEST_LINE:
            joined[-1] += bare
        else:
            joined.append(bare)
        open_line = bare.endswith(" ") and bare != "-- "
    return joined


def lines_of_html(page: str) -> list[str]:
    """The lines of text in an HTML page, up to the quotation.

    Each step goes on to the end of a tag or of the page, so all of it is one pass.
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
        if after is None or _opens_quotation(folded[opens:after]):
            break
        if _tag_name(folded, opens) in _BREAKS:
            text.append("\n")
        at = after
    return [html.unescape(line[:LONGEST_LINE]) for line in "".join(text).split("\n")]


def _after_tag(page: str, opens: int) -> int | None:
    """The position after a tag, a comment or an element that is not shown; None if it is open."""
    if page.startswith("<!--", opens):
        end, width = page.find("-->", opens), 3
    elif (name := _tag_name(page, opens)) in _UNSEEN and not page.startswith("</", opens):
        end, width = page.find(f"</{name}", opens), 0
    else:
        end, width = page.find(">", opens), 1
    return None if end < 0 else end + width


def _tag_name(page: str, opens: int) -> str:
    tag = page[opens + 1 : opens + 12].lstrip("/")
    return tag.replace("/", " ").replace(">", " ").replace("\n", " ").split(" ")[0]


def _opens_quotation(tag: str) -> bool:
    """Whether this tag opens the quotation."""
    return tag.startswith("<blockquote") or (
        tag.startswith("<div") and any(name in tag[:LONGEST_LINE] for name in _QUOTED)
    )
