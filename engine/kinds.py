"""Base classes and decorators that declare actions, events and decisions under their names."""

import re
from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Annotated, Any, ClassVar, TypeVar, dataclass_transform, get_type_hints

from engine.errors import RulesBroken
from engine.values import Payment, Seat

T = TypeVar("T")


class Mark:
    """Marks a field of an event with who may read it before the game is over."""

    def __init__(self, name: str) -> None:
        self.name = name


OWNERS = Mark("for the owner; its length is public")
OWNERS_WHOLLY = Mark("for the owner, its length included; None for the others")
NOBODYS = Mark("for nobody until the end")

Secret = Annotated[T, OWNERS]
WhollySecret = Annotated[T, OWNERS_WHOLLY]
Sealed = Annotated[T, NOBODYS]


class Kind:
    """Base of actions, events and decisions."""

    __slots__ = ()
    kind: ClassVar[str]


class Action(Kind):
    """What a seat wants to do; may be refused."""

    __slots__ = ()
    free: ClassVar[bool] = False
    """A free action comes on top of the turn's action and does not complete the turn."""
    reveals: ClassVar[bool] = False
    """Whether its outcome depends on chance; players are told before they choose it."""


class Event(Kind):
    """What happened, including every random outcome; never refused."""

    __slots__ = ()
    marks: ClassVar[tuple[tuple[str, Mark], ...]]


class Paid(Event):
    """Base of events in which a seat pays; the purse evolves all of them."""

    __slots__ = ()
    seat: Seat
    payment: Payment


class TakenBack(Event):
    """Base of events in which a seat takes back a committed payment."""

    __slots__ = ()
    seat: Seat
    payment: Payment


class Decision(Kind):
    """A decision that one seat has to make; the game waits for it."""

    __slots__ = ()
    pays: ClassVar[bool] = False
    """Whether it is answered by paying, so that it serves the occasion `PAY`."""
    seat: Seat


ACTIONS: dict[str, type[Action]] = {}
EVENTS: dict[str, type[Event]] = {}
DECISIONS: dict[str, type[Decision]] = {}


def _declare(cls: type[T], book: dict[str, Any], name: str | None) -> type[T]:
    # Frozen for type checkers only (dataclass_transform below): creating a frozen object takes
    # four times as long, and a replay does little else.
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
    """Declare an event; fields without a mark are public."""
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
    """Declare a decision; `seat` has to make it."""
    return _declare(cls, DECISIONS, None)
