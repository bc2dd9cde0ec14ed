"""Actions, events and decisions: how they are declared, named and told apart."""

import re
from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Annotated, Any, ClassVar, TypeVar, dataclass_transform, get_type_hints

from engine.errors import RulesBroken
from engine.values import Payment, Seat

T = TypeVar("T")


class Mark:
    """Says who may read a field of an event before the game is over."""

    def __init__(self, name: str) -> None:
        self.name = name


OWNERS = Mark("owner's, its length is public")
OWNERS_WHOLLY = Mark("owner's, also how many there are; None for the others")
NOBODYS = Mark("nobody's until the end")

Secret = Annotated[T, OWNERS]
WhollySecret = Annotated[T, OWNERS_WHOLLY]
Sealed = Annotated[T, NOBODYS]


class Kind:
    """Common ground of actions, events and decisions."""

    __slots__ = ()
    kind: ClassVar[str]


class Action(Kind):
    """What a seat wants; may be refused."""

    __slots__ = ()
    free: ClassVar[bool] = False
    """A free action comes on top of what the turn asks for, so it alone is not enough to go on."""
    reveals: ClassVar[bool] = False
    """Chance has a say in what it leads to; said to whoever thinks of doing it."""


class Event(Kind):
    """What happened, with its outcome; never refused."""

    __slots__ = ()
    marks: ClassVar[tuple[tuple[str, Mark], ...]]


class Paid(Event):
    """Base of the events by which a seat gives a payment away; the purse evolves them all."""

    __slots__ = ()
    seat: Seat
    payment: Payment


class TakenBack(Event):
    """Base of the events by which a seat takes back a payment that it had committed."""

    __slots__ = ()
    seat: Seat
    payment: Payment


class Decision(Kind):
    """Something asked of one seat; the game waits for it."""

    __slots__ = ()
    pays: ClassVar[bool] = False
    """Answered by paying, so the occasion `PAY` comes with it."""
    seat: Seat


ACTIONS: dict[str, type[Action]] = {}
EVENTS: dict[str, type[Event]] = {}
DECISIONS: dict[str, type[Decision]] = {}


def _declare(cls: type[T], book: dict[str, Any], name: str | None) -> type[T]:
    # Frozen for whoever checks types (dataclass_transform below), not while running: building a
    # frozen object takes four times as long, and a replay does little else.
    made = dataclass(slots=True, unsafe_hash=True)(cls)
    kind = name or re.sub(r"(?<!^)(?=[A-Z])", "_", cls.__name__).lower()
    if kind in book:
        raise RulesBroken(f"{kind} is declared twice")
    made.kind = kind  # type: ignore[attr-defined]  # every declared class is a Kind
    book[kind] = made
    return made


@dataclass_transform(frozen_default=True)
def action(name: str | None = None) -> Callable[[type[T]], type[T]]:
    """Declare an action under its public name (rules.md 7.1)."""
    return lambda cls: _declare(cls, ACTIONS, name)


@dataclass_transform(frozen_default=True)
def event(cls: type[T]) -> type[T]:
    """Declare an event; every field without a mark is public."""
    made = _declare(cls, EVENTS, None)
    hints = get_type_hints(made, include_extras=True)
    made.marks = tuple(  # type: ignore[attr-defined]  # every declared event is an Event
        (field.name, mark)
        for field in fields(made)  # type: ignore[arg-type]  # made by dataclass above
        for mark in getattr(hints[field.name], "__metadata__", ())
        if isinstance(mark, Mark)
    )
    return made


@dataclass_transform(frozen_default=True)
def decision(cls: type[T]) -> type[T]:
    """Declare a decision; its seat is the one that is awaited."""
    return _declare(cls, DECISIONS, None)
