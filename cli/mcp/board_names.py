"""Names for the ids in the documents of a game, from the document of its board."""

from collections.abc import Mapping
from typing import Any

from cli.mcp.others_words import plain

Json = dict[str, Any]
HIDDEN = "?"


class BoardNames:
    """Says values of a game's state in words."""

    def __init__(self, board: Json) -> None:
        rows = [row for part in board.values() if isinstance(part, list) for row in part]
        self._names = {
            row["id"]: plain(row["name"])
            for row in reversed(rows)  # where ids are the same, the first part of a board counts
            if isinstance(row, dict) and "id" in row and "name" in row
        }
        for ticket in board["tickets"]:
            points = [option["points"] for option in ticket["options"]] or [ticket["points"]]
            label = "/".join(map(str, points))
            self._names[ticket["id"]] = f"{plain(ticket['name'])} ({label})"

    def of(self, value: Any) -> str:
        """Return a value in words: a name, a number, a list or counts."""
        if value is None or value in ("", [], {}):
            return "none"
        if isinstance(value, Mapping):
            return ", ".join(f"{self._key(key)} {self._nested(value[key])}" for key in value)
        if isinstance(value, list):
            return self._listed(value)
        return self._names.get(value, plain(str(value))) if isinstance(value, str) else str(value)

    def _listed(self, values: list[Any]) -> str:
        hidden = sum(value == HIDDEN for value in values)
        words = [self.of(value) for value in values if value != HIDDEN]
        return ", ".join([*words, *([f"{hidden} hidden"] if hidden else [])])

    def _nested(self, value: Any) -> str:
        return f"({self.of(value)})" if isinstance(value, dict | list) else self.of(value)

    def _key(self, key: str) -> str:
        return "hidden" if key == HIDDEN else self.of(key)


def words(field: str) -> str:
    """Return the name of a field as words."""
    return field.replace("_", " ")
