"""Words about actions, events and positions that the rules do not say themselves.

They are in `rule_words.toml`, since no program above the engine knows a rule by its name.
"""

import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from engine.values import CARDS, COLOURS, GRAY, HIDDEN, Tokens

Json = dict[str, Any]

_FILE = Path(__file__).with_suffix(".toml")
_WORDS: Mapping[str, Mapping[str, Any]] = tomllib.loads(_FILE.read_text(encoding="utf-8"))
_SETS: Mapping[str, Sequence[str]] = {
    "card": CARDS,
    "card_or_hidden": (*CARDS, HIDDEN),
    "colour_or_gray": (*COLOURS, GRAY),
    "token": Tokens._fields,
}


def of_kind(kind: str) -> Json:
    """Return the description of an action or event by its type, if there is one."""
    return _described(_WORDS["kinds"].get(kind))


def of_row(name: str) -> Json:
    """Return the description of an object inside of actions and events, if there is one."""
    return _described(_WORDS["rows"].get(name))


def of_field(owner: str, name: str) -> Json:
    """Return the description of a field, if there is one."""
    found = _WORDS["fields"]
    return _described(found.get(f"{owner}.{name}", found.get(name)))


def values_of(owner: str, name: str) -> list[str] | None:
    """Return the values of a field that has no others."""
    found = _WORDS["values"].get(f"{owner}.{name}", _WORDS["values"].get(name))
    return list(_SETS[found]) if isinstance(found, str) else found


def _described(words: str | None) -> Json:
    return {} if words is None else {"description": words}
