"""A request's body, strictly: one JSON object, and nothing in it that a database would choke on."""

import json
import math
import re
from typing import Any, NamedTuple

from engine.errors import Unreadable
from engine.text import shown
from engine.translate import say

Json = dict[str, Any]

MOST_BYTES = 64 * 1024
DEEPEST = 20
MOST_ITEMS = 1_000
"""Values in a whole body, at every depth; the longest legal request has about 300."""
LEAST, MOST = -(2**63), 2**63 - 1
TOO_LONG = 21
"""A number with so many characters does not fit into 64 bits."""


def read_object(body: bytes) -> Json:
    """The JSON object in these bytes; whatever is wrong is said with its place."""
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


def refuse_odd(text: str, place: object) -> None:
    """No NUL, which PostgreSQL cannot store, and no half of a character, which nothing can.

    The place is turned into text only for a refusal.
    """
    if "\0" in text:
        raise Unreadable(say("{place} holds a NUL character.", place=str(place)))
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError:
            raise Unreadable(say("{place} holds half of a character.", place=str(place))) from None


def _depth(text: str) -> int:
    """How deep the brackets outside of strings go, in linear time and without recursion."""
    outside = "".join(re.sub(r"\\.", "", text, flags=re.DOTALL).split('"')[::2])
    deepest = depth = 0
    for bracket in re.findall(r"[\[{\]}]", outside):
        depth += 1 if bracket in "[{" else -1
        deepest = max(deepest, depth)
    return deepest


def _once_each(pairs: list[tuple[str, Any]]) -> Json:
    read: Json = {}
    for key, value in pairs:
        if key in read:
            raise Unreadable(f"“{shown(key)}” stands twice in one object.")
        read[key] = value
    return read


class _Place(NamedTuple):
    """Where a value stands in the body."""

    above: "_Place | None" = None
    key: str | int = ""

    def __str__(self) -> str:
        return f"“{shown(self.path())}”" if self.above else "The body"

    def path(self) -> str:
        """The keys that lead here, as in `absences[3].from`."""
        before = self.above.path() if self.above else ""
        if isinstance(self.key, int):
            return f"{before}[{self.key}]"
        return f"{before}.{self.key}" if before else self.key


class _KeyIn(NamedTuple):
    """Where a key stands in the body."""

    place: _Place

    def __str__(self) -> str:
        return f"A key in {self.place}"


def _check(body: Json) -> None:
    """Look at every value of a body, in linear time; too many of them are not looked at."""
    todo: list[tuple[Any, _Place]] = [(body, _Place())]
    for value, place in todo:  # it grows while we go through it
        kind = type(value)
        if kind not in (dict, list):
            _check_plain(value, place)
            continue
        if len(todo) + len(value) > MOST_ITEMS + 1:
            raise Unreadable(f"The body holds more than {MOST_ITEMS} values.")
        if kind is dict:
            for key in value:
                refuse_odd(key, _KeyIn(place))
        inside = value.items() if kind is dict else enumerate(value)
        todo += [(item, _Place(place, key)) for key, item in inside]


def _check_plain(value: Any, place: _Place) -> None:
    kind = type(value)
    if kind is str:
        refuse_odd(value, place)
    elif kind is int and not LEAST <= value <= MOST:
        raise Unreadable(f"{place} must be a number that fits into 64 bits.")
    elif kind is float and not math.isfinite(value):
        raise Unreadable(f"{place} must be a finite number.")


# Numbers that no check here lets pass are made by hand: reading a long one takes long or raises.
_DECODER = json.JSONDecoder(
    object_pairs_hook=_once_each,
    parse_int=lambda digits: int(digits) if len(digits) < TOO_LONG else MOST + 1,
    parse_constant=lambda _: math.nan,
)
