"""What a class or a field means, for readers of the published documents.

A class is described by its docstring and a field by a text in `Annotated[…, "…"]`; `OneOf` lists
the only values that a text can have. Nothing in the engine depends on them.
"""

from collections.abc import Iterable
from types import NoneType, UnionType
from typing import Annotated, Any, Union, get_args, get_origin


class OneOf:
    """Lists the values of a text; published, but not checked."""

    def __init__(self, values: Iterable[str]) -> None:
        self.values = tuple(values)


def meaning_of(hint: Any) -> str:
    """What a field of this type means, or ""; its own text counts more than that of its type."""
    origin, args = get_origin(hint), get_args(hint)
    if origin is Annotated:
        texts = [text for text in args[1:] if isinstance(text, str)]
        return texts[-1] if texts else meaning_of(args[0])
    if origin in (Union, UnionType) and args[1] is NoneType:
        return meaning_of(args[0])
    return ""


def values_of(hint: Any) -> tuple[str, ...]:
    """The values of a text of this type; empty if they are not fixed."""
    marks = getattr(hint, "__metadata__", ())
    return next((mark.values for mark in marks if isinstance(mark, OneOf)), ())


def summary_of(kind: type[Any]) -> str:
    """The docstring of a class in one line; "" for a dataclass that only repeats its fields."""
    text = " ".join((kind.__doc__ or "").split())
    return "" if text.startswith(f"{kind.__name__}(") else text
