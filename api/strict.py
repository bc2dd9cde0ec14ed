"""A request's body, strictly: one JSON object, and nothing in it that a database would choke on."""

import json
import math
import re
from typing import Any

from engine.errors import Unreadable
from engine.tongue import say
from engine.words import shown

Json = dict[str, Any]

MOST_BYTES = 64 * 1024
DEEPEST = 20
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
    _check(value, "")
    return value


def refuse_odd(text: str, place: str) -> None:
    """No NUL, which PostgreSQL cannot store, and no half of a character, which nothing can."""
    if "\0" in text:
        raise Unreadable(say("{place} holds a NUL character.", place=place))
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError:
            raise Unreadable(say("{place} holds half of a character.", place=place)) from None


def _depth(text: str) -> int:
    """How deep the brackets outside of strings go, in linear time and without recursion."""
    outside = "".join(re.sub(r"\\.", "", text, flags=re.DOTALL).split('"')[::2])
    deepest = depth = 0
    for bracket in re.findall(r"[\[{\]}]", outside):
        depth += 1 if bracket in "[{" else -1
        deepest = max(deepest, depth)
    return deepest


def _once_each(pairs: list[tuple[str, Any]]) -> Json:
    found = dict(pairs)
    if len(found) != len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise Unreadable(f"“{shown(twice)}” stands twice in one object.")
    return found


def _check(value: Any, at: str) -> None:
    kind = type(value)
    if kind is dict:
        for key, item in value.items():
            refuse_odd(key, f"A key in {_named(at)}")
            _check(item, f"{at}.{key}" if at else key)
    elif kind is list:
        for number, item in enumerate(value):
            _check(item, f"{at}[{number}]")
    elif kind is str:
        refuse_odd(value, _named(at))
    elif kind is int and not LEAST <= value <= MOST:
        raise Unreadable(f"{_named(at)} must be a number that fits into 64 bits.")
    elif kind is float and not math.isfinite(value):
        raise Unreadable(f"{_named(at)} must be a finite number.")


def _named(at: str) -> str:
    return f"“{shown(at)}”" if at else "The body"


# Numbers that no check here lets pass are made by hand: reading a long one takes long or raises.
_DECODER = json.JSONDecoder(
    object_pairs_hook=_once_each,
    parse_int=lambda digits: int(digits) if len(digits) < TOO_LONG else MOST + 1,
    parse_constant=lambda _: math.nan,
)
