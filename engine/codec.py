"""Converts actions and events to and from JSON; anything not exactly right is Unreadable.

In JSON every kind has its public name under `type`. With dice some actions have names and fields
of their own (rules.md 7.1); in the engine they are the same actions with a payment of dice.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, Field, fields
from operator import itemgetter
from types import NoneType, UnionType
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

from engine.errors import Unreadable
from engine.kinds import ACTIONS, EVENTS, Action, Event, Kind
from engine.menu import Chosen
from engine.text import shown
from engine.values import (
    CARDS,
    SLOT,
    CardPayment,
    Cost,
    DicePayment,
    Payment,
    Result,
    ScoreLine,
    Tokens,
    card_payment,
)

Read = Callable[[Any], Any]
Json = dict[str, Any]

DICE_NAMES = {
    "claim": "dice_claim",
    "pay_tunnel": "dice_pay_tunnel",
    "build_station": "dice_build_station",
}
"""The names in JSON of actions that are paid for with dice."""
DICE_FIELD, TOKENS_FIELD = "dice", "tokens"
"""The JSON fields of a payment of dice."""
CARD_NAMES = {dice: cards for cards, dice in DICE_NAMES.items()}
"""The names of the same actions when they are paid for with cards."""


def parse(text: str) -> Any:
    """Parse JSON strictly: no repeated keys, no NaN, no unpaired surrogates, no deep nesting."""
    try:
        value = json.loads(text, object_pairs_hook=_once_each, parse_constant=_no_constant)
        json.dumps(value, ensure_ascii=False).encode()
    except RecursionError:
        raise Unreadable("It is nested too deeply.") from None
    except UnicodeEncodeError:
        raise Unreadable("It contains an unpaired surrogate.") from None
    except ValueError as error:
        raise Unreadable(f"{error}.") from None
    return value


def _once_each(pairs: list[tuple[str, Any]]) -> Json:
    record = dict(pairs)
    if len(record) != len(pairs):
        raise ValueError("A key appears twice")
    return record


def _no_constant(constant: str) -> Any:
    raise ValueError(f"{constant} is not a number")


class Wrong(Exception):
    """A value that its field cannot hold; becomes Unreadable with the field's name."""


def read_str(value: Any) -> str:
    if type(value) is not str:
        raise Wrong("must be text")
    return value


def read_int(value: Any) -> int:
    if type(value) is not int:
        raise Wrong("must be a whole number")
    return value


def read_bool(value: Any) -> bool:
    if type(value) is not bool:
        raise Wrong("must be true or false")
    return value


def read_payment(value: Any) -> Payment:
    """Cards by name, or dice by number with tokens."""
    if type(value) is not dict:
        raise Wrong("must be an object")
    if "dice" in value or "tokens" in value:
        if not value.keys() <= {"dice", "tokens"}:
            raise Wrong("must have no fields other than dice and tokens")
        dice = read_tuple(read_int)(value.get("dice", []))
        tokens = read_int(value.get("tokens", 0))
        if tokens < 0 or len(set(dice)) < len(dice) or any(die < 1 for die in dice):
            raise Wrong("must name each die at most once, counted from 1, and at least 0 tokens")
        return DicePayment(tuple(sorted(dice)), tokens)
    counts = [0] * len(SLOT)
    for card, number in value.items():
        if card not in CARDS or type(number) is not int or not 0 < number < 1000:
            raise Wrong(f"must give the number of each card, at least 1; “{shown(card)}” is wrong")
        counts[SLOT[card]] = number
    return card_payment(tuple(counts))


def read_tuple(item: Read) -> Read:
    def read(value: Any) -> tuple[Any, ...]:
        if type(value) is not list:
            raise Wrong("must be a list")
        return tuple([item(element) for element in value])

    return read


def row_fields(kind: type[Any]) -> tuple[str, ...]:
    """The fields of a named tuple in JSON; costs in documents always have the usual means."""
    return tuple(name for name in kind._fields if name != "means")


def read_optional(item: Read) -> Read:
    return lambda value: None if value is None else item(value)


def read_row(kind: type[Any]) -> Read:
    """The reader of a named tuple: an object with exactly its fields."""
    hints = get_type_hints(kind)
    readers = {name: reader(hints[name]) for name in row_fields(kind)}

    def read(value: Any) -> Any:
        if type(value) is not dict or value.keys() != readers.keys():
            raise Wrong(f"must be an object with {', '.join(readers)}")
        return kind(*(run(value[name]) for name, run in readers.items()))

    return read


SIMPLE: dict[Any, Read] = {str: read_str, int: read_int, bool: read_bool, Payment: read_payment}


def reader(hint: Any) -> Read:
    """The function that reads a value of this type."""
    if hint in SIMPLE:
        return SIMPLE[hint]
    if hint in (Cost, Result, ScoreLine, Tokens):
        return read_row(hint)
    origin, args = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return reader(args[0])
    if origin is tuple:
        return read_tuple(reader(args[0]))
    if origin in (Union, UnionType) and args[1] is NoneType:
        return read_optional(reader(args[0]))
    raise TypeError(f"no way to read {hint}")


def wire_name(field: Field[Any]) -> str:
    """A field's name in JSON: without the final underscore that avoids a name of Python's."""
    return field.name.rstrip("_")


class Shape:
    """How one kind is read from JSON, with a fast path for types that were checked before."""

    def __init__(self, kind: type[Kind]) -> None:
        hints = get_type_hints(kind, include_extras=True)
        self.kind = kind
        self.names = [wire_name(field) for field in fields(kind)]  # type: ignore[arg-type]  # declared kinds are dataclasses
        self.readers = [reader(hints[field.name]) for field in fields(kind)]  # type: ignore[arg-type]  # as above
        self.defaults = {
            wire_name(field): field.default
            for field in fields(kind)  # type: ignore[arg-type]  # as above
            if field.default is not MISSING
        }
        self.size = len(self.names) + 1
        self.get: Callable[[Json], tuple[Any, ...]] = (
            itemgetter(*self.names)
            if len(self.names) > 1
            else lambda body: tuple(body[name] for name in self.names)
        )
        self.slow = [
            (at, run)
            for at, run in enumerate(self.readers)
            if run not in SIMPLE.values() or run is read_payment
        ]
        self.known: set[tuple[type, ...]] = set()

    def read(self, body: Json) -> Any:
        """Make the action or event; the field types are only checked when they are new."""
        try:
            values = self.get(body)
        except KeyError:
            return self.read_carefully(body)
        types = tuple(map(type, values))
        if types not in self.known or len(body) != self.size:
            return self.read_carefully(body)
        if self.slow:
            mutable = list(values)
            for at, run in self.slow:
                try:
                    mutable[at] = run(values[at])
                except Wrong:
                    return self.read_carefully(body)
            return self.kind(*mutable)
        return self.kind(*values)

    def read_carefully(self, body: Json) -> Any:
        """Make the action or event, checking every field and naming the one that is wrong."""
        kind = self.kind.kind
        for key in body:
            if key != "type" and key not in self.names:
                raise Unreadable(f"“{kind}” has no field “{shown(key)}”.")
        values = []
        for name, run in zip(self.names, self.readers, strict=True):
            if name not in body:
                if name not in self.defaults:
                    raise Unreadable(f"“{kind}” needs the field “{name}”.")
                values.append(self.defaults[name])
                continue
            try:
                values.append(run(body[name]))
            except Wrong as wrong:
                raise Unreadable(f"“{name}” of “{kind}” {wrong}.") from None
        if len(body) == self.size:
            self.known.add(tuple(type(body[name]) for name in self.names))
        return self.kind(*values)


_SHAPES: dict[str, dict[str, Shape]] = {"action": {}, "event": {}}


def shape_of(book: Mapping[str, type[Kind]], sort: str, body: object) -> Shape:
    """The shape for a JSON object, by its `type`."""
    if type(body) is not dict or type(body.get("type")) is not str:
        raise Unreadable(f"An {sort} must be an object with a “type”.")
    name, shapes = body["type"], _SHAPES[sort]
    if name not in shapes:
        if name not in book:
            raise Unreadable(f"There is no {sort} “{shown(name)}”.")
        shapes[name] = Shape(book[name])
    return shapes[name]


def read_event(body: Any) -> Event:
    """Read an event from its JSON object."""
    try:
        shape = _SHAPES["event"][body["type"]]
    except (KeyError, TypeError):
        shape = shape_of(EVENTS, "event", body)
    made: Event = shape.read(body)
    return made


def read_rows(rows: Sequence[str]) -> list[Event]:
    """Read events from stored rows of JSON text; parsing them in one go is twice as fast."""
    try:
        bodies = json.loads(f"[{','.join(rows)}]")
    except ValueError as error:
        raise Unreadable(f"A stored row is not JSON: {error}.") from None
    if len(bodies) != len(rows):
        raise Unreadable("A stored row is not one JSON value.")
    return [read_event(body) for body in bodies]


def read_action(body: Any) -> Action:
    """Read an action from its JSON object, paid with cards or with dice."""
    if type(body) is dict and type(body.get("type")) is str:
        body = _from_dice(body)
    made: Action = shape_of(ACTIONS, "action", body).read(body)
    return made


def _from_dice(body: Json) -> Json:
    """Move the dice and tokens of an action into its payment."""
    name = body["type"]
    if name not in CARD_NAMES and not (name == "buy_technology" and "dice" in body):
        return body
    if "payment" in body:
        raise Unreadable(f"“{name}” with dice has no field “payment”.")
    rest = {key: value for key, value in body.items() if key not in ("dice", "tokens")}
    paid = {key: body[key] for key in ("dice", "tokens") if key in body}
    return {**rest, "type": CARD_NAMES.get(name, name), "payment": {"dice": [], **paid}}


def read_chosen(body: Any) -> Chosen:
    """Read an answer from its JSON object; anything not exactly right is Unreadable."""
    if type(body) is not dict or not body.keys() <= {"entry", "way", "locomotives", "things"}:
        raise Unreadable("“choose” must be an object with entry, way, locomotives or things.")
    entry, way, things = body.get("entry"), body.get("way"), body.get("things")
    locomotives = body.get("locomotives")
    if type(entry) is not int:
        raise Unreadable("“entry” of “choose” must be the number of an entry.")
    if way is not None and type(way) is not str:
        raise Unreadable("“way” of “choose” must be the text of one of the entry's ways.")
    if locomotives is not None and type(locomotives) is not int:
        raise Unreadable("“locomotives” of “choose” must be a whole number.")
    if things is None:
        return Chosen(entry, way, locomotives)
    if type(things) is not list or any(type(value) not in (str, int) for value in things):
        raise Unreadable("“things” of “choose” must be a list of the values of things.")
    return Chosen(entry, way, locomotives, tuple(things))


def write(thing: Kind) -> Json:
    """Write an action or an event as a JSON object."""
    body: Json = {"type": thing.kind}
    for field in fields(thing):  # type: ignore[arg-type]  # declared kinds are dataclasses
        value = getattr(thing, field.name)
        if field.default is MISSING or value != field.default:
            body[wire_name(field)] = plain_data(value)
    if isinstance(thing, Action) and isinstance(getattr(thing, "payment", None), DicePayment):
        paid = body.pop("payment")
        body = {**body, "type": DICE_NAMES.get(thing.kind, thing.kind), **paid}
    return body


def write_without(action: Action, field: str) -> tuple[Json, Json]:
    """An action as JSON in two parts: the rest, and what this field of the action becomes."""
    body = write(action)
    if isinstance(getattr(action, field, None), DicePayment):
        names = {DICE_FIELD, TOKENS_FIELD}
    else:
        names = {field}
    rest = {name: value for name, value in body.items() if name not in names}
    return rest, {name: value for name, value in body.items() if name in names}


def plain_data(value: Any) -> Any:
    """A field's value as plain JSON data."""
    if isinstance(value, CardPayment):
        return {card: n for card, n in zip(CARDS, value.counts, strict=False) if n}
    if isinstance(value, DicePayment):
        return {
            DICE_FIELD: list(value.dice),
            **({TOKENS_FIELD: value.tokens} if value.tokens else {}),
        }
    if isinstance(value, Cost | Result | ScoreLine | Tokens):
        return {name: plain_data(getattr(value, name)) for name in row_fields(type(value))}
    if isinstance(value, tuple):
        return [plain_data(item) for item in value]
    return value
