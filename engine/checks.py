"""Reads plain data (TOML, JSON) against type hints; errors name the place and the reason."""

from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields
from typing import Annotated, Any, TypeVar, get_args, get_origin, get_type_hints

from engine.errors import MapError

T = TypeVar("T")

Positive = Annotated[int, 1]
NotNegative = Annotated[int, 0]
"""Whole numbers in a map, with a lower bound."""


class Table:
    """A table of a map file, with its place in the file; refuses keys that were never read."""

    def __init__(self, raw: object, place: str) -> None:
        if not isinstance(raw, Mapping):
            raise MapError(place or "map", f"must be a table, not {name_of(raw)}")
        self.raw = raw
        self.place = place
        self.read: set[str] = set()

    def at(self, key: str) -> str:
        return f"{self.place}.{key}" if self.place else key or "“”"

    def take(self, key: str, hint: Any, default: Any = MISSING) -> Any:
        """The value under this key, checked against a type hint."""
        self.read.add(key)
        if key not in self.raw:
            if default is MISSING:
                raise MapError(self.at(key), "is missing")
            return default
        return conform(self.raw[key], hint, self.at(key))

    def rows(self, key: str) -> list["Table"]:
        """The tables of an array, each with its place."""
        rows = []
        for at, raw in enumerate(self.take(key, list[Any], [])):
            name = raw.get("id") if isinstance(raw, Mapping) else None
            rows.append(Table(raw, f"{self.at(key)}[{name if isinstance(name, str) else at}]"))
        return rows

    def done(self) -> None:
        """Refuse keys that were never read: most of them are misspelt."""
        unread = [str(key) for key in self.raw if key not in self.read]
        if unread:
            raise MapError(self.at(unread[0]), "is not a known key")


def name_of(value: object) -> str:
    names = {bool: "true or false", int: "a whole number", float: "a number", str: "text"}
    return names.get(type(value), "a list" if isinstance(value, list) else "a table")


def conform(value: Any, hint: Any, place: str) -> Any:
    """The value converted to the type hint (lists become tuples); raises MapError."""
    origin, args = get_origin(hint), get_args(hint)
    if hint is Any:
        return value
    if origin is Annotated:
        bounds = [bound for bound in args[1:] if isinstance(bound, int)]
        return _at_least(conform(value, args[0], place), bounds, place)
    if origin is tuple and args[-1:] == (...,):
        if not isinstance(value, list | tuple):
            raise MapError(place, f"must be a list, not {name_of(value)}")
        return tuple(conform(item, args[0], f"{place}[{at}]") for at, item in enumerate(value))
    if origin is dict:
        if not isinstance(value, Mapping):
            raise MapError(place, f"must be a table, not {name_of(value)}")
        return {
            _key(key, args[0], place): conform(item, args[1], f"{place}.{key}")
            for key, item in value.items()
        }
    plain = origin or hint
    if plain is float and type(value) is int:
        return float(value)
    if type(value) is not plain:
        raise MapError(place, f"must be {name_of(plain())}, not {name_of(value)}")
    return value


def _at_least(value: Any, bounds: list[int], place: str) -> Any:
    for least in bounds:
        if value < least:
            raise MapError(place, f"must be at least {least}")
    return value


def _key(key: str, hint: Any, place: str) -> Any:
    if hint is not int:
        return key
    if not (key.isascii() and key.isdigit()):
        raise MapError(f"{place}.{key}", "must be a whole number")
    return int(key)


def parameters_of(kind: Callable[..., T], raw: object, place: str) -> T:
    """Read a module's parameters from the map; each field is a key, unknown keys are refused."""
    table = Table(raw, place)
    hints = get_type_hints(kind, include_extras=True)
    given = {}
    for field in fields(kind):  # type: ignore[arg-type]  # parameters are dataclasses
        default = field.default if field.default is not MISSING else MISSING
        given[field.name] = table.take(field.name, hints[field.name], default)
    table.done()
    try:
        return kind(**given)
    except ValueError as error:
        raise MapError(place, str(error)) from None
