"""Finds out which elements of an HTML page are hidden or struck out by styles.

Styles are read cautiously: of a rule in a style sheet only the most specific part of its selector
counts, whatever stands around it or overrides it. So more may be taken for hidden than a browser
hides, and never less of what mail programs write.
"""

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

_NOTHING = r"[+-]?(?:0*\.)?0+(?:[a-z]{1,4}|%)?(?:!important)?(?=;)"
_HIDDEN = re.compile(
    rf";(?:display:none|visibility:(?:hidden|collapse)|mso-hide:all|opacity:{_NOTHING}"
    rf"|font-size:{_NOTHING}|font:0(?![.0-9])|zoom:{_NOTHING}|content-visibility:hidden"
    r"|(?:left|right|top|bottom|text-indent|margin(?:-left|-right|-top)?):-[0-9]{3}"
    r"|transform:[^;]{0,40}(?:scale[xy]?\(0[,)]|translate[xy]?\(-[0-9]{3})"
    r"|clip:rect\((?:0|1px)|clip-path:(?:inset\((?:50|100)%|circle\(0))"
)
_FLAT = re.compile(rf";(?:max-)?(?:height|width):{_NOTHING}")
_CLIPPED = re.compile(r";overflow(?:-[xy])?:(?:hidden|clip)")
_WHITE = (
    r"(?:#f{3,4}|#f{6}|#f{8}|white|transparent|rgba?\(255,255,255[^)]{0,8}\)|rgba\([^)]{0,20},0\))"
)
_COLOUR = re.compile(r";color:(?!inherit|unset)([^;]{1,40})")
_BACKGROUND = re.compile(r";background(?:-color|-image)?:([^;]{1,80})")
_WHITE_COLOUR = re.compile(rf"{_WHITE}(?:!important)?")
_WHITE_BACKGROUND = re.compile(rf"(?:{_WHITE}|none|initial|inherit|unset)(?:!important)?")

_GENERATED = (":before", ":after", ":first-l", "::")
"""Parts of selectors that mean less than an element."""
_PART = re.compile(r"([#.]?)([\w-]+)|\[([\w-]+)[~|^$*]?(?:=[\"']?([\w-]*))?[^\]]*\]|(\*)")
_JOINS = re.compile(r"[\s>+]+|~(?!=)")
_RANKS = {"#": 0, ".": 1, "[": 2, "": 3, "*": 4}


MOST_RULES = 20_000
"""Rules that are looked at, and selectors; of a page with more of them nothing is shown."""
LONGEST_RULE = 4_000
"""Characters of the declarations of a rule; longer ones hide the element."""


class Style(NamedTuple):
    """What the styles of an element do to its text."""

    is_hidden: bool = False
    is_struck: bool = False
    is_white: bool | None = None
    """Whether it is written in white; None if its colour is that around it."""
    is_painted: bool = False
    """Whether it has a background on which white can be read."""

    def with_other(self, other: "Style") -> "Style":
        """Return this style together with another one of the same element."""
        return Style(
            self.is_hidden or other.is_hidden,
            self.is_struck or other.is_struck,
            self.is_white if other.is_white is None else other.is_white,
            self.is_painted or other.is_painted,
        )


PLAIN = Style()
_UNKNOWN = Style(is_hidden=True)
Sheet = Mapping[str, Style]
"""Styles by the selector to which they apply: an element, “.class”, “#id”, “[attribute” or “*”."""


def squeezed(declarations: str) -> str:
    """Return declarations in lower case, without spaces, each between semicolons."""
    return ";" + "".join(declarations.lower().split()) + ";"


def style_of(declarations: str) -> Style:
    """Return what squeezed declarations do to the text of an element."""
    if declarations == ";;":
        return PLAIN
    is_flat = _FLAT.search(declarations) and _CLIPPED.search(declarations)
    colours = _COLOUR.findall(declarations)
    backgrounds = _BACKGROUND.findall(declarations)
    return Style(
        _HIDDEN.search(declarations) is not None or bool(is_flat),
        "line-through" in declarations,
        _WHITE_COLOUR.fullmatch(colours[-1]) is not None if colours else None,
        any(not _WHITE_BACKGROUND.fullmatch(value) for value in backgrounds),
    )


def sheet_of(page: str) -> Sheet:
    """Return the rules of all style sheets of a page that change whether text can be read."""
    sheet: dict[str, Style] = {}
    for number, (selector, declarations) in enumerate(_rules(page)):
        if number >= MOST_RULES:
            return {"*": _UNKNOWN}
        if (style := _style_of_rule(declarations)) != PLAIN and (key := _key(selector)):
            sheet[key] = sheet.get(key, PLAIN).with_other(style)
    return sheet


def _rules(page: str) -> Iterator[tuple[str, str]]:
    """Yield the selectors of all style sheets, each with its declarations."""
    for text in _sheets(page.lower()):
        for rule in text.split("}", MOST_RULES + 1):
            before, _, declarations = rule.rpartition("{")
            for selector in before.rpartition("{")[2].split(",", MOST_RULES + 1):
                yield selector, declarations


def _style_of_rule(declarations: str) -> Style:
    if len(declarations) > LONGEST_RULE:
        return _UNKNOWN
    return style_of(squeezed(declarations))


def applied(sheet: Sheet, tag: str, values: Mapping[str, str]) -> Style:
    """Return what a sheet says about an element with these attributes."""
    if not sheet:
        return PLAIN
    keys = ["*", tag, *(f"[{name}" for name in values), f"#{values.get('id', '').strip()}"]
    keys += [f".{name}" for name in values.get("class", "").split()]
    style = PLAIN
    for key in keys:
        if key in sheet:
            style = style.with_other(sheet[key])
    return style


def _sheets(lowered: str) -> Iterator[str]:
    """Yield the text of each style element, without comments."""
    for piece in lowered.split("<style")[1:]:
        text = piece.partition("</style")[0].partition(">")[2]
        first, *others = text.replace("<!--", " ").replace("-->", " ").split("/*")
        yield " ".join((first, *(other.partition("*/")[2] for other in others)))


def _key(selector: str) -> str:
    """Return the most specific part of the element that a selector means.

    Empty if it means none.
    """
    if any(part in selector for part in _GENERATED):
        return ""
    if "\\" in selector:
        return "*"
    element = _JOINS.split(selector.strip()[-200:])[-1]
    keys: list[str] = []
    for mark, name, attribute, value, every in _PART.findall(element.partition(":")[0]):
        if attribute in ("class", "id") and value:
            keys.append(("." if attribute == "class" else "#") + value)
        else:
            keys.append(every or (f"[{attribute}" if attribute else mark + name))
    return min(keys, key=lambda key: _RANKS.get(key[0], _RANKS[""]), default="*")
