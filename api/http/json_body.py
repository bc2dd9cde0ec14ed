"""A strict parser of request bodies: one JSON object, with only what databases can store."""

import json
import math
import re
from typing import Any, NamedTuple

from engine.errors import Unreadable
from engine.text import shown
from engine.translate import say

Json = dict[str, Any]

MOST_BYTES = 64 * 1024
"""Bytes in a body."""
DEEPEST = 20
"""Levels of nesting."""
MOST_ITEMS = 1_000
"""Values in a body, at all levels; the longest legal request has about 300."""
LEAST, MOST = -(2**63), 2**63 - 1
TOO_LONG = 21
"""Characters of a number that is certain not to fit into 64 bits."""


def read_object(body: bytes) -> Json:
    """Parse a JSON object; errors say where in the body they are."""
    try:
        text = body.decode()
    except UnicodeDecodeError as error:
        raise Unreadable(f"The body is not UTF-8; look at byte {error.start + 1}.") from None
    if text.count("[") + text.count("{") > DEEPEST and _depth(text) > DEEPEST:
        raise Unreadable(f"The body is nested more than {DEEPEST} deep.")
    try:
        value = _DECODER.decode(text)
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise Unreadable(f"The body is not JSON: {error.msg}; look at {place}.") from None
    if type(value) is not dict:
        raise Unreadable("The body must be a JSON object: {…}.")
    _check(value)
    return value


def refuse_bad_characters(text: str, place: object) -> None:
    """Refuse NUL, which PostgreSQL cannot store, and lone surrogates, which UTF-8 cannot encode.

    The place is only converted to text for a refusal.
    """
    if "\0" in text:
        raise Unreadable(say("{place} contains a NUL character.", place=str(place)))
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError:
            raise Unreadable(
                say("{place} contains an incomplete character.", place=str(place))
            ) from None


def _depth(text: str) -> int:
    """Measure the nesting of brackets outside strings, in linear time and without recursion."""
    outside = "".join(re.sub(r"\\.", "", text, flags=re.DOTALL).split('"')[::2])
    deepest = depth = 0
    for bracket in re.findall(r"[\[{\]}]", outside):
        depth += 1 if bracket in "[{" else -1
        deepest = max(deepest, depth)
    return deepest


def _unique_keys(pairs: list[tuple[str, Any]]) -> Json:
    read: Json = {}
    for key, value in pairs:
        if key in read:
            raise Unreadable(f"The key “{shown(key)}” appears twice in one object.")
        read[key] = value
    return read


class _Place(NamedTuple):
    """The place of a value in the body."""

    above: "_Place | None" = None
    key: str | int = ""

    def __str__(self) -> str:
        return f"“{shown(self.path())}”" if self.above else "The body"

    def path(self) -> str:
        """Return the path to the value, such as `absences[3].from`."""
        before = self.above.path() if self.above else ""
        if isinstance(self.key, int):
            return f"{before}[{self.key}]"
        return f"{before}.{self.key}" if before else self.key


class _KeyIn(NamedTuple):
    """The place of a key in the body."""

    place: _Place

    def __str__(self) -> str:
        return f"A key in {self.place}"


def _check(body: Json) -> None:
    """Check every value of a body, in linear time; refuse a body with too many."""
    todo: list[tuple[Any, _Place]] = [(body, _Place())]
    for value, place in todo:  # the list grows while we iterate
        kind = type(value)
        if kind not in (dict, list):
            _check_plain(value, place)
            continue
        if len(todo) + len(value) > MOST_ITEMS + 1:
            raise Unreadable(f"The body has more than {MOST_ITEMS} values.")
        if kind is dict:
            for key in value:
                refuse_bad_characters(key, _KeyIn(place))
        inside = value.items() if kind is dict else enumerate(value)
        todo += [(item, _Place(place, key)) for key, item in inside]


def _check_plain(value: Any, place: _Place) -> None:
    kind = type(value)
    if kind is str:
        refuse_bad_characters(value, place)
    elif kind is int and not LEAST <= value <= MOST:
        raise Unreadable(f"{place} must be a number that fits into 64 bits.")
    elif kind is float and not math.isfinite(value):
        raise Unreadable(f"{place} must be a finite number.")


# Numbers that the checks refuse anyway are replaced: parsing a very long one is slow or raises.
_DECODER = json.JSONDecoder(
    object_pairs_hook=_unique_keys,
    parse_int=lambda digits: int(digits) if len(digits) < TOO_LONG else MOST + 1,
    parse_constant=lambda _: math.nan,
)
