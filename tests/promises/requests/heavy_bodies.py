"""Bodies of 64 kB that are costly to read, and all operations that read a JSON body."""

import json
from collections.abc import Callable
from typing import Any, NamedTuple

from api.http.json_body import MOST_BYTES

Json = dict[str, Any]


class Operation(NamedTuple):
    """An operation that reads a JSON body, with a valid body for it."""

    method: str
    path: str
    legal: Json


OPERATIONS = (
    Operation("POST", "/v1/accounts", {"name": "Cem", "email": "cem@example.org"}),
    Operation(
        "PATCH",
        "/v1/me",
        {
            "name": "Ada",
            "email": "ada@example.org",
            "locale": "en",
            "time_zone": "UTC",
            "notifications": {"mode": "digest", "quiet_hours": {"from": "22:00", "to": "07:00"}},
            "absences": [{"from": "2030-01-01", "to": "2030-01-02"}],
        },
    ),
    Operation("POST", "/v1/me/tokens", {"scopes": ["read"], "label": "phone"}),
    Operation(
        "POST",
        "/v1/games",
        {
            "board": "usa",
            "seats": 2,
            "title": "x",
            "nonce": "x",
            "bots": {"easy": 1},
            "variants": [],
            "pace": {"per_decision": 3600, "reminders": [0.5], "time_zone": "UTC"},
        },
    ),
    Operation("POST", "/v1/games/{game}/seats", {"nonce": "x"}),
    Operation("POST", "/v1/games/{game}/moves", {"text": "draw"}),
    Operation(
        "POST", "/v1/games/{game}/moves", {"action": {"type": "keep_tickets", "keep": ["x"]}}
    ),
    Operation(
        "POST",
        "/v1/games/{game}/moves",
        {"action": {"type": "claim", "route": "a", "payment": {"red": 1}}},
    ),
    Operation("POST", "/v1/games/{game}/messages", {"text": "hello"}),
    Operation("PUT", "/v1/games/{game}/notebook", {"notes": "x", "sketch": ["dallas-houston-1"]}),
    Operation("PUT", "/v1/games/{game}/orders", {"text": "draw; draw"}),
    Operation("POST", "/v1/games/{game}/bots", {"strength": "easy"}),
    Operation(
        "POST", "/v1/bot-games", {"board": "usa", "games": 1, "bots": {"easy": 1}, "title": "x"}
    ),
    Operation("POST", "/v1/games/{game}/invitations", {"name": "Ben"}),
    Operation("POST", "/v1/games/{game}/invitations", {"email": "b@example.org"}),
    Operation(
        "POST", "/v1/me/webhooks", {"url": "http://127.0.0.1/", "types": ["decision.opened"]}
    ),
    Operation(
        "PATCH", "/v1/me/webhooks/none", {"url": "http://127.0.0.1/", "types": ["game.moved"]}
    ),
    Operation(
        "POST",
        "/v1/me/destinations",
        {
            "channel": "ntfy",
            "address": {"url": "http://127.0.0.1/trains"},
            "types": ["decision.opened"],
            "label": "phone",
        },
    ),
    Operation("PATCH", "/v1/me/destinations/none", {"label": "x", "types": ["decision.opened"]}),
)


def _filled(before: str, piece: str, after: str, room: int = MOST_BYTES) -> str:
    """Repeat a piece between two ends as often as there is room."""
    left = room - len(before.encode()) - len(after.encode())
    return before + piece * (left // len(piece.encode())) + after


def _numbered(before: str, piece: str, after: str, room: int = MOST_BYTES) -> str:
    """The same, with a number in place of `#` that makes each piece different."""
    pieces, left = [], room - len(before) - len(after)
    for number in range(room):
        made = piece.replace("#", f"{number:x}")
        left -= len(made)
        if left < 0:
            break
        pieces.append(made)
    return before + "".join(pieces) + after


def _many(item: str) -> str:
    """A list with nearly as many values as a body may have."""
    return f"[{', '.join([item] * (450 if item[0] == '{' else 900))}]"


SHAPES: dict[str, Callable[[], str]] = {
    "one key twice, after many": lambda: _numbered("{", '"#":0,', '"z":0,"z":0}'),
    "one key twice, inside": lambda: _numbered('{"a":{', '"#":0,', '"z":0,"z":0}}'),
    "unknown keys": lambda: _numbered("{", '"#":0,', '"z":0}'),
    "a long key above many items": lambda: _filled('{"' + "k" * 30_000 + '":[', "0,", "0]}"),
    "long keys above many lists": lambda: _filled(
        '{"' + "k" * 15_000 + '":{"' + "k" * 15_000 + '":[', "[],", "[]]}}"
    ),
    "lists": lambda: _filled('{"a":[', "[],", "[]]}"),
    "brackets in a string": lambda: _filled('{"a":"', "[{", '"}'),
    "escapes": lambda: _filled('{"a":"', "\\u0041", '"}'),
    "backslashes": lambda: _filled('{"a":"', "\\\\", '"}'),
    "a long whole number": lambda: _filled('{"a":', "9", "}"),
    "a long fraction": lambda: _filled('{"a":0.', "1", "}"),
    "a long exponent": lambda: _filled('{"a":1e', "0", "1}"),
    "white space": lambda: _filled("{", " ", "}"),
    "empty lines": lambda: _filled("{", "\n", "?"),
}
"""Bodies for every operation."""

VALUES: dict[str, Callable[[int], str]] = {
    "zeros": lambda room: _filled("[", "0,", "0]", room),
    "short strings": lambda room: _filled("[", '"x",', '"x"]', room),
    "different strings": lambda room: _numbered("[", '"#",', '"z"]', room),
    "objects": lambda room: _filled("[", "{},", "{}]", room),
    "objects with a wrong field": lambda room: _filled("[", '{"x":0},', "{}]", room),
    "lists": lambda room: _filled("[", "[],", "[]]", room),
    "as many zeros as are read": lambda _: _many("0"),
    "as many objects as are read": lambda _: _many('{"' + "x" * 50 + '":0}'),
    "as many strings as are read": lambda _: _many('"' + "\u0301" * 30 + '"'),
    "an object of many": lambda room: _numbered("{", '"#":0,', '"z":0}', room),
    "a long string": lambda room: _filled('"', "x", '"', room),
    "marks": lambda room: _filled('"e', "\u0301\u0323", '"', room),
    "spaces": lambda room: _filled('"', " ", '"', room),
    "a long address": lambda room: _filled('"a@', "ä.", 'ä"', room),
}
"""Values in place of a single field."""


def bodies(legal: Json) -> dict[str, bytes]:
    """Costly bodies for an operation with this valid one."""
    made = {name: make().encode() for name, make in SHAPES.items()}
    for field in _fields(legal):
        for name, make in VALUES.items():
            frame = json.dumps(_replaced(legal, field, "\0"))
            room = MOST_BYTES - len(frame)
            body = frame.replace('"\\u0000"', make(room))
            made[f"{'.'.join(field)}: {name}"] = body.encode()
    return made


def _fields(legal: Json, above: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    """The paths to all fields of a body."""
    fields = []
    for name, value in legal.items():
        fields.append((*above, name))
        if isinstance(value, dict):
            fields += _fields(value, (*above, name))
    return fields


def _replaced(legal: Json, field: tuple[str, ...], value: object) -> Json:
    """The same body with another value for one field."""
    name, *below = field
    return legal | {name: _replaced(legal[name], tuple(below), value) if below else value}
