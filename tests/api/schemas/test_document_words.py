"""Nothing in the OpenAPI document is left without words or examples."""

from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import Any

import pytest

from api.schemas.hook_messages import MESSAGES
from engine.kinds import ACTIONS, EVENTS
from service.notify.hook_types import HOOK_TYPES
from tests.clients.documents import METHODS, document
from tests.clients.documents import operations as http_operations

Json = dict[str, Any]
Finder = Callable[[Json], Iterator[str]]

SUBSCHEMAS = ("items", "additionalProperties")
UNIONS = ("oneOf", "anyOf", "allOf")


def parts(schema: Any, name: str) -> Iterator[tuple[str, Json]]:
    """Yield this schema's properties, and those of the schemas inside of it, each with a name."""
    if not isinstance(schema, dict):
        return
    for key, part in schema.get("properties", {}).items():
        yield f"{name}.{key}", part
        yield from parts(part, f"{name}.{key}")
    for key in SUBSCHEMAS:
        yield from parts(schema.get(key), f"{name}[]")
    for key in UNIONS:
        for member in schema.get(key, ()):
            yield from parts(member, name)


def operations(of: Json) -> Iterator[tuple[str, Json, list[Json]]]:
    """Yield every operation and webhook: its name, itself, and all its parameters."""
    for item in (*of["paths"].values(), *of["webhooks"].values()):
        for method in METHODS:
            if method in item:
                operation = item[method]
                shared = item.get("parameters", [])
                yield (
                    operation["operationId"],
                    operation,
                    [*shared, *operation.get("parameters", [])],
                )


def without_description(of: Json) -> Iterator[str]:
    """Yield schemas and properties that are not described."""
    for name, schema in of["components"]["schemas"].items():
        schemas = [(name, schema), *parts(schema, name)]
        yield from (each for each, part in schemas if not part.get("description"))
    for name, header in of["components"]["headers"].items():
        if not header.get("description"):
            yield name


def operations_without_words(of: Json) -> Iterator[str]:
    """Yield operations without a summary or a description, and parameters without one."""
    for name, operation, parameters in operations(of):
        if not (operation.get("summary") and operation.get("description")):
            yield name
        yield from (
            f"{name} {parameter['name']}"
            for parameter in parameters
            if not parameter.get("description")
        )


def parameters_without_example(of: Json) -> Iterator[str]:
    """Yield parameters and response headers without an example."""
    for name, _, parameters in operations(of):
        yield from (
            f"{name} {parameter['name']}" for parameter in parameters if "example" not in parameter
        )
    for name, header in of["components"]["headers"].items():
        if "example" not in header:
            yield name


def errors_without_example(of: Json) -> Iterator[str]:
    """Yield the codes in descriptions of errors of which no example is shown."""
    for name, operation, _ in operations({**of, "webhooks": {}}):
        for status, response in operation["responses"].items():
            if int(status) < 400:
                continue
            codes = {line.split("`")[1] for line in response["description"].split("\n\n")}
            (content,) = response["content"].values()
            yield from (f"{name} {code}" for code in codes - content.get("examples", {}).keys())


def unions_of_strangers(of: Json) -> Iterator[str]:
    """Yield unions that generators of clients cannot tell apart, and objects without a name."""
    for name, schema in of["components"]["schemas"].items():
        for at, part in [(name, schema), *parts(schema, name)]:
            members = list(part.get("oneOf", part.get("anyOf", [])))
            known = [option for option in members if option != {"type": "null"}]
            if len(known) > 1 and "discriminator" not in part:
                yield at
            if at != name and "properties" in part:
                yield at
            if isinstance(part.get("default"), list) or part.get("default", 0) is None:
                yield at


FINDERS: list[Finder] = [
    without_description,
    operations_without_words,
    parameters_without_example,
    errors_without_example,
    unions_of_strangers,
]


@pytest.mark.parametrize("finder", FINDERS)
def test_nothing_is_left_unsaid(finder: Finder) -> None:
    """Schemas, properties and operations are described, parameters and errors have examples."""
    assert [] == list(finder(document()))


PLANTED: list[tuple[Finder, Callable[[Json], Any], str]] = [
    (without_description, lambda of: _schemas(of)["Game"].pop("description"), "Game"),
    (
        without_description,
        lambda of: _schemas(of)["Game"]["properties"]["players"].pop("description"),
        "Game.players",
    ),
    (
        without_description,
        lambda of: _schemas(of)["EventTunnelDug"]["properties"]["surcharge"].pop("description"),
        "EventTunnelDug.surcharge",
    ),
    (
        operations_without_words,
        lambda of: of["paths"]["/v1/games"]["get"].pop("description"),
        "list_games",
    ),
    (
        operations_without_words,
        lambda of: of["webhooks"]["game.moved"]["post"].pop("description"),
        "receive_game_moved",
    ),
    (
        parameters_without_example,
        lambda of: of["paths"]["/v1/games/{game}"]["parameters"][0].pop("example"),
        "read_game game",
    ),
    (
        errors_without_example,
        lambda of: _content(of)["examples"].pop("not_awaited"),
        "make_move not_awaited",
    ),
    (
        unions_of_strangers,
        lambda of: _schemas(of)["Payment"].update(
            anyOf=[{"$ref": "#/components/schemas/Cost"}, {"$ref": "#/components/schemas/City"}]
        ),
        "Payment",
    ),
    (
        unions_of_strangers,
        lambda of: _schemas(of)["GameRequest"]["properties"]["title"].update(default=None),
        "GameRequest.title",
    ),
]


def _schemas(of: Json) -> Json:
    schemas: Json = of["components"]["schemas"]
    return schemas


def _content(of: Json) -> Json:
    conflict = of["paths"]["/v1/games/{game}/moves"]["post"]["responses"]["409"]
    content: Json = conflict["content"]["application/problem+json"]
    return content


@pytest.mark.parametrize(("finder", "plant", "name"), PLANTED)
def test_what_is_left_unsaid_is_found(
    finder: Finder, plant: Callable[[Json], Any], name: str
) -> None:
    """A planted gap is found, and named."""
    made = deepcopy(document())
    plant(made)
    assert [name] == list(finder(made))


def test_every_message_of_a_webhook_is_documented() -> None:
    """The document has a webhook for each type of message, with its schema."""
    webhooks = document()["webhooks"]
    assert set(HOOK_TYPES.values()) == set(MESSAGES) == set(webhooks)


def test_openapi_generator_can_make_code_of_webhooks() -> None:
    """It makes a file for each tag, and a comparison with each status, so ranges are no good."""
    made = document()
    tags = {tag for _, _, operation in http_operations(made) for tag in operation["tags"]}
    for item in made["webhooks"].values():
        assert [] == [tag for tag in item["post"]["tags"] if tag in tags]
        assert {"default"} >= {
            status for status in item["post"]["responses"] if not status.isdigit()
        }


def test_fixed_values_are_listed() -> None:
    """Cards, colours and kinds are enums; an action and an event say their own kind."""
    schemas = _schemas(document())
    taken = schemas["EventCardTaken"]["properties"]["card"]["enum"]
    assert {"locomotive", "red", "?"} <= set(taken)
    assert [*taken[:-1], None] == schemas["GameState"]["properties"]["market"]["items"]["enum"]
    for family, kinds in (("Action", ACTIONS), ("Event", EVENTS)):
        for kind in kinds:
            schema = schemas[f"{family}{kind.title().replace('_', '')}"]
            assert kind == schema["properties"]["type"]["const"]


def test_streams_and_logs_are_declared() -> None:
    """The document names event streams, JSON lines, and the headers that clients may use."""
    paths = document()["paths"]
    events = paths["/v1/games/{game}/events"]["get"]["responses"]["200"]
    log = paths["/v1/games/{game}/log"]["get"]["responses"]["200"]
    stream = paths["/v1/me/stream"]["get"]["responses"]["200"]
    assert {"application/json", "text/event-stream"} == set(events["content"])
    assert ["application/jsonl"] == list(log["content"])
    assert ["text/event-stream"] == list(stream["content"])
    always = {"RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset", "X-Request-Id"}
    assert {"Link", *always} == set(events["headers"])
    for _, operation, _ in operations({**document(), "webhooks": {}}):
        assert all(
            always <= set(response["headers"]) for response in operation["responses"].values()
        )
