from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any

import pytest
from jsonschema import Draft202012Validator
from openapi_spec_validator import validate

from api.schemas import action_schemas
from api.schemas.action_schemas import components
from api.schemas.spec import document
from engine import seen_by
from engine.codec import DICE_NAMES, Json, read_action, read_event, write
from engine.errors import Unreadable
from engine.kinds import ACTIONS, EVENTS, Event, Secret
from engine.values import Seat
from tests.api.framing import application
from tests.engine.test_golden import FILES, game_in

VALUES: list[Any] = [
    *(None, True, 0, 7, -1, 7.5, "", "red", "?"),
    *([], [1], [0], [1, 1], [2, 1], ["a"], [None], [[1]]),
    *({}, {"red": 1}, {"red": 0}, {"red": 1000}, {"red": True}, {"?": 1}, {"pink": 1}),
    *({"dice": [1]}, {"tokens": 1}, {"tokens": -1}, {"dice": [1, 1]}, {"dice": [1], "red": 1}),
    *({"single": 1, "double": 0}, {"single": 1}, {"single": 1, "double": 0, "triple": 0}),
]
"""Whatever a field might be, right for some and wrong for most."""


@cache
def schema_of(component: str) -> Draft202012Validator:
    """The validator of one component."""
    ref = f"#/components/schemas/{component}"
    return Draft202012Validator({"$ref": ref, "components": {"schemas": components()}})


@cache
def types_of(component: str) -> Draft202012Validator:
    """The validator of one component that does not know which values are fixed."""
    ref = f"#/components/schemas/{component}"
    return Draft202012Validator({"$ref": ref, "components": {"schemas": _open(components())}})


def _open(node: Any) -> Any:
    if isinstance(node, dict):
        return {key: _open(item) for key, item in node.items() if key != "enum"}
    return node


def is_mixed(body: Json) -> bool:
    """Whether something is paid in two ways, or in dice where cards are expected.

    One plain object cannot say that its fields exclude each other, and the codec reads a payment
    of dice under either name of an action.
    """
    payment = body.get("payment")
    if not isinstance(payment, dict):
        return False
    in_dice = bool(payment.keys() & {"dice", "tokens"})
    return in_dice or bool(body.keys() & {"dice", "tokens"})


def member(family: str, body: Json) -> str:
    """The component that the discriminator names for this body."""
    mapping: dict[str, str] = components_once()[family]["discriminator"]["mapping"]
    return mapping[body["type"]].rpartition("/")[2]


@cache
def components_once() -> dict[str, Json]:
    """All components, made once."""
    return components()


@cache
def golden(family: str) -> list[Json]:
    """Every different action or event of the golden games, also as a spectator sees it."""
    things = (_actions if family == "Action" else _events)()
    return list({repr(body): body for body in map(write, things)}.values())


def _actions() -> Iterator[Any]:
    return (move.action for path in FILES for move in game_in(path).moves if move.action)


def _events() -> Iterator[Any]:
    for path in FILES:
        for event in game_in(path).events:
            yield event
            yield seen_by(event, None)


def samples(family: str) -> list[Json]:
    """One body of each type."""
    return list({body["type"]: body for body in golden(family)}.values())


@pytest.mark.parametrize("family", ["Action", "Event"])
def test_all_that_was_ever_played_is_valid(family: str) -> None:
    """Every action and event of the golden games fits the component that its type names."""
    faults = [
        (body, error.message)
        for body in golden(family)
        for error in schema_of(member(family, body)).iter_errors(body)
    ]

    assert [] == faults


def test_a_rule_describes_its_own_events() -> None:
    """A docstring and texts beside types are used, so that a new rule stays one file."""

    @dataclass
    class Sung(Event):
        """Somebody has sung."""

        seat: Seat
        song: Annotated[str, "What was sung."]
        cards: Secret[Annotated[tuple[str, ...], "What they held."]]

    made = action_schemas._kind(Sung, "sung")
    described = {name: part["description"] for name, part in made["properties"].items()}

    assert "Somebody has sung." == made["description"]
    assert "What was sung." == described["song"]
    assert described["cards"].startswith("What they held. “?”")
    assert "The seat's number, from 0." == described["seat"]


@pytest.mark.parametrize("family", ["Action", "Event"])
def test_a_type_tells_its_component(family: str) -> None:
    """Of all members of the family exactly one fits."""
    whole = schema_of(family)

    assert [] == [body for body in samples(family) if not whole.is_valid(body)]


def test_there_is_a_component_for_each_kind() -> None:
    """Actions under each of their names and events; the golden games show them all."""
    made = components_once()
    actions = {*ACTIONS, *DICE_NAMES.values()}

    assert actions == set(made["Action"]["discriminator"]["mapping"])
    assert set(EVENTS) == set(made["Event"]["discriminator"]["mapping"])
    assert set(EVENTS) == {body["type"] for body in samples("Event")}
    assert actions == {body["type"] for body in samples("Action")}
    assert {"ActionClaim", "ActionDiceClaim", "EventRouteClaimed", "Payment"} <= set(made)


def _read(family: str, body: Json) -> bool:
    try:
        read_action(body) if family == "Action" else read_event(body)
    except Unreadable:
        return False
    return True


def _changed(body: Json, extra: tuple[str, ...]) -> Iterator[Json]:
    """The body with one field left out, made something else, or added."""
    names = {*body, *extra} - {"type"}
    for name in sorted(names):
        yield {key: value for key, value in body.items() if key != name}
        for value in VALUES:
            yield {**body, name: value}


def test_an_action_is_valid_if_and_only_if_the_codec_reads_it() -> None:
    """Whatever is done to a field, the schema and the codec agree, also on unknown ones."""
    extra = ("payment", "dice", "tokens", "return_order", "return_tokens", "unknown")
    schema = types_of("Action")
    changed = [action for body in samples("Action") for action in _changed(body, extra)]
    changed = [action for action in changed if not is_mixed(action)]
    read = [_read("Action", action) for action in changed]

    assert {True, False} == set(read)
    assert [] == [
        action
        for action, right in zip(changed, read, strict=True)
        if right != schema.is_valid(action)
    ]


def test_an_event_is_valid_if_and_only_if_the_codec_reads_it() -> None:
    """Whatever is done to a field, the schema and the codec agree; new fields do no harm."""
    for body in samples("Event"):
        schema = types_of(member("Event", body))
        for event in _changed(body, ()):
            assert _read("Event", event) == schema.is_valid(event) or is_mixed(event), event
        assert schema.is_valid({**body, "new": 1})


@pytest.mark.parametrize(
    "body", [None, 7, "draw", [], {}, {"type": 7}, {"type": "fly"}, {"type": "Claim"}]
)
def test_what_is_no_action_is_not_valid(body: object) -> None:
    """Neither for the codec nor for the schema."""
    assert not schema_of("Action").is_valid(body)
    with pytest.raises(Unreadable):
        read_action(body)


def test_the_document_is_valid_openapi() -> None:
    """The whole document stands up to a validator, and is the same every time."""
    made = document(application())
    validate(made)

    assert "3.1.0" == made["openapi"]
    assert repr(made) == repr(document(application()))


def test_fields_refer_to_the_components() -> None:
    """A field that is an action is documented as one, and answers may gain fields."""
    schemas = document(application())["components"]["schemas"]

    assert {"$ref": "#/components/schemas/Action"} == schemas["Sent"]["properties"]["action"]
    assert schemas["Sent"]["additionalProperties"] is False
    assert schemas["Echoed"].get("additionalProperties", True) is not False
